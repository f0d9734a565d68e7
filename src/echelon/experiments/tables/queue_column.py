"""In which of several global queues each job waited: a column of the table of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model.machines.site_path import above

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Job, Schedule
    from echelon.policies.global_queue.several import JobQueue


def queue_column(scenario: Scenario, schedule: Schedule) -> dict[str, Any]:
    """Return the name of each job's queue wherever it came to one of several; nothing where none are several.

    A queue of the root has its name alone, one of an inner site its path before it: ``small; spain: big``.

    Notes
    -----
    Cost: O(jobs x queues).
    """
    from echelon.engine.system_model import TreeOfSites

    if not isinstance(scenario.system_model, TreeOfSites) or schedule.site is None:
        return {}
    queues = {
        path: one.queue for path, one in scenario.system_model.controllers.items() if hasattr(one, "queue")
    }
    several = {path: queue.queues for path, queue in queues.items() if queue is not None and queue.queues}
    if not several:
        return {}
    around = [{*above(name)} for name in scenario.instance.sites.names]
    first = {path: _first_of(queues, schedule.instance) for path, queues in several.items()}
    return {
        "global_queue": [
            "; ".join(_label(path, first[path](job)) for path in several if path in around[site]) or None
            for job, site in zip(schedule.instance.jobs(), schedule.site.tolist(), strict=True)
        ]
    }


def _first_of(queues: Sequence[JobQueue], instance: Instance) -> Callable[[Job], str]:
    """Return the function that gives the name of the first queue that takes a job."""
    from echelon.engine.tree.queues.membership import takes

    taking = [(queue.name, takes(queue, lambda: instance)) for queue in queues]
    return lambda job: next((name for name, takes_it in taking if takes_it(job)), queues[-1].name)


def _label(path: str, name: str) -> str:
    return f"{path}: {name}" if path else name
