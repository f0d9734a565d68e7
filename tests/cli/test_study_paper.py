"""``study table`` and ``study report --figures``: a study in a paper, from the command line."""

from __future__ import annotations

import csv
import shutil
import sys

import pytest

from ..unit.experiments.study.stores import product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


@pytest.fixture
def study(tmp_path):
    """Return the folder of three policies, two loads, four seeds; one case failed."""
    made = product(tmp_path / "loads", cases=25)
    made.fail({"policy": "sjf", "load": 0.8, "seed": 0})
    return tmp_path / "loads"


def test_a_table_goes_to_stdout_or_a_file(echelon, study, tmp_path):
    """Markdown by default, else by the ending or the format; failed runs are mentioned beside it."""
    said = echelon("study", "table", study, "--measure", "mean_wait")
    assert said.code == 0
    assert said.out.startswith("| Policy | Mean wait (s) |\n| :-- | --: |\n| fcfs | ")
    assert said.err == "echelon: 1 failed run left out of the means\n"
    for name, first in (("t.csv", "load,mean_wait"), ("t.md", "| Load |"), ("t.tex", "% by hand: means")):
        file = tmp_path / name
        said = echelon("study", "table", study, file, "--by", "load", "--measure", "mean_wait")
        assert said.out == f"{file}: 2 rows\n"
        assert file.read_text(encoding="utf-8").startswith(first)
    given = echelon("study", "table", study, tmp_path / "t.txt", "--format", "latex", "--quiet")
    assert (given.code, given.out, given.err) == (0, "", "")
    assert r"\toprule" in (tmp_path / "t.txt").read_text()


def test_a_table_of_an_unfinished_study_says_how_many_runs_are_missing(echelon, study):
    """One of 25 cases failed; of another the folder was removed: its run is missing from the means."""
    shutil.rmtree(next(path.parent for path in sorted(study.glob("runs/*/*/metrics.json"))))
    said = echelon("study", "table", study, "--measure", "mean_wait")
    assert "the study is not finished: 1 run missing from the means" in said.err


def test_one_metric_over_two_axes(echelon, study, tmp_path):
    """--across has a column for each of its values."""
    echelon("study", "table", study, tmp_path / "t.csv", "--across", "load", "--measure", "mean_wait", "-q")
    head, *rows = csv.reader((tmp_path / "t.csv").read_text().splitlines())
    assert head[:2] == ["policy", "mean_wait[load=0.8]"]
    assert [row[0] for row in rows] == ["fcfs", "easy", "conservative"]


@pytest.mark.usefixtures("undrawn")
def test_figures_beside_the_page(echelon, study, tmp_path):
    """The page and the figures' files are named; a style's labels are used."""
    style = tmp_path / "paper.toml"
    style.write_text('[labels]\neasy = "EASY"\n')
    said = echelon("study", "report", study, "--figures", "svg", "--style", style, "--measures", "mean_wait")
    assert (said.code, said.err) == (0, "")
    page, figures = said.out.splitlines()
    assert page == f"{study}/report.html"
    assert figures.startswith(f"{study}/figures: intervals-policy-mean-wait.svg, bars-policy-mean-wait.svg")
    assert (study / "figures" / "ranks-policy-mean-wait.svg").is_file()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("table", "t.pdf"), "t.pdf: must end in .csv, .md, .tex, or give --format csv|markdown|latex"),
        (("table", "--format", "html"), "no table format is named 'html'"),
        (("table", "--by", "plicy"), "no axis is named 'plicy'; did you mean 'policy'?"),
        (("table", "--across", "policy", "--by", "policy"), "axis policy: is named twice"),
        (("table", "--measure", "mean_wiat"), "did you mean 'mean_wait'?"),
        (("table", "--style", "no.toml"), "no.toml: no such file, expected a style in TOML"),
        (("report", "--figures", "gif"), "no figure format is named 'gif'"),
        (
            ("report", "--style", "no.toml"),
            "--style: is the style of figures; give --figures pdf|svg|png, too",
        ),
    ],
)
def test_wrong_arguments(echelon, study, arguments, problem):
    """One sentence, exit code 2."""
    said = echelon("study", arguments[0], study, *arguments[1:])
    assert said.code == 2
    assert problem in said.err
    assert said.err.count("\n") == 1


def test_without_matplotlib(echelon, study, monkeypatch):
    """One sentence names the extra, and no page is made."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = echelon("study", "report", study, "--figures", "pdf")
    assert said.code == 2
    assert (
        "figures need matplotlib, which is not installed; run: pip install 'echelon-scheduling[figures]'"
        in said.err
    )
    assert not (study / "report.html").exists()


@pytest.mark.usefixtures("undrawn")
def test_without_scipy(echelon, study, monkeypatch):
    """One sentence says that intervals are left out; means and figures are there."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    for arguments in (("table", study), ("report", study, "--figures", "svg", "--measures", "mean_wait")):
        said = echelon("study", *arguments)
        assert said.code == 0
        assert said.err.count("pip install 'echelon-scheduling[stats]'") == 1
