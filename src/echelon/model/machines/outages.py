"""Outages: when nodes fail, are drained or are maintained, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import ranges, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class OutageKind(IntEnum):
    """Why nodes cannot be used for a while."""

    FAIL = 0
    """They are down: jobs on them die when it begins; no scheduler knows of it before."""
    DRAIN = 1
    """No job may start on them; jobs that run there run to their end."""
    MAINTENANCE = 2
    """No job may be planned on them; a job that still runs there when it begins is in conflict with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Outages:
    """Intervals in which nodes cannot be used, in order of start.

    On a machine of counted processors every processor is a node. Nodes are numbered from 0 in each site;
    users number them from 1.

    Parameters
    ----------
    site : IntColumn, shape (n_outages,)
        Index of the site in the platform; 0 on one machine.
    start, end : FloatColumn, shape (n_outages,)
        In seconds; end >= start, infinity of nodes that never return. An outage of no length kills what runs
        there, and the nodes are back at once.
    kind : ndarray of int8, shape (n_outages,)
        See `OutageKind`.
    announced : FloatColumn, shape (n_outages,)
        When schedulers learn of a drain or of maintenance, in seconds; minus infinity: they always knew.
    first : IntColumn, shape (n_outages + 1,)
        The nodes of outage i are ``node[first[i]:first[i + 1]]``.
    node : IntColumn
        Numbers of nodes, from 0, ascending within each outage.

    Raises
    ------
    InputError
        If columns differ in length, an outage ends before it starts, starts at no finite time or has no node,
        or starts are not sorted.
    """

    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    kind: NDArray[np.int8]
    announced: FloatColumn
    first: IntColumn
    node: IntColumn

    @classmethod
    def of(cls, rows: Iterable[tuple[float, float, Sequence[int], OutageKind, float, int]] = ()) -> Outages:
        """Return outages from rows in any order.

        Parameters
        ----------
        rows : iterable of (start, end, nodes, kind, announced, site)
            As the columns. Rows that start together stay in their order.
        """
        ordered_rows = sorted(rows, key=lambda row: row[0])
        counts = [len(nodes) for _, _, nodes, _, _, _ in ordered_rows]
        return cls(
            np.array([site for *_, site in ordered_rows], dtype=np.int64),
            np.array([start for start, *_ in ordered_rows], dtype=np.float64),
            np.array([end for _, end, *_ in ordered_rows], dtype=np.float64),
            np.array([kind for _, _, _, kind, _, _ in ordered_rows], dtype=np.int8),
            np.array([announced for *_, announced, _ in ordered_rows], dtype=np.float64),
            starts_of(counts),
            np.array([node for _, _, nodes, *_ in ordered_rows for node in sorted(nodes)], dtype=np.int64),
        )

    def __post_init__(self) -> None:
        lengths = {len(self.site), len(self.start), len(self.end), len(self.kind), len(self.announced)}
        if len(lengths) > 1 or len(self.first) != len(self.start) + 1:
            raise InputError("the columns of outages must be equally long", field="outages")
        rules = (
            (~np.isfinite(self.start), "starts at a finite time", self.start),
            (~(self.end >= self.start), "ends no earlier than it starts", self.end),
            (np.diff(self.first) < 1, "has at least one node", np.diff(self.first)),
            (np.diff(self.start, prepend=-np.inf) < 0, "starts no earlier than the one before", self.start),
        )
        for wrong, expected, column in rules:
            if wrong.any():
                row = int(wrong.argmax())
                raise InputError(f"an outage {expected}, got {column[row]:g} in row {row}", field="outages")
        for one in fields(self):
            array: NDArray[Any] = getattr(self, one.name)
            array.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of outages."""
        return len(self.start)

    def nodes_of(self, row: int) -> IntColumn:
        """Return the nodes of the outage in this row, numbered from 0."""
        return self.node[self.first[row] : self.first[row + 1]]

    def take(self, rows: IntColumn) -> Outages:
        """Return the outages in these rows, ascending."""
        counts = np.diff(self.first)[rows]
        return Outages(
            self.site[rows],
            self.start[rows],
            self.end[rows],
            self.kind[rows],
            self.announced[rows],
            starts_of(counts),
            self.node[ranges(self.first[rows], self.first[rows + 1])],
        )

    def of_kind(self, *kinds: OutageKind) -> Outages:
        """Return the outages of these kinds."""
        return self.take(np.flatnonzero(np.isin(self.kind, kinds)))


NO_OUTAGES = Outages.of()
"""Nothing ever goes down."""
