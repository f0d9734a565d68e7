"""Calendar: maintenance and reservations as a run takes them: repeats expanded, counts made nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import EchelonError
from echelon.model.machines.outages import OutageKind, Outages
from echelon.model.machines.reservations import Reservation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.availability.calendar_entry import CalendarEntry
    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes

_NAMELESS = "reservation"


class Occurrence(NamedTuple):
    """One time that an entry occurs, in seconds of the log."""

    start: float
    end: float
    entry: CalendarEntry


class Expanded(NamedTuple):
    """A calendar on a machine, up to a horizon."""

    outages: Outages
    reservations: tuple[Reservation, ...]


@dataclass(frozen=True, slots=True)
class Calendar:
    """Entries of maintenance and reservations.

    Parameters
    ----------
    entries : tuple of CalendarEntry
        In any order.
    """

    entries: tuple[CalendarEntry, ...]

    @property
    def is_endless(self) -> bool:
        """Whether an entry repeats, so that it matters up to which horizon it is expanded."""
        return any(entry.repeats for entry in self.entries)

    def expand(self, nodes: MachineNodes, clock: LogClock, horizon: float = math.inf) -> Expanded:
        """Return its outages and reservations on a machine.

        Parameters
        ----------
        nodes : MachineNodes
            Of the machine.
        clock : LogClock
            Of the log.
        horizon : float, default infinity
            Repeats that begin at or after it are left out, in seconds; finite if an entry repeats.

        Raises
        ------
        InputError
            If an entry names nodes or sites that the machine has not, or a count finds too few free ones.

        Notes
        -----
        Entries take their nodes in order of start, equal starts in the order given; a count takes the
        lowest-numbered nodes of its site that no other reservation has at any time of it, whether that was
        given as a count or as a list. Maintenance is in no reservation's way. Cost: O(occurrences x those
        that overlap x nodes).
        """
        occurrences = sorted(self._occurrences(clock, horizon), key=lambda one: one.start)
        busy = _Occupation(nodes)
        for one in occurrences:
            if one.entry.count is None and not one.entry.is_maintenance:
                busy.take_listed(one)
        rows, reservations = [], []
        for one in occurrences:
            entry = one.entry
            for site, numbers in busy.of(one):
                if entry.is_maintenance:
                    kind = OutageKind.MAINTENANCE
                    rows.append((one.start, one.end, numbers, kind, entry.announced, site))
                else:
                    reservations.append(_reservation(one, site, numbers))
        return Expanded(Outages.of(rows), tuple(reservations))

    def _occurrences(self, clock: LogClock, horizon: float) -> Iterator[Occurrence]:
        for entry in self.entries:
            for start in entry.starts(clock, horizon):
                yield Occurrence(start, start + entry.length, entry)


class _Occupation:
    """Which nodes reservations have, and when."""

    def __init__(self, nodes: MachineNodes) -> None:
        self.nodes = nodes
        self._nodes_of_entry: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        self._listed: list[list[tuple[float, float, Sequence[int]]]] = [[] for _ in nodes.counts]
        self._counted: list[list[tuple[float, float, Sequence[int]]]] = [[] for _ in nodes.counts]

    def take_listed(self, one: Occurrence) -> None:
        for site, numbers in self.of(one):
            self._listed[site].append((one.start, one.end, numbers))

    def of(self, one: Occurrence) -> list[tuple[int, tuple[int, ...]]]:
        """Return the nodes of an occurrence by site; a count takes them now, in order of start."""
        if one.entry.count is not None:
            return [self._lowest(one)]
        if id(one.entry) not in self._nodes_of_entry:
            try:
                self._nodes_of_entry[id(one.entry)] = self.nodes.nodes(
                    one.entry.site, one.entry.listed, one.entry.names
                )
            except EchelonError as error:
                raise one.entry.refusal(error) from error
        return self._nodes_of_entry[id(one.entry)]

    def _lowest(self, one: Occurrence) -> tuple[int, tuple[int, ...]]:
        entry = one.entry
        try:
            sites = self.nodes.sites(entry.site)
            self.nodes.check_one(sites)
        except EchelonError as error:
            raise entry.refusal(error) from error
        site = sites[0]
        free = np.ones(self.nodes.counts[site], dtype=np.bool_)
        counted = [other for other in self._counted[site] if other[1] > one.start]
        for start, end, numbers in (*self._listed[site], *counted):
            if start < one.end and one.start < end:
                free[list(numbers)] = False
        lowest = np.flatnonzero(free)[: entry.count]
        if (entry.count or 0) > len(free):
            raise entry.refusal(f"needs {entry.count} nodes, but there are {len(free)}")
        if len(lowest) < (entry.count or 0):
            raise entry.refusal(
                f"needs {entry.count} nodes from {one.start:g} to {one.end:g} s, but {len(lowest)} of "
                f"{len(free)} are free of other reservations then"
            )
        numbers = tuple(lowest.tolist())
        # Starts come in order: what has ended by now is in no way.
        self._counted[site] = [*counted, (one.start, one.end, numbers)]
        return site, numbers


def _reservation(one: Occurrence, site: int, numbers: tuple[int, ...]) -> Reservation:
    entry = one.entry
    return Reservation(
        entry.name or _NAMELESS,
        one.start,
        one.end,
        numbers,
        site,
        users=entry.users,
        accounts=entry.accounts,
        flex=entry.flex,
        overrun=entry.overrun,
        ignore_jobs=entry.ignore_jobs,
        announced=entry.announced,
        slide=entry.slide,
    )
