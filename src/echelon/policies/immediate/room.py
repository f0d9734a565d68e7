"""Room: whether a machine has a core for each process of a further job."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import DispatchView


def has_room(view: DispatchView, job: Job, site: int) -> bool:
    """Return whether `site` would have no more processes than cores with `job`."""
    return view.processes(site) + job.processors <= view.in_service[site]


def any_room(view: DispatchView) -> bool:
    """Return whether any machine has a core without a process."""
    return any(view.processes(site) < cores for site, cores in enumerate(view.in_service))
