"""What a study's runs say: means, pairs, ranks, fronts, needs, from stores made by hand."""

import numpy as np
import polars as pl
import pytest
from tests.unit.experiments.study.stores import HandMade, product

from echelon.analysis import t_interval
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.study.results.stored_results import read_study_results

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return three policies, two loads, four seeds."""
    folder = tmp_path_factory.mktemp("study")
    product(folder, baseline={"policy": "fcfs"}, cases=24)
    return read_study_results(folder)


def test_axes_by_what_they_are(results):
    """Seeds are drawn, loads are what is scheduled, policies are compared."""
    assert results.axes == ["policy", "load", "seed"]
    assert (results.replicated, results.compared) == (["seed"], ["policy"])
    assert results.values_of("load") == ["0.8", "1.2"]


def test_intervals_are_over_seeds(results):
    """A seed is one experiment: the mean over its loads; four of them, not eight runs."""
    found = {one.value: one for one in results.means("policy", "mean_wait")}
    of_easy = results.table.filter(pl.col("policy") == "easy")
    by_seed = [of_easy.filter(pl.col("seed") == seed)["mean_wait"].mean() for seed in range(4)]
    bounds = t_interval(by_seed)
    assert (found["easy"].runs, found["easy"].experiments) == (8, 4)
    assert found["easy"][3:] == pytest.approx((bounds.mean, bounds.low, bounds.high))


def test_pairs_cancel_what_seeds_have_in_common(results):
    """Easy is 10 s below fcfs in each seed: no spread is left, however far seeds are apart."""
    found = {one.value: one for one in results.compare("policy", "mean_wait")}
    assert list(found) == ["easy", "conservative"]
    assert found["easy"].found.difference == pytest.approx(-10)
    assert found["easy"].found.high == pytest.approx(-10)
    assert found["easy"].adjusted < 1e-6
    turned = results.compare("policy", "mean_wait", baseline="easy")
    assert turned[0].found.difference == pytest.approx(10)


def test_ranks_are_over_every_block(results):
    """Eight blocks of load and seed rank easy before conservative before fcfs."""
    friedman, names = results.ranks("policy", "mean_wait")
    assert friedman.experiments == 8
    assert dict(zip(names, friedman.mean_ranks, strict=True)) == {"fcfs": 3, "easy": 1, "conservative": 2}
    assert results.ranks("load", "mean_wait") is None


def test_profiles_are_over_every_block(results):
    """Easy is the best in all eight blocks; conservative is within a factor of some, fcfs of a larger one."""
    profile, names = results.profile("policy", "mean_wait")
    assert profile.ratios.shape == (8, 3)
    shares = dict(zip(names, profile.share(1.0).tolist(), strict=True))
    assert (shares["easy"], shares["fcfs"]) == (1.0, 0.0)
    assert profile.share(profile.factors[-1]).tolist() == [1.0] * 3


def test_pareto_front_of_policies(results):
    """Wait and utilization pull apart: all three are in front; with slowdown instead easy alone."""
    choices = results.pareto("mean_wait", "utilization")
    assert [one.name for one in choices if one.is_front] == ["fcfs", "easy", "conservative"]
    choices = results.pareto("mean_wait", "mean_bounded_slowdown")
    assert [one.name for one in choices if one.is_front] == ["easy"]
    three = results.pareto("mean_wait", "mean_bounded_slowdown", "utilization", by=["policy", "load"])
    assert len(three) == 6


def test_needed_replications_are_of_the_worst_combination(results):
    """Each combination of policy and load has four seeds; the one that needs most is told."""
    needs = results.needed("policy", "mean_wait")
    assert [one.value for one in needs] == ["fcfs", "easy", "conservative"]
    assert all(one.replications == 4 and one.needed >= 4 and one.where == "0.8" for one in needs)
    assert results.needed("seed", "mean_wait") == []


def test_main_effects_of_the_axes(results):
    """The load explains most of the wait: 40 s against 10 s by policy."""
    effects = results.effects("mean_wait")
    assert effects["load"].share > effects["policy"].share > 0
    assert effects["load"].range == pytest.approx(40)


def test_joined_axes_and_parts(results):
    """Two axes as one have each combination as a value; a part has one value alone."""
    joint = results.joint("policy", "load")
    assert joint.values_of("policy · load")[0] == "fcfs · 0.8"
    part = results.where(load=1.2)
    assert part.axes == ["policy", "seed"]
    assert len(part.table) == 12


def test_missing_runs_leave_out_their_experiment(tmp_path):
    """A seed that lacks a run of a policy has no mean there, and no pair."""
    made = product(tmp_path, seeds=range(3))
    for policy in ("fcfs", "easy"):
        made.add({"policy": policy, "load": 0.8, "seed": 3}, {"mean_wait": 999.0})
    found = read_study_results(tmp_path)
    assert [one.experiments for one in found.means("policy", "mean_wait")] == [3, 3, 3]
    assert [one.found.experiments for one in found.compare("policy", "mean_wait")] == [3, 3]
    assert found.ranks("policy", "mean_wait")[0].experiments == 6


def test_without_seeds_blocks_are_the_experiments(tmp_path):
    """Where nothing is drawn, intervals are over the loads."""
    product(tmp_path, seeds=[1], loads=(0.5, 0.7, 0.9))
    found = read_study_results(tmp_path)
    assert found.replicated == []
    assert [one.experiments for one in found.means("policy", "mean_wait")] == [3, 3, 3]
    assert found.needed("policy", "mean_wait") == []


def test_one_run_has_a_mean_without_bounds(tmp_path):
    """A single run varies in nothing: no axis, no interval, one point in front."""
    HandMade(tmp_path, axes=("policy",)).add({"policy": "easy"}, {"mean_wait": 3.0, "utilization": 0.5})
    found = read_study_results(tmp_path)
    assert found.axes == []
    only = found.means("policy", "mean_wait")[0]
    assert only[:4] == ("easy", 1, 1, 3.0)
    assert np.isnan(only.low)
    assert found.compare("policy", "mean_wait") == []
    assert [one.is_front for one in found.pareto("mean_wait", "utilization")] == [True]


def test_no_run_at_all(tmp_path):
    """A study that has not begun has no axes; what is asked of it is unknown."""
    HandMade(tmp_path, axes=("policy",))
    found = read_study_results(tmp_path)
    assert (found.axes, len(found.table), found.measures) == ([], 0, [])
    with pytest.raises(UnknownNameError, match="axis"):
        found.means("policy", "mean_wait")


def test_warm_up_is_removed_from_the_jobs(tmp_path):
    """Metrics are those of the middle jobs; what a part of the jobs has not is gone."""
    made = HandMade(tmp_path, axes=("policy",))
    made.add({"policy": "easy"}, {"jobs": 5, "mean_wait": 6.4, "makespan": 30.0, "utilization": 0.8})
    found = read_study_results(tmp_path, warm_up=0.2, cool_down=0.2)
    assert found.table["mean_wait"][0] == pytest.approx(16 / 3)
    assert found.table["jobs"][0] == 3
    assert "makespan" not in found.table.columns
    with pytest.raises(InputError, match="warm_up"):
        read_study_results(tmp_path, warm_up=1.5)


def test_the_study_s_own_warm_up_is_the_default(tmp_path):
    """What the study file says holds unless told otherwise."""
    made = HandMade(tmp_path, axes=("policy",), outline={"warm_up": 0.4})
    made.add({"policy": "easy"}, {"jobs": 5, "mean_wait": 6.4})
    assert read_study_results(tmp_path).table["jobs"][0] == 3
    assert read_study_results(tmp_path, warm_up=0.0).table["jobs"][0] == 5


def test_own_metrics_say_which_end_is_good(tmp_path):
    """A metric of the user's own has the direction and the unit that its runs tell."""
    own = {"name": "worth", "unit": "points", "formula": "f", "source": "none", "better": "high"}
    made = HandMade(tmp_path, axes=("policy",), outline={"measures": ["worth", "mean_wait"]})
    for policy, worth in (("a", 1.0), ("b", -2.0)):
        made.add({"policy": policy}, {"mean_wait": 5.0, "worth": worth}, own=[own])
    found = read_study_results(tmp_path)
    assert (found.better("worth"), found.metric("worth").unit) == ("high", "points")
    assert [one.is_front for one in found.pareto("worth", "mean_wait")] == [True, False]


def test_unknown_names_are_told(results, tmp_path):
    """Unknown axes, measures, values and folders are refused, each with its nearest name or reason."""
    with pytest.raises(UnknownNameError, match="did you mean 'policy'"):
        results.means("polcy", "mean_wait")
    with pytest.raises(UnknownNameError, match="did you mean 'mean_wait'"):
        results.means("policy", "mean_wiat")
    with pytest.raises(UnknownNameError, match="value of the axis policy"):
        results.compare("policy", "mean_wait", baseline="sjf")
    with pytest.raises(UnknownNameError, match="value of the axis load"):
        results.where(load=7)
    with pytest.raises(InputError, match="two or three different"):
        results.pareto("mean_wait")
    with pytest.raises(InputError, match="is not a study folder"):
        read_study_results(tmp_path)


def test_a_policy_settles_its_parameter(tmp_path):
    """Parameters that only some policies have part no blocks, and stand in no choice's name."""
    made = HandMade(tmp_path, axes=("policy", "k", "seed"))
    for seed in range(3):
        for labels, wait in (({"policy": "fcfs"}, 9.0), ({"policy": "easy k=2", "k": 2}, 5.0 + seed)):
            made.add({**labels, "seed": seed}, {"mean_wait": wait, "utilization": 0.5})
        made.add(
            {"policy": "easy k=10", "k": 10, "seed": seed}, {"mean_wait": 4.0 + seed, "utilization": 0.4}
        )
    found = read_study_results(tmp_path)
    assert found.values_of("policy") == ["easy k=2", "easy k=10", "fcfs"]
    assert found.values_of("k") == ["2", "10"]
    assert found.others("policy") == ["seed"]
    assert [one.runs for one in found.means("k", "mean_wait")] == [3, 3]
    (difference,) = found.compare("k", "mean_wait")
    assert (difference.found.experiments, difference.found.difference) == (3, -1)
    assert [one.name for one in found.pareto("mean_wait", "utilization")] == ["easy k=2", "easy k=10", "fcfs"]


def test_pairs_are_of_common_blocks_alone(tmp_path):
    """A policy that cannot run at the high load is compared at the low one, not with means over both."""
    made = HandMade(tmp_path, axes=("policy", "load", "seed"))
    for seed in range(3):
        for load in (1, 2):
            made.add({"policy": "a", "load": load, "seed": seed}, {"mean_wait": 100.0 * load + seed})
        made.add({"policy": "b", "load": 1, "seed": seed}, {"mean_wait": 90.0 + seed})
    (difference,) = read_study_results(tmp_path).compare("policy", "mean_wait")
    assert (difference.found.baseline, difference.found.difference) == (101, -10)


def test_without_scipy_means_warn_and_have_no_interval(results, monkeypatch):
    """Who asks from Python hears once a call what to install; the means are there."""
    monkeypatch.setitem(results.__dict__, "can_test", False)
    with pytest.warns(UserWarning, match=r"pip install 'echelon-scheduling\[stats\]'"):
        found = results.means("policy", "mean_wait")
    assert all(one.mean > 0 and np.isnan([one.low, one.high]).all() for one in found)
