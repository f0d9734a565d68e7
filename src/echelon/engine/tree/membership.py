"""Which jobs the global queues of a tree take; those that they keep from every leaf are dropped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.tree.unable_jobs import unable_jobs
from echelon.model.machines.site_tree import SiteTree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.worlds import LeafRules
    from echelon.model import Instance, Job
    from echelon.policies.upper_queue.several import JobQueue

REASON = "no place in any global queue: they meet the criteria of none"


def names_of(instance: Instance) -> Callable[[str], Sequence[str]]:
    """Return the function that gives the log's names of the codes of a column."""
    names = instance.workload.names
    return lambda column: names.get(column, ())


def takes(queue: JobQueue, instance: Instance) -> Callable[[Job], bool]:
    """Return whether `queue` takes a job of `instance`."""
    names = names_of(instance)
    return lambda job: queue.takes(job, names)


def is_selective(controllers: Mapping[str, ControllerKind]) -> bool:
    """Return whether some inner site has several queues, which may not take every job."""
    return any(_queues_of(one) for one in controllers.values())


def _queues_of(controller: ControllerKind) -> tuple[JobQueue, ...]:
    queue = getattr(controller, "queue", None)
    return () if queue is None else queue.queues


def taken_below(
    tree: SiteTree,
    controllers: Mapping[str, ControllerKind],
    instance: Instance,
    unable: Callable[[int], NDArray[np.bool_]],
) -> NDArray[np.bool_]:
    """Return which jobs find a way through the global queues of `tree` to a leaf, shape (n_jobs,).

    Parameters
    ----------
    tree : SiteTree
        An inner site.
    controllers : mapping of str to Controller
        Of every inner site, by its path.
    instance : Instance
        The jobs.
    unable : callable (int) -> array of bool
        Which jobs a leaf cannot hold, shape (n_jobs,).
    """
    found = np.zeros(len(instance), dtype=np.bool_)
    for child in tree.children:
        below = isinstance(child, SiteTree)
        found |= taken_below(child, controllers, instance, unable) if below else ~unable(child)  # type: ignore[arg-type]
    return found & _taken_here(controllers[tree.path], instance)


def _taken_here(controller: ControllerKind, instance: Instance) -> NDArray[np.bool_]:
    """Return which jobs some queue of an inner site takes; all where there are not several."""
    names, queues = names_of(instance), _queues_of(controller)
    if not queues:
        return np.ones(len(instance), dtype=np.bool_)
    return np.array(
        [any(queue.takes(job, names) for queue in queues) for job in instance.jobs()], dtype=np.bool_
    )


def admitted_to_queues(
    scenario: Scenario,
    controllers: Mapping[str, ControllerKind],
    rules: LeafRules,
    *,
    strict: bool = False,
) -> Scenario:
    """Return `scenario` without the jobs that its global queues keep from every leaf that could hold them.

    Raises
    ------
    InputError
        If no job is left, or if `strict` and there are such jobs.

    Notes
    -----
    **Source**: M-CISNE thesis, appendix A.2.1: a job that suits no queue is rejected.
    """
    from echelon.errors import InputError
    from echelon.model.schedules.kept_jobs import without

    instance, platform = scenario.instance, scenario.instance.sites
    unable = unable_jobs(scenario, rules)
    if (
        platform.is_shared and not platform.is_nested
    ):  # jobs that no cluster can hold may have nodes of several
        unable = [np.zeros_like(jobs) for jobs in unable]
    out = np.flatnonzero(~taken_below(platform.tree, controllers, instance, unable.__getitem__))
    if len(out) and strict:
        count = f"{len(out)} with {REASON} (first: job {instance.label(int(out[0]))})"
        raise InputError(f"strict: a simulation would drop jobs: {count}", file=instance.workload.name)
    if len(out) == len(instance):
        raise InputError(f"no job is left to simulate: all have {REASON}", file=instance.workload.name)
    return replace(scenario, instance=without(instance, {REASON: out.tolist()})) if len(out) else scenario
