"""What is said of outages, reservations and deadlines that came to nothing."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.summaries.change_notes import change_notes
from echelon.model import Platform, Site

JOBS = ec.Workload.from_columns(submit_time=[0, 10], run_time=[100, 50], processors=[2, 1], user=[1, 2])


def notes(jobs=JOBS, **settings):
    """Return what is said of a run on four processors."""
    return change_notes(ec.simulate(jobs, processors=4, policy="easy", **settings))


def reservation(**columns):
    return {"name": "course", "nodes": "1-2", "start": 20, "end": 60, **columns}


def test_people_that_no_job_is_of():
    """Of users 2 and 7 only the second is unknown; no job has an account."""
    told = notes(reservations=[reservation(users="2 7", accounts="physics")])
    assert told == (
        "reservation course: no job is of the user 7",
        "reservation course: no job is of the account physics",
    )


def test_what_lies_outside_of_the_run():
    """A time after the last end or before the first submission has no effect, and is said to have none."""
    told = notes(maintenance="5000/60;6000/60", outages=[{"node": 1, "down": -50, "up": -10}])
    span = "the run lasts from 0 s to 100 s"
    assert told == (
        f"the failure is not in the time of the jobs: the first begins at -50 s; {span}",
        f"none of 2 times of maintenance is in the time of the jobs: the first begins at 5,000 s; {span}",
    )
    late = reservation(name="late", start=400, end=500)
    assert notes(reservations=[reservation(nodes="[4]"), late]) == (
        f"reservation late is not in the time of the jobs: it begins at 400 s; {span}",
    )


def test_what_repeats_only_later():
    """Weekly from a time on that no run reaches: there is no time of it at all, which is said."""
    span = "the run lasts from 0 s to 100 s"
    assert notes(maintenance="99000000/60/weekly") == (
        f"the maintenance never occurs in the time of the jobs: {span}",
    )
    late = reservation(start=99_000_000, end=99_000_100, flags="daily")
    assert notes(reservations=[late]) == (f"no reservation occurs in the time of the jobs: {span}",)


def test_what_touches_the_run_is_not_mentioned():
    """One time of two within the run is enough, and failures by a law are not dates that anybody gave."""
    assert notes(maintenance="50/5;6000/60") == ()
    assert notes(failures="constant:100d", repair_times="constant:1h") == ()


def test_jobs_that_name_what_was_not_given():
    """They run as if they named none; where no reservations are given at all nothing is said."""
    from dataclasses import replace

    import numpy as np

    names = {**JOBS.names, "reservation": ("course", "ghost")}
    jobs = replace(JOBS, accounting={"reservation": np.array([-1, 2])}, names=names)
    assert notes(jobs, reservations=[reservation()]) == (
        "1 job names reservation ghost, which was not given, and runs without one (first: job 2)",
    )
    assert notes(jobs) == ()


def test_deadlines_below_zero():
    """Only -1 means that there is none; another number below 0 is a mistake, and has no effect either."""
    from dataclasses import replace

    import numpy as np

    jobs = replace(JOBS, accounting={"deadline": np.array([-1.0, -5.0])})
    assert notes(jobs) == ("1 job has a deadline below 0 (first: job 2), which counts as none",)


def test_nodes_of_several_sites_need_a_column():
    """The message says what to add, and lists the sites."""
    grid = Platform((Site("north", 2), Site("south", 2)), "two")
    with pytest.raises(InputError, match=r"add a column site .* with one of north, south$"):
        ec.simulate(JOBS, platform=grid, broker="mct", policy="easy", reservations=[reservation()])
