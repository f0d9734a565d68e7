"""RunTables: all a report knows of a run, as tables; no engine, no workload."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics import JobSites, bounded_slowdown, wait_time
from echelon.metrics.columns.core_occupancy import HeldCores
from echelon.metrics.columns.per_job import mean_size
from echelon.metrics.columns.shared_machines import (
    Copies,
    capacity,
    copies_of_table,
    rows_of,
    rows_per_core,
    speeds,
    working_cores,
)
from echelon.metrics.columns.steps import step_function
from echelon.metrics.tables.machine_nodes import MachineNodes
from echelon.metrics.tables.task_slots import slots_of_tables, tasks_at_sites
from echelon.model.jobs.local_time import within_calendar
from echelon.reports.checks import (
    check_forecasts,
    check_jobs,
    check_manifest,
    check_nodes,
    check_power,
    check_replicas,
    stated_platform,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from echelon.metrics.columns.steps import Steps
    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn

NEEDED_COLUMNS = ("job_id", "submit_time", "start_time", "end_time", "processors")


SEGMENT_COLUMNS = ("row", "start_time", "end_time")


class Pieces(NamedTuple):
    """Spans of time in which jobs held processors: the job's row, and from when to when, in seconds."""

    row: IntColumn
    start: FloatColumn
    end: FloatColumn


class Coded(NamedTuple):
    """A column of texts: the code of each row, and the different texts by code, ascending."""

    code: IntColumn
    texts: list[str]


@dataclass(frozen=True, eq=False)
class RunTables:
    """One run, as its folder holds it.

    Parameters
    ----------
    jobs : polars.DataFrame
        The columns of ``jobs.csv``; `NEEDED_COLUMNS` must be there, ``user`` and ``requested_time`` are shown
        if they are. Times in seconds.
    metrics : mapping of str to float
        The keys of ``metrics.json``; times in seconds.
    run : mapping
        The content of ``run.json``. Every key may be missing. Shown are ``policy``, ``workload``,
        ``processors``, ``estimates``, ``passes``, ``engine``, ``seed``, ``command`` (text or list of words),
        ``input_sha256``, ``versions`` (mapping), ``seconds`` (number, or mapping of step to number),
        ``dropped`` (list of mappings with ``reason``, ``count``, ``first``, or a mapping of reason to
        count), ``oddities`` (list of mappings with ``count`` and ``sentence``, or of text), ``notes``
        (list of text), ``unix_start_time`` (Unix time of second 0) and ``time_zone`` (of the log); of a grid
        ``label``, ``platform`` (mapping with ``name``, ``source`` and ``sites``, a list of mappings with
        ``name`` and ``processors``), ``broker`` and ``admissible``.
    segments : polars.DataFrame, optional
        For runs with preemption, a row each time a job held processors: ``row``, the job's 0-based place
        in `jobs`, ``start_time`` and ``end_time``; ordered by job, then time. Without it every job held
        its processors from start to end.
    holdings, nodes : polars.DataFrame, optional
        For runs on nodes, both: the columns of ``holdings.csv``, a row for what a job held of a processor,
        and of ``nodes.csv``, a row a node.
    power : polars.DataFrame, optional
        The columns of ``power.csv``: what the machine drew over time.
    places : polars.DataFrame, optional
        For runs on multiclusters, beside `nodes`: the columns of ``places.csv``, a row a job and cluster.
    forecasts : polars.DataFrame, optional
        The columns of ``forecasts.csv``: what estimators said of waits and runs.
    replicas : polars.DataFrame, optional
        Where jobs are replicated, the columns of ``replicas.csv``, a row a copy.

    Raises
    ------
    InputError
        If a needed column is missing, a number is none (see `echelon.reports.checks`), a segment belongs
        to no job or overlaps the job's next one, a job ran at no site of the platform, or what is held is
        of no job, core or node.
    """

    # Not slotted: what several panels ask for is kept in the instance's dictionary.
    jobs: pl.DataFrame
    metrics: Mapping[str, float]
    run: Mapping[str, Any]
    segments: pl.DataFrame | None = None
    holdings: pl.DataFrame | None = None
    nodes: pl.DataFrame | None = None
    power: pl.DataFrame | None = None
    places: pl.DataFrame | None = None
    forecasts: pl.DataFrame | None = None
    replicas: pl.DataFrame | None = None
    sites: JobSites | None = field(init=False, default=None)
    """Where the jobs ran and came from; None on one machine."""

    machine: MachineNodes | None = field(init=False, default=None)
    """The nodes; None where they are not modeled individually."""

    held: HeldCores | None = field(init=False, default=None)
    """What the jobs held of them; None where they are not modeled individually."""

    def __post_init__(self) -> None:
        if missing := [name for name in NEEDED_COLUMNS if name not in self.jobs.columns]:
            raise InputError(f"a report needs the columns of jobs.csv, missing: {', '.join(missing)}")
        check_jobs(self.jobs)
        check_manifest(self.run)
        if self.segments is not None:
            _check_segments(self.segments, self.jobs.height)
        platform, shared = stated_platform(self.run), self.places is not None
        object.__setattr__(self, "sites", JobSites.of_table(self.jobs, platform, spanning=shared))
        if self.nodes is not None and self.places is not None:
            check_nodes(self.nodes)
            start, end = self.float_column("start_time"), self.float_column("end_time")
            machine, held = slots_of_tables(self.nodes, self.places, start=start, end=end)
            object.__setattr__(self, "machine", machine)
            object.__setattr__(self, "held", held)
        if self.forecasts is not None:
            check_forecasts(self.forecasts)
        if self.holdings is not None and self.nodes is not None:
            check_nodes(self.nodes)
            machine = MachineNodes.of_table(self.nodes)
            held = HeldCores.of_table(self.holdings, jobs=self.jobs.height, cores=machine.cores)
            object.__setattr__(self, "machine", machine)
            object.__setattr__(self, "held", held)
        if self.power is not None:
            check_power(self.power)
        if self.replicas is not None and self.sites is not None:
            check_replicas(self.replicas, self.jobs.height, self.sites.platform.names)

    @property
    def policy(self) -> str:
        """The policy's name; empty where sites do without a broker, which leaves them no policy."""
        return str(self.run.get("policy") or ("" if self.run.get("broker") else "run"))

    @property
    def label(self) -> str:
        """What the run is called: its policy, on a grid also its broker."""
        return str(self.run.get("label") or " + ".join(filter(None, (self.broker, self.policy))))

    @property
    def broker(self) -> str:
        """What chose the jobs' sites, with its admissible share if that is below 1; empty without one."""
        broker, share = self.run.get("broker"), self.run.get("admissible")
        if isinstance(share, int | float):
            share = f"{share:g}" if share < 1 else None
        return (f"{broker} a={share}" if share else str(broker)) if broker else ""

    @property
    def processors(self) -> int:
        """Processors of the machine or of all sites; where the run does not say, of the largest job."""
        if self.sites is not None:
            return self.sites.platform.processors
        if self.machine is not None:
            return self.machine.cores
        stated = self.run.get("processors")
        return int(stated) if stated else int(self.int_column("processors").max(initial=1))

    @property
    def platform(self) -> Platform | None:
        """The sites of the grid; None on one machine."""
        return None if self.sites is None else self.sites.platform

    @property
    def unix_start_time(self) -> float | None:
        """Unix time of the log's second 0, where the run says it and all its jobs are within the calendar."""
        stated = self.run.get("unix_start_time")
        if not isinstance(stated, int | float):
            return None
        first, last = self.float_column("submit_time"), self.float_column("end_time")
        dated = within_calendar(first, stated) and within_calendar(last, stated)
        return float(stated) if dated else None

    @property
    def time_zone(self) -> str | None:
        """The log's time zone, where the run says it."""
        stated = self.run.get("time_zone")
        return None if stated is None else str(stated)

    @cached_property
    def wait(self) -> FloatColumn:
        """Waiting time of each job, in seconds, shape (n_jobs,): as stated, else from its times.

        Suspensions are added to the time up to the first start even where a wait is stated: in folders of
        earlier versions it ended there.
        """
        suspended = self.float_column("suspended_time") if self.is_preempted else None
        if "wait_time" in self.jobs.columns and suspended is None:
            return self.float_column("wait_time")
        return wait_time(self.float_column("submit_time"), self.float_column("start_time"), suspended)

    @cached_property
    def delay(self) -> FloatColumn:
        """Turnaround minus run time of each job, in seconds: its wait, and what its switches took."""
        if "switch_time" not in self.jobs.columns:
            return self.wait
        return self.wait + self.float_column("switch_time")

    @property
    def run_time(self) -> FloatColumn:
        """Run time of each job, in seconds, shape (n_jobs,): as stated, else from start to end."""
        if "run_time" in self.jobs.columns:
            return self.float_column("run_time")
        return self.float_column("end_time") - self.float_column("start_time")

    @cached_property
    def bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdown of each job with tau = 10 s, shape (n_jobs,): as stated, else from its times."""
        if "bounded_slowdown" in self.jobs.columns:
            return self.float_column("bounded_slowdown")
        return bounded_slowdown(self.delay, self.run_time)

    @cached_property
    def by_start(self) -> IntColumn:
        """Positions of the jobs by start, shape (n_jobs,); equal starts in the table's order."""
        return np.argsort(self.float_column("start_time"), kind="stable")

    @cached_property
    def by_end(self) -> IntColumn:
        """Positions of the jobs by end, shape (n_jobs,); equal ends in the table's order."""
        return np.argsort(self.float_column("end_time"), kind="stable")

    @property
    def orders(self) -> tuple[IntColumn, IntColumn] | None:
        """Positions of the `pieces` by start and by end; None where jobs may have several."""
        return (self.by_start, self.by_end) if self.segments is None else None

    @cached_property
    def pieces(self) -> Pieces:
        """When each job held its processors: its segments, or all of it from start to end."""
        if self.segments is None:
            rows = np.arange(self.jobs.height)
            return Pieces(rows, self.float_column("start_time"), self.float_column("end_time"))
        return _pieces(self.segments)

    @property
    def holding(self) -> tuple[FloatColumn, FloatColumn, IntColumn]:
        """When processors were held, from when to when, in seconds, and how many."""
        if self.held is not None:
            return self.held.start, self.held.release, self.held.sizes
        row, start, end = self.pieces
        size = self.int_column("processors")
        return start, end, size if self.segments is None else size[row]

    @property
    def is_immediate(self) -> bool:
        """Whether the run is on time-shared machines, whose cores jobs share."""
        return self.sites is not None and self.sites.platform.is_immediate

    @property
    def area(self) -> FloatColumn:
        """Processor-seconds of each job, shape (n_jobs,): of a shared core only its part."""
        name = "cpu_time" if self.is_immediate and "cpu_time" in self.jobs.columns else None
        held = self.run_time if name is None else self.float_column(name)
        return held * self.int_column("processors")

    @property
    def work(self) -> FloatColumn:
        """What each job had of the processors, in seconds of one of speed 1, shape (n_jobs,)."""
        if self.held is not None:
            core_time = self.held.sizes * (self.held.release - self.held.start)
            size = self.int_column("processors")
            return self.run_time * mean_size(size, self.run_time, row=self.held.row, core_time=core_time)
        if self.sites is None or not self.is_immediate:
            return self.area
        return self.area * speeds(self.sites.platform)[self.sites.site]

    @property
    def shortest(self) -> FloatColumn:
        """Least time that each job can run, in seconds: where there are no queues, on the fastest machine."""
        if self.sites is None or not self.is_immediate:
            return self.run_time
        return self.work / self.int_column("processors") / float(speeds(self.sites.platform).max())

    @property
    def capacity(self) -> float:
        """Processors, each as its speed where there are no queues."""
        if self.sites is None or not self.is_immediate:
            return float(self.processors)
        return capacity(self.sites.platform)

    @property
    def copies(self) -> Copies:
        """The copies of jobs and their sites on time-shared machines; each job if none was replicated."""
        assert self.sites is not None
        size = self.int_column("processors")
        if self.replicas is None:
            row, start, end = self.pieces
            return Copies(row, self.sites.site[row], start, end, size[row])
        return copies_of_table(self.replicas, self.sites.platform.names, size)

    def drawn(self, rows: int = 1) -> Platform | None:
        """Return the sites as the Gantt stacks them: where cores are shared, with a row for each process.

        A core then has at least so many rows.
        """
        if self.sites is None or not self.is_immediate:
            return self.platform
        return rows_of(self.copies, self.sites.platform, least=rows)

    @property
    def rows_per_core(self) -> int:
        """Rows that a core needs where cores are shared; else 1."""
        if self.sites is None or not self.is_immediate:
            return 1
        return rows_per_core(self.copies, self.sites.platform)

    @property
    def is_replicated(self) -> bool:
        """Whether some job had more than one copy."""
        return self.is_immediate and self.replicas is not None

    def busy(self, *, weighted: bool = False) -> Steps:
        """Return how many processors were held over time; shared ones if they had a process.

        If `weighted` each counts as its speed.
        """
        if self.sites is None or not self.is_immediate:
            return self._held_steps
        return working_cores(self.copies, self.sites.platform, weighted=weighted)

    @cached_property
    def _held_steps(self) -> Steps:
        return step_function(*self.holding, orders=self.orders if self.held is None else None)

    @property
    def is_shared(self) -> bool:
        """Whether the run is on a multicluster, whose nodes are recorded."""
        return self.machine is not None and self.machine.sites is not None

    @property
    def at_sites(self) -> tuple[IntColumn, Pieces, IntColumn]:
        """Place of the site, row and times, and processors, of each time a job held some at a site.

        On a multicluster a job may do so at several sites at once, and so may one that is replicated. Only on
        a grid.
        """
        assert self.sites is not None
        if self.is_immediate:
            copies = self.copies
            return copies.site, Pieces(copies.job, copies.start, copies.end), copies.processes
        if self.places is None:
            pieces = self.pieces
            return self.sites.site[pieces.row], pieces, self.int_column("processors")[pieces.row]
        row, site, tasks = tasks_at_sites(self.places, self.sites.platform.names)
        start, end = self.float_column("start_time"), self.float_column("end_time")
        return site, Pieces(row, start[row], end[row]), tasks

    @property
    def power_cap(self) -> float | None:
        """What the machine was allowed to draw, in W, where the run says it."""
        stated = self.run.get("power_cap")
        return float(stated) if isinstance(stated, int | float) and stated > 0 else None

    @property
    def is_preempted(self) -> bool:
        """Whether jobs were suspended, so that some wait after their start, too."""
        return "suspended_time" in self.jobs.columns

    def coded(self, name: str) -> Coded:
        """Return a column as text in codes; a missing value is an empty text."""
        if name not in self._coded:
            self._coded[name] = _coded(self.jobs[name])
        return self._coded[name]

    def know(self, name: str, coded: Coded) -> None:
        """Keep a column of these very jobs as text in codes, where who made the table knows these."""
        self._coded[name] = coded

    def know_orders(self, by_start: IntColumn, by_end: IntColumn) -> None:
        """Keep the orders of these very jobs, where who made the table has sorted them."""
        vars(self).update(by_start=by_start, by_end=by_end)

    @cached_property
    def _coded(self) -> dict[str, Coded]:
        return {}

    def float_column(self, name: str) -> FloatColumn:
        """Return a column of times, shape (n_jobs,)."""
        return np.asarray(self.jobs[name].to_numpy(), dtype=np.float64)

    def int_column(self, name: str) -> IntColumn:
        """Return a column of counts, shape (n_jobs,)."""
        return np.asarray(self.jobs[name].to_numpy(), dtype=np.int64)


def coded_texts(index: IntColumn, texts: Sequence[str | None]) -> Coded:
    """Return ``texts[index]`` as a column in codes; a missing text is an empty one."""
    spelled = [text or "" for text in texts]
    ascending = sorted(set(spelled))
    place = {text: code for code, text in enumerate(ascending)}
    code = np.array([place[text] for text in spelled], dtype=np.int64)[index]
    code.flags.writeable = False
    return Coded(code, ascending)


def _coded(column: pl.Series) -> Coded:
    import polars as pl

    said = column.cast(pl.String).fill_null("")
    texts = said.unique().sort()
    codes = said.cast(pl.Enum(texts)).to_physical()
    return Coded(codes.to_numpy().astype(np.int64), texts.to_list())


def _pieces(segments: pl.DataFrame) -> Pieces:
    row, start, end = (segments[name].to_numpy() for name in SEGMENT_COLUMNS)
    return Pieces(row.astype(np.int64), start.astype(np.float64), end.astype(np.float64))


def _check_segments(segments: pl.DataFrame, jobs: int) -> None:
    if missing := [name for name in SEGMENT_COLUMNS if name not in segments.columns]:
        raise InputError(f"a report needs the columns of segments.csv, missing: {', '.join(missing)}")
    row, start, end = _pieces(segments)
    wrong = (row < 0) | (row >= jobs) | ~(end >= start)
    same = row[1:] == row[:-1]
    wrong[1:] |= (row[1:] < row[:-1]) | (same & (start[1:] < end[:-1]))
    if wrong.any():
        at = int(wrong.argmax())
        raise InputError(
            f"expected segments of {jobs} jobs in the order of job and time, "
            f"got row {row[at]} from {start[at]:.15g} to {end[at]:.15g} s at position {at}"
        )
