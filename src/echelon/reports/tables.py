"""RunTables: all a report knows of a run, as tables; no engine, no workload."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.experiments.folders.own_rules import with_short_names
from echelon.metrics import (
    JobSites,
    bounded_slowdown,
    grid_bounded_slowdown,
    slowdown,
    turnaround_time,
    wait_time,
)
from echelon.metrics.columns.job_values import mean_size
from echelon.metrics.columns.run_tables.table_closures import TableClosures
from echelon.metrics.columns.run_tables.table_copies import copies_of_tables, held_by_all
from echelon.metrics.columns.run_tables.table_nodes import (
    NodePart,
    join_parts,
    parts_of_tables,
    rows_of_tables,
)
from echelon.metrics.columns.shared_machines import (
    capacity,
    rows_of,
    rows_per_core,
    speeds,
    working_cores,
)
from echelon.metrics.columns.steps import step_function
from echelon.model.jobs.local_time import within_calendar
from echelon.model.schedules.features import Feature, features_of_tables, recorded_features, there
from echelon.reports.checks import (
    check_attempts,
    check_columns,
    check_forecasts,
    check_jobs,
    check_log_waits,
    check_manifest,
    check_nodes,
    check_power,
    check_replicas,
    stated_platform,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.columns.shared_machines import Copies
    from echelon.metrics.columns.steps import Steps
    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn

NEEDED_COLUMNS = ("job_id", "submit_time", "start_time", "end_time", "processors")

TABLES = (
    *("segments", "holdings", "nodes", "power", "places", "forecasts", "replicas"),
    *("attempts", "outages", "reservations"),
)
"""Tables that a run may have beside that of its jobs."""

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
        ``processors``, ``estimates``, ``passes``, ``engine``, ``seed``, ``command`` (text or list of them),
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
    attempts, outages, reservations : polars.DataFrame, optional
        For runs on machines that change, the columns of ``attempts.csv``, ``outages.csv`` and
        ``reservations.csv``.
    name : str, optional
        What the run is called beside others. Default: what tells its policy or its broker from theirs.
    log_waits : polars.DataFrame, optional
        The columns of ``log_waits.csv``: how long jobs waited in the log, and here.

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
    attempts: pl.DataFrame | None = None
    outages: pl.DataFrame | None = None
    reservations: pl.DataFrame | None = None
    name: str | None = None
    log_waits: pl.DataFrame | None = None
    sites: JobSites | None = field(init=False, default=None)
    """Where the jobs ran and came from; None on one machine."""

    machine: MachineNodes | None = field(init=False, default=None)
    """The nodes; None where they are not modeled individually."""

    held: HeldCores | None = field(init=False, default=None)
    """What the jobs held of them; None where they are not modeled individually."""

    node_parts: tuple[NodePart, ...] = field(init=False, default=())
    """The same by the kind of nodes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", with_short_names(self.run))
        check_columns(self.jobs, NEEDED_COLUMNS, "jobs.csv")
        check_manifest(self.run)
        check_jobs(self.jobs, has_sites=self.run.get("platform") is not None)
        if self.segments is not None:
            _check_segments(self.segments, self.jobs.height)
        if self.log_waits is not None:
            check_log_waits(self.log_waits, self.jobs.height)
        spanning = Feature.PLACES in recorded_features(self)
        sites = JobSites.of_table(self.jobs, stated_platform(self.run), spanning=spanning)
        object.__setattr__(self, "sites", sites)
        self._read_nodes()
        if Feature.FORECASTS in self.has:
            check_forecasts(there(self.forecasts), self.jobs.height)
        if Feature.POWER in self.has:
            check_power(there(self.power))
        if Feature.ATTEMPTS in self.has and self.attempts is not None:
            check_attempts(self.attempts, self.jobs.height)
        if sites and Feature.COPIES in recorded_features(self):
            check_replicas(there(self.replicas), self.jobs.height, sites.platform.names)

    def _read_nodes(self) -> None:
        stated = self.platform if self.sites and self.sites.is_stated else None
        for _, rows in rows_of_tables(self.has, self.nodes):
            check_nodes(rows)
        parts = parts_of_tables(
            self.has,
            self.nodes,
            holdings=self.holdings,
            places=self.places,
            jobs=self.jobs.height,
            times=self._times,
            platform=stated,
        )
        if parts:
            _, machine, held = join_parts(parts)
            object.__setattr__(self, "machine", machine)
            object.__setattr__(self, "held", held)
            object.__setattr__(self, "node_parts", parts)

    def _times(self) -> tuple[FloatColumn, FloatColumn]:
        return self.float_column("start_time"), self.float_column("end_time")

    @cached_property
    def has(self) -> Feature:
        """What the run has, on which it depends what the page shows."""
        stated = self.sites is not None and self.sites.is_stated
        return features_of_tables(self, platform=self.platform, stated=stated, columns=self.jobs.columns)

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
        if Feature.SITES in self.has:
            return there(self.platform).processors
        if Feature.NODES in self.has:
            return there(self.machine).cores
        stated = self.run.get("processors")
        return int(stated) if stated else int(self.int_column("processors").max(initial=1))

    @property
    def platform(self) -> Platform | None:
        """The sites of the grid; None on one machine."""
        return getattr(self.sites, "platform", None)

    @property
    def unix_start_time(self) -> float | None:
        """Unix time of the log's second 0, where the run says it and all its jobs are within the calendar."""
        stated = self.run.get("unix_start_time")
        if not isinstance(stated, int | float):
            return None
        dated = within_calendar(self.submit, stated) and within_calendar(self.end, stated)
        return float(stated) if dated else None

    @property
    def time_zone(self) -> str | None:
        """The log's time zone, where the run says it."""
        stated = self.run.get("time_zone")
        return None if stated is None else str(stated)

    @cached_property
    def submit(self) -> FloatColumn:
        """Submit times, in seconds, shape (n_jobs,)."""
        return self.float_column("submit_time")

    @cached_property
    def earliest_submit(self) -> FloatColumn:
        """Submit times as early as dependencies allow, in seconds, shape (n_jobs,)."""
        has_column = "earliest_release" in self.jobs.columns
        return self.float_column("earliest_release") if has_column else self.submit

    @cached_property
    def end(self) -> FloatColumn:
        """End times, in seconds, shape (n_jobs,)."""
        return self.float_column("end_time")

    @cached_property
    def span(self) -> tuple[float, float]:
        """First submission and last end, in seconds."""
        return float(self.submit.min()), float(self.end.max())

    @cached_property
    def size(self) -> IntColumn:
        """Processors of each job, shape (n_jobs,)."""
        return self.int_column("processors")

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
    def turnaround(self) -> FloatColumn:
        """Turnaround of each job, in seconds, shape (n_jobs,)."""
        return turnaround_time(self.submit, self.end)

    @cached_property
    def slowdown(self) -> FloatColumn:
        """Slowdown of each job, shape (n_jobs,); an InputError if one has no run time."""
        return slowdown(self.delay, self.run_time)

    @cached_property
    def grid_bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdown of each job as the grid study defines it, shape (n_jobs,)."""
        return grid_bounded_slowdown(self.delay, self.run_time)

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

    @cached_property
    def closures(self) -> TableClosures:
        """What was closed to jobs: outages and reservations, and the numbers of what jobs held."""
        counted = 0 if Feature.NODES in self.has else self.processors
        tables = (self.attempts, self.outages, self.reservations)
        return TableClosures(self.has, counted, self.platform, self.machine, self.held, *tables)

    @cached_property
    def down(self) -> Steps | None:
        """How many processors were down over time; None where nothing was."""
        if Feature.OUTAGES not in self.has:
            return None
        return self.closures.down(*self.span).steps

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
    def tried(self) -> Pieces:
        """Each attempt to run a job; only where these are known."""
        return _pieces(there(self.attempts))

    @property
    def holding(self) -> tuple[FloatColumn, FloatColumn, IntColumn]:
        """When processors were held, from when to when, in seconds, and how many."""
        if self.is_stacked_by_node:
            held = there(self.held)
            return held.start, held.release, held.sizes
        if Feature.NODES in self.has:
            return self.copies.start, self.copies.end, self.copies.processes
        row, start, end = self.pieces
        size = self.int_column("processors")
        return start, end, size if self.segments is None else size[row]

    @cached_property
    def is_stacked_by_node(self) -> bool:
        """Whether the page stacks nodes: those of one machine, or of clusters whose nodes have owners.

        It must be known of each job what it held of them. Nodes of several sites are stacked as sites.
        """
        kinds = {part.feature for part in self.node_parts}
        alone = kinds == {Feature.PLACES} or (kinds == {Feature.CORES} and Feature.SITES not in self.has)
        return alone and held_by_all(self.held, self.jobs.height)

    @cached_property
    def area(self) -> FloatColumn:
        """Processor-seconds of each job, shape (n_jobs,): of a shared core only its part."""
        held = self.run_time
        if Feature.CPU_TIME in self.has:
            computed = self.float_column("cpu_time")
            held = np.where(np.isnan(computed), held, computed)
        return held * self.int_column("processors")

    @property
    def _held_time(self) -> FloatColumn:
        """How long each job held processors: its run time, and what it lost."""
        if Feature.ATTEMPTS not in self.has or self.attempts is None:
            return self.run_time
        row, start, end = self.tried
        return np.bincount(row, end - start, self.jobs.height).astype(np.float64, copy=False)

    @cached_property
    def work(self) -> FloatColumn:
        """What each job had of the processors, in seconds of one of speed 1, shape (n_jobs,)."""
        work = self.area
        if Feature.NODES in self.has:
            held, size = there(self.held), self.int_column("processors")
            core_time = held.sizes * (held.release - held.start)
            mean = mean_size(size, self._held_time, row=held.row, core_time=core_time)
            inside = np.bincount(held.row, minlength=len(size)) > 0
            work = np.where(inside, self.run_time * mean, work)
        if Feature.TIME_SHARING in self.has:
            sites = there(self.sites)
            work = work * speeds(sites.platform)[sites.site]
        return work

    @property
    def shortest(self) -> FloatColumn:
        """Least time that each job can run, in seconds: where speeds differ, on the fastest machine."""
        if Feature.TIME_SHARING not in self.has:
            return self.run_time
        return self.work / self.int_column("processors") / float(speeds(there(self.platform)).max())

    @property
    def capacity(self) -> float:
        """Processors, each as its speed where they are time-shared."""
        if Feature.TIME_SHARING not in self.has:
            return float(self.processors)
        return capacity(there(self.platform))

    @cached_property
    def copies(self) -> Copies:
        """What ran at which site: jobs, their copies, or their parts. Only of a run with sites."""
        jobs = (there(self.sites), self.size, self._times(), self.pieces)
        return copies_of_tables(self.has, jobs, self.node_parts, self.places, self.replicas)

    def chart_platform(self, rows: int = 1) -> Platform | None:
        """Return the sites as the Gantt stacks them: where cores are shared, with a row for each process.

        A core then has at least so many rows.
        """
        if Feature.TIME_SHARING not in self.has:
            return self.platform
        return rows_of(self.copies, there(self.platform), least=rows)

    @property
    def rows_per_core(self) -> int:
        """Rows that a core needs where cores are shared; else 1."""
        if Feature.TIME_SHARING not in self.has:
            return 1
        return rows_per_core(self.copies, there(self.platform))

    def busy(self, *, weighted: bool = False) -> Steps:
        """Return how many processors were held over time; shared ones if they had a process.

        If `weighted` each counts as its speed.
        """
        if Feature.TIME_SHARING not in self.has:
            return self._held_steps
        return working_cores(self.copies, there(self.platform), weighted=weighted)

    @cached_property
    def _held_steps(self) -> Steps:
        return step_function(*self.holding, orders=None if Feature.NODES in self.has else self.orders)

    @property
    def at_sites(self) -> tuple[IntColumn, Pieces, IntColumn]:
        """Place of the site, row and times, and processors, of each time a job held some at a site.

        A job that spans sites does so at several at once, and so does one that is replicated. Only of a run
        with sites.
        """
        job, site, start, end, processes = self.copies
        return site, Pieces(job, start, end), processes

    @property
    def power_cap(self) -> float | None:
        """What the machine was allowed to draw, in W, where the run says it."""
        stated = self.run.get("power_cap")
        return float(stated) if isinstance(stated, int | float) and stated > 0 else None

    @property
    def is_preempted(self) -> bool:
        """Whether jobs were suspended, so that some wait after their start, too."""
        return "suspended_time" in self.jobs.columns

    def codes_of(self, name: str) -> Coded:
        """Return a column as text in codes; a missing value is an empty text."""
        if name not in self._codes:
            self._codes[name] = _encode(self.jobs[name])
        return self._codes[name]

    def know(self, name: str, coded: Coded) -> None:
        """Keep a column of these very jobs as text in codes, where the maker of the table knows these."""
        self._codes[name] = coded

    def know_orders(self, by_start: IntColumn, by_end: IntColumn) -> None:
        """Keep the orders of these very jobs, where the maker of the table has sorted them."""
        vars(self).update(by_start=by_start, by_end=by_end)

    @cached_property
    def _codes(self) -> dict[str, Coded]:
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


def _encode(column: pl.Series) -> Coded:
    import polars as pl

    values = column.cast(pl.String).fill_null("")
    texts = values.unique().sort()
    codes = values.cast(pl.Enum(texts)).to_physical()
    return Coded(codes.to_numpy().astype(np.int64), texts.to_list())


def _pieces(segments: pl.DataFrame) -> Pieces:
    row, start, end = (segments[name].to_numpy() for name in SEGMENT_COLUMNS)
    return Pieces(row.astype(np.int64), start.astype(np.float64), end.astype(np.float64))


def _check_segments(segments: pl.DataFrame, jobs: int) -> None:
    check_columns(segments, SEGMENT_COLUMNS, "segments.csv")
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
