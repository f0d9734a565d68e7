"""Runs that another seed would repeat count once, and with their one value beside those that differ."""

import polars as pl
import pytest
from tests.unit.experiments.study.stores import HandMade

from echelon.experiments.study.plan.certainty import everywhere, with_certainty
from echelon.experiments.study.results.stored_results import read_study_results


def runs(rows):
    """Return a table of runs of (policy, seed, chance, wait)."""
    policy, seed, chance, wait = zip(*rows, strict=True)
    return pl.DataFrame(
        {"policy": policy, "seed": seed, "key": [f"{p}{s}" for p, s in zip(policy, seed, strict=True)]}
        | {"chance": pl.Series(chance, dtype=pl.Boolean), "mean_wait": wait}
    )


def certain(rows, replications=3):
    """Return key and certainty of each row that is left."""
    found = with_certainty(runs(rows), metrics=["mean_wait"], replications=replications)
    return found.select("key", "certain").rows()


def test_a_run_without_chance_is_certain_where_replications_were_asked_for():
    """Of policies a, run once, and b, run with each seed, a is certain; with one seed nothing is."""
    rows = [("a", 0, False, 5.0), ("b", 0, True, 6.0), ("b", 1, True, 7.0)]
    assert certain(rows) == [("a0", True), ("b0", False), ("b1", False)]
    assert certain(rows[:2], replications=1) == [("a0", False), ("b0", False)]


def test_runs_that_do_not_say_are_judged_by_what_they_measured():
    """Three alike are one; two that differ are two; a single one says nothing."""
    rows = [("a", s, None, 5.0) for s in range(3)] + [("b", 0, None, 6.0), ("b", 1, None, 7.0)]
    rows += [("c", 0, None, 8.0)]
    assert certain(rows) == [("a0", True), ("b0", False), ("b1", False), ("c0", False)]


def test_a_run_that_says_so_speaks_for_those_of_an_earlier_release():
    """Where a run says that no chance enters, it alone counts; where one was drawn, all are."""
    kept = [("a", s, None, 5.0) for s in range(1, 3)]
    assert certain([*kept, ("a", 0, False, 6.0)]) == [("a0", True)]
    assert certain([*kept, ("a", 0, True, 6.0)]) == [("a1", False), ("a2", False), ("a0", False)]


def test_a_study_gone_on_with_by_a_later_release_has_no_interval(tmp_path):
    """Five equal runs without the later release's metric and one with it: one run, no experiment repeated."""
    made = HandMade(tmp_path, axes=("policy", "seed"), outline={"replications": 5})
    for seed in range(5):
        made.add({"policy": "easy", "seed": seed}, {"mean_wait": 5.0})
    made.add(
        {"policy": "easy", "seed": 0}, {"mean_wait": 5.0, "mean_response": 5.0}, chance=False, results="2"
    )
    results = read_study_results(tmp_path)
    assert results.table.select("seed", "mean_response", "certain").rows() == [(0, 5.0, True)]
    assert results.is_certain


def test_what_is_certain_stands_under_every_seed_of_the_others():
    """One run of a counts with both seeds of b, each time with its one value."""
    rows = [("a", 0, False, 5.0), ("b", 4, True, 6.0), ("b", 7, True, 7.0)]
    table = with_certainty(runs(rows), metrics=["mean_wait"], replications=2)
    spread = everywhere(table, ["seed"]).select("policy", "seed", "mean_wait").sort("policy", "seed")
    assert spread.rows() == [("a", 4, 5.0), ("a", 7, 5.0), ("b", 4, 6.0), ("b", 7, 7.0)]


def test_a_mean_over_a_log_and_a_model_varies_by_the_model_alone(tmp_path):
    """Over both an experiment is a seed: (10 + x) / 2 of the log's 10 and the seeds' 20, 24 and 28."""
    pytest.importorskip("scipy")
    made = HandMade(
        tmp_path,
        axes=("policy", "workload", "seed"),
        outline={"replications": 3, "values": {"policy": ["fcfs", "easy"]}},
    )
    for policy, more in (("fcfs", 0), ("easy", 1)):
        log = {"policy": policy, "workload": "log.swf"}
        made.add({**log, "seed": 0}, {"mean_wait": 10.0 + more}, chance=False)
        for seed, wait in enumerate((20.0, 24.0, 28.0)):
            labels = {"policy": policy, "workload": "model", "seed": seed}
            made.add(labels, {"mean_wait": wait + more * seed}, chance=True)
    results = read_study_results(tmp_path)
    fcfs, easy = results.means("policy", "mean_wait")
    assert (fcfs.runs, fcfs.experiments, fcfs.mean) == (4, 3, pytest.approx((15 + 17 + 19) / 3))
    assert (easy.mean, easy.experiments) == (pytest.approx((15.5 + 18 + 20.5) / 3), 3)
    log, model = results.means("workload", "mean_wait")
    assert (log.experiments, log.mean, model.experiments) == (1, 10.5, 3)
    (one,) = results.compare("policy", "mean_wait")
    assert one.found.difference == pytest.approx((0.5 + 1 + 1.5) / 3)
    assert not results.is_uneven
    # Both workloads count alike, though one was run once and the other three times.
    assert results.effects("mean_wait")["workload"].effects["log.swf"] == pytest.approx((10.5 - 24.5) / 2)
