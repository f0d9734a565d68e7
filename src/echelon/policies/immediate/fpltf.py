"""Dynamic FPLTF: the largest job goes to the machine where it is done first, once that machine is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.immediate.contract import Dispatch
from echelon.policies.immediate.decision_time import check_decision
from echelon.policies.immediate.room import any_room, has_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.immediate.contract import DispatchDecision, DispatchView


@dataclass(frozen=True, slots=True)
class DynamicFPLTF:
    """Give the largest jobs first to the machines where they are done first, one a core; the rest waits.

    At each event the waiting jobs are looked at, the largest first. Each is meant for the machine of its
    earliest completion, which is then busy for so much longer; it is dispatched if that machine has room for
    it now, and else waits, to be thought over at the next event.

    Parameters
    ----------
    decision : float, default 0
        How long a decision takes under ``--decision-time own``, in seconds, finite, >= 0.

    Raises
    ------
    InputError
        If `decision` is out of its range.

    Notes
    -----
    A job's size is its planned time times its processes. A machine has room for a job as long as it then has
    no more processes than cores; until there is room it is taken to be ready when all that is meant for it
    is done. The source has machines of one core and owners' load on them, which slows jobs down; here
    machines have none. Ties: equal jobs by submit time, then position; the lowest site. Cost: O(waiting x
    sites) an event. Source: Silva, Cirne & Brasileiro, Euro-Par 2003.
    """

    decision: float = field(default=0.0, kw_only=True, metadata={"unit": "s"})

    name: ClassVar[str] = "fpltf"
    source: ClassVar[str] = "Silva, Cirne & Brasileiro, Euro-Par 2003"
    goes_by: ClassVar[str] = "planned times and speeds"
    dispatches: ClassVar[bool] = True
    immediate: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_decision(self.decision, self.name)

    def decide(self, view: DispatchView) -> Iterator[DispatchDecision]:
        """Yield the dispatches of jobs whose machine has room for them."""
        if not any_room(view):
            return
        meant = [0.0] * len(view.sizes)
        for job in sorted(view.waiting, key=_largest_first):
            site = min(view.fits(job), key=lambda site: _completion(job, site, view, meant))
            if has_room(view, job, site) and not meant[site]:
                yield Dispatch(job, site)
                if not any_room(view):
                    return
            else:
                meant[site] += view.execution_time(job, site) * job.processors / view.sizes[site]


def _largest_first(job: Job) -> tuple[float, float, int]:
    return (-job.area, job.submit_time, job.position)


def _completion(job: Job, site: int, view: DispatchView, meant: list[float]) -> float:
    """Return when `job` would be done at `site`, behind the jobs that are meant for it and wait."""
    free = has_room(view, job, site) and not meant[site]
    ready = view.now if free else view.ready_time(site) + meant[site]
    return ready + view.execution_time(job, site)
