"""What was simulated, dropped and assumed, and how to reproduce it."""

from __future__ import annotations

from echelon.experiments import manifest
from echelon.reports.facts import assumptions, reproduction
from echelon.reports.result_report import run_tables

FULL = {
    "workload": "a & b.swf",
    "estimates": "kill",
    "estimator": "average:alpha=0.25",
    "passes": "event",
    "dropped": [{"reason": "run time <= 0", "count": 1200, "first": "17"}],
    "oddities": [{"kind": "unsorted", "count": 2, "sentence": "2 jobs are not sorted"}],
    "command": ["echelon", "run", "a & b.swf"],
    "input_sha256": "ab12",
    "versions": {"numpy": "2.2"},
    "seconds": {"read": 0.1234},
    "engine": "compiled",
    "seed": 0,
}


def test_assumptions_say_what_was_dropped_and_how_it_was_planned(make_run):
    """Every fact of run.json is there, escaped."""
    text = assumptions([make_run(**FULL)], ["easy"])
    for part in (
        "a &amp; b.swf",
        "4 processors",
        "1,200 with run time &lt;= 0 (first: job 17)",
        "killed at their requested time",
        "planned times are predictions (average:alpha=0.25)",
        "after each event",
        "2 jobs are not sorted",
    ):
        assert part in text


def test_reproduction_gives_command_hash_and_versions(make_run):
    """The command can be pasted; seed 0 is a seed."""
    text = reproduction([make_run(**FULL)], ["easy"])
    assert "<pre>echelon run &#x27;a &amp; b.swf&#x27;</pre>" in text
    assert "<code>ab12</code>" in text
    assert "<dt>Seed</dt><dd>0</dd>" in text
    assert "read 0.123 s" in text


def test_facts_that_differ_name_their_run(make_run):
    """A fact that all runs share is said once, one that differs with each run's name."""
    runs = [make_run(engine="compiled", seed=1), make_run(engine="reference", seed=1)]
    text = reproduction(runs, ["fcfs", "<easy>"])
    assert "<b>fcfs</b>: compiled" in text
    assert "<b>&lt;easy&gt;</b>: reference" in text
    assert text.count("<dd>1</dd>") == 1


def test_missing_facts_leave_no_row(make_run):
    """An empty run.json gives only what the tables say."""
    assert "Estimates" not in assumptions([make_run()], ["run"])
    assert "no record of its settings" in reproduction([make_run()], ["run"])


def test_shortened_names_are_given_in_full(make_run):
    """A policy whose name is too long for a chart is in the list; one that fits is not repeated."""
    text = assumptions([make_run(policy="easy"), make_run(policy="x" * 60)], ["easy", "x…x"])
    assert f"<b>x…x</b>: {'x' * 60}" in text
    assert "<b>easy</b>:" not in text


def test_a_mapping_and_plain_sentences_are_understood(make_run):
    """Dropped jobs as a mapping, oddities as text, seconds as a number."""
    run = make_run(dropped={"no size": 2}, oddities=["strange"], seconds=1.5)
    assert "2 with no size" in assumptions([run], ["run"])
    assert "strange" in assumptions([run], ["run"])
    assert "<dt>Elapsed time</dt><dd>1.50 s</dd>" in reproduction([run], ["run"])
    assert "<dt>Jobs dropped</dt><dd>none</dd>" in assumptions([make_run(dropped=[])], ["run"])


def test_the_estimator_is_told_unless_it_is_the_request(make_run):
    """Predictions and perfect knowledge are named; the default leaves no row."""
    exact = assumptions([make_run(**{**FULL, "estimator": "exact"})], ["easy"])
    assert "the scheduler knows every run time (exact)" in exact
    assert "Estimator" not in assumptions([make_run(**{**FULL, "estimator": "request"})], ["easy"])


def test_what_decided_inside_a_cluster(powered_cluster):
    """Machine, placement, execution, network and power are told in phrases; what was not asked for is not."""
    plain = assumptions([run_tables(powered_cluster, manifest(powered_cluster))], ["fcfs"])
    for part in ("small: 2 nodes with 8 cores", "first-fit", "tasks run at the speed of their cores (speed)"):
        assert part in plain
    assert "<dt>Power</dt>" not in plain
    told = {
        "hardware": {"name": "m", "topology": "star", "source": "a <paper>"},
        "execution": "memory-share",
        "network": "constant",
        "sharing": "fair",
        "power_cap": 1500,
        "governor": "capped",
        "sleep_after": 60.0,
    }
    text = assumptions([run_tables(powered_cluster, told)], ["fcfs"])
    for part in (
        "m: 2 nodes with 8 cores, joined as star; a &lt;paper&gt;",
        "at memory (memory-share); MPI jobs at the network (constant); tasks share cores (fair)",
        "at most 1.500 kW; frequency level of jobs: capped; idle nodes are switched off after 60 s",
    ):
        assert part in text, text
