"""Admission: the clusters that can ever run a job, and the jobs that no cluster can run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.errors import EchelonError, InputError
from echelon.model.schedules.kept_jobs import without
from echelon.policies.coallocation.contract import SpanningProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.model import Instance, Job, Platform, SharedCluster
    from echelon.policies.coallocation.contract import CoAllocation

_NO_SOFTWARE = "software that no cluster has"
_NO_NODES = "tasks for more nodes with enough memory and bandwidth than any cluster has"
_NOT_SPANNED = "tasks for several clusters, for which {} finds no nodes even when all are idle"
_NO_NODES_AT_ALL = "tasks for more nodes with enough memory and bandwidth than all clusters have"


def able_nodes(job: Job, cluster: SharedCluster) -> int:
    """Return how many empty nodes of `cluster` can take a task of `job`; 0 without its software.

    Notes
    -----
    **Source**: M-CISNE thesis, section 2.5.1 (the admission system).
    """
    return int(np.count_nonzero(_mask_able(job, cluster)))


def _mask_able(job: Job, cluster: SharedCluster) -> NDArray[np.bool_]:
    """Return which empty nodes of a cluster can take a task of `job`; none without its software."""
    program = program_of(job)
    fine = cluster.memory * cluster.contract.memory >= program.memory
    fine &= program.software <= cluster.software
    if job.processors > 1:
        fine &= cluster.bandwidth * cluster.contract.bandwidth >= program.bandwidth
    return fine


class AbleNodes:
    """`able_nodes` of each cluster of a platform, counted once for jobs with equal needs.

    Parameters
    ----------
    platform : Platform
        A multicluster.
    """

    def __init__(self, platform: Platform) -> None:
        self._clusters = platform.clusters
        self._by_size: list[int] = platform.by_size.tolist()
        self._counts: dict[tuple[frozenset[str], float, float], list[int]] = {}

    def counts(self, job: Job) -> list[int]:
        """Return how many empty nodes of each cluster can take a task of `job`."""
        program = program_of(job)
        needs = (program.software, program.memory, program.bandwidth if job.processors > 1 else 0.0)
        if needs not in self._counts:
            self._counts[needs] = [able_nodes(job, cluster) for cluster in self._clusters]
        return self._counts[needs]

    def sites(self, job: Job) -> list[int]:
        """Return the clusters that can hold `job` alone when they are empty, the lowest first."""
        counts = self.counts(job)
        return [site for site in self._by_size if counts[site] >= job.processors]


def spans_when_idle(job: Job, run_time: float, platform: Platform, rule: CoAllocation) -> bool:
    """Return whether `rule` finds nodes of several clusters for `job` when all of them are idle.

    With less room it finds none either: such a job would wait forever. A rule that fails is reported by the
    run, not here.
    """
    clusters = platform.clusters
    able = [np.flatnonzero(_mask_able(job, cluster)) for cluster in clusters]
    program = program_of(job)
    problem = SpanningProblem(
        tasks=job.processors,
        bandwidth=program.bandwidth,
        compute_time=run_time * program.compute_share,
        communication_time=run_time - run_time * program.compute_share,
        cluster=np.repeat(np.arange(len(clusters)), [len(nodes) for nodes in able]),
        power=np.concatenate([cluster.power[nodes] for cluster, nodes in zip(clusters, able, strict=True)]),
        link=np.array([cluster.link for cluster in clusters]),
        consumed=np.array([cluster.link_traffic for cluster in clusters]),
    )
    try:
        return rule.span(problem) is not None
    except EchelonError:
        raise
    except (Exception, SystemExit):
        return True


def admit_jobs(
    instance: Instance,
    platform: Platform,
    *,
    spanning: bool,
    strict: bool = False,
    co_allocation: CoAllocation | None = None,
) -> Instance:
    """Return the instance without the jobs that no cluster, or if `spanning` all together, can ever run.

    With a `co_allocation` also without those that need several clusters and for which it finds no nodes even
    when all are idle.

    Raises
    ------
    InputError
        If no job is left, or if `strict` and there are such jobs.
    """
    refused: dict[str, list[int]] = {}
    able, alone = AbleNodes(platform), instance.uncut_time
    for job in instance.jobs():
        counts = able.counts(job)
        if (sum(counts) if spanning else max(counts)) < job.processors:
            has = any(program_of(job).software <= cluster.software for cluster in platform.clusters)
            reason = _NO_SOFTWARE if not has else _NO_NODES_AT_ALL if spanning else _NO_NODES
            refused.setdefault(reason, []).append(job.position)
        elif (
            co_allocation is not None
            and max(counts) < job.processors
            and not spans_when_idle(job, float(alone[job.position]), platform, co_allocation)
        ):
            refused.setdefault(_NOT_SPANNED.format(co_allocation.name), []).append(job.position)
    reasons = "; ".join(
        f"{len(all_)} with {why} (first: job {instance.label(all_[0])})" for why, all_ in refused.items()
    )
    if refused and strict:
        raise InputError(f"strict: a simulation would drop jobs: {reasons}", file=instance.workload.name)
    if sum(map(len, refused.values())) == len(instance):
        raise InputError(f"no job is left to simulate: {reasons}", file=instance.workload.name)
    return without(instance, refused)


def drop_misfits(scenario: Scenario, rules: MulticlusterRules) -> Scenario:
    """Return the run of a multicluster without the jobs that can never run on it under these rules."""
    co_allocation = rules.co_allocation
    instance = admit_jobs(
        scenario.instance,
        scenario.instance.sites,
        spanning=co_allocation is not None,
        co_allocation=co_allocation,
    )
    return replace(scenario, instance=instance)
