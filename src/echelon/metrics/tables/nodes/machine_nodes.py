"""MachineNodes: the nodes of a machine as rows of cores, from the table of nodes that a run leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from echelon.model.jobs.columns import IntColumn

NODE_COLUMNS = ("node", "cores", "first_core", "processor_cores")
"""Columns of ``nodes.csv`` that figures and reports need."""


@dataclass(frozen=True, slots=True, eq=False)
class MachineNodes:
    """The nodes of a machine as rows of cores.

    Parameters
    ----------
    numbers : list of int
        Of the nodes.
    first_core : IntColumn, shape (n_nodes + 1,)
        First core of each node, and their number at last.
    first_core_of_processor : IntColumn, shape (n_processors + 1,)
        The same of each processor.
    labels, sites : list of str, optional
        Where there are several sites what each node is called, and its site.
    part : str, default ``"core"``
        What its rows are. ``"task slot"`` of nodes that have owners: a node has as many as parallel tasks
        that it may hold at once.
    """

    numbers: list[int]
    first_core: IntColumn
    first_core_of_processor: IntColumn
    labels: list[str] | None = None
    sites: list[str] = field(default_factory=list)
    part: str = "core"

    @classmethod
    def of_table(cls, nodes: pl.DataFrame) -> MachineNodes:
        """Read the columns `NODE_COLUMNS` of ``nodes.csv``, and ``site`` if it is there.

        Raises
        ------
        InputError
            If a column is missing, or the nodes do not have the cores in order.
        """
        check_columns(nodes, NODE_COLUMNS, "nodes.csv")
        count, first = (whole_numbers(nodes, name) for name in ("cores", "first_core"))
        ends = np.cumsum(count)
        if not len(count) or (count < 1).any() or not np.array_equal(first, ends - count):
            raise InputError("nodes.csv: expected nodes whose cores, at least one each, follow each other")
        parts = [_counts(text) for text in nodes["processor_cores"].cast(str).fill_null("").to_list()]
        if [sum(part) for part in parts] != count.tolist():
            raise InputError("nodes.csv: expected the cores of the processors of each node to be all it has")
        of_processors = np.concatenate([np.array(part, dtype=np.int64) for part in parts])
        labels, sites = _name_by_site(nodes) if "site" in nodes.columns else (None, [])
        return cls(
            whole_numbers(nodes, "node").tolist(),
            np.concatenate(([0], ends)),
            np.concatenate(([0], np.cumsum(of_processors))),
            labels=labels,
            sites=sites,
        )

    def join(self, more: MachineNodes) -> MachineNodes:
        """Return these nodes and more of another kind behind them."""
        first, inner = (
            np.concatenate((own[:-1], own[-1] + others))
            for own, others in (
                (self.first_core, more.first_core),
                (self.first_core_of_processor, more.first_core_of_processor),
            )
        )
        sites = self.site_names + more.site_names
        parts = f"{self.part} or {more.part}"
        return MachineNodes(
            self.numbers + more.numbers, first, inner, self.names + more.names, sites, part=parts
        )

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.numbers)

    @property
    def site_names(self) -> list[str]:
        """Name of the site of each node; empty within one machine."""
        return self.sites if self.labels else [""] * len(self)

    @property
    def names(self) -> list[str]:
        """What each node is called: ``node 3``."""
        return self.labels or [f"node {number}" for number in self.numbers]

    @property
    def site_borders(self) -> IntColumn:
        """First core or slot of each site but the first; none within one machine."""
        names = np.array(self.site_names)
        borders: IntColumn = self.first_core[1:-1][names[1:] != names[:-1]]
        return borders

    def row_names(self, each: int) -> list[str]:
        """Return names of rows of `each` neighboring nodes: ``node 3``, or ``nodes 20-29``."""
        if labels := self.labels:
            ends = [labels[at : at + each] for at in range(0, len(self), each)]
            return [row[0] if len(row) == 1 else f"{row[0]} to {row[-1]}" for row in ends]
        rows = [self.numbers[at : at + each] for at in range(0, len(self), each)]
        return [f"node {row[0]}" if len(row) == 1 else f"nodes {row[0]}-{row[-1]}" for row in rows]

    @property
    def cores(self) -> int:
        """Cores of all nodes."""
        return int(self.first_core[-1])

    @property
    def sizes(self) -> IntColumn:
        """Cores of each node, shape (n_nodes,)."""
        return np.diff(self.first_core)


def _name_by_site(nodes: pl.DataFrame) -> tuple[list[str], list[str]]:
    """Return what nodes are called, by their site and their number in the table, and their sites."""
    sites: list[str] = nodes["site"].cast(str).fill_null("").to_list()
    numbers = nodes["node"].to_list()
    return [f"{site} node {number}" for site, number in zip(sites, numbers, strict=True)], sites


def check_columns(table: pl.DataFrame, names: tuple[str, ...], file: str) -> None:
    """Refuse a table of a run's folder that lacks a column."""
    if missing := [name for name in names if name not in table.columns]:
        raise InputError(f"needs the columns of {file}, missing: {', '.join(missing)}")


def whole_numbers(table: pl.DataFrame, name: str) -> IntColumn:
    """Return a column of whole numbers of a table of a run's folder, or refuse it."""
    column = table[name]
    if not column.dtype.is_integer() or column.null_count():
        raise InputError(f"expected whole numbers without gaps, got {column.dtype}", field=f"column {name}")
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _counts(text: str) -> list[int]:
    numbers = text.split()
    if not numbers or not all(number.isdigit() and 0 < int(number) < 2**31 for number in numbers):
        raise InputError(f"nodes.csv: expected cores of processors such as '8 8', got {text!r}")
    return [int(number) for number in numbers]
