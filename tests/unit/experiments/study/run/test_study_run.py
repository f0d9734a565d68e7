"""A study is run once: in threads or processes, interrupted or not, whatever fails in it."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from contextlib import suppress

import pytest

import echelon
from echelon.errors import Cancelled, InputError, UnknownNameError
from echelon.experiments.simulation import run_scenario
from echelon.experiments.study.file.study_file import read_study
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.study_run import run_study
from echelon.experiments.study.store.log import read_log
from echelon.experiments.study.store.store_error import StoreError


def cases(count=6):
    return [
        Case(
            {"workload": f"lublin:jobs=50,seed={k % 2}", "processors": 128, "seed": k, "policy": "easy"},
            {"seed": str(k)},
        )
        for k in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_every_case_is_run_once(tmp_path, executor):
    """Outcomes come in the order of the cases; a second time only new cases are run."""
    first = run_study(cases(), tmp_path / "out", executor=executor, workers=2)
    assert [outcome.case.settings["seed"] for outcome in first.outcomes] == list(range(6))
    assert (first.count("done"), first.count("kept"), first.count("failed")) == (6, 0, 0)
    again = run_study(cases(8), tmp_path / "out", executor=executor, workers=1)
    assert [outcome.ending for outcome in again.outcomes] == ["kept"] * 6 + ["done"] * 2
    assert [o.metrics for o in again.outcomes[:6]] == [o.metrics for o in first.outcomes]
    assert len(list(first.store.runs())) == 8
    assert [entry.ending for entry in read_log(tmp_path / "out" / "log.jsonl")].count("done") == 8


def test_it_is_a_public_name():
    """Studies are run from Python with one call."""
    assert echelon.run_study is run_study


def test_progress_tells_every_case(tmp_path):
    """Who watches hears each outcome once, and how many cases there are."""
    seen = []
    run_study(
        cases(3), tmp_path, executor="threads", progress=lambda outcome, known: seen.append((outcome, known))
    )
    assert {outcome.case.labels["seed"] for outcome, _ in seen} == {"0", "1", "2"}
    assert {known for _, known in seen} == {3}


def test_cases_with_the_same_settings_are_one_run(tmp_path):
    """Under two labels the same settings are run once, and both have the outcome."""
    (case,) = cases(1)
    twin = Case(dict(case.settings), {"seed": "twin"})
    run = run_study([case, twin], tmp_path, executor="threads")
    assert [outcome.ending for outcome in run.outcomes] == ["done", "kept"]
    assert [outcome.case for outcome in run.outcomes] == [case, twin]
    assert run.outcomes[0].metrics == run.outcomes[1].metrics


def test_failed_cases_are_tried_again(tmp_path):
    """One case that fails ends nothing; its sentence is kept until it can be run."""
    log = tmp_path / "log.swf"
    wanted = [*cases(2), Case({"workload": str(log), "processors": 4}, {"seed": "late"})]
    run = run_study(wanted, tmp_path / "out", executor="threads")
    assert [outcome.ending for outcome in run.outcomes] == ["done", "done", "failed"]
    assert run.failed[0].case is wanted[2]
    (told,) = run.store.failures().values()
    assert "no such file" in told["problem"]
    log.write_text("1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n")
    run = run_study(wanted, tmp_path / "out", executor="threads")
    assert [outcome.ending for outcome in run.outcomes] == ["kept", "kept", "done"]
    assert run.store.failures() == {}


def test_the_log_grows_by_what_happens(tmp_path):
    """Runs that were found as the log tells them already are not told again; under other labels they are."""
    for _ in range(3):
        run_study(cases(4), tmp_path, executor="threads")
    entries = list(read_log(tmp_path / "log.jsonl"))
    assert [entry.ending for entry in entries] == ["done"] * 4
    renamed = [Case(case.settings, {"replication": str(k)}) for k, case in enumerate(cases(4))]
    run_study(renamed, tmp_path, executor="threads")
    assert [entry.ending for entry in read_log(tmp_path / "log.jsonl")] == ["done"] * 4 + ["kept"] * 4


class Rounds:
    """A search in two rounds: the second takes the better half of the first, with other seeds."""

    kind, size = "halving", 6

    def first(self):
        """Return four cases."""
        return tuple(cases(4))

    def next(self, outcomes):
        """Return the two with the shorter waits, once."""
        if len(outcomes) > 4:
            return ()
        best = sorted(outcomes, key=lambda outcome: outcome.metrics["mean_wait"])[:2]
        return tuple(
            Case({**outcome.case.settings, "seed": 9 + place}, outcome.case.labels)
            for place, outcome in enumerate(best)
        )


def test_a_search_sees_the_outcomes(tmp_path):
    """A study's search says what comes next; its file and its own choice of executor are kept and used."""
    from echelon.experiments.study.plan.study import Execution, Study

    study = Study("two rounds", Rounds(), text='name = "two rounds"\n', execution=Execution("threads", 2))
    run = run_study(study, tmp_path)
    assert len(run.outcomes) == 6
    assert run.workers == 2
    assert (tmp_path / "study.toml").read_text() == study.text
    assert run.store.about()["name"] == "two rounds"
    again = run_study(study, tmp_path)
    assert {outcome.ending for outcome in again.outcomes} == {"kept"}


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"executor": "fibers"}, UnknownNameError, "no executor is named 'fibers'"),
        ({"workers": 0}, InputError, "workers: must be at least 1, got 0"),
        ({"out": None}, InputError, "out: is missing"),
        ({"study": []}, InputError, "study: has no run"),
    ],
)
def test_wrong_choices_are_one_sentence(tmp_path, given, error, sentence):
    """What cannot be meant is said before anything is run."""
    with pytest.raises(error, match=sentence):
        run_study(**{"study": cases(1), "out": tmp_path, "executor": "threads", **given})


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_store_that_can_not_be_written_ends_the_study(tmp_path, executor):
    """When runs cannot be kept, the study ends with that sentence, from whichever worker it comes."""
    run_study(cases(1), tmp_path / "out", executor="threads")
    (tmp_path / "out" / "runs").rename(tmp_path / "out" / "were-runs")
    (tmp_path / "out" / ".parts").rmdir()

    def spoil(*_):
        # A worker may hold the lock of its next run in it.
        with suppress(FileNotFoundError):
            (tmp_path / "out" / ".parts").rename(tmp_path / "out" / ".were-parts")

    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        run_study(cases(40), tmp_path / "out", executor=executor, workers=1, progress=spoil)


def test_ctrl_c_keeps_what_is_done(tmp_path):
    """Stopped in the middle, it says so; the same call goes on from there."""

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(Cancelled, match="run the same command again to resume"):
        run_study(cases(8), tmp_path, executor="threads", workers=1, progress=stop)
    run = run_study(cases(8), tmp_path, executor="threads", workers=1)
    assert 1 <= run.count("kept") < 8
    assert run.count("kept") + run.count("done") == 8


@pytest.mark.slow
def test_processes_without_a_guard_are_explained(tmp_path):
    """A script that starts processes when it is imported is told what it lacks, and hangs nowhere."""
    script = tmp_path / "unguarded.py"
    script.write_text(
        textwrap.dedent(
            """
            import echelon as ec
            from echelon.experiments.study.run.case import Case
            ec.run_study([Case({"workload": "lublin:jobs=9"})], "out", executor="processes", workers=1)
            """
        )
    )
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert 'do so under if __name__ == "__main__":' in ended.stderr.splitlines()[-1]


@pytest.mark.slow
def test_workers_end_with_their_parent(tmp_path):
    """Processes whose parent was killed do not stay behind.

    They hold the output of the script: it has no end, and there is a timeout, as long as one of them lives.
    """
    script = tmp_path / "orphans.py"
    script.write_text(
        textwrap.dedent(
            """
            import os
            from echelon.experiments.study.run.case import Case
            from echelon.experiments.study.executors.processes import Processes
            from echelon.experiments.study.store.store import Store

            if __name__ == "__main__":
                pool = Processes(Store.open("out"), 1)
                pool._ensure_pool()
                print(*pool._pool._processes, flush=True)
                os.kill(os.getpid(), 9)
            """
        )
    )
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert len(ended.stdout.split()) == 1


OVERLAPPING = """
name = "240 runs"

[fixed]
workload = "lublin:jobs=5,processors=8"
processors = 8

[axes]
policy = ["fcfs", "easy", "conservative", "sjf"]
failures = ["none", "exponential:mean=200d"]
repair_times = ["constant:1h", "constant:2h", "constant:{}h"]
seeds = 10
"""
"""Without failures nothing is repaired: 4 policies x (1 + 3) x 10 seeds = 160 runs differ."""


@pytest.mark.slow
def test_of_240_runs_only_those_that_differ_are_made(tmp_path, monkeypatch):
    """Equal runs are made once, a resumed study makes none, and a changed value makes its own runs alone."""
    made = []

    def counting(*args, **kwargs):
        made.append(1)
        return run_scenario(*args, **kwargs)

    monkeypatch.setattr("echelon.experiments.study.run.case_run.run_scenario", counting)
    for hours, new, kept in ((4, 160, 80), (4, 0, 240), (5, 40, 200)):
        (tmp_path / "study.toml").write_text(OVERLAPPING.format(hours))
        run = run_study(read_study(tmp_path / "study.toml"), tmp_path / "out", executor="threads", workers=2)
        assert (len(made), run.count("done"), run.count("kept")) == (new, new, kept)
        assert len(run.outcomes) == 240
        made.clear()
    assert len(list(run.store.runs())) == 200
