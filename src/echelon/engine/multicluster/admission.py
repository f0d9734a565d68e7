"""Admission: which clusters could ever run a job, and which jobs none of them could."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.nodes import program_of
from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model import Instance, Job, Platform, SharedCluster

_NO_SOFTWARE = "software that no cluster has"
_NO_NODES = "tasks for more nodes with enough memory and bandwidth than any cluster has"
_NO_NODES_AT_ALL = "tasks for more nodes with enough memory and bandwidth than all clusters have"


def able_nodes(job: Job, cluster: SharedCluster) -> int:
    """Return how many empty nodes of `cluster` can take a task of `job`; 0 without its software.

    Notes
    -----
    **Source**: M-CISNE thesis, section 2.5.1 (the admission system).
    """
    program = program_of(job)
    if not program.software <= cluster.software:
        return 0
    fine = cluster.memory * cluster.contract.memory >= program.memory
    if job.processors > 1:
        fine &= cluster.bandwidth * cluster.contract.bandwidth >= program.bandwidth
    return int(np.count_nonzero(fine))


def able_sites(job: Job, platform: Platform) -> list[int]:
    """Return the clusters that can hold `job` alone when they are empty."""
    return [
        site for site, cluster in enumerate(platform.clusters) if able_nodes(job, cluster) >= job.processors
    ]


def admitted(instance: Instance, platform: Platform, *, spanning: bool, strict: bool = False) -> Instance:
    """Return the instance without the jobs that no cluster, or if `spanning` all together, could ever run.

    Raises
    ------
    InputError
        If none is left, or `strict` and there are such jobs.
    """
    refused: dict[str, list[int]] = {}
    for job in instance.jobs():
        counts = [able_nodes(job, cluster) for cluster in platform.clusters]
        if (sum(counts) if spanning else max(counts)) < job.processors:
            has = any(program_of(job).software <= cluster.software for cluster in platform.clusters)
            reason = _NO_SOFTWARE if not has else _NO_NODES_AT_ALL if spanning else _NO_NODES
            refused.setdefault(reason, []).append(job.position)
    told = "; ".join(
        f"{len(all_)} with {why} (first: job {instance.label(all_[0])})" for why, all_ in refused.items()
    )
    if refused and strict:
        raise InputError(f"strict: a simulation would drop jobs: {told}", file=instance.workload.name)
    if sum(map(len, refused.values())) == len(instance):
        raise InputError(f"no job is left to simulate: {told}", file=instance.workload.name)
    return without(instance, refused)


def without(instance: Instance, refused: dict[str, list[int]]) -> Instance:
    """Return the instance without the jobs at these positions, by reason."""
    left = np.arange(len(instance))
    for reason, positions in refused.items():
        out = np.flatnonzero(np.isin(left, positions))
        if len(out):
            instance, left = instance.without(out, reason), np.delete(left, out)
    return instance
