"""A case becomes a run in the store, once, or a sentence that says why not."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest

from echelon import simulate
from echelon.experiments.simulation import run_scenario
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.case_run import run_case
from echelon.experiments.study.store.store import Store
from echelon.experiments.study.store.store_error import StoreError
from echelon.experiments.study.store.stored_run import FILES, OCCASION

SETTINGS = {"workload": "lublin:jobs=60,seed=3", "policy": "easy", "processors": 128}


@pytest.fixture
def store(tmp_path):
    """Return an empty store."""
    return Store.open(tmp_path / "out")


def test_a_run_holds_what_simulate_gives(store):
    """The files of a run are the metrics and the jobs of the same simulation, in full."""
    outcome = run_case(Case(SETTINGS), store)
    result = simulate(**SETTINGS)
    run = store.read(outcome.key)
    assert outcome.ending == "done"
    assert outcome.metrics == result.metrics == run.metrics
    assert run.jobs.equals(result.jobs)
    assert {path.name for path in run.folder.iterdir()} == set(FILES)
    assert 0 < outcome.engine_seconds < outcome.seconds


def test_the_manifest_says_what_it_was(store):
    """What was asked for, which engine ran it, what became of the jobs, and on which occasion."""
    run = store.read(run_case(Case(SETTINGS), store).key)
    manifest = run.manifest
    assert manifest["key"] == run.key
    assert manifest["settings"] == SETTINGS
    assert (manifest["workload"], manifest["label"], manifest["engine"]) == ("lublin", "easy", "compiled")
    assert (manifest["jobs_read"], manifest["jobs_simulated"], manifest["dropped"]) == (60, 60, [])
    assert {"finished", "seconds", "engine_seconds", "peak_memory_bytes", "host", "versions"} <= set(
        manifest[OCCASION]
    )


def test_what_is_there_is_not_run_again(store, monkeypatch, contents):
    """A run that the store holds is told with its metrics, whatever the labels, and no engine is asked."""
    first = run_case(Case(SETTINGS), store)
    before = contents(store.folder / "runs")
    monkeypatch.setattr("echelon.experiments.study.run.case_run.run_scenario", None)
    again = run_case(Case({**SETTINGS, "policy": "easy:fcfs"}, {"policy": "another spec"}), store)
    assert (again.ending, again.key, again.metrics) == ("kept", first.key, first.metrics)
    assert contents(store.folder / "runs") == before


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"policy": "random", "seed": 5},
        {"estimates_model": "factor:f=3", "estimates": "kill", "load": 1.3},
        {"platform": "grid1", "processors": None, "broker": "mct", "seed": 2},
        {"workload": "nas:jobs=15", "platform": "cisne-16", "processors": None, "local_users": "xwin"},
    ],
    ids=str,
)
def test_the_same_run_is_the_same_files(tmp_path, changes, contents):
    """Made twice, all files of a run are the same byte for byte, the manifest but for its occasion."""
    stores = [Store.open(tmp_path / name) for name in ("one", "two")]
    outcomes = [run_case(Case({**SETTINGS, **changes}), store) for store in stores]
    assert [outcome.problem for outcome in outcomes] == ["", ""]
    assert contents(stores[0].folder) == contents(stores[1].folder)
    assert len(contents(stores[0].folder / "runs")) == len(FILES)


@pytest.mark.parametrize("policy", ["fcfs", "srtf"])
def test_runs_of_the_reference_engine_are_kept_as_well(store, policy):
    """Engines of both kinds leave the same kind of folder."""
    outcome = run_case(Case({**SETTINGS, "policy": policy, "engine": "reference"}), store)
    assert outcome.ending == "done"
    assert store.read(outcome.key).manifest["engine"] == "reference"


def test_one_job(store):
    """The smallest workload has a run like any other."""
    outcome = run_case(Case({**SETTINGS, "first": 1}), store)
    assert outcome.metrics["jobs"] == 1
    assert len(store.read(outcome.key).jobs) == 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"workload": "nowhere.swf"}, "no such file or data set"),
        ({"policy": "esay"}, "did you mean 'easy'"),
        ({"window": [-9, -8]}, "no job is left to simulate"),
        ({"engine": "compiled", "policy": "srtf"}, "the compiled engine cannot run this"),
        ({"first": "two"}, "failed inside: TypeError"),
    ],
    ids=str,
)
def test_what_can_not_be_run_says_why(store, changes, problem, contents):
    """A case that fails has one sentence, and leaves nothing in the store."""
    outcome = run_case(Case({**SETTINGS, **changes}), store)
    assert outcome.ending == "failed"
    assert problem in outcome.problem
    assert "\n" not in outcome.problem
    assert contents(store.folder / "runs") == {}


def test_own_rules_that_fail_are_told(store, tmp_path):
    """A rule of one's own that raises, or leaves Python, fails its case and no other."""
    rule = tmp_path / "rule.py"
    rule.write_text(
        "from echelon import order\n\n\n@order('broken', source='none')\ndef broken(job, view):\n"
        '    """Never."""\n    raise SystemExit(3)\n'
    )
    outcome = run_case(Case({**SETTINGS, "policy": f"{rule}:broken"}), store)
    assert "makes the order fail with SystemExit: 3" in outcome.problem


def test_a_store_that_can_not_be_written_ends_it(store):
    """That no run can be kept is no matter of the case: it is raised."""
    (store.folder / ".parts").rmdir()
    (store.folder / ".parts").write_text("")
    with pytest.raises(StoreError, match="cannot be written: Not a directory"):
        run_case(Case(SETTINGS), store)


def test_metrics_that_are_no_numbers_are_null(store, tmp_path):
    """NaN, which JSON lacks, is null in the file, as in the folder of a single run."""
    own = tmp_path / "own.py"
    own.write_text(
        "from echelon import metric\n\n\n@metric('nothing', unit='1', source='none')\ndef nothing(m):\n"
        '    """0 / 0"""\n    return float("nan")\n'
    )
    outcome = run_case(Case({**SETTINGS, "metrics": [f"{own}:nothing"]}), store)
    told = json.loads((store.read(outcome.key).folder / "metrics.json").read_text())
    assert told["nothing"] is None


def test_jobs_can_be_scanned_together(store):
    """All tables of jobs of a store are read by one pattern, as in SQL over Parquet files."""
    for seed in range(3):
        run_case(Case({**SETTINGS, "workload": f"lublin:jobs=60,seed={seed}"}), store)
    table = pl.scan_parquet(store.folder / "runs" / "*" / "*" / "jobs.parquet").select("wait_time").collect()
    assert len(table) == 180


def test_a_run_that_another_worker_has_in_hand_is_waited_for(store, monkeypatch):
    """Of two workers with one run under two specs, one makes it; the other waits and finds it there."""
    made = []

    def slowly(*args, **kwargs):
        made.append(args)
        time.sleep(0.05)
        return run_scenario(*args, **kwargs)

    monkeypatch.setattr("echelon.experiments.study.run.case_run.run_scenario", slowly)
    cases = [Case(SETTINGS | {"policy": spec}) for spec in ("easy", "easy:fcfs", "easy")]
    with ThreadPoolExecutor(3) as pool:
        outcomes = list(pool.map(run_case, cases, [store] * 3))
    assert len(made) == 1
    assert sorted(outcome.ending for outcome in outcomes) == ["done", "kept", "kept"]
    assert len({outcome.key for outcome in outcomes}) == 1
    assert not list((store.folder / ".parts").iterdir())
