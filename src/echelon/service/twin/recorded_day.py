"""RecordedDay: the jobs that a service ran in a period, as it happened, and as other rules would have it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.experiments.result import Result
from echelon.model import Schedule
from echelon.service.core.controllers.engine_scenario import scenario_under
from echelon.service.store.rows import spec_text
from echelon.service.twin.twin_run import run_twin
from echelon.workloads.formats.service_store import workload_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Workload
    from echelon.model.jobs.columns import FloatColumn
    from echelon.service.rules import Rules
    from echelon.service.store import Store

_PAGE = 1000


@dataclass(frozen=True, slots=True)
class RecordedDay:
    """The jobs that a service ran in a period.

    Attributes
    ----------
    workload : Workload
        Jobs that were submitted then, and have run to an end, with the run times that happened.
    sizes : mapping of str to int
        Processors of each cluster.
    """

    workload: Workload
    sizes: Mapping[str, int]

    def happened(self, rules: Rules) -> Result:
        """Return what happened, as a run can be looked at.

        Parameters
        ----------
        rules : Rules
            By which it happened.
        """
        scenario = self._scenario(rules)
        instance = scenario.instance
        start = instance.submit_time + self.workload.float_column("wait_time")[instance.kept]
        released = instance.release_at(_release_times(instance, start))
        schedule = Schedule(
            released, start, {"events": 2 * len(instance)}, None, None, site=self._sites(instance)
        )
        return Result(scenario, schedule, "reference", 0.0)

    def replayed(self, rules: Rules) -> Result:
        """Return what would have happened by these rules, clusters and run times being what they were.

        Raises
        ------
        InputError
            If the rules cannot be served.
        """
        scenario = self._scenario(rules)
        began = perf_counter()
        run = run_twin(scenario, rules)
        return Result(scenario, run.schedule, "reference", perf_counter() - began)

    def _scenario(self, rules: Rules) -> Scenario:
        asked = self.workload.requested_time
        table = self.workload.with_columns(
            requested_time=np.where(asked > 0, asked, rules.default_time_limit)
        )
        return scenario_under(rules, self.sizes, table)

    def _sites(self, instance: Instance) -> np.ndarray[Any, Any]:
        names = self.workload.names["partition"]
        place = np.array([-1, *(list(self.sizes).index(name) for name in names)])
        return place[self.workload.int_column("partition")[instance.kept]]


def recorded_day(
    store: Store, rules: Rules, *, since: float = -math.inf, until: float = math.inf
) -> RecordedDay:
    """Return the jobs that were submitted from `since` until before `until`, and have run to an end.

    Parameters
    ----------
    store : Store
        What a service keeps.
    rules : Rules
        Its clusters.
    since, until : float, optional
        Unix times in seconds; default: all jobs.

    Raises
    ------
    InputError
        If there is no such job, or a cluster was never looked at.
    """
    rows: list[dict[str, Any]] = []
    after: int | None = None
    while page := store.jobs(after_number=after or 0, limit=_PAGE):
        for one in page:
            ran = one.started_at is not None and one.ended_at is not None and one.ended_at > one.started_at
            if since <= one.submitted_at < until and ran and one.cluster in rules.names:
                rows.append({**{key: getattr(one, key) for key in _KEYS}, "spec": spec_text(one.spec)})
        after = page[-1].number
    if not rows:
        raise InputError("has no job of that time that has run to an end", file=store.address)
    return RecordedDay(replace(workload_of(rows, store.address), file=""), sizes_of(store, rules))


def sizes_of(store: Store, rules: Rules) -> dict[str, int]:
    """Return the processors of each cluster, as a look saw them last.

    Raises
    ------
    InputError
        If a cluster was never looked at.
    """
    sizes = {one.name: one.processors for one in store.clusters()}
    if unknown := [name for name in rules.names if not sizes.get(name)]:
        raise InputError("was never looked at by the service", field=f"cluster {unknown[0]}")
    return {name: sizes[name] for name in rules.names}


_KEYS = ("number", "id", "owner", "submitted_at", "state", "cluster", "started_at", "ended_at")


def _release_times(instance: Instance, start: FloatColumn) -> FloatColumn:
    """Return when each job could be decided on: its submission, or the end of the last one it followed."""
    times = instance.submit_time.copy()
    if (edges := instance.dependencies) is not None:
        np.maximum.at(times, edges.successor, (start + instance.run_time)[edges.predecessor])
    return np.minimum(times, start)
