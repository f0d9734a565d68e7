"""Days of services over simulated clusters, kept in stores as a service keeps them."""

from __future__ import annotations

import echelon as ec
from echelon.service.rules import ClusterRules, Rules
from echelon.service.store import Store
from echelon.service.twin.made_day import make_day

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


def record(file, jobs, rules=RULES, sizes=SIZES):
    """Run a service over jobs and keep its day in a store; return the jobs as they were at the end."""
    with Store.open(file) as store:
        return make_day(store, jobs, rules, sizes, start=START)
