"""CalendarEntry: one line of a calendar of maintenance and reservations, as people write it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.availability.log_clock import LogClock, Moment

MOST_REPEATS = 1_000_000
"""Most times that one entry may occur in a run."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """How often an entry occurs again: every so many days by the calendar, or seconds.

    Parameters
    ----------
    days : int, default 0
        At the same hour of the log's clock; 0: by seconds.
    seconds : float, default infinity
        Between two starts, > 0; infinity: it occurs once.
    """

    days: int = 0
    seconds: float = math.inf


ONCE, DAILY, WEEKLY = Repeat(), Repeat(days=1), Repeat(days=7)


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Nodes that are kept free from a moment on for a while, perhaps again and again.

    Parameters
    ----------
    start : Moment
        Of its first occurrence.
    length : float
        In seconds, > 0.
    name : str, default ""
        Of a reservation; its later occurrences have the same one.
    listed : tuple of int, optional
        Numbers of its nodes, from 1.
    count : int, optional
        How many nodes, the lowest-numbered that no other reservation has then. Without both: all nodes.
    site : str, default ""
        Path of the site, or of an inner site if all its nodes are meant; empty: the whole machine.
    users, accounts : tuple of str, default empty
        The users whose jobs may use it.
    is_maintenance : bool, default True
        Whether no job may use it: then it is an outage, else a reservation.
    flex, overrun, ignore_jobs : bool, default False
        As in `Reservation`.
    announced : float, default minus infinity
        When schedulers learn of it, in seconds of the log.
    slide : float, default 0
        As in `Reservation`, in seconds.
    repeat : Repeat, default once
        How often it occurs again.
    place : str, default ""
        Where it was said, for messages.
    names : tuple of str, default empty
        What the listed nodes were called, if not by numbers.

    Raises
    ------
    InputError
        If its length is not above 0, its occurrences would overlap, or it has both nodes and a count.
    """

    start: Moment
    length: float
    name: str = ""
    listed: tuple[int, ...] | None = None
    count: int | None = None
    site: str = ""
    users: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    is_maintenance: bool = True
    flex: bool = False
    overrun: bool = False
    ignore_jobs: bool = False
    announced: float = -math.inf
    slide: float = 0.0
    repeat: Repeat = ONCE
    place: str = ""
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.length < math.inf:
            raise self.refusal(f"must last a finite time > 0 s, got {self.length:g} s")
        if self.length > self.period:
            raise self.refusal(
                f"lasts {self.length:g} s and begins again every {self.period:g} s; make it shorter"
            )
        if self.listed is not None and self.count is not None:
            raise self.refusal("has both a list of nodes and a number of them")
        if self.count is not None and self.count < 1:
            raise self.refusal(f"must have at least 1 node, got {self.count}")

    def refusal(self, problem: str | EchelonError) -> InputError:
        """Return an error that says where the entry is."""
        return InputError(f"{self.place}: {problem}" if self.place else str(problem))

    @property
    def period(self) -> float:
        """Seconds between two of its starts, a day having 86,400; infinity if it occurs once."""
        return min(self.repeat.seconds, self.repeat.days * 86400.0 or math.inf)

    @property
    def repeats(self) -> bool:
        """Whether it occurs more than once."""
        return self.period < math.inf

    @property
    def takes_everything(self) -> bool:
        """Whether no job may use any node then, and schedulers always knew it."""
        return self.takes_its_sites and not self.site

    @property
    def takes_its_sites(self) -> bool:
        """Whether that is so of all nodes of its site, or of the sites below it."""
        all_nodes = self.listed is None and self.count is None
        return self.is_maintenance and all_nodes and self.announced == -math.inf

    def starts(self, clock: LogClock, horizon: float) -> Iterator[float]:
        """Yield the starts of its occurrences that begin before `horizon`, in seconds of the log.

        Those of an entry that repeats begin with the first that ends after the log's second 0; one that does
        not is always there.

        Raises
        ------
        InputError
            If they are more than `MOST_REPEATS`.
        """
        if not self.repeats:
            yield self.start.seconds
            return
        period = self.period
        # Clocks are moved by hours: begin a few occurrences too early.
        first = max(0, math.floor((-self.start.seconds - self.length) / period) - 1)
        if (horizon - max(self.start.seconds, 0.0)) / period > MOST_REPEATS:
            raise self.refusal(
                f"occurs more than {MOST_REPEATS:,} times in {horizon:g} s; repeat it less often"
            )
        number = first
        while (start := self._start(number, clock)) < horizon:
            if start + self.length > 0 or number == 0 <= start:
                yield start
            number += 1

    def _start(self, number: int, clock: LogClock) -> float:
        if self.repeat.days:
            return clock.add_days(self.start, number * self.repeat.days).seconds
        return self.start.seconds + number * self.repeat.seconds
