"""Commands that read the folder of a study: show, export, report, and the progress of one that runs."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import polars as pl
import pytest

from echelon.cli import main
from echelon.cli.study.progress import StudyProgress
from echelon.experiments.study.results.results import StudyResults
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.outcome import Outcome

from ..unit.experiments.study.stores import HandMade, product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Return the folder of three policies, two loads, four seeds; one case failed, three are left."""
    folder = tmp_path_factory.mktemp("studies") / "loads"
    made = product(folder, baseline={"policy": "fcfs"}, cases=28, pareto=[["mean_wait", "utilization"]])
    made.fail({"policy": "sjf", "load": 0.8, "seed": 0}, "no job is left to simulate")
    (folder / "study.toml").write_text('name = "by <hand>"\n')
    return folder


def test_show_tells_state_failures_and_means(study, capsys):
    """How far it has come, why a case failed, and a row a policy with its interval."""
    assert main(["study", "show", str(study)]) == 0
    out = capsys.readouterr().out
    assert "by hand: 24 of 28 runs done, 1 failed, 3 left" in out
    assert "failed: policy sjf, load 0.8, seed 0: no job is left to simulate" in out
    assert "By policy: means ± half widths at 95 % over seed, each the mean over load." in out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith(" fcfs")] == [["fcfs", "8"]]


def test_show_by_other_axes_and_measures(study, capsys):
    """Tables by any axis, or by combinations of two, of any metric."""
    assert (
        main(["study", "show", str(study), "--by", "load", "--by", "policy,load", "--measure", "jobs"]) == 0
    )
    out = capsys.readouterr().out
    assert "By load:" in out
    assert "By policy · load: means ± half widths at 95 % over seed." in out
    assert "easy · 1.2" in out
    assert "Utilization" not in out


def test_values_with_fewer_runs_have_no_star(tmp_path, capsys):
    """Runs of sjf failed where waits are long: its mean covers the short ones, so the next best is marked."""
    made = HandMade(tmp_path / "failed", axes=("policy", "seed"))
    made.add({"policy": "sjf", "seed": 0}, {"mean_wait": 1.0})
    for seed in range(2):
        made.add({"policy": "easy", "seed": seed}, {"mean_wait": 20.0 + seed})
        made.add({"policy": "fcfs", "seed": seed}, {"mean_wait": 40.0 + seed})
    assert main(["study", "show", str(tmp_path / "failed"), "--measure", "mean_wait"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.startswith(" ")}
    assert [policy for policy in ("sjf", "easy", "fcfs") if "*" in rows[policy]] == ["easy"]


def test_values_whose_runs_lost_jobs_have_no_star(tmp_path, capsys):
    """The policy with the shortest wait lost jobs: the next one is marked, as in a comparison."""
    made = HandMade(tmp_path / "lost", axes=("policy", "seed"))
    for seed in range(2):
        made.add({"policy": "sjf", "seed": seed}, {"mean_wait": 10.0 + seed, "incomplete_jobs": 3 * seed})
        made.add({"policy": "fcfs", "seed": seed}, {"mean_wait": 90.0 + seed, "incomplete_jobs": 0})
        made.add({"policy": "easy", "seed": seed}, {"mean_wait": 99.0 + seed})
    assert main(["study", "show", str(tmp_path / "lost"), "--measure", "mean_wait"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "±" in line and ":" not in line]
    assert {line.split()[0]: "*" in line for line in lines} == {"sjf": False, "fcfs": True, "easy": False}


def test_show_as_json(study, capsys):
    """The same figures in full, with the comparison with the baseline."""
    assert main(["study", "show", str(study), "--json", "--measure", "mean_wait"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["state"]["left"] == 3
    assert told["axes"]["load"] == ["0.8", "1.2"]
    (table,) = told["tables"]
    assert (table["axis"], table["baseline"]) == ("policy", "fcfs")
    assert table["differences"][0]["difference"] == pytest.approx(-10)


def test_show_of_a_study_without_runs(tmp_path, capsys):
    """Nothing was run: the state, and no table."""
    HandMade(tmp_path, axes=("policy",), outline={"cases": 5})
    assert main(["study", "show", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == ["by hand: 0 of 5 runs done, 5 left"]


def test_show_of_one_run(tmp_path, capsys):
    """Nothing varies: the run's metrics."""
    HandMade(tmp_path, axes=("policy",)).add({"policy": "easy"}, {"mean_wait": 90.0, "utilization": 0.5})
    assert main(["study", "show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "by hand: 1 run done" in out
    assert "Utilization  50 %" in out


def test_watch_ends_when_nothing_is_left(tmp_path, capsys):
    """A study that is done is shown once."""
    made = product(tmp_path, cases=24)
    assert len(list(made.folder.glob("runs/*/*"))) == 24
    assert main(["study", "show", str(tmp_path), "--watch"]) == 0
    assert capsys.readouterr().out.count("24 of 24 runs done") == 1


def test_export(study, tmp_path, capsys):
    """A row a run, or with --jobs a row a job of every run."""
    assert main(["study", "export", str(study), str(tmp_path / "runs.csv")]) == 0
    assert len(pl.read_csv(tmp_path / "runs.csv")) == 24
    assert main(["study", "export", str(study), str(tmp_path / "jobs.parquet"), "--jobs"]) == 0
    assert pl.read_parquet(tmp_path / "jobs.parquet")["policy"].n_unique() == 3
    assert capsys.readouterr().out.split(": ")[-1] == "120 jobs\n"


def test_report(study, capsys):
    """The page has a section for policies, loads, fronts and failures, and loads nothing."""
    assert main(["study", "report", str(study)]) == 0
    assert capsys.readouterr().out.strip() == str(study / "report.html")
    page = (study / "report.html").read_text()
    for title in ("By policy", "Along load", "Pareto fronts", "Main effects", "Failed runs"):
        assert f">{title}</h2>" in page
    assert "<h1>by hand</h1>" in page
    assert "by &lt;hand&gt;" in page
    assert "http" not in page.split("<style>")[0].replace("http-equiv", "")


def test_report_of_chosen_measures(study, tmp_path):
    """Measures, fronts, baseline and warm-up are as told."""
    arguments = ["--measures", "mean_wait,jobs", "--pareto", "mean_wait,utilization", "--baseline", "easy"]
    assert main(["study", "report", str(study), *arguments, "--warm-up", "0.2"]) == 0
    page = (study / "report.html").read_text()
    assert "Differences are from easy" in page
    assert "leave out the first 20 %" in page
    # The table of configurations has the other metrics, too, but no panel has.
    assert 'data-measure="mean_wait"' in page
    assert 'data-measure="mean_bounded_slowdown"' not in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "--by", "polcy"], "did you mean 'policy'"),
        (["show", "--measure", "mean_wiat"], "did you mean 'mean_wait'"),
        (["show", "--warm-up", "1"], "warm_up: must be a share"),
        (["report", "--baseline", "ease"], "did you mean 'easy'"),
        (["report", "--pareto", "mean_wait"], "two or three different measures"),
        (["report", "--measures", "nonsense"], "no measure is named"),
        (["export", "FILE.xlsx"], "must end in .csv or .parquet"),
    ],
)
def test_wrong_arguments_are_one_sentence(study, arguments, said, capsys):
    """Exit code 2 and one sentence on stderr that says what."""
    command, *rest = arguments
    assert main(["study", command, str(study), *rest]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [["show"], ["report"], ["export", "x.csv"]])
def test_a_folder_of_something_else_is_refused(tmp_path, command, capsys):
    """A folder without a study, and one that is not there, are told as such."""
    for folder in (tmp_path, tmp_path / "none"):
        assert main(["study", command[0], str(folder), *command[1:]]) == 2
        assert "is not a study folder" in capsys.readouterr().err


def outcome(ending, place, problem=""):
    return Outcome(Case({"seed": place}, {"seed": str(place)}), "k", ending, {}, problem)


def test_progress_as_lines(capsys, monkeypatch):
    """Where nobody watches a terminal, failures are a line each, and the state from time to time."""
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr("echelon.cli.study.progress.time.monotonic", lambda: float(next(clock)))
    with StudyProgress("loads", cases=10) as progress:
        for place in range(4):
            progress(outcome("done", place), 10)
        progress(outcome("failed", 4, "too large"), 10)
    err = capsys.readouterr().err
    assert "loads: failed: seed 4: too large" in err
    assert "of 10 runs done" in err
    assert "runs/s" in err


@pytest.mark.parametrize(("start", "gap", "rate"), [(90.0, 0.5, 2.0), (0.0, 100.0, 0.01)])
def test_the_rate_is_that_of_runs(monkeypatch, start, gap, rate):
    """Neither the start of workers counts, nor does it matter whether runs are short or take minutes."""
    clock = [0.0]
    monkeypatch.setattr("echelon.cli.study.progress.time.monotonic", lambda: clock[0])
    progress = StudyProgress("loads", cases=100, quiet=True)
    clock[0] = start
    progress(outcome("done", 0), 100)
    assert progress.pace.rate == 0
    for place in range(1, 15):
        clock[0] += gap
        progress(outcome("done", place), 100)
        assert progress.pace.rate == pytest.approx(rate)


def test_quiet_progress_says_nothing(capsys):
    """With quiet not even failures are told; they are in the log."""
    with StudyProgress("loads", quiet=True) as progress:
        progress(outcome("failed", 1, "too large"), 2)
    assert capsys.readouterr().err == ""
    assert (progress.pace.failed, progress.pace.cases) == (1, 2)


def test_progress_on_a_terminal_is_drawn_and_taken_off(monkeypatch):
    """A terminal sees a bar with rate and failures, which is gone in the end."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "150")
    with StudyProgress("loads", cases=4) as progress:
        progress(outcome("kept", 0), 4)
        progress(outcome("done", 1), 4)
        progress(outcome("failed", 2, "too large"), 4)
    drawn = screen.getvalue()
    assert "2 of 4 runs done, 1 failed, 1 left" in drawn
    assert "failed: seed 2: too large" in drawn
    assert "1 found in the folder" in drawn


def test_a_study_is_run_shown_and_reported(tmp_path, capsys):
    """From the file to the page by the commands alone."""
    file = Path(tmp_path) / "tiny.toml"
    file.write_text(
        'name = "tiny"\n[fixed]\nworkload = "lublin:jobs=60"\nprocessors = 32\n'
        '[axes]\npolicy = ["fcfs", "easy"]\nseeds = 3\n'
    )
    out = tmp_path / "out"
    arguments = ["study", "run", str(file), "--out", str(out), "--executor", "threads", "--workers", "1"]
    assert main(arguments) == 0
    assert f"Look at {out / 'report.html'}" in capsys.readouterr().out
    assert "policy × 2" in (out / "report.html").read_text()
    assert main(["study", "show", str(out)]) == 0
    assert "tiny: 6 of 6 runs done" in capsys.readouterr().out
    (out / "report.html").unlink()
    assert main([*arguments, "--no-report"]) == 0
    assert not (out / "report.html").exists()


def test_without_scipy_show_says_what_is_missing(study, capsys, monkeypatch):
    """Means stand without intervals, and a sentence says what to install."""
    monkeypatch.setattr(StudyResults, "can_test", False)
    assert main(["study", "show", str(study)]) == 0
    out = capsys.readouterr().out
    assert "By policy: means over seed, each the mean over load, without intervals." in out
    assert "±" not in out
    assert "pip install 'echelon-scheduling[stats]'" in out


def test_a_log_under_seeds_is_checked_run_and_shown_as_one_run(tmp_path, capsys):
    """Check foretells one run instead of five, run makes one, show has no interval and says why."""
    lines = [f"{k + 1} {30 * k} -1 70 2 -1 -1 2 90 -1 1 1 1 1 1 1 -1 -1" for k in range(30)]
    (tmp_path / "log.swf").write_text("; MaxProcs: 4\n" + "\n".join(lines) + "\n")
    file = tmp_path / "study.toml"
    file.write_text(
        'out = "out"\n[fixed]\nworkload = "log.swf"\n[axes]\npolicy = ["fcfs", "easy"]\nseeds = 5\n'
    )
    assert main(["study", "check", str(file)]) == 0
    out = capsys.readouterr().out
    assert "Runs       2: 2 combinations, each once (product)" in out
    assert "no randomness: one run instead of 5" in out
    assert main(["study", "check", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["without_chance"], len(told["cases"])) == (2, 2, 2)
    assert main(["study", "run", str(file), "--executor", "threads"]) == 0
    out = capsys.readouterr().out
    assert "2 runs made" in out
    assert "2 combinations were each run once, not with 5 seeds" in out
    assert main(["study", "show", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 runs done" in out
    assert "By policy: one run each; no randomness, so no intervals." in out
    assert "±" not in out
    assert "The runs are not random: another seed would give the same run." in out
    assert main(["study", "show", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["without_chance"] == 2
    assert [one["experiments"] for one in told["tables"][0]["means"]] == [1, 1]


def test_priorities_that_nobody_gave_are_told(tmp_path, monkeypatch, capsys):
    """A study whose order weighs queues says once in its table, JSON and page which have none."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(
        "submit_time,run_time,processors,queue\n0,60,2,normal\n1,60,2,high\n2,60,2,normal\n3,60,2,high\n"
    )
    Path("study.toml").write_text(
        'name = "queues"\n[fixed]\nworkload = "log.csv"\nprocessors = 2\n'
        '[axes]\npolicy = ["fcfs", "multifactor", "easy:multifactor:qos=high=1"]\n'
    )
    assert main(["study", "run", "study.toml", "--out", "out", "--executor", "threads", "--quiet"]) == 0
    bare = "No queue has a priority: that factor is 0 for every job"
    partly = "Without a priority, so with factor 0: queue normal."
    assert main(["study", "show", "out"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.count(bare) == out.count(partly) == 1
    assert main(["study", "show", "out", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert sum(bare in note or partly in note for note in notes) == 2
    assert main(["study", "report", "out"]) == 0
    page = next(Path("out").glob("*.html")).read_text()
    assert page.count(bare) == page.count(partly) == 1
