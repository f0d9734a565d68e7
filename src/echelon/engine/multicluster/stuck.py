"""Stuck: what is said of a run on a multicluster in which nothing is left to happen, but jobs are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from echelon.errors import StuckError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.model import Job

MOST_IN_VAIN = 100_000
"""Changes of owners in a row, with jobs in the system that do not progress, until a run is given up."""

MOST_PROMISES = 1000
"""The same of instants at which promises fall due in vain, when owners change no more."""

LATEST = 2.0**53
"""Times beyond this, in seconds, cannot tell one second from the next."""


def raise_endless(jobs: Iterable[Job]) -> NoReturn:
    """Say that the jobs that run would end later than times can tell.

    Raises
    ------
    StuckError
        Always.
    """
    raise StuckError(
        f"{_told(list(jobs), 'would still run')} at t = {LATEST:.3g} s: powers, contracts, links or the "
        "execution leave them next to nothing; check the figures of the platform"
    )


def raise_stuck(
    upper_queue: str,
    *,
    upper: Iterable[Job],
    still: Iterable[Job],
    machines: Sequence[SlotMachine],
    nodes: SharedNodes,
) -> NoReturn:
    """Say which jobs wait, or stand `still` on their nodes, forever, and why.

    Raises
    ------
    StuckError
        Always.
    """
    if standing := list(still):
        raise StuckError(
            f"{_told(standing)} forever: the owners of their nodes take all of the processors and do not "
            "leave; let owners leave a share of them"
        )
    for machine in machines:
        waiting = machine.cluster.waiting.jobs
        if waiting and any(use.is_active for use in nodes.use[nodes.of(machine.cluster.site)]):
            raise StuckError(
                f"{_told(waiting, 'wait')} forever at site {machine.name!r}: the owners of its nodes leave "
                "no room for them, and do not leave; let owners take less, or choose a --longest-stay"
            )
        if waiting:
            machine.raise_stuck()
    jobs = list(upper)
    if any(use.is_active for use in nodes.use):
        raise StuckError(
            f"{_told(jobs, 'wait')} forever in the upper queue {upper_queue!r}: owners at work leave no "
            "room for them, and do not leave; let owners take less, or choose a --longest-stay"
        )
    raise StuckError(
        f"upper queue {upper_queue!r} leaves {_told(jobs, 'waiting')} forever with nothing left to happen; "
        "hand out the head when all is empty"
    )


def _told(jobs: Sequence[Job], what: str = "stand still") -> str:
    shown = ", ".join(f"{job.job_id} ({job.processors} nodes)" for job in jobs[:5])
    return f"jobs {shown}{' ...' if len(jobs) > 5 else ''} {what}"
