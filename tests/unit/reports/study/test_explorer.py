"""The data of the panel of configurations."""

import json
import re

import pytest

from echelon.experiments.study.results.stored_results import read_study_results
from echelon.reports.study.explorer import explorer

from ...experiments.study.stores import HandMade, product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


def data_of(panel):
    """Return the data that a panel carries."""
    return json.loads(re.search(r'id="study-data">(.*?)</script>', panel, re.S)[1])


@pytest.mark.slow
def test_levels_have_the_values_of_all_combinations_and_of_each_axis(tmp_path):
    """A column for each combination in the order of the axes, then for each axis by itself, seed by seed."""
    product(tmp_path, baseline={"policy": "easy"})
    results = read_study_results(tmp_path)
    data = data_of(explorer(results, ["mean_wait"], None))
    every, policies, loads = data["levels"]
    assert every["rows"] == [[p, load] for p in ("fcfs", "easy", "conservative") for load in ("0.8", "1.2")]
    assert [every["runs"], policies["runs"], loads["runs"]] == [[4] * 6, [8] * 3, [12] * 2]
    assert every["seeds"] == [1, 2, 3, 4]
    found = results.joint("policy", "load").experiments("policy · load", "mean_wait")
    assert every["values"]["mean_wait"][0] == pytest.approx(found.column("fcfs · 0.8").tolist())
    assert (len(policies["seeds"]), len(policies["values"]["mean_wait"])) == (8, 3)
    assert data["baseline"] == {"policy": "easy", "load": "0.8"}
    assert data["compared"] == ["policy"]
    assert data["quantiles"][2] == pytest.approx(3.182446, rel=1e-6)  # 95 % with 3 degrees of freedom


@pytest.mark.slow
def test_further_metrics_come_after_those_of_the_page(tmp_path, monkeypatch):
    """All metrics that runs have can be chosen, unless a large study leaves no room for them."""
    product(tmp_path)
    results = read_study_results(tmp_path)
    metrics = list(data_of(explorer(results, ["utilization"], None))["metrics"])
    assert metrics[0] == "utilization"
    assert {"mean_wait", "mean_bounded_slowdown", "jain_fairness_wait"} < set(metrics)
    monkeypatch.setattr("echelon.reports.study.explorer.MOST_NUMBERS", 100)
    assert list(data_of(explorer(results, ["utilization"], None))["metrics"]) == ["utilization"]
    monkeypatch.setattr("echelon.reports.study.explorer._MOST_AT_ALL", 10)
    assert explorer(results, ["utilization"], None) == ""


def test_without_seeds_experiments_are_the_other_axes(tmp_path):
    """Intervals of an axis's values are over the combinations of the others, so quantiles are there."""
    product(tmp_path, seeds=[1])
    data = data_of(explorer(read_study_results(tmp_path), ["mean_wait"], None))
    assert [level["seeds"] for level in data["levels"]] == [[], [], []]
    assert [len(level["values"]["mean_wait"][0]) for level in data["levels"]] == [1, 2, 3]
    assert len(data["quantiles"]) == 2


def test_a_parameter_that_only_one_policy_has(tmp_path):
    """Combinations without a value on an axis have a dash there, which is one of the axis's values."""
    made = HandMade(tmp_path, axes=("policy", "k", "seed"))
    for seed in range(2):
        for labels in ({"policy": "easy"}, {"policy": "plan", "k": 2}, {"policy": "plan", "k": 3}):
            made.add({**labels, "seed": seed}, {"mean_wait": seed})
    data = data_of(explorer(read_study_results(tmp_path), ["mean_wait"], None))
    assert data["levels"][0]["rows"] == [["easy", "–"], ["plan", "2"], ["plan", "3"]]
    assert data["axes"][1] == {"name": "k", "values": ["2", "3", "–"]}
    assert data["levels"][2]["rows"] == [["2"], ["3"]]


def test_nothing_varies_but_seeds(tmp_path):
    """Without configurations there is no panel of them."""
    made = HandMade(tmp_path, axes=("seed",))
    for seed in range(3):
        made.add({"seed": seed}, {"mean_wait": seed})
    assert explorer(read_study_results(tmp_path), ["mean_wait"], None) == ""
