"""All models of dependencies, by the spec typed after ``--dependencies-model``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.dependencies import Dependencies
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.streams import stream
from echelon.workloads.synthetic.parameter import Parameter
from echelon.workloads.transform.column_model import ColumnModel, draw_columns
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import IntColumn

_LONGEST = 1e9
_MOST = 1e6


def chains(workload: Workload, share: float = 0.5, think: float = 300.0, *, seed: int = 0) -> Workload:
    """Return the jobs, of which some follow the one that their user submitted before: feedback.

    Parameters
    ----------
    workload : Workload
        In any order. Dependencies it has are replaced.
    share : float, default 0.5
        Chance of each job but a user's first to follow, 0 to 1.
    think : float, default 300
        Mean think time from the end of one to the submission of the next, in seconds, exponential; users stay
        in a session for some 20 minutes at most.
    seed : int, default 0
        Of the draws, >= 0.

    Returns
    -------
    Workload
        With preceding jobs and think times in whole seconds, as SWF has them: the submit times of the jobs
        that follow do not count. Jobs whose user is not known count as of one user.

    Notes
    -----
    **Ties**: of one submit time, the workload's order. **Cost**: O(n log n). **Source**: sessions as of Zakay
    and Feitelson, JSSPP 2012, in their simplest form.
    """
    random = stream(seed, "dependencies/chains")
    user = np.maximum(workload.user, UNKNOWN)
    order = np.lexsort((workload.submit_time, user))
    before = np.full(len(workload), -1, dtype=np.int64)
    same = user[order[1:]] == user[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    follows = (random.random(len(workload)) < share) & (before >= 0)
    thought = np.ceil(random.exponential(1.0, len(workload)) * think)
    numbered = _number_jobs(workload)
    changed = numbered.with_columns(
        preceding_job=np.where(follows, numbered.job_id[before], UNKNOWN),
        think_time=np.where(follows, thought, UNKNOWN),
    )
    count = int(follows.sum())
    return record_transform(
        replace(changed, dependencies=None),
        f"{count} of {len(workload)} jobs follow the one before of their user after {think:.15g} s in the "
        f"mean, seed {seed}",
    )


def layers(
    workload: Workload, size: int = 20, depth: int = 5, parents: int = 2, *, seed: int = 0
) -> Workload:
    """Return the jobs, which are now the tasks of workflows: random graphs of layers.

    Parameters
    ----------
    workload : Workload
        In any order. Dependencies it has are replaced.
    size : int, default 20
        Jobs of a workflow, >= 1: so many in a row by submit time; the last may have fewer.
    depth : int, default 5
        Layers of a workflow, equally large but for one job, from 1 to `size`.
    parents : int, default 2
        Each job waits for 1 to so many jobs of the layer before, >= 1; drawn with repetition, so fewer may be
        different.
    seed : int, default 0
        Of the draws, >= 0.

    Returns
    -------
    Workload
        With explicit dependencies without delays; submit times stay and count.

    Notes
    -----
    **Ties**: of one submit time, the workload's order. **Cost**: O(n log n + n parents). **Source**: the
    layer-by-layer method as Canon, El Sayah and Héam describe it, Euro-Par 2019.
    """
    random = stream(seed, "dependencies/layers")
    order = np.argsort(workload.submit_time, kind="stable")
    n_jobs, depth = len(workload), min(depth, size)
    place = np.arange(n_jobs) % size
    layer = place * depth // size
    wanted = random.integers(1, parents + 1, n_jobs)
    chosen = random.random((n_jobs, parents))
    # The layer before holds the places from ceil((layer - 1) size / depth) on.
    first, end = _first_place(layer - 1, size, depth), _first_place(layer, size, depth)
    parent = (np.arange(n_jobs) - place)[:, None] + first[:, None]
    parent = parent + (chosen * (end - first)[:, None]).astype(np.int64)
    real = (np.arange(parents) < wanted[:, None]) & (layer > 0)[:, None]
    successor = np.broadcast_to(np.arange(n_jobs)[:, None], real.shape)[real]
    edges = Dependencies.of_edges(n_jobs, order[parent[real]], order[successor])
    alone = workload.with_columns(preceding_job=np.full(n_jobs, UNKNOWN), think_time=np.full(n_jobs, UNKNOWN))
    return record_transform(
        replace(_number_jobs(alone), dependencies=edges if len(edges.predecessor) else None),
        f"workflows of {size} jobs in {depth} layers, each job after up to {parents} of the layer before, "
        f"seed {seed}",
    )


def _first_place(layer: IntColumn, size: int, depth: int) -> IntColumn:
    """Return the first place in a workflow that is in this layer."""
    return -(-layer * size // depth)


def _number_jobs(workload: Workload) -> Workload:
    """Return the jobs numbered from 1 if their numbers are not all different: one cannot name them."""
    if len(np.unique(workload.job_id)) == len(workload):
        return workload
    return workload.with_columns(job_id=np.arange(1, len(workload) + 1))


MODELS: tuple[ColumnModel, ...] = (
    ColumnModel(
        name="chains",
        summary="Some jobs depend on the preceding job of their user, with a think time between.",
        source="Zakay and Feitelson, JSSPP 2012",
        parameters=(
            Parameter("share", "1", 0.5, "probability that a job depends on the preceding one", 0, 1),
            Parameter("think", "s", 300.0, "mean think time, exponential", 0, _LONGEST),
        ),
        draw=lambda workload, values, seed: chains(workload, values["share"], values["think"], seed=seed),
    ),
    ColumnModel(
        name="layers",
        summary="Consecutive jobs are the tasks of workflows: random layered graphs.",
        source="Canon, El Sayah and Héam, Euro-Par 2019",
        parameters=(
            Parameter("size", "jobs", 20, "jobs of a workflow", 1, _MOST),
            Parameter("depth", "1", 5, "layers of a workflow, at most as many as its jobs", 1, _MOST),
            Parameter("parents", "jobs", 2, "most predecessors of a job, in the preceding layer", 1, 1000),
        ),
        draw=lambda workload, values, seed: layers(
            workload, int(values["size"]), int(values["depth"]), int(values["parents"]), seed=seed
        ),
    ),
)


def draw_dependencies(workload: Workload, spec: str, *, seed: int = 0) -> Workload:
    """Return the jobs with dependencies of the model that a spec names.

    Parameters
    ----------
    workload : Workload
        Drawn from a model, or read: any. Dependencies it has are replaced.
    spec : str
        A model of dependencies, with or without parameters: ``"chains"``, ``"layers:size=50:depth=4"``.
    seed : int, default 0
        Of the draws, >= 0.

    Raises
    ------
    UnknownNameError
        If there is no such model or parameter.
    InputError
        If a value is out of its bounds.
    """
    return draw_columns(workload, spec, models=MODELS, kind="model of dependencies", seed=seed)
