"""Expected times: how long a job would take at a machine, and when it would be done there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypeGuard, get_args

from echelon.errors import UnknownNameError

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView
    from echelon.policies.immediate.contract import ImmediateView

Times: TypeAlias = Literal["planned", "history"]
"""Where heuristics of planning have the execution times of jobs from.

``planned``: the job's planned time over the machine's speed. ``history``: the mean CPU time of its
application there, 0 where it has never ended.
"""

TIMES: tuple[str, ...] = get_args(Times)


def check_times(times: object, name: str) -> None:
    """Refuse what is no word of `Times`.

    Raises
    ------
    UnknownNameError
        If it is none, naming the rule.
    """
    if times not in TIMES:
        raise UnknownNameError(f"source of execution times of {name}, times", str(times), TIMES)


def execution_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return how long `job` would take alone at `site`, in seconds; 0 if that is to be found out."""
    if times == "planned":
        return view.execution_time(job, site)
    return view.cpu_time(job, site) or 0.0


def completion_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return when `job` would be done at `site` behind all that is there, in seconds."""
    return view.ready_time(site) + execution_time(job, site, view, times)


def without_queues(view: GridView) -> TypeGuard[ImmediateView]:
    """Return whether `view` is of machines without queues."""
    return hasattr(view, "ready_time")
