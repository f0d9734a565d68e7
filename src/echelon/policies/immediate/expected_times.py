"""Expected times: execution and completion times of a job at a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypeGuard, get_args

from echelon.errors import UnknownNameError

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView
    from echelon.policies.immediate.contract import ImmediateView

Times: TypeAlias = Literal["planned", "history"]
"""The source of execution times for planning heuristics.

``planned``: the job's planned time over the machine's speed. ``history``: the mean CPU time of its
application there, 0 if it has never ended there.
"""

TIMES: tuple[str, ...] = get_args(Times)


def check_times(times: object, name: str) -> None:
    """Reject a word that is not one of `Times`.

    Raises
    ------
    UnknownNameError
        If it is not; the message names the rule.
    """
    if times not in TIMES:
        raise UnknownNameError(f"source of execution times of {name}, times", str(times), TIMES)


def execution_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return the execution time of `job` alone at `site`, in seconds; 0 if unknown."""
    if times == "planned":
        return view.execution_time(job, site)
    return view.cpu_time(job, site) or 0.0


def completion_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return the completion time of `job` at `site` after all jobs there, in seconds."""
    return view.ready_time(site) + execution_time(job, site, view, times)


def without_queues(view: GridView) -> TypeGuard[ImmediateView]:
    """Return whether `view` is of time-shared machines."""
    return hasattr(view, "ready_time")
