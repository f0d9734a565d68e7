"""Sentences on what changed of a machine, and on what was given and came to nothing."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.summaries.change_sentences import (
    change_notes,
    change_sentences,
    ending_sentences,
    sentences_on_the_rest,
)
from echelon.model import Platform, Site

JOBS = ec.Workload.from_columns(submit_time=[0], run_time=[10], processors=[1])


@pytest.fixture
def run():
    """Return a function that runs one job on two processors."""

    def simulate(**settings):
        return ec.simulate(JOBS, processors=2, engine="reference", **settings)

    return simulate


def test_a_machine_that_never_changes_has_no_sentence(run):
    """Nothing is said where nothing was asked for."""
    assert change_sentences([run()]) == []
    assert sentences_on_the_rest([run()]) == []


def test_settings_and_counts_are_said(run):
    """What all runs have in common is said, with how many outages and reservations that are."""
    down = [{"node": 2, "down": 5, "up": 6}]
    one = run(outages=down, repair="known", reservations=[{"start": 20, "end": 30}])
    (sentence,) = change_sentences([one])
    assert "repair known" in sentence
    assert sentence.endswith("(1 outage, 1 reservation).")
    (common,) = change_sentences([one, run(outages=down, repair="unknown")])
    assert "outages" in common
    assert "repair" not in common
    assert change_sentences([one, run()]) == []


def test_what_follows_a_long_name_of_a_file_is_shown(run, tmp_path):
    """A path is shortened in its middle: where its first outage begins is said after it."""
    (folder := tmp_path / ("deep" * 20)).mkdir()
    (folder / "down.csv").write_text("node,down,up\n1,5,inf\n")
    one = run(outages=f"{folder / 'down.csv'}:begin=600")
    (sentence,) = change_sentences([one])
    assert "down.csv:begin=600" in sentence
    assert " ... " in sentence
    assert not any("not fitted" in said for said in sentences_on_the_rest([one]))


def test_what_has_no_end_is_not_counted(run):
    """How many failures were drawn says nothing of the run."""
    (sentence,) = change_sentences([run(maintenance="500/10/weekly")])
    assert sentence == "The machine changed over time: maintenance 500/10/weekly."


def test_jobs_that_did_not_complete_are_counted(run):
    """A run that loses a job says so, by its label beside others; one whose jobs all complete does not."""
    lost = [{"node": 1, "down": 5, "up": 6}]
    killed, again = run(outages=lost, on_failure="kill"), run(outages=lost)
    assert ending_sentences([killed]) == ["Did not complete: 1 failed with a node."]
    assert ending_sentences([again]) == []
    [said] = ending_sentences([again, killed])
    assert said == f"Did not complete in {killed.label}: 1 failed with a node."


def test_tables_of_a_scenario_are_counted_not_spelled_out():
    """A sentence names files, and says how many tables there are; no braces, and nothing cut off."""
    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[100], processors=[1])
    rows = [{"node": 1, "down": 40, "up": 50}, {"node": 1, "down": 70, "up": 80}]
    run = ec.simulate(jobs, processors=1, outages=rows)
    assert change_sentences([run]) == ["The machine changed over time: outages 2 tables (2 outages)."]


TWO_JOBS = ec.Workload.from_columns(submit_time=[0, 10], run_time=[100, 50], processors=[2, 1], user=[1, 2])


def notes(jobs=TWO_JOBS, **settings):
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

    names = {**TWO_JOBS.names, "reservation": ("course", "ghost")}
    jobs = replace(TWO_JOBS, accounting={"reservation": np.array([-1, 2])}, names=names)
    assert notes(jobs, reservations=[reservation()]) == (
        "1 job names reservation ghost, which was not given, and runs without one (first: job 2)",
    )
    assert notes(jobs) == ()


def test_deadlines_below_zero():
    """Only -1 means that there is none; another number below 0 is a mistake, and has no effect either."""
    from dataclasses import replace

    import numpy as np

    jobs = replace(TWO_JOBS, accounting={"deadline": np.array([-1.0, -5.0])})
    assert notes(jobs) == ("1 job has a deadline below 0 (first: job 2), which counts as none",)


def test_nodes_of_several_sites_need_a_column():
    """The message says what to add, and lists the sites."""
    grid = Platform((Site("north", 2), Site("south", 2)), "two")
    with pytest.raises(InputError, match=r"add a column site .* with one of north, south$"):
        ec.simulate(TWO_JOBS, platform=grid, broker="mct", policy="easy", reservations=[reservation()])
