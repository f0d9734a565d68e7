"""JobTable: what figures need of a run, from its table of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from echelon.errors import InputError
from echelon.metrics import JobSites, bounded_slowdown, wait_time
from echelon.metrics.columns.run_tables.table_closures import TableClosures
from echelon.metrics.columns.run_tables.table_copies import copies_of_tables, held_by_all
from echelon.metrics.columns.run_tables.table_nodes import join_parts, parts_of_tables
from echelon.model.schedules.features import Feature, features_of_tables, recorded_features

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.columns.run_tables.table_nodes import NodePart
    from echelon.metrics.columns.shared_machines import Copies
    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class HasJobs(Protocol):
    """A run: a `Result`, or anything else with the columns of ``jobs.csv`` as ``jobs``."""

    @property
    def jobs(self) -> pl.DataFrame:
        """One row a job."""
        ...


Run: TypeAlias = "HasJobs | pl.DataFrame"
"""What figures are drawn of: a run, or its table of jobs itself."""


@dataclass(frozen=True, slots=True, eq=False)
class JobTable:
    """A table with the columns of ``jobs.csv``, as arrays of shape (n_jobs,); times in seconds.

    Parameters
    ----------
    frame : polars.DataFrame
        The table; of its columns only those that are asked for must be there.
    stated_processors : int, optional
        Of the machine, where known.
    segments : polars.DataFrame, optional
        For runs with preemption the columns ``row``, ``start_time`` and ``end_time`` of ``segments.csv``.
    platform : Platform, optional
        The sites of a grid, where the run tells them.
    nodes, places : polars.DataFrame, optional
        Of a multicluster the columns of ``nodes.csv`` and ``places.csv``.
    replicas : polars.DataFrame, optional
        The columns of ``replicas.csv``, if some job was replicated.
    holdings, forecasts, power : polars.DataFrame, optional
        The columns of ``holdings.csv``, ``forecasts.csv`` and ``power.csv``.
    attempts, outages, reservations : polars.DataFrame, optional
        Of machines that change the columns of ``attempts.csv``, ``outages.csv`` and ``reservations.csv``.
    """

    frame: pl.DataFrame
    stated_processors: int | None = None
    segments: pl.DataFrame | None = None
    platform: Platform | None = None
    nodes: pl.DataFrame | None = None
    places: pl.DataFrame | None = None
    replicas: pl.DataFrame | None = None
    holdings: pl.DataFrame | None = None
    forecasts: pl.DataFrame | None = None
    power: pl.DataFrame | None = None
    attempts: pl.DataFrame | None = None
    outages: pl.DataFrame | None = None
    reservations: pl.DataFrame | None = None

    @classmethod
    def of(cls, run: Run) -> JobTable:
        """Return the table of a run, with its processors, segments, sites and places if it says them."""
        frame: Any = getattr(run, "jobs", run)
        column_values = (
            getattr(run, name, None)
            for name in (
                *("processors", "segments", "platform", "nodes", "places", "replicas"),
                *("holdings", "forecasts", "power", "attempts", "outages", "reservations"),
            )
        )
        return cls(frame, *column_values)

    @property
    def has(self) -> Feature:
        """What the run has, on which it depends what can be drawn of it."""
        sites = self.sites
        return features_of_tables(
            self,
            platform=getattr(sites, "platform", None),
            stated=sites is not None and sites.is_stated,
            columns=self.frame.columns,
        )

    def __len__(self) -> int:
        """Return the number of jobs."""
        return int(self.frame.height)

    def floats(self, name: str) -> FloatColumn:
        """Return a column of numbers.

        Raises
        ------
        InputError
            If it is not there, not of numbers, or a value is missing.
        """
        return np.asarray(self._column(name).to_numpy(), dtype=np.float64)

    @property
    def submit(self) -> FloatColumn:
        """Submit times."""
        return self.floats("submit_time")

    @property
    def start(self) -> FloatColumn:
        """Start times."""
        return self.floats("start_time")

    @property
    def end(self) -> FloatColumn:
        """End times."""
        return self.floats("end_time")

    @property
    def run(self) -> FloatColumn:
        """Run times: as stated, else from start to end."""
        return self.floats("run_time") if "run_time" in self.frame.columns else self.end - self.start

    @property
    def size(self) -> IntColumn:
        """Processors of each job."""
        return self.floats("processors").astype(np.int64)

    @property
    def wait(self) -> FloatColumn:
        """Waiting times: all time in the queue."""
        suspended = self.floats("suspended_time") if "suspended_time" in self.frame.columns else None
        return wait_time(self.submit, self.start, suspended)

    @property
    def bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdowns with tau = 10 s: as stated, else from the times."""
        if "bounded_slowdown" in self.frame.columns:
            return self.floats("bounded_slowdown")
        return bounded_slowdown(self.wait, self.run)

    @property
    def pieces(self) -> tuple[IntColumn, FloatColumn, FloatColumn]:
        """Row, start and end of each time a job held processors: its segments, or all from start to end."""
        if self.segments is None:
            return np.arange(len(self)), self.start, self.end
        pieces = JobTable(self.segments)
        return pieces.floats("row").astype(np.int64), pieces.start, pieces.end

    @property
    def span(self) -> tuple[float, float]:
        """First submission and last end; a second from 0 on without jobs."""
        if not len(self):
            return 0.0, 1.0
        return float(self.submit.min()), float(self.end.max())

    def window(self, window: tuple[float, float] | None) -> tuple[float, float]:
        """Return the part of the time that is drawn: as given, else all of it.

        Raises
        ------
        InputError
            If it is empty.
        """
        low, high = window or self.span
        if window and not low < high:
            raise InputError(f"a window must end after it begins, got {low:g} to {high:g}")
        return low, high

    @property
    def sites(self) -> JobSites | None:
        """Where the jobs ran and came from; None on one machine.

        Raises
        ------
        InputError
            If a job ran at no site of the platform.
        """
        return JobSites.of_table(
            self.frame, self.platform, spanning=Feature.PLACES in recorded_features(self)
        )

    @property
    def area(self) -> FloatColumn:
        """Processor-seconds of each job; of a shared core only its part."""
        if Feature.CPU_TIME not in self.has:
            return self.run * self.size
        computed = np.asarray(self._column("cpu_time", gaps=True).to_numpy(), dtype=np.float64)
        return np.where(np.isnan(computed), self.run, computed) * self.size

    @property
    def copies(self) -> Copies:
        """What ran at which site: jobs, their copies, or their parts. Only of a run with sites."""
        jobs = (self.needed_sites(), self.size, (self.start, self.end), self.pieces)
        return copies_of_tables(self.has, jobs, self._node_parts, self.places, self.replicas)

    @property
    def held_nodes(self) -> tuple[MachineNodes, HeldCores]:
        """The nodes of the run, and what jobs held of them; slots of those that have owners.

        Raises
        ------
        InputError
            If it tells none: its machine is one of plain processors.
        """
        if Feature.NODES not in self.has:
            raise InputError("a figure of cores and nodes needs a run on nodes; this one has none")
        _, nodes, held = join_parts(self._node_parts)
        return nodes, held

    @property
    def closures(self) -> TableClosures:
        """What was closed to jobs: outages and reservations, and the numbers of what jobs held."""
        has = self.has
        machine, held = self.held_nodes if Feature.NODES in has else (None, None)
        processors = 0 if Feature.NODES in has else self.processors
        platform = getattr(self.sites, "platform", None)
        tables = (self.attempts, self.outages, self.reservations)
        return TableClosures(has, processors, platform, machine, held, *tables)

    @property
    def is_held_by_node(self) -> bool:
        """Whether it is known of each job what it held of nodes, all of one kind."""
        parts = self._node_parts
        return len(parts) == 1 and held_by_all(parts[0].held, len(self))

    @property
    def _node_parts(self) -> tuple[NodePart, ...]:
        return parts_of_tables(
            self.has,
            self.nodes,
            holdings=self.holdings,
            places=self.places,
            jobs=len(self),
            times=lambda: (self.start, self.end),
            platform=self.platform,
        )

    def needed_sites(self) -> JobSites:
        """Return the same.

        Raises
        ------
        InputError
            On one machine, too.
        """
        if (sites := self.sites) is None:
            raise InputError(
                "a figure of sites needs jobs that ran on several sites; these ran on one machine"
            )
        return sites

    @property
    def processors(self) -> int:
        """Processors of the machine or of all sites; where unknown, those of the largest job."""
        if self.stated_processors:
            return self.stated_processors
        return sites.platform.processors if (sites := self.sites) else int(self.size.max(initial=1))

    def labels(self, name: str) -> list[str]:
        """Return a column as texts, empty where there is none."""
        texts: list[str] = self._column(name, gaps=True).cast(str).fill_null("").to_list()
        return texts

    def codes(self, name: str) -> tuple[IntColumn, list[str]]:
        """Return a column of names as codes and the names behind them; -1 where there is none."""
        texts = self._column(name, gaps=True).cast(str)
        values = texts.drop_nulls().unique().sort()
        names = values.to_list()
        place = {text: code for code, text in enumerate(names)}
        return np.array([place.get(text, -1) for text in texts.to_list()], dtype=np.int64), names

    def _column(self, name: str, *, gaps: bool = False) -> pl.Series:
        if name not in self.frame.columns:
            raise InputError(f"a figure needs the column {name!r} of jobs.csv, which is missing")
        column = self.frame[name]
        if not gaps and (not column.dtype.is_numeric() or column.null_count()):
            raise InputError(f"must be numbers without gaps, got {column.dtype}", field=f"column {name}")
        return column
