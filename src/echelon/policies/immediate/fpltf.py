"""Dynamic FPLTF: the largest job goes to the machine of its earliest completion once that machine is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import check_decision
from echelon.policies.immediate.contract import Dispatch, any_room, has_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.immediate.contract import DispatchDecision, DispatchView


@dataclass(frozen=True, slots=True)
class DynamicFPLTF:
    """Dispatch the largest jobs first, each to the machine of its earliest completion, one process per core.

    At each event the waiting jobs are considered, the largest first. Each job is mapped to the machine of its
    earliest completion, whose ready time then increases. It is dispatched if that machine has room for it
    now; otherwise it waits and is mapped again at the next event.

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
    no more processes than cores; until then its ready time is the end of all jobs mapped to it. In the source
    machines have one core and a local load of owners, which slows jobs down; here machines have no local
    load. Ties: equal jobs by submit time, then position; the lowest site. Cost: O(waiting x sites) per event.
    Source: Silva, Cirne & Brasileiro, Euro-Par 2003.
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
        """Yield the dispatches of jobs whose machines have room."""
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
                # Machines that are down are among those that fit only if all are.
                cores = view.in_service[site] or view.sizes[site]
                meant[site] += view.execution_time(job, site) * job.processors / cores


def _largest_first(job: Job) -> tuple[float, float, int]:
    return (-job.area, job.submit_time, job.position)


def _completion(job: Job, site: int, view: DispatchView, meant: list[float]) -> float:
    """Return the completion time of `job` at `site`, after the waiting jobs mapped to it."""
    free = has_room(view, job, site) and not meant[site]
    ready = view.now if free else view.ready_time(site) + meant[site]
    return ready + view.execution_time(job, site)
