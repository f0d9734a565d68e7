"""E4: what the co-allocating program answers, and how long it takes, by bandwidth, owners and clusters."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.streams import stream
from echelon.policies.coallocation import SpanningProblem, co_allocation_named
from echelon.reproduce.multicluster.evidence import Spanning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model.columns import FloatColumn
    from echelon.policies.coallocation import CoAllocation
    from echelon.reproduce.multicluster.evidence import FloatTable

    Progress = Callable[[int, int | None], None]

VARIANTS = ("optimal", "non-saturated", "first-feasible")
"""The thesis' three variants by the words of ``--co-allocate``; it calls the last Non-Optimal."""

OTHERS = ("heuristic:non-saturated=yes", "rule-85")
"""What is set beside them, without a claim of the thesis."""

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
    """Return a job of `tasks` for clusters of these numbers of nodes, owners at some drawn at random.

    Parameters
    ----------
    seed : int
        Of which nodes have an owner.
    tasks : int
        Of the job.
    clusters : sequence of int
        Nodes of each.
    bandwidth : int
        Of a task (PNBW), in percent of a cluster's link.
    owners : int
        Percent of nodes with an owner at work, who takes `OWNER_CPU` of its processor.
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


def answered(rule: CoAllocation, problem: SpanningProblem, least: float) -> Timed:
    """Ask `rule` for the nodes of a job that takes at `least` so many seconds."""
    began = process_time()
    found = rule.span(problem)
    seconds = process_time() - began
    if found is None:
        return Timed(np.nan, seconds, np.nan)
    nodes = np.array(found.nodes)
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
    found = {}
    for done, case in enumerate(cases, 1):
        found[case] = np.array([_mean_answer(case, seed) for seed in range(seeds)])
        if progress:
            progress(done, len(cases))
    return found


def _mean_answer(case: Spanning, seed: int) -> list[float]:
    exact, rule = _rule("threshold"), _rule(case.variant)
    answers = []
    for tasks in TASKS:
        problem = problem_of(seed, tasks, clusters=(10, 10), bandwidth=case.bandwidth, owners=case.owners)
        best = exact.span(problem)
        assert best is not None
        answers.append(answered(rule, problem, best.time))
    return [_mean([answer[column] for answer in answers]) for column in range(3)]


def _mean(values: list[float]) -> float:
    finite = [value for value in values if np.isfinite(value)]
    return float(np.mean(finite)) if finite else np.nan


def _rule(words: str) -> CoAllocation:
    found = co_allocation_named(words)
    assert found is not None
    return found


def program_scaling(
    seeds: int, sizes: Sequence[int], progress: Progress | None = None
) -> dict[tuple[str, int], FloatColumn]:
    """Return the seconds of each variant by number of clusters of eight nodes, by seed.

    The job has a task for every other node, its bandwidth is a quarter of a link, and half of the nodes have
    an owner.
    """
    found = {}
    cases = [(variant, clusters) for clusters in sizes for variant in (*VARIANTS, *OTHERS)]
    for done, (variant, clusters) in enumerate(cases, 1):
        found[variant, clusters] = np.array([_seconds(variant, clusters, seed) for seed in range(seeds)])
        if progress:
            progress(done, len(cases))
    return found


def program_by_nodes(
    seeds: int, counts: Sequence[int], progress: Progress | None = None
) -> dict[int, FloatColumn]:
    """Return the seconds of the optimal program on two clusters of so many nodes each, by seed.

    The job has a task more than a cluster can hold, its bandwidth is half of a link, and half of the nodes
    have an owner.
    """
    found = {}
    for done, count in enumerate(counts, 1):
        found[count] = np.array(
            [
                answered(
                    _rule("optimal"),
                    problem_of(seed, count + 1, clusters=(count, count), bandwidth=50, owners=50),
                    1.0,
                ).seconds
                for seed in range(seeds)
            ]
        )
        if progress:
            progress(done, len(counts))
    return found


def _seconds(variant: str, clusters: int, seed: int) -> float:
    problem = problem_of(
        seed, clusters * CLUSTER_NODES // 2, clusters=[CLUSTER_NODES] * clusters, bandwidth=25, owners=50
    )
    return answered(_rule(variant), problem, 1.0).seconds
