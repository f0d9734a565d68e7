"""Which jobs can run somewhere in a tree; those that fit nowhere or that its queues keep out are dropped."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.tree.unable_jobs import joint_jobs, unable_jobs
from echelon.errors import InputError
from echelon.model.machines.site_tree import SiteTree
from echelon.model.schedules.kept_jobs import without

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.system_model import LeafRules
    from echelon.engine.tree.unable_jobs import JointJobs
    from echelon.model import Instance, Job
    from echelon.policies.global_queue.several import JobQueue

REASON = "no place in any global queue: they meet the criteria of none"
NO_SITE = "tasks for more nodes with enough memory and bandwidth, or with the software, than any site has"
NOT_JOINT = "tasks for several clusters, for which {} finds no nodes even when all are idle"


def names_of(instance: Instance) -> Callable[[str], Sequence[str]]:
    """Return the function that gives the log's names of the codes of a column."""
    names = instance.workload.names
    return lambda column: names.get(column, ())


def takes(queue: JobQueue, instance: Callable[[], Instance]) -> Callable[[Job], bool]:
    """Return whether `queue` takes a job of the instance, which may come to have more jobs."""
    return lambda job: queue.takes(job, names_of(instance()))


def is_selective(controllers: Mapping[str, ControllerKind]) -> bool:
    """Return whether some inner site has several queues, which may not take every job."""
    return any(_queues_of(one) for one in controllers.values())


def _queues_of(controller: ControllerKind) -> tuple[JobQueue, ...]:
    queue = getattr(controller, "queue", None)
    return () if queue is None else queue.queues


def mask_taken_below(
    tree: SiteTree,
    controllers: Mapping[str, ControllerKind],
    instance: Instance,
    unable: Callable[[int], NDArray[np.bool_]],
    joint: Mapping[str, JointJobs] = MappingProxyType({}),
) -> NDArray[np.bool_]:
    """Return which jobs find a way through the global queues of `tree` to where they run, shape (n_jobs,).

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
    joint : mapping of str to JointJobs, default none
        Which jobs run in several clusters right below an inner site, by its path.
    """
    taken_jobs = np.zeros(len(instance), dtype=np.bool_)
    for child in tree.children:
        if isinstance(child, SiteTree):
            taken_jobs |= mask_taken_below(child, controllers, instance, unable, joint)
        else:
            taken_jobs |= ~unable(child)
    if tree.path in joint:
        taken_jobs |= joint[tree.path].jobs
    return taken_jobs & _mask_taken_here(controllers[tree.path], instance)


def _mask_taken_here(controller: ControllerKind, instance: Instance) -> NDArray[np.bool_]:
    """Return which jobs some queue of an inner site takes; all where there are not several."""
    names, queues = names_of(instance), _queues_of(controller)
    if not queues:
        return np.ones(len(instance), dtype=np.bool_)
    return np.array(
        [any(queue.takes(job, names) for queue in queues) for job in instance.jobs()], dtype=np.bool_
    )


def drop_misplaced(
    scenario: Scenario, controllers: Mapping[str, ControllerKind], rules: LeafRules
) -> Scenario:
    """Return `scenario` without the jobs that can run nowhere in a tree, or that its queues keep from there.

    Raises
    ------
    InputError
        If no job is left.
    """
    refused = find_misplaced(scenario, controllers, rules)
    if sum(map(len, refused.values())) == len(scenario.instance):
        raise InputError(
            f"no job is left to simulate: {_list_refusals(refused)}", file=scenario.instance.workload.name
        )
    if not refused:
        return scenario
    return replace(scenario, instance=without(scenario.instance, refused))


def check_strictly(scenario: Scenario) -> None:
    """Refuse jobs that would be left out of a run in a tree.

    Raises
    ------
    InputError
        If there are such jobs.
    """
    model: Any = scenario.system_model
    if refused := find_misplaced(scenario, model.controllers, model.rules):
        raise InputError(
            f"strict: a simulation would drop jobs: {_list_refusals(refused, scenario.instance)}",
            file=scenario.instance.workload.name,
        )


def _list_refusals(refused: Mapping[str, Sequence[int]], instance: Instance | None = None) -> str:
    """Return how many jobs are refused for which reasons, with the first ones of an instance."""
    first = "" if instance is None else " (first: job {})"
    return "; ".join(
        f"{len(all_)} with {why}{first.format(instance.label(all_[0]) if instance else '')}"
        for why, all_ in refused.items()
    )


def find_misplaced(
    scenario: Scenario, controllers: Mapping[str, ControllerKind], rules: LeafRules
) -> dict[str, list[int]]:
    """Return the positions of the jobs that can run nowhere in a tree, or are kept from there, by reason.

    Which jobs single sites of counted processors or of nodes cannot hold is known before.

    Notes
    -----
    **Source**: M-CISNE thesis, section 2.5.1 (the admission system) and appendix A.2.1: a job that suits no
    queue is rejected.
    """
    instance, platform = scenario.instance, scenario.instance.sites
    selective, multicluster = is_selective(controllers), platform.is_shared and not platform.is_nested
    if not selective and (multicluster or not platform.clusters):
        return {}
    unable, joint = unable_jobs(scenario, rules), joint_jobs(scenario, controllers, rules)
    if multicluster:
        # Which clusters alone or together can hold is known before, too.
        unable = [np.zeros_like(jobs) for jobs in unable]
    nowhere = np.all(unable, axis=0)
    for joint_here in joint.values():
        nowhere &= ~joint_here.jobs
    refused = np.any([np.zeros_like(nowhere), *(joint_here.refused for joint_here in joint.values())], axis=0)
    kept_out = ~nowhere & ~mask_taken_below(platform.tree, controllers, instance, unable.__getitem__, joint)
    rule: Any = rules.shared and rules.shared.co_allocation
    reasons = {
        NO_SITE: nowhere & ~refused,
        NOT_JOINT.format(getattr(rule, "name", None)): nowhere & refused,
        REASON: kept_out,
    }
    return {why: np.flatnonzero(jobs).tolist() for why, jobs in reasons.items() if jobs.any()}
