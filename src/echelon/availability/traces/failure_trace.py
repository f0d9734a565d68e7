"""FailureTrace: when nodes of a real machine were down, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Anomaly
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.machines.outages import OutageKind


@dataclass(frozen=True, slots=True, eq=False)
class FailureTrace:
    """When nodes were down, drained or maintained, as a file has it: one row a node and outage.

    Parameters
    ----------
    file : str
        As the user gave it.
    format : str
        Name of its format: ``"fta"``, ``"lanl"``, ``"slurm-events"`` or ``"outages"``.
    nodes : tuple of str
        Names or numbers of the nodes, in order of first appearance.
    system : IntColumn, shape (n_nodes,)
        Index in `systems` of the system that each node belongs to.
    systems : tuple of str
        Names of systems or sites; one empty name where the file has none.
    node : IntColumn, shape (n_rows,)
        Index in `nodes` of the node of each outage.
    down, up : FloatColumn, shape (n_rows,)
        When it began and ended, in seconds, end >= begin; infinity: not over when the file was written.
    kind : ndarray of int8, shape (n_rows,)
        See `OutageKind`.
    announced : FloatColumn, shape (n_rows,)
        When it was known, in seconds; minus infinity: the file does not say.
    is_dated : bool
        Whether times are Unix times; otherwise they are seconds of the log that is simulated.
    numbering : {"machine", "zero", "order"}
        What its nodes are: those of the simulated machine, by number from 1 or by name; those of some other
        machine, by number from 0; or those of some other machine, of which only their order means something.
    anomalies : tuple of Anomaly
        What is unusual in the file, and what of it nothing here models.

    Raises
    ------
    InputError
        If columns differ in length, a row begins at no finite time or ends before it begins.
    """

    file: str
    format: str
    nodes: tuple[str, ...]
    system: IntColumn
    systems: tuple[str, ...]
    node: IntColumn
    down: FloatColumn
    up: FloatColumn
    kind: NDArray[np.int8]
    announced: FloatColumn
    is_dated: bool
    numbering: str
    anomalies: tuple[Anomaly, ...] = ()

    def __post_init__(self) -> None:
        lengths = {len(self.node), len(self.down), len(self.up), len(self.kind), len(self.announced)}
        if len(lengths) > 1 or len(self.system) != len(self.nodes):
            raise InputError("the columns of a failure trace must be equally long", file=self.file)
        if not (np.isfinite(self.down).all() and (self.up >= self.down).all()):
            raise InputError("an outage must begin at a finite time and end no earlier", file=self.file)
        for one in fields(self):
            column: Any = getattr(self, one.name)
            if isinstance(column, np.ndarray):
                column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of rows: one a node and outage."""
        return len(self.node)

    def rows(self, chosen: NDArray[Any]) -> FailureTrace:
        """Return only some rows, by index or by mask; all nodes stay."""
        return replace(
            self,
            node=self.node[chosen],
            down=self.down[chosen],
            up=self.up[chosen],
            kind=self.kind[chosen],
            announced=self.announced[chosen],
        )

    def of_kind(self, *kinds: OutageKind) -> FailureTrace:
        """Return the rows of these kinds; all nodes stay."""
        return self.rows(np.isin(self.kind, kinds))

    def of_system(self, name: str) -> FailureTrace:
        """Return the nodes and rows of one system.

        Raises
        ------
        UnknownNameError, InputError
            If there is none of that name, or the file has no systems.
        """
        if name not in self.systems and not any(self.systems):
            raise InputError(f"has no systems, so none is named {name!r:.60}", file=self.file)
        if name not in self.systems:
            raise UnknownNameError(f"system in {self.file}", name, self.systems)
        place = self.systems.index(name)
        mine = np.flatnonzero(self.system == place)
        number = np.full(len(self.nodes), -1, dtype=np.int64)
        number[mine] = np.arange(len(mine))
        subset = self.rows(number[self.node] >= 0)
        return replace(
            subset,
            nodes=tuple(self.nodes[one] for one in mine.tolist()),
            system=np.zeros(len(mine), dtype=np.int64),
            systems=(name,),
            node=number[subset.node],
        )
