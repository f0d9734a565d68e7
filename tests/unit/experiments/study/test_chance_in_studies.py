"""A study makes the runs that differ: chance enters where a stream is drawn, and the record says so."""

import json
from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.experiments.study.file.study_file import read_study
from echelon.experiments.study.plan.log_blocks import block_counts
from echelon.experiments.study.plan.rehearsal import freedom
from echelon.experiments.study.results.stored_results import read_study_results
from echelon.experiments.study.run.study_run import run_study
from echelon.workloads import write_swf

LOG = "; MaxProcs: 4\n" + "".join(
    f"{k + 1} {20 * k + k % 7} -1 {40 + 13 * (k % 5)} {1 + k % 3} -1 -1 {1 + k % 3} 120"
    " -1 1 1 1 1 1 1 -1 -1\n"
    for k in range(60)
)


@pytest.fixture
def study(tmp_path):
    """Return a function that reads a study on a log."""
    (tmp_path / "log.swf").write_text(LOG)

    def read(axes, fixed='workload = "log.swf"', rest=""):
        (tmp_path / "study.toml").write_text(f"[fixed]\n{fixed}\n[axes]\n{axes}\n{rest}")
        return read_study(tmp_path / "study.toml")

    return read


def done(study, folder):
    """Run a study and return what came of it, and its results."""
    run = run_study(study, folder, executor="threads", workers=1)
    assert not run.failed
    return run, read_study_results(folder)


def test_seeds_on_a_log_are_one_run(study, tmp_path):
    """Five seeds of three policies without chance are three runs: n = 1, no interval, nothing tested."""
    run, results = done(study('policy = ["fcfs", "easy", "conservative"]\nseeds = 5'), tmp_path / "out")
    assert [outcome.chance for outcome in run.outcomes] == [False] * 3
    assert len(list(run.store.runs())) == 3
    for one in results.means("policy", "mean_wait"):
        assert (one.runs, one.experiments) == (1, 1)
        assert one.low != one.low
        assert one.high != one.high
    assert results.ranks("policy", "mean_wait") is None
    assert results.needed("policy", "mean_wait") == []
    assert results.is_certain
    assert (results.pace.done, results.pace.left) == (3, 0)


def test_differences_without_chance_are_facts(study, tmp_path):
    """Of two policies on a log there is the difference, and neither interval nor p-value."""
    _, results = done(study('policy = ["fcfs", "easy"]\nseeds = 5'), tmp_path / "out")
    (one,) = results.compare("policy", "mean_wait")
    wait = dict(results.table.select("policy", "mean_wait").rows())
    assert one.found.difference == wait["easy"] - wait["fcfs"] != 0
    assert one.found.experiments == 1
    assert not one.found.is_told_apart
    assert np.isnan([one.found.low, one.found.high, one.found.t_p_value, one.adjusted]).all()


def test_loads_of_a_log_are_no_replications_of_seeds(study, tmp_path):
    """Where seeds were asked for and none matters, the mean over loads that were chosen has no interval."""
    _, results = done(study("load = [0.8, 1.0, 1.2]\npolicy = ['fcfs', 'easy']\nseeds = 4"), tmp_path / "out")
    for one in results.means("policy", "mean_wait"):
        waits = results.table.filter(results.table["policy"] == one.value)["mean_wait"]
        assert (one.runs, one.experiments, one.mean) == (3, 1, pytest.approx(waits.mean()))
        assert one.low != one.low
    assert results.ranks("policy", "mean_wait") is None


def test_a_policy_that_draws_is_replicated_beside_one_that_does_not(study, tmp_path):
    """Random order has five runs and an interval; from EASY's one value it differs by a one-sample t."""
    scipy_stats = pytest.importorskip("scipy.stats")
    run, results = done(study('policy = ["easy", "random"]\nseeds = 5'), tmp_path / "out")
    assert [o.case.labels["policy"] for o in run.outcomes] == ["easy", *["random"] * 5]
    easy, random = results.means("policy", "mean_wait")
    assert (easy.experiments, random.experiments) == (1, 5)
    assert easy.low != easy.low
    assert random.low < random.mean < random.high
    waits = results.table.filter(results.table["policy"] == "random")["mean_wait"].to_list()
    (one,) = results.compare("policy", "mean_wait", baseline="easy")
    expected = scipy_stats.ttest_1samp(waits, easy.mean)
    assert one.found.t_p_value == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert (one.found.low, one.found.high) == pytest.approx(
        (interval.low - easy.mean, interval.high - easy.mean)
    )


@pytest.mark.slow
def test_ranks_are_of_what_was_repeated(study, tmp_path):
    """Two of five policies draw nothing: the other three are ranked, over the four seeds."""
    pytest.importorskip("scipy")
    policies = '["fcfs", "random", "easy", "easy:random", "conservative:random"]'
    _, results = done(study(f"policy = {policies}\nseeds = 4"), tmp_path / "out")
    friedman, names = results.ranks("policy", "mean_wait")
    assert set(names) == {"random", "easy:random", "conservative:random"}
    assert friedman.experiments == 4


@pytest.mark.slow
def test_a_lottery_on_a_log_is_replicated(study, tmp_path):
    """On machines without queues a lottery draws with each seed, though the jobs are a log's."""
    jobs = ec.read_workload("sinapad:jobs=40:seed=1")
    write_swf(jobs, tmp_path / "requests.swf")
    fixed = 'workload = "requests.swf"\nplatform = "sinapad-rh"\nmonitoring = "linear:phase=zero"'
    run, results = done(study('broker = ["wall-time", "lottery"]\nseeds = 3', fixed), tmp_path / "out")
    runs = {one.value: one.runs for one in results.means("broker", "mean_turnaround")}
    assert runs == {"wall-time": 1, "lottery": 3}
    streams = {json.dumps(stored.manifest["random_streams"]) for stored in run.store.runs()}
    assert streams == {"[]", '["lottery"]'}


def test_a_sample_of_a_model_with_its_own_seed_is_a_log(study, tmp_path):
    """Jobs whose spec names a seed are the same under every seed of the study."""
    run, _ = done(
        study("policy = ['easy']\nseeds = 4", 'workload = "lublin:jobs=60:processors=64:seed=3"'),
        tmp_path / "out",
    )
    assert len(run.outcomes) == 1
    (stored,) = run.store.runs()
    assert stored.manifest["random_streams"] == []
    assert "lublin-batch/sizes" in stored.manifest["workload_streams"]


def test_drawn_jobs_are_replicated_at_once(study, tmp_path):
    """All seeds of a model's jobs are run at once; estimates for a log only if their model draws."""
    drawn = study("policy = ['easy']\nseeds = 4", 'workload = "lublin:jobs=60:processors=64"')
    assert len(drawn.search.first()) == 4
    run, _ = done(study('estimates_model = ["factor:f=3", "multiple:factor=2"]\nseeds = 3'), tmp_path / "out")
    runs = [o.case.labels["estimates_model"] for o in run.outcomes]
    assert sorted(runs) == ["factor:f=3"] * 3 + ["multiple:factor=2"]


@pytest.mark.slow
def test_a_study_goes_on_from_runs_that_do_not_say(study, tmp_path):
    """Runs of an earlier release, five alike for each policy, are kept, and count as one each."""
    told = study('policy = ["fcfs", "easy"]\nseeds = 5')
    every = told.search.plan(lambda point: False)
    run = run_study(list(every), tmp_path / "out", executor="threads", workers=1)
    assert len(list(run.store.runs())) == 10
    for manifest in (tmp_path / "out").rglob("manifest.json"):
        old = json.loads(manifest.read_text())
        del old["random_streams"]
        manifest.write_text(json.dumps(old))
    log = tmp_path / "out" / "log.jsonl"
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    log.write_text("".join(json.dumps({k: e[k] for k in e if k != "chance"}) + "\n" for e in entries))
    again, results = done(told, tmp_path / "out")
    assert {outcome.ending for outcome in again.outcomes} == {"kept"}
    assert [(one.runs, one.experiments) for one in results.means("policy", "mean_wait")] == [(1, 1), (1, 1)]
    assert results.is_certain


def test_a_rehearsal_tells_beforehand(study):
    """A few jobs of each combination show which rules draw; where a log is missing chance may enter."""
    told = study('policy = ["fcfs", "random", "easy:random", "easy"]\nseeds = 5')
    is_free = freedom()
    assert [is_free(point) for point in told.search.points] == [True, False, False, True]
    assert len(told.search.plan(is_free)) == 12
    lost = replace(told.search.points[0], settings={"workload": "gone.swf"})
    assert not is_free(lost)


def test_blocks_of_one_run_are_its_replications(study, tmp_path):
    """One run a policy; intervals are by t over the means of its blocks, pairs of the same blocks."""
    scipy_stats = pytest.importorskip("scipy.stats")
    told = study('policy = ["fcfs", "easy"]\nblocks = "4min"')
    run, results = done(told, tmp_path / "out")
    assert len(run.outcomes) == 2
    # The last of 60 jobs is submitted at 1183 s: four blocks of 240 s.
    assert block_counts(told.search.first(), 240.0) == [4]
    fcfs = results.means("policy", "mean_wait")[0]
    assert (fcfs.runs, fcfs.experiments) == (1, 4)
    jobs = {stored.manifest["label"]: stored.jobs for stored in run.store.runs()}
    means = {
        label: [
            table.filter((table["submit_time"] // 240).cast(int) == block)["wait_time"].mean()
            for block in range(4)
        ]
        for label, table in jobs.items()
    }
    assert fcfs.mean == pytest.approx(sum(means["fcfs"]) / 4)
    expected = scipy_stats.ttest_rel(means["easy"], means["fcfs"])
    (one,) = results.compare("policy", "mean_wait")
    assert one.found.t_p_value == pytest.approx(expected.pvalue)
    assert "makespan" not in results.table.columns
    assert set(results.dependence("policy", "mean_wait")) == {"fcfs", "easy"}


def test_blocks_longer_than_the_log_are_refused_before_any_run(study, tmp_path):
    """Jobs of twenty minutes hold no two blocks of a quarter of an hour."""
    told = study('policy = ["fcfs"]\nblocks = "15min"')
    with pytest.raises(ec.InputError, match=r"expected a length that fits 2 times"):
        run_study(told, tmp_path / "out", executor="threads")
    assert not (tmp_path / "out").exists()
