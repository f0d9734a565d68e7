"""E4: what the co-allocating program answers, how long it takes, and how long its jobs really take."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from time import process_time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from echelon.model.schedules.features import there
from echelon.model.streams import stream
from echelon.policies.coallocation import (
    FirstFeasible,
    Heuristic,
    NonSaturated,
    Optimal,
    Rule85,
    SpanningProblem,
    Threshold,
)
from echelon.reproduce.multicluster.accuracy import Times
from echelon.reproduce.multicluster.evidence import VARIANTS, Spanning, finite_means
from echelon.reproduce.multicluster.queue_setups import base
from echelon.reproduce.multicluster.setups import FITTED, Setup, applications_of, owners_spec, simulate_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.experiments.processes import Processes
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn
    from echelon.policies.coallocation import CoAllocation, Span
    from echelon.reproduce.machinery.experiments import FloatTable, Progress
    from echelon.reproduce.multicluster.setups import World

    Kind = tuple[int, float, float]
    """Tasks, T^p and T^c of a job."""

Case = TypeVar("Case", bound="Hashable")

OTHERS = ("heuristic:non-saturated=yes", "rule-85")
"""What is set beside them, without a claim of the thesis."""

VARIANT_RULES: Mapping[str, CoAllocation] = dict(
    zip(
        (*VARIANTS, *OTHERS),
        (Optimal(), NonSaturated(), FirstFeasible(), Heuristic(non_saturated=True), Rule85()),
        strict=True,
    )
)
"""The rules of both, by their specs."""

TASKS = (8, 11, 14, 17)
"""Sizes of the jobs: one that a cluster can hold, one of a task too many for that, and two larger ones."""

OWNERS = (0, 25, 50, 75)
"""Percents of nodes with an owner at work."""

CLUSTER_NODES = 8
LINK = 125e6
"""Of each cluster, in bytes a second: Gigabit Ethernet, the faster of the two that the thesis names."""

OWNER_CPU = 0.15
COMPUTE_TIME, COMMUNICATION_TIME = 24.5, 24.5
"""T^p and T^c, in s, of IS of class B on eight nodes by its table D.1: half of 49 s each."""


class Timed(NamedTuple):
    """One answer of one co-allocation.

    Attributes
    ----------
    crossing : float
        SC of the answer; nan if there is none.
    seconds : float
        Processor time it took, which what else runs on the machine changes least.
    longer : float
        T^e over the least possible; nan if there is no answer.
    """

    crossing: float
    seconds: float
    longer: float


def problem_of(
    seed: int, tasks: int, *, clusters: Sequence[int], bandwidth: int, owners: int
) -> SpanningProblem:
    """Return a job of `tasks` for clusters of these numbers of nodes.

    The bandwidth of a task (PNBW) is in percent of a cluster's link, `owners` in percent of the nodes. Which
    nodes have an owner is drawn by the seed; each owner takes `OWNER_CPU` of a processor.
    """
    nodes = sum(clusters)
    power = np.ones(nodes)
    active = stream(seed, "e4/owners").permutation(nodes)[: round(nodes * owners / 100)]
    power[active] = 1 - OWNER_CPU
    return SpanningProblem(
        tasks=tasks,
        bandwidth=LINK * bandwidth / 100,
        compute_time=COMPUTE_TIME,
        communication_time=COMMUNICATION_TIME,
        cluster=np.repeat(np.arange(len(clusters)), clusters),
        power=power,
        link=np.full(len(clusters), LINK),
        consumed=np.zeros(len(clusters)),
    )


def ask_rule(rule: CoAllocation, problem: SpanningProblem, least: float) -> Timed:
    """Ask `rule` for the nodes of a job that takes at `least` so many seconds."""
    began = process_time()
    span = rule.span(problem)
    seconds = process_time() - began
    if span is None:
        return Timed(np.nan, seconds, np.nan)
    nodes = np.array(span.nodes)
    return Timed(problem.slowdowns(nodes)[1], seconds, problem.time(nodes) / least)


def program_study(
    seeds: int, bandwidths: Sequence[int], progress: Progress | None = None
) -> dict[Spanning, FloatTable]:
    """Return SC, seconds and T^e over the least, the means over `TASKS`, by seed, shape (n_seeds, 3).

    On two clusters of ten nodes. A mean is over the sizes for which there is an answer.
    """
    cases = [
        Spanning(variant, bandwidth, owners)
        for variant in (*VARIANTS, *OTHERS)
        for bandwidth in bandwidths
        for owners in OWNERS
    ]
    return _measure_cases(cases, seeds, _mean_answer, progress)


def _measure_cases(
    cases: Sequence[Case],
    seeds: int,
    measure: Callable[[Case, int], float | Sequence[float]],
    progress: Progress | None,
) -> dict[Case, NDArray[np.float64]]:
    """Return what is measured of each case by seed, one after the other, as it is timed."""
    tables = {}
    for done, case in enumerate(cases, 1):
        tables[case] = np.array([measure(case, seed) for seed in range(seeds)])
        if progress:
            progress(done, len(cases))
    return tables


def _mean_answer(case: Spanning, seed: int) -> list[float]:
    answers = []
    for tasks in TASKS:
        problem = problem_of(seed, tasks, clusters=(10, 10), bandwidth=case.bandwidth, owners=case.owners)
        best = Threshold().span(problem)
        answers.append(ask_rule(VARIANT_RULES[case.variant], problem, best.time if best else np.nan))
    return finite_means(np.array(answers))


def program_scaling(
    seeds: int, sizes: Sequence[int], progress: Progress | None = None
) -> dict[tuple[str, int], FloatColumn]:
    """Return the seconds of each variant by number of clusters of eight nodes, by seed.

    The job has a task for every other node, its bandwidth is a quarter of a link, and half of the nodes have
    an owner.
    """
    cases = [(variant, clusters) for clusters in sizes for variant in (*VARIANTS, *OTHERS)]
    return _measure_cases(cases, seeds, _seconds_by_clusters, progress)


def program_by_nodes(
    seeds: int, counts: Sequence[int], progress: Progress | None = None
) -> dict[int, FloatColumn]:
    """Return the seconds of the optimal program on two clusters of so many nodes each, by seed.

    The job has a task more than a cluster can hold, its bandwidth is half of a link, and half of the nodes
    have an owner.
    """
    return _measure_cases(counts, seeds, _seconds_by_nodes, progress)


def _seconds_by_clusters(case: tuple[str, int], seed: int) -> float:
    variant, clusters = case
    tasks, nodes = clusters * CLUSTER_NODES // 2, [CLUSTER_NODES] * clusters
    problem = problem_of(seed, tasks, clusters=nodes, bandwidth=25, owners=50)
    return ask_rule(VARIANT_RULES[variant], problem, 1.0).seconds


def _seconds_by_nodes(count: int, seed: int) -> float:
    problem = problem_of(seed, count + 1, clusters=(count, count), bandwidth=50, owners=50)
    return ask_rule(Optimal(), problem, 1.0).seconds


@dataclass(frozen=True, slots=True, eq=False)
class Noted:
    """A co-allocation that notes what its answers over several clusters say of the time.

    Parameters
    ----------
    rule : CoAllocation
        What answers.
    times : mapping, default empty
        Times said, in s, in the order of the answers, by kind of job.
    """

    rule: CoAllocation
    times: defaultdict[Kind, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def name(self) -> str:
        """Name of the rule."""
        return self.rule.name

    def span(self, problem: SpanningProblem) -> Span | None:
        """Return the rule's answer."""
        span = self.rule.span(problem)
        if span is not None and len(np.unique(problem.cluster[list(span.nodes)])) > 1:
            kind = problem.tasks, round(problem.compute_time, 6), round(problem.communication_time, 6)
            self.times[kind].append(span.time)
        return span


class _Task(NamedTuple):
    setup: Setup
    seed: int


def measure_spans(
    seeds: int, jobs: int, processes: Processes, *, world: World = FITTED, progress: Progress | None = None
) -> FloatTable | None:
    """Return seed, what the model said and what jobs took, in s, shape (n_jobs, 3); None if there is no job.

    Jobs on 844 and on the two unequal clusters of E4, with two phases and the optimal program.
    """
    settings = {"co_allocate": "optimal", "two_phase": True, "world": world, "decision": 0.0, "jobs": jobs}
    setups = [
        base("844", owners_spec(30), **settings),
        Setup("cisne-e4", owners=owners_spec(30))._replace(**settings),  # type: ignore[arg-type]
    ]
    tasks = [_Task(setup, seed) for setup in setups for seed in range(seeds)]
    answers = zip(tasks, processes.each(_predict_and_take, tasks, progress), strict=True)
    rows = [(float(task.seed), *row) for task, jobs in answers for row in jobs]
    return np.array(rows) if rows else None


def _predict_and_take(task: _Task) -> list[tuple[float, float]]:
    noted = Noted(Optimal())
    return pairs(simulate_setup(task.setup, task.seed, co_allocation=noted).schedule, noted)


def pairs(schedule: Schedule, noted: Noted) -> list[tuple[float, float]]:
    """Return what was said of each job over several clusters, and what it took, in s.

    Jobs of one kind got their answers in the order in which they started.
    """
    places, run, instance = there(schedule.places), Times.of(schedule).run, schedule.instance
    alone = instance.workload.columns["run_time"][instance.kept]
    left = {kind: iter(times) for kind, times in noted.times.items()}
    time_pairs = []
    applications = applications_of(instance)
    for position in np.argsort(schedule.start_time, kind="stable").tolist():
        if len(np.unique(places.site[places.job == position])) > 1:
            computing = float(alone[position]) * applications[position].compute_share
            communicating = float(alone[position]) - computing
            kind = int(instance.size[position]), round(computing, 6), round(communicating, 6)
            time_pairs.append((next(left[kind]), float(run[position])))
    return time_pairs
