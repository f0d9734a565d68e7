"""Days of services over simulated clusters, kept in stores as a service keeps them."""

from __future__ import annotations

import echelon as ec
from echelon.backends.simulated import KnownJobs, Simulation
from echelon.experiments.scenario import scenario_of
from echelon.service.rules import ClusterRules, Rules
from echelon.service.store import Store
from echelon.service.twin import Twin
from echelon.service.twin_run import submitted

START = 1_750_000_000.0
RULES = Rules((ClusterRules("alpha"), ClusterRules("beta")), broker="mct")
SIZES = {"alpha": 8, "beta": 4}


def day_of_jobs(**columns):
    """Return a workload of twelve jobs, most of which wait, or with other columns."""
    usual = {
        "submit_time": [0, 0, 5, 10, 10, 15, 20, 25, 30, 30, 31, 40],
        "run_time": [60, 30, 45, 20, 80, 15, 50, 25, 10, 35, 40, 55],
        "requested_time": [90, 40, 60, 20, 100, 30, 60, 30, 60, 60, 60, 60],
        "processors": [8, 4, 4, 2, 6, 1, 8, 3, 4, 2, 5, 4],
    }
    return ec.Workload.from_columns(**usual | columns)


def record(file, jobs, rules=RULES, sizes=SIZES, *, until=None):
    """Run a service over jobs and keep its day in a store; return the jobs as they were at the end."""
    sites = tuple(ec.Site(one.name, sizes[one.name], policy=one.policy) for one in rules.clusters)
    scenario = scenario_of(jobs, platform=ec.Platform(sites), **rules.words)
    records = submitted(scenario.instance)
    roster = KnownJobs(scenario, {job.tag: place for place, job in enumerate(records)})
    with Store.open(file) as store:
        for job in records:
            store.add_jobs(job.owner, [job.spec], [None], START + job.submitted_at, [job.id])
        moved = lambda changes: store.commit([_moved(one) for one in changes])  # noqa: E731
        return Twin(rules, Simulation(roster), roster, records, record=moved).run()


def _moved(record):
    """Return a record whose times count from `START`."""
    from dataclasses import fields, replace

    times = [one.name for one in fields(record) if one.name == "at" or one.name.endswith("_at")]
    found = {name: getattr(record, name) for name in times}
    return replace(record, **{name: START + time for name, time in found.items() if time is not None})
