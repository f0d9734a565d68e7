"""HeldCores: which cores the jobs of a table held, and when."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.steps import held_shares
from echelon.metrics.tables.nodes.machine_nodes import check_columns, whole_numbers
from echelon.model.jobs.columns import ranges
from echelon.model.schedules.number_sets import NumberSets, read_sets, unite

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model.jobs.columns import FloatColumn, IntColumn

HOLDING_COLUMNS = ("row", "cores", "start_time", "begin_time", "end_time", "release_time")
"""Columns of ``holdings.csv`` that figures and reports need."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldCores:
    """What jobs of a table held: one row each. Times in seconds.

    Parameters
    ----------
    row : IntColumn, shape (n,)
        The job's row in the table of jobs.
    cores : NumberSets
        Of each row.
    start, begin, end, release : FloatColumn, shape (n,)
        When the cores were taken, the tasks began to progress, the last of them ended, and the cores were
        given back.
    """

    row: IntColumn
    cores: NumberSets
    start: FloatColumn
    begin: FloatColumn
    end: FloatColumn
    release: FloatColumn

    @classmethod
    def of_table(cls, holdings: pl.DataFrame, *, jobs: int, cores: int, every: bool = True) -> HeldCores:
        """Read the columns `HOLDING_COLUMNS` of ``holdings.csv``.

        Parameters
        ----------
        holdings : polars.DataFrame
            The table.
        jobs, cores : int
            Rows of the table of jobs, and cores of the machine.
        every : bool, default True
            Whether each job must have held some: not where there are other machines, too.

        Raises
        ------
        InputError
            If a column is missing, or a row is of no job, of no core, or its times are not in order.

        Notes
        -----
        Cost: O(n).
        """
        check_columns(holdings, HOLDING_COLUMNS, "holdings.csv")
        row = whole_numbers(holdings, "row")
        times = [_times(holdings, name) for name in HOLDING_COLUMNS[2:]]
        wrong = (row < 0) | (row >= jobs)
        for before, after in pairwise(times):
            wrong |= ~((before <= after) & np.isfinite(before) & np.isfinite(after))
        if wrong.any():
            raise InputError(
                f"holdings.csv: expected rows of {jobs} jobs whose start, begin, end and release are in "
                f"order, row {int(wrong.argmax()) + 1} is none"
            )
        if every and (idle := np.bincount(row, minlength=jobs) == 0).any():
            lacking = int(idle.argmax()) + 1
            raise InputError(
                f"holdings.csv: expected the cores that each of {jobs} jobs held, found none of job {lacking}"
            )
        try:
            # Where every set is one number, a file of text has been read as numbers.
            held = read_sets(holdings["cores"].cast(str).fill_null("").to_list())
        except InputError as error:
            raise InputError(f"holdings.csv: {error.problem}", field="cores") from None
        if len(held.last) and int(held.last.max()) >= cores:
            raise InputError(f"holdings.csv: core {held.last.max()} is not one of {cores}", field="cores")
        return cls(row, held, *times)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.row)

    @property
    def sizes(self) -> IntColumn:
        """Cores of each row, shape (n,)."""
        return self.cores.sizes

    def join_rows(self) -> HeldCores:
        """Return the same with the rows of a job that have the same times as one. Cost: O(n log n)."""
        if not len(self):
            return self
        keys = (self.row, self.start, self.begin, self.end, self.release)
        order = np.lexsort(keys[::-1])
        new = np.ones(len(self), dtype=np.bool_)
        new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
        first = order[new]
        kind = np.empty(len(self), dtype=np.int64)
        kind[order] = np.cumsum(new) - 1
        cores = unite(self.cores, kind, len(first))
        columns = (self.start, self.begin, self.end, self.release)
        return HeldCores(self.row[first], cores, *(column[first] for column in columns))


def node_shares(held: HeldCores, nodes: MachineNodes, edges: FloatColumn) -> FloatColumn:
    """Return the share of each node's cores that jobs held between edges, shape (n_nodes, n_edges - 1).

    Parameters
    ----------
    held : HeldCores
        What was held; blocked and waking cores count.
    nodes : MachineNodes
        The nodes.
    edges : FloatColumn, shape (n_edges,)
        Ascending times, in seconds.

    Notes
    -----
    Cost: O(k log k) for k pieces of holdings within nodes, and O(nodes x edges).
    """
    piece = np.repeat(np.arange(len(held)), np.diff(held.cores.offsets))
    node, interval, count = _by_node(held.cores, nodes)
    of = piece[interval]
    return held_shares(node, held.start[of], held.release[of], count, capacity=nodes.sizes, edges=edges)


def node_holders(held: HeldCores, nodes: MachineNodes, time: float) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Return node, row of the job, and cores, of each pair of a node and a job that held cores of it then.

    Parameters
    ----------
    held : HeldCores
        What was held.
    nodes : MachineNodes
        The nodes.
    time : float
        In seconds; what is given back then is no longer held.
    """
    piece = np.repeat(np.arange(len(held)), np.diff(held.cores.offsets))
    node, interval, count = _by_node(held.cores, nodes)
    of = piece[interval]
    now = (held.start[of] <= time) & (time < held.release[of])
    pairs, place = np.unique(np.stack((node[now], held.row[of][now])), axis=1, return_inverse=True)
    cores = np.bincount(place.reshape(-1), weights=count[now], minlength=pairs.shape[1]).astype(np.int64)
    return pairs[0], pairs[1], cores


def _by_node(cores: NumberSets, nodes: MachineNodes) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Cut intervals at the borders of nodes: return node, interval and number of cores of each part."""
    low = np.searchsorted(nodes.first_core, cores.first, side="right") - 1
    high = np.searchsorted(nodes.first_core, cores.last, side="right") - 1
    parts = high - low + 1
    interval = np.repeat(np.arange(len(parts)), parts)
    node = ranges(low, high + 1)
    first = np.maximum(cores.first[interval], nodes.first_core[node])
    last = np.minimum(cores.last[interval], nodes.first_core[node + 1] - 1)
    return node, interval, last - first + 1


def _times(table: pl.DataFrame, name: str) -> FloatColumn:
    column = table[name]
    if not column.dtype.is_numeric() and len(column):
        raise InputError(f"expected times in seconds, got {column.dtype}", field=f"column {name}")
    return np.asarray(column.cast(float).fill_null(np.nan).to_numpy(), dtype=np.float64)
