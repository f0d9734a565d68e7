"""A made day: a store as a service would have left it, of a day that a workload tells."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from echelon.backends.simulated import Simulation
from echelon.service.core.controllers.engine_scenario import scenario_under
from echelon.service.twin.twin import Twin
from echelon.service.twin.twin_run import submit_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Workload
    from echelon.service.records import Record
    from echelon.service.rules import Rules
    from echelon.service.store import Store
    from echelon.service.twin.twin import TwinDay

Kept = TypeVar("Kept")


def make_day(
    store: Store, workload: Workload, rules: Rules, sizes: Mapping[str, int], *, start: float
) -> TwinDay:
    """Run a twin over a workload, and keep in a store all that a service would have kept.

    Parameters
    ----------
    store : Store
        Empty.
    workload : Workload
        Its times count from `start`.
    rules : Rules
        By which the service decides.
    sizes : mapping of str to int
        Processors of each cluster.
    start : float
        Unix time in seconds.

    Raises
    ------
    InputError
        If the rules cannot be served, or no job is left.
    """
    roster, jobs = submit_all(scenario_under(rules, sizes, workload))
    for job in jobs:
        store.add_jobs(job.owner, [job.spec], [None], start + job.submitted_at, [job.id])

    def keep(changes: Sequence[Record]) -> None:
        store.commit([_later(one, start) for one in changes])

    return Twin(rules, Simulation(roster), roster, jobs, record=keep).run()


def _later(record: Kept, start: float) -> Kept:
    """Return a record with all its times later by `start` seconds."""
    row: Any = record
    times = [one.name for one in fields(row) if one.name == "at" or one.name.endswith("_at")]
    stamps = {name: getattr(row, name) for name in times}
    moved: Kept = replace(row, **{name: start + time for name, time in stamps.items() if time is not None})
    return moved
