"""Deadlock of a multicluster: the messages of a run with no event left while jobs wait or stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from echelon.engine.deadlock import count_of, list_of
from echelon.engine.system import LATEST
from echelon.errors import DeadlockError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Job


def raise_endless(jobs: Iterable[Job]) -> NoReturn:
    """Report that running jobs would end beyond the resolution of times.

    Raises
    ------
    DeadlockError
        Always.
    """
    raise DeadlockError(
        f"jobs {list_of(list(jobs), 'nodes')} would still run at t = {LATEST:.3g} s: powers, contracts, "
        "links or the execution leave them next to nothing; check the figures of the platform"
    )


def raise_deadlock(
    upper_queue: str,
    *,
    upper: Iterable[Job],
    still: Iterable[Job],
    machines: Sequence[SlotMachine],
    nodes: SharedNodes,
) -> NoReturn:
    """Report which jobs can never start, or stand `still` on their nodes forever, and why.

    Raises
    ------
    DeadlockError
        Always.
    """
    if standing := list(still):
        raise DeadlockError(
            f"{count_of(standing)} can never end: {list_of(standing, 'nodes')}; the owners of their nodes "
            "take all of the processors and do not leave; let owners leave a share of them"
        )
    for machine in machines:
        waiting = machine.cluster.waiting.jobs
        if waiting and any(use.is_active for use in nodes.use[nodes.of(machine.slots.site)]):
            raise DeadlockError(
                f"{count_of(waiting)} can never start at site {machine.name!r}: {list_of(waiting, 'nodes')}; "
                "the owners of its nodes leave no room and do not leave; let owners take less, or choose a "
                "--longest-stay"
            )
        if waiting:
            machine.raise_deadlock()
    jobs = list(upper)
    if any(use.is_active for use in nodes.use):
        raise DeadlockError(
            f"{count_of(jobs)} can never leave the global queue {upper_queue!r}: {list_of(jobs, 'nodes')}; "
            "owners at work leave no room and do not leave; let owners take less, or choose a --longest-stay"
        )
    raise DeadlockError(
        f"global queue {upper_queue!r}: {count_of(jobs)} can never start, with no event left: "
        f"{list_of(jobs, 'nodes')}; dispatch the head when all clusters are empty"
    )
