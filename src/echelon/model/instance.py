"""Instance: the jobs that a simulation runs, with the times its scheduler plans with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from echelon.errors import InfeasibleJobError, InputError, UnknownNameError
from echelon.model.jobs.columns import read_only
from echelon.model.jobs.job import Job
from echelon.model.jobs.predecessors import Predecessors, dependencies_of, longest_delays, names_predecessors
from echelon.model.machines.capacity import MOST_PROCESSORS
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from numpy.typing import NDArray

    from echelon.model.jobs.applications import Application
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demand, Demands
    from echelon.model.jobs.dependencies import Dependencies
    from echelon.model.jobs.limits import JobLimits
    from echelon.model.jobs.workload import Workload
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.platform import Platform
    from echelon.model.node_level import NodeLevel

Value = TypeVar("Value")
"""The type of a value computed from the jobs."""

Estimates: TypeAlias = Literal["raise", "kill", "exact", "request"]
"""What the scheduler plans with: see `Instance.of`."""

DependenciesRule: TypeAlias = Literal["keep", "ignore"]
"""Whether jobs wait for those that the log says they wait for: see `Instance.of`."""

BYTES_PER_KB = 1024.0
"""Bytes of the kilobyte in which logs say memory."""

ALL_ESTIMATES: tuple[str, ...] = get_args(Estimates)
"""Every rule."""

ESTIMATES: tuple[str, ...] = tuple(rule for rule in ALL_ESTIMATES if rule != "request")
"""The rules under which no job runs longer than it is planned with."""

DEPENDENCIES: tuple[str, ...] = get_args(DependenciesRule)


@dataclass(frozen=True, slots=True)
class Dropped:
    """Jobs that a simulation leaves out, for one reason.

    Parameters
    ----------
    reason : str
        The rule, as a clause: ``"run time <= 0"``.
    count : int
        How many jobs.
    first : str
        The first one's label in the log.
    is_rejected : bool, default False
        Whether nothing is wrong with the jobs, but the machine cannot run them, or they waited too long.
    positions : tuple of int, default empty
        0-based positions in the workload of those rejected.
    """

    reason: str
    count: int
    first: str
    is_rejected: bool = False
    positions: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, str | int]:
        """Return reason, count and first as plain values for JSON."""
        return {"reason": self.reason, "count": self.count, "first": self.first}


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """Rigid jobs on one machine of identical processors, or on a grid of them: the problem to be scheduled.

    Build it with `Instance.of`. Columns have shape (n_jobs,), in the workload's order.

    Parameters
    ----------
    workload : Workload
        Where the jobs come from.
    kept : IntColumn
        0-based positions in the workload of the jobs taken.
    submit_time, run_time, planned_time : FloatColumn
        In seconds; run and planned times > 0. ``run_time`` is the actual time, ``planned_time`` the planned
        one.
    size : IntColumn
        Processors of each job, 1 to `processors`, on a grid to those of the largest site.
    killed : ndarray of bool
        Jobs that will be cut at their request (only with ``estimates="kill"``).
    machine : int, Platform or NodeLevel
        Identical processors of one machine, as a number; the sites of a grid; or nodes modeled individually,
        with the demands of the jobs' tasks, of one machine or of sites. On nodes, ``run_time`` is what a
        job's longest task would take on a core of mean speed without contention; the actual time results
        from the run.
    estimates : {"raise", "kill", "exact", "request"}
        The rule by which the times were made.
    dropped : tuple of Dropped
        What was left out of the workload and why.
    dependencies : Dependencies, optional
        Which jobs wait for which, by position in the instance. ``submit_time`` is then the log's before a
        run; a schedule's own instance has the time at which each job was released and joined the queue.
    absent_predecessors : int, default 0
        Predecessors that jobs name and that are not among the jobs, because the workload does not have them
        or they were left out: they count as ended before everything.
    ignores_dependencies : bool, default False
        Whether jobs name predecessors in the workload that they do not wait for here, as was asked for.
    """

    workload: Workload
    kept: IntColumn
    submit_time: FloatColumn
    run_time: FloatColumn
    planned_time: FloatColumn
    size: IntColumn
    killed: NDArray[np.bool_]
    machine: int | Platform | NodeLevel
    estimates: str
    dropped: tuple[Dropped, ...] = ()
    dependencies: Dependencies | None = None
    absent_predecessors: int = 0
    ignores_dependencies: bool = False
    _kept_values: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    @property
    def processors(self) -> int:
        """Processors of the machine, or of all sites together."""
        number: Any = self.machine
        processors: int = getattr(self.machine, "processors", number)
        return processors

    @property
    def platform(self) -> Platform | None:
        """The sites of the grid; None on one machine."""
        return _sites_below(self.machine)

    @property
    def hardware(self) -> Hardware | None:
        """The nodes of the machine, or of all sites that have some; None without a node-level model."""
        return None if (node_level := _node_level_of(self.machine)) is None else node_level.hardware

    @property
    def demands(self) -> Demands | None:
        """What the tasks of each job demand of nodes; None without a node-level model."""
        return None if (node_level := _node_level_of(self.machine)) is None else node_level.demands

    @property
    def sites(self) -> Platform:
        """The sites of the grid, where there must be some.

        Raises
        ------
        InputError
            On one machine.
        """
        if (platform := self.platform) is not None:
            return platform
        raise InputError("expected the sites of a platform, got one machine", field="machine")

    @property
    def node_level(self) -> NodeLevel:
        """The nodes of the machine and the demands on them, where there must be some.

        Raises
        ------
        InputError
            Without a node-level model.
        """
        if (node_level := _node_level_of(self.machine)) is not None:
            return node_level
        raise InputError("expected nodes modeled individually, got processors or sites", field="machine")

    @property
    def limits(self) -> JobLimits | None:
        """When jobs are canceled, and when they must or should end; None if the log says nothing of that."""
        from echelon.model.jobs.limits import JobLimits

        return self.once("limits of jobs", lambda: JobLimits.of(self))

    def once(self, what: str, make: Callable[[], Value]) -> Value:
        """Return the result of `make`, which is called once: it is the same in all runs of these jobs.

        Parameters
        ----------
        what : str
            Names it among all that is kept so.
        make : callable
            Computes it from these jobs alone. The result must not be changed.
        """
        if what not in self._kept_values:
            self._kept_values[what] = make()
        value: Value = self._kept_values[what]
        return value

    @classmethod
    def of(
        cls,
        workload: Workload,
        machine: int | Platform | Hardware,
        *,
        estimates: str = "raise",
        strict: bool = False,
        tasks_per_core: int = 1,
        spanning: bool | Collection[str] = False,
        straddle: bool = False,
        dependencies: str = "keep",
    ) -> Instance:
        """Return the instance a simulation of `workload` on `machine` takes.

        Parameters
        ----------
        workload : Workload
            Any; it is not changed.
        machine : int, Platform or Hardware
            Processors of one machine, >= 1, the sites of a grid, or the nodes of one machine. On nodes, a
            workload without demands is taken as parallel jobs whose tasks may be anywhere, each with the
            log's memory a processor, and with the operations that a core of mean speed does in the run time.
            Of sites some of which have nodes, the mean is that of the cores of all these; jobs that no site
            can hold are left out. A platform of one site with nodes is that machine.
        estimates : {"raise", "kill", "exact", "request"}, default "raise"
            With r the run time and q the requested time (missing when <= 0):
            ``raise`` plans with max(q, r); ``kill`` runs min(r, q) and plans with q; ``exact`` plans with r;
            ``request`` plans with q and runs r, however much longer that is: a job that runs on is planned
            again. A missing q counts as r.
        strict : bool, default False
            Raise instead of dropping.
        tasks_per_core : int, default 1
            How many tasks of a job may take turns on a core, >= 1; only of nodes.
        spanning : bool or collection of str, default False
            The paths of the inner sites at which a job may have its tasks in several clusters of shared nodes
            right below, ``""`` of the root; True is all.
        straddle : bool, default False
            Whether a sequential job may have its tasks in several nodes; only of nodes.
        dependencies : {"keep", "ignore"}, default "keep"
            Whether jobs wait for their predecessors in the workload, by ``preceding_job`` and
            ``think_time`` or by its own dependencies; see `echelon.model.Dependencies`.

        Raises
        ------
        InputError
            If `machine` is neither a platform nor a whole number from 1 to `MOST_PROCESSORS`; if `strict`
            and a job would be dropped; if no job is left; if jobs wait for each other in a circle.
        InfeasibleJobError
            If demands of the workload's own fit on no node: all such jobs are named; of sites only if
            `strict` or no other job is left.
        UnknownNameError
            If `estimates` is none of the four, or `dependencies` none of the two.
        """
        if estimates not in ALL_ESTIMATES:
            raise UnknownNameError("rule for estimates", estimates, ALL_ESTIMATES)
        if dependencies not in DEPENDENCIES:
            raise UnknownNameError("rule for dependencies", dependencies, DEPENDENCIES)
        if (hardware := _nodes_of(machine)) is not None:
            measured = _measure_run_times(workload, hardware, tasks_per_core, straddle=straddle)
            # If tasks may share cores, the largest job depends on more than the number of cores.
            most = hardware.cores if tasks_per_core == 1 else MOST_PROCESSORS
            flat = cls._flat(measured, most, estimates=estimates, strict=strict, dependencies=dependencies)
            return flat.on(hardware, strict=strict, tasks_per_core=tasks_per_core, straddle=straddle)
        sites = _sites_with_nodes(machine)
        flat = cls._flat(
            workload if sites is None else _set_run_times(workload, sites.all_nodes.mean_speed),
            machine,
            estimates=estimates,
            strict=strict,
            spanning=spanning,
            dependencies=dependencies,
            most=None if sites is None or tasks_per_core == 1 else MOST_PROCESSORS,
        )
        if sites is None:
            return flat
        return flat.on(
            sites, strict=strict, tasks_per_core=tasks_per_core, straddle=straddle, spanning=spanning
        )

    @classmethod
    def _flat(
        cls,
        workload: Workload,
        machine: int | Platform | Hardware,
        *,
        estimates: str,
        strict: bool,
        dependencies: str,
        spanning: bool | Collection[str] = False,
        most: int | None = None,
    ) -> Instance:
        """Return the instance on identical processors, or on sites of these, with jobs of at most `most`."""
        sites = _sites_of(machine)
        processors = _check_size(machine) if sites is None else sites.processors
        if most is None:
            most = processors if sites is None else sites.largest_job(spanning=spanning)
        too_large = f"more processors than {_whose(sites, most, spanning)}"
        held = longest_delays(workload) if dependencies == "keep" else 0.0
        kept, dropped = _sift(workload, too_large, most, cut=estimates == "kill", held=held)
        if dropped and strict:
            listing = "; ".join(f"{d.count} with {d.reason} (first: job {d.first})" for d in dropped)
            raise InputError(f"strict: a simulation would drop jobs: {listing}", file=_file_of(workload))
        if not len(kept):
            why = "; ".join(f"{d.count} with {d.reason}" for d in dropped) or "the workload has no job"
            raise InputError(f"no job is left to simulate: {why}", file=_file_of(workload))
        run, asked = _of(workload.run_time, kept), _of(workload.requested_time, kept)
        request = np.where(asked > 0, asked, run)
        killed = np.zeros(len(kept), dtype=np.bool_)
        if estimates == "kill":
            killed = run > request
            run, planned = np.minimum(run, request), request
        else:
            planned = {"raise": np.maximum(request, run), "exact": run, "request": request}[estimates]
        submit, size = _of(workload.submit_time, kept), _of(workload.processors, kept)
        columns = (kept, submit, run, planned, size, killed)
        for column in columns:
            column.flags.writeable = False
        ignores = dependencies == "ignore"
        predecessors = Predecessors(None, 0) if ignores else dependencies_of(workload, kept)
        return cls(
            workload,
            *columns,
            processors if sites is None else sites,
            estimates,
            dropped,
            dependencies=predecessors.dependencies,
            absent_predecessors=predecessors.absent,
            ignores_dependencies=ignores and names_predecessors(workload, kept),
        )

    def on(
        self,
        machine: Hardware | Platform,
        *,
        strict: bool = False,
        tasks_per_core: int = 1,
        straddle: bool = False,
        spanning: bool | Collection[str] = False,
    ) -> Instance:
        """Return the same jobs on these nodes, or on sites some of which have nodes.

        Jobs that fit nowhere are left out, or refused if `strict`; see `of`.

        Raises
        ------
        InfeasibleJobError
            If jobs fit nowhere and `strict` or no other is left.
        """
        from echelon.model.machines.hardware import Hardware
        from echelon.model.machines.misfits import misfits_among, misfits_of
        from echelon.model.node_level import NodeLevel

        sites = None if isinstance(machine, Hardware) else machine
        hardware = machine if isinstance(machine, Hardware) else machine.all_nodes
        demands = self._demands(hardware.mean_speed)
        demands = demands.straddle() if straddle else demands
        if sites is None:
            misfits = misfits_of(demands, hardware, tasks_per_core)
        else:
            misfits = misfits_among(demands, self.size, sites, tasks_per_core, spanning=spanning)
        return self._without_misfits(NodeLevel(hardware, demands, sites), misfits, strict=strict)

    def _without_misfits(self, machine: NodeLevel, misfits: IntColumn, *, strict: bool) -> Instance:
        """Return the jobs on these nodes but those that fit nowhere; see `on`."""
        from echelon.model.machines.misfits import misfit_sentence

        if len(misfits) and (strict or len(misfits) == len(self)):
            labels = [self.label(position) for position in misfits.tolist()]
            asked = [machine.demands[position] for position in misfits.tolist()]
            sentence = misfit_sentence(labels, asked, machine.platform or machine.hardware)
            raise InfeasibleJobError(sentence, file=_file_of(self.workload))
        placed = replace(self, machine=machine)
        where = "node" if machine.platform is None else "site"
        return placed if not len(misfits) else placed.without(misfits, f"a demand that fits on no {where}")

    def _demands(self, speed: float) -> Demands:
        """Return the demands of the tasks: the workload's, or those that follow from run times and sizes."""
        if self.workload.demands is not None:
            return self.workload.demands.take(self.kept)
        from echelon.model.jobs.demands import Demands

        memory = self._memory(self.kept).clip(min=0) * BYTES_PER_KB
        return Demands.of_equal_tasks(self.size, self.run_time * speed, memory)

    def without(self, positions: IntColumn, reason: str) -> Instance:
        """Return the instance without the jobs at `positions`, at least one, which count as rejected."""
        left = np.setdiff1d(np.arange(len(self)), positions)
        first, rejected = self.label(int(positions[0])), tuple(self.kept[positions].tolist())
        dropped = Dropped(reason, len(positions), first, is_rejected=True, positions=rejected)
        columns = {
            name: read_only(getattr(self, name)[left])
            for name in ("kept", "submit_time", "run_time", "planned_time", "size", "killed")
        }
        dependencies = self._dependencies_among(left)
        return replace(
            self,
            **columns,
            dropped=(*self.dropped, dropped),
            machine=self.machine
            if (node_level := _node_level_of(self.machine)) is None
            else node_level.take(left),
            dependencies=dependencies.dependencies,
            absent_predecessors=dependencies.absent,
        )

    def _dependencies_among(self, left: IntColumn) -> Predecessors:
        dependencies = self.dependencies
        if dependencies is None:
            return Predecessors(None, self.absent_predecessors)
        cut, staying = dependencies.take(left), np.isin(dependencies.successor, left)
        absent = self.absent_predecessors + int(staying.sum()) - len(cut.predecessor)
        return Predecessors(cut if len(cut.predecessor) else None, absent)

    def release_at(self, times: FloatColumn) -> Instance:
        """Return the same jobs, each submitted when it was released in a run, in seconds."""
        return replace(self, submit_time=read_only(times))

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.kept)

    @property
    def first_submission(self) -> float:
        """When the first job without predecessors joins the queue, in seconds."""
        if self.dependencies is None:
            return float(self.submit_time.min(initial=np.inf))
        waiting_for_none = np.diff(self.dependencies.first) == 0
        return float(self.submit_time[waiting_for_none].min(initial=np.inf))

    @property
    def users(self) -> int:
        """Number of users of the jobs; all unknown users count as one. Cost: O(n log n)."""
        return len(np.unique(self.workload.int_column("user")[self.kept]))

    def jobs(self, first: int | None = None, *, since: int = 0) -> list[Job]:
        """Return every job, or the `first` ones, as a policy sees them, in the workload's order.

        Those before position `since` are left out. Cost: O(n), about 0.5 µs a job.
        """
        chosen = slice(since, first)
        table, kept = self.workload, self.kept[chosen]
        codes = [
            table.int_column(name)[kept].tolist()
            for name in ("user", "group", "executable", "queue", "partition")
        ]
        columns = (
            range(since, since + len(kept)),
            table.job_id[kept].tolist(),
            self.submit_time[chosen].tolist(),
            self.size[chosen].tolist(),
            self.planned_time[chosen].tolist(),
            table.requested_time[kept].tolist(),
            *codes,
            self._memory(kept).tolist(),
            self._each_demand(range(since, since + len(kept))),
            self._each_application(kept),
        )
        return list(map(Job._make, zip(*columns, strict=True)))

    def _each_demand(self, positions: range) -> Iterable[Demand | None]:
        if self.demands is None:
            return repeat(None, len(positions))
        return map(self.demands.__getitem__, positions)

    def _each_application(self, kept: IntColumn) -> Iterable[Application | None]:
        applications = self.workload.applications
        return repeat(None, len(kept)) if applications is None else iter(applications.take(kept))

    @property
    def frees_each_task(self) -> list[bool]:
        """Whether each job releases the core of a task when that ends: sequential jobs of the workload.

        In several nodes, too, where such jobs may straddle them.
        """
        demands = self.workload.demands
        return [False] * len(self) if demands is None else demands.sequential[self.kept].tolist()

    @property
    def uncut_time(self) -> FloatColumn:
        """Run times before any cut at a request, in seconds, shape (n_jobs,).

        Where speeds differ or jobs run beside others, what a job needs is not known to be cut before the run.
        """
        if not self.killed.any():
            return self.run_time
        return np.where(self.killed, self.workload.run_time[self.kept], self.run_time)

    @property
    def longest_time(self) -> FloatColumn:
        """How long each job may run until it is cut, in seconds, shape (n_jobs,); infinity if it is not."""
        if self.estimates != "kill":
            return np.full(len(self), np.inf)
        asked = self.workload.requested_time[self.kept]
        return np.where(asked > 0, asked, self.workload.run_time[self.kept])

    def with_known_run_times(self) -> Instance:
        """Return the same jobs, planned with their actual run times (after any cut)."""
        return replace(self, planned_time=self.run_time)

    @property
    def home_site(self) -> IntColumn:
        """Index of the site at which each job was submitted, -1 if unknown, shape (n_jobs,).

        A job's home is the site that its partition is named after, by its path, or by the last component of
        it if no other site has that one. Cost: O(n).
        """
        names = self.workload.names.get("partition", ())
        places = {} if self.platform is None else self.platform.homes
        by_code = np.array([-1, *(places.get(name, -1) for name in names)], dtype=np.int64)
        code = self.workload.int_column("partition")[self.kept]
        return by_code[np.where((code > 0) & (code <= len(names)), code, 0)]

    def _memory(self, kept: IntColumn) -> FloatColumn:
        """Return the memory of these jobs: requested, else used, in KB a processor; -1 if unknown."""
        requested, used = (
            self.workload.float_column(f"{word}_memory")[kept] for word in ("requested", "used")
        )
        return np.where(requested > 0, requested, np.where(used > 0, used, -1.0))

    def label(self, position: int) -> str:
        """Return the log's own name of the job at `position` of this instance."""
        return self.workload.label(int(self.kept[position]))


def _of(column: NDArray[Any], kept: IntColumn) -> NDArray[Any]:
    """Return the values of the jobs `kept`; if all are kept, the column itself, which is read-only."""
    return column if len(kept) == len(column) and not column.flags.writeable else column[kept]


def _whose(sites: Platform | None, most: int, spanning: bool | Collection[str]) -> str:
    """Return a phrase for the most processors that a job may have; see `Instance.of`."""
    if sites is None:
        return f"the machine's {most}"
    if spanning and sites.is_shared and not sites.is_nested:
        return f"all sites' {most}"
    if sites.largest_joint_job(spanning) > sites.largest_job():
        return f"the {most} of clusters that run jobs together"
    return f"the largest site's {most}"


def _file_of(workload: Workload) -> str:
    return workload.file or workload.name


def _measure_run_times(
    workload: Workload, hardware: Hardware, tasks_per_core: int, *, straddle: bool
) -> Workload:
    """Return a workload whose demands can be met, with the run times of its jobs alone on mean cores."""
    if workload.demands is None:
        return workload
    from echelon.model.machines.misfits import misfit_sentence, misfits_of

    demands = workload.demands.straddle() if straddle else workload.demands
    misfits = misfits_of(demands, hardware, tasks_per_core).tolist()
    if misfits:
        labels = [workload.label(position) for position in misfits]
        asked = [workload.demands[position] for position in misfits]
        raise InfeasibleJobError(misfit_sentence(labels, asked, hardware), file=_file_of(workload))
    return _set_run_times(workload, hardware.mean_speed)


def _set_run_times(workload: Workload, speed: float) -> Workload:
    """Return a workload whose jobs, if it has demands of their own, run as long as alone at this speed."""
    if workload.demands is None:
        return workload
    alone = workload.demands.longest / speed
    return replace(workload, columns={**workload.columns, "run_time": alone})


def _nodes_of(machine: object) -> Hardware | None:
    """Return the nodes that a machine is, or the one site of a platform has; None if it is something else.

    To ask about a plain machine they are not loaded.
    """
    if isinstance(machine, int):
        return None
    from echelon.model.machines.hardware import Hardware

    if (sites := _sites_of(machine)) is not None:
        return None if sites.is_nested or sites.inner else sites.hardware
    return machine if isinstance(machine, Hardware) else None


def _sites_with_nodes(machine: object) -> Platform | None:
    """Return the sites that a machine is if some of them have nodes."""
    sites = _sites_of(machine)
    return sites if sites is not None and sites.node_level else None


def _node_level_of(machine: object) -> NodeLevel | None:
    """Return the node-level model that a machine is, or None; it is not loaded for a plain machine."""
    if isinstance(machine, int):
        return None
    from echelon.model.node_level import NodeLevel

    return machine if isinstance(machine, NodeLevel) else None


def _sites_of(machine: object) -> Platform | None:
    """Return the sites that a machine is, or None; to ask about a plain machine they are not loaded."""
    if isinstance(machine, int):
        return None
    from echelon.model.machines.platform import Platform

    return machine if isinstance(machine, Platform) else None


def _sites_below(machine: object) -> Platform | None:
    """Return the sites that a machine is, or whose nodes it is; None if it is one machine."""
    nodes = _node_level_of(machine)
    return _sites_of(machine) if nodes is None else nodes.platform


def _check_size(processors: object) -> int:
    """Return the number of processors of one machine."""
    if not is_whole(processors):
        raise InputError(f"must be a whole number, got {processors!r}", field="processors")
    if processors < 1:
        raise InputError(f"must be at least 1, got {processors}", field="processors")
    if processors > MOST_PROCESSORS:
        raise InputError(f"must be at most {MOST_PROCESSORS}, got {processors}", field="processors")
    return int(processors)


def _sift(
    workload: Workload, too_large: str, most: int, *, cut: bool, held: float
) -> tuple[IntColumn, tuple[Dropped, ...]]:
    """Separate the jobs to simulate from those to drop; each dropped job counts under its first reason."""
    size = workload.processors
    rules = (
        ("a burst line of a checkpointed job (its summary line stays)", _bursts(workload)),
        ("run time <= 0", ~(workload.run_time > 0)),
        _mark_vanishing(workload, cut=cut, held=held),
        ("no size (neither allocated nor requested processors)", size <= 0),
        (too_large, size > most),
        ("negative submit time", ~(workload.submit_time >= 0)),
    )
    left = np.ones(len(workload), dtype=np.bool_)
    dropped = []
    for reason, hit in rules:
        out = np.flatnonzero(hit & left)
        if len(out):
            label, rejected = workload.label(int(out[0])), reason == too_large
            positions = tuple(out.tolist()) if rejected else ()
            dropped.append(Dropped(reason, len(out), label, is_rejected=rejected, positions=positions))
            left[out] = False
    return np.flatnonzero(left), tuple(dropped)


def _mark_vanishing(workload: Workload, *, cut: bool, held: float) -> tuple[str, NDArray[np.bool_]]:
    """Mark jobs so short that start + run time could be the start itself, for times as large as these.

    No schedule that keeps its machine busy ends later than the last submission plus all run times, plus the
    delays for which jobs may be `held`; float64 tells times apart there that lie one spacing apart. With
    `cut`, jobs run no longer than requested.
    """
    run, request = workload.run_time, workload.requested_time
    resolution = float(np.spacing(workload.submit_time.max(initial=0.0) + run[run > 0].sum() + held))
    shortest = np.where((request > 0) & cut, np.minimum(run, request), run)
    reason = f"a run time below {resolution:.1g} s, which floating-point times of this size cannot represent"
    return reason, (run > 0) & (shortest < resolution)


def _bursts(workload: Workload) -> NDArray[np.bool_]:
    """Mark lines of status 2, 3, 4 whose job also has a summary line (status 0, 1 or 5)."""
    status = workload.int_column("status")
    part = (status >= 2) & (status <= 4)
    if not part.any():
        return part
    summary = workload.job_id[np.isin(status, (0, 1, 5))]
    return part & np.isin(workload.job_id, summary)
