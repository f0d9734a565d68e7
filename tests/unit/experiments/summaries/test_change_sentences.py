"""Sentences on what changed of a machine."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.experiments.summaries.change_sentences import (
    change_sentences,
    ending_sentences,
    sentences_on_the_rest,
)

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
