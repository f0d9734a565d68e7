"""simulate: a workload and a policy in, a schedule measured out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.errors import UnknownNameError, UnsupportedError
from echelon.experiments.history import opened, recorded, with_past
from echelon.experiments.inputs import read_input
from echelon.experiments.result import Result
from echelon.experiments.scenario import scenario_of
from echelon.metrics import own_metrics
from echelon.model.streams import streams_recorded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.observer import Observer
    from echelon.experiments.decision_time import DecisionTimeGiven
    from echelon.experiments.grid import AdmissibleGiven, BrokerGiven, PlatformGiven
    from echelon.experiments.immediate import MonitoringGiven
    from echelon.experiments.multicluster import (
        CoAllocationGiven,
        LocalUsersGiven,
        QueueLimitGiven,
        UpperQueueGiven,
        WatchGiven,
    )
    from echelon.experiments.nodes import ExecutionGiven, NetworkGiven, PlacementGiven, SharingGiven
    from echelon.metrics import Metric
    from echelon.model import Schedule, Workload
    from echelon.policies import Estimator, Order, Policy, Scheduler

Engine: TypeAlias = Literal["auto", "reference", "compiled"]
"""Which engine runs: `auto` takes the compiled one when it can."""

ENGINES: tuple[str, ...] = get_args(Engine)


def simulate(
    workload: Workload | str | Path,
    *,
    policy: str | Order | Scheduler | Policy | None = None,
    processors: int | None = None,
    platform: PlatformGiven | None = None,
    broker: BrokerGiven | None = None,
    admissible: AdmissibleGiven | None = None,
    place: PlacementGiven | None = None,
    execution: ExecutionGiven | None = None,
    network: NetworkGiven | None = None,
    sharing: SharingGiven | None = None,
    power_cap: float | None = None,
    governor: str | None = None,
    sleep_after: float | None = None,
    release: str | None = None,
    sequential: str | None = None,
    upper_queue: UpperQueueGiven | None = None,
    queue_limit: QueueLimitGiven | None = None,
    co_allocate: CoAllocationGiven | None = None,
    two_phase: bool | None = None,
    longest_stay: float | None = None,
    local_users: LocalUsersGiven | None = None,
    watch: WatchGiven | None = None,
    history: str | Path | None = None,
    monitoring: MonitoringGiven | None = None,
    decision_time: DecisionTimeGiven | None = None,
    experience: str | None = None,
    cpu_use: str | None = None,
    estimates: str = "raise",
    dependencies: str = "keep",
    estimator: str | Estimator = "request",
    passes: str = "instant",
    engine: str = "auto",
    seed: int = 0,
    strict: bool = False,
    metrics: Sequence[str | Metric] = (),
    observers: Sequence[Observer] = (),
    progress: Progress | None = None,
) -> Result:
    """Run one simulation: on one machine, its nodes and cores, a grid, a multicluster, or without queues.

    Parameters
    ----------
    workload : Workload, str or Path
        Jobs, or what `echelon.read_workload` takes.
    policy : str, Order, Scheduler or Policy, optional
        The words of `echelon.policies.policy_named`, or a rule itself; on a grid each site's own. Default:
        ``"fcfs"``. Sites that exchange jobs without a broker have none.
    processors : int, optional
        Of the machine, >= 1. Default: what the log's header says (MaxProcs).
    platform : str, Path, Platform or sequence of int, optional
        The sites of a grid instead of one machine, or the nodes of the machine: a preset's name, a platform
        file, a platform itself, or the processors of each site. Default: one machine of equal processors.
    broker : str, Broker or Decentralized, optional
        Who chooses the site of each job, or how sites exchange jobs without one: the words of
        `echelon.policies.broker_named`, or a rule itself. Default with a platform: ``"mpl"``; on a
        multicluster ``"tat"``; on machines without queues ``"wall-time"``.
    admissible : float, str or Admissible, optional
        The sites that the broker may choose from: a factor 0 < a <= 1, ``"0.5:equal-sizes"``, or a rule
        itself; see `echelon.policies.Admissible`. Default with a platform: 1, all that can hold the job.
    place : str or Placement, optional
        Which cores a job takes, on a platform with nodes: the words of `echelon.policies.placement`, or a
        rule itself. Default there: ``"first-fit"``.
    execution : str or Execution, optional
        How fast tasks run on their cores: ``"fixed"``, ``"speed"``, ``"memory-v1"`` ..., see
        `echelon.execution.execution_named`. Default there: ``"speed"`` if the workload says what its tasks
        ask for, else ``"fixed"``. On a multicluster ``"time-shared"`` with its parameters, see
        `echelon.execution.TimeShared`.
    network : str or NetworkModel, optional
        How MPI jobs slow each other down at the network: ``"constant"``, ``"proportional"`` ..., see
        `echelon.execution.network_named`. Default: not at all.
    sharing : str or Sharing, optional
        How tasks take turns if a job has fewer cores than tasks: ``"round-robin"``, ``"fair"``, see
        `echelon.policies.sharing`. Default: such a job waits.
    power_cap : float, optional
        Most that the machine may draw, in W. Default: no limit.
    governor : {"highest", "lowest", "capped"}, optional
        At which frequency level jobs run; see `echelon.engine.nodes.rules.NodeRules`. Default: the highest.
    sleep_after : float, optional
        How long an idle node waits before it is switched off, in s. Default: as the platform says.
    release : {"by-kind", "gang"}, optional
        When jobs give their cores back on nodes: each core of a sequential job when its task ends and all of
        an MPI job together (the default), or all of every job together.
    sequential : {"one-node", "straddle"}, optional
        Whether all tasks of a sequential job are in one node (the default), or wherever cores are idle.
    upper_queue : str or UpperQueue, optional
        On a multicluster, which job is handed to which cluster next: the words of
        `echelon.policies.upper_queue.named.upper_queue`, or a rule itself. Default there: ``"fcfs"``.
    queue_limit : str, int or QueueLimit, optional
        When the queue of a cluster takes no more: a number of jobs, ``"unlimited"`` (the default),
        ``"stable"`` or ``"stable:predicted"``, or a rule itself.
    co_allocate : str or CoAllocation, optional
        How a job gets nodes of several clusters: the words of
        `echelon.policies.coallocation.named.co_allocation_named`, or a rule itself. Default: no job does.
    two_phase : bool, optional
        With `co_allocate`, also start jobs that wait in a cluster's queue on free nodes of several. Default:
        only jobs too large for every cluster.
    longest_stay : float, optional
        A job that has not started so long after its submission is rejected, in s. Default: never.
    local_users : str, Path or LocalLoadModel, optional
        Who is at work at the nodes: the words of `echelon.workloads.local_users.local_users_named`, a file of
        recorded loads, or owners themselves. Default: nobody.
    watch : str or sequence of str or Estimator, optional
        Estimators that are asked about every job besides the run's own, for their accuracy alone; words
        joined by commas, or several. Default: none.
    history : str or Path, optional
        Where past runs are kept, see `echelon.history.open_history`: estimators learn from those on the
        platform of this name before the run, and it is recorded after it. Default: nothing is known of the
        past.
    monitoring : str or Monitoring, optional
        On machines without queues, how loads are averaged and published: ``"linear"`` (the default there: of
        one minute, every 15 s) or ``"exponential"``, with parameters after colons,
        ``"exponential:period=15:window=60:phase=zero"``.
    decision_time : float or str, optional
        How long the broker takes for each decision there or on a multicluster, in s, one at a time, or
        ``"own"`` (the default): what its own parameter ``decision`` says.
    experience : {"warm", "cold"}, optional
        What is known of CPU times before the run; see `echelon.engine.immediate.rules.Experience`. Default
        there: ``"warm"``.
    cpu_use : {"full", "log"}, optional
        Whether jobs are CPU-bound or compute for the CPU time of the log. Default there: ``"full"``.
    estimates : {"raise", "kill", "exact", "request"}, default "raise"
        What the scheduler plans with; see `echelon.model.Instance.of`.
    dependencies : {"keep", "ignore"}, default "keep"
        Whether jobs wait for those that the workload says they wait for; see `echelon.model.Dependencies`.
    estimator : str or Estimator, default "request"
        Who says how long jobs will run: the words of `echelon.policies.estimator_named`, or a rule itself.
    passes : {"instant", "event", "pyss"}, default "instant"
        When the policy decides; see `echelon.engine.contract.Scenario`.
    engine : {"auto", "reference", "compiled"}, default "auto"
        Both give the same schedule; `auto` takes the compiled one when it can. On a multicluster the
        reference engine decides, and with `auto` kernels project the clusters' queues.
    seed : int, default 0
        Of all random choices, >= 0.
    strict : bool, default False
        Raise if a job would be dropped.
    metrics : sequence of str or Metric, default empty
        Metrics of one's own, made with `echelon.metric` or named ``"FILE.py:NAME"``, measured beside the
        built-in ones.
    observers : sequence of Observer, default empty
        Told of every event; they need the reference engine.
    progress : callable, optional
        Called now and then with (jobs ended, jobs in all).

    Returns
    -------
    Result
        Its ``jobs`` and ``metrics`` are computed when first asked for.

    Raises
    ------
    InputError
        If the input is wrong, the machine's size is unknown, or no job is left; if a platform is given with
        `processors`, a broker or its admissibility without sites, what is for nodes without nodes, shared or
        not, or what is for machines with or without queues to the others.
    UnknownNameError
        If a name is unknown.
    PolicyError, DeadlockError
        If the policy or the estimator breaks a rule.
    UnsupportedError
        If ``engine="compiled"`` cannot run this.

    Examples
    --------
    >>> import echelon as ec
    >>> three = ec.Workload.from_columns(
    ...     submit_time=[0, 1, 2],
    ...     run_time=[100, 100, 50],
    ...     requested_time=[100, 100, 50],
    ...     processors=[3, 4, 1],
    ... )
    >>> ec.simulate(three, processors=4, policy="easy").jobs["start_time"].to_list()
    [0.0, 100.0, 2.0]
    """
    if isinstance(workload, str | Path):
        workload = read_input(workload, platform)
    own = own_metrics(metrics)
    scenario = scenario_of(
        workload,
        policy=policy,
        processors=processors,
        platform=platform,
        broker=broker,
        admissible=admissible,
        place=place,
        execution=execution,
        network=network,
        sharing=sharing,
        power_cap=power_cap,
        governor=governor,
        sleep_after=sleep_after,
        release=release,
        sequential=sequential,
        upper_queue=upper_queue,
        queue_limit=queue_limit,
        co_allocate=co_allocate,
        two_phase=two_phase,
        longest_stay=longest_stay,
        local_users=local_users,
        watch=watch,
        history=history,
        monitoring=monitoring,
        decision_time=decision_time,
        experience=experience,
        cpu_use=cpu_use,
        estimates=estimates,
        dependencies=dependencies,
        estimator=estimator,
        passes=passes,
        seed=seed,
        strict=strict,
        observers=observers,
    )
    with opened(history) as past:
        known = with_past(scenario.multicluster, past, scenario.instance.platform)
        result = run_scenario(
            replace(scenario, multicluster=known), engine=engine, metrics=own, progress=progress
        )
        return recorded(past, result)


def run_scenario(
    scenario: Scenario,
    *,
    engine: str = "auto",
    metrics: tuple[Metric, ...] = (),
    progress: Progress | None = None,
) -> Result:
    """Run `scenario` in the engine named; see `simulate`."""
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    with streams_recorded() as streams:
        if scenario.multicluster is not None and engine != "compiled":
            schedule, projections, seconds = _on_multicluster(scenario, engine, progress)
            used = "reference"
        else:
            schedule, used, seconds = _in_engine(scenario, engine, progress)
            projections = ""
    return Result(
        scenario,
        schedule,
        used,
        seconds,
        metrics,
        projections=projections,
        random_streams=tuple(sorted(streams)),
    )


def _on_multicluster(
    scenario: Scenario, engine: str, progress: Progress | None
) -> tuple[Schedule, str, float]:
    """Return the schedule, the engine that projected queues, and the seconds the run took."""
    if engine != "reference":
        from echelon.engine.compiled.multicluster.simulate import simulate as with_kernels
        from echelon.engine.compiled.required_libraries import load_for, why_no_library

        if why_no_library(scenario) is None:
            load_for(scenario)
            began = perf_counter()
            return with_kernels(scenario, progress), "compiled", perf_counter() - began
    from echelon.engine import reference

    began = perf_counter()
    return reference.simulate(scenario, progress), "reference", perf_counter() - began


def _in_engine(scenario: Scenario, engine: str, progress: Progress | None) -> tuple[Schedule, str, float]:
    """Return the schedule, the engine that made it, and the seconds that took, its kernels being there."""
    if engine != "reference":
        from echelon.engine import compiled
        from echelon.engine.compiled.required_libraries import load_for

        supported = compiled.supports(scenario) is None
        if supported:
            load_for(scenario)
        if supported or engine == "compiled":
            began = perf_counter()
            try:
                return compiled.simulate(scenario, progress), "compiled", perf_counter() - began
            except UnsupportedError:
                if engine == "compiled":
                    raise
    from echelon.engine import reference

    began = perf_counter()
    return reference.simulate(scenario, progress), "reference", perf_counter() - began
