"""``--figures`` of report, run and compare."""

from __future__ import annotations

import re

import pytest

OF_A_RUN = {
    "arrivals-by-hour",
    "arrivals-by-weekday",
    "arrivals-by-hour-of-week",
    "shapes",
    "schedule",
    "textbook",
    "wait-by-class",
    "fairness",
    "wait-distribution",
    "bounded-slowdown-distribution",
    "mean-wait-over-time",
    "mean-bounded-slowdown-over-time",
    "utilization-over-time",
    "competitive-ratio-over-time",
}


@pytest.mark.slow
def test_figures_of_a_run(echelon, six_jobs, tmp_path):
    """Every figure of a run is a file drawn in the format wanted; tests below leave the drawing out."""
    echelon("run", six_jobs, "--out", tmp_path, "--quiet")
    said = echelon("report", tmp_path, "--figures", "pdf")
    assert (said.code, said.err) == (0, "")
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {f"{name}.pdf" for name in OF_A_RUN}
    assert all(path.read_bytes().startswith(b"%PDF") for path in (tmp_path / "figures").iterdir())
    assert "schedule.pdf" in said.out


@pytest.mark.usefixtures("undrawn")
def test_what_can_not_be_drawn_is_said(echelon, six_jobs, tmp_path):
    """A table that leaves a figure no way is told by a sentence; the other figures are there."""
    echelon("run", six_jobs, "--out", tmp_path, "--quiet")
    told = tmp_path / "run.json"
    told.write_text(re.sub(r'"processors": \d+', '"processors": 1', told.read_text()))
    said = echelon("report", tmp_path, "--figures", "png")
    assert said.code == 0
    assert re.search(
        r"No schedule.png: the job at position \d needs \d processors .* of 1 are free", said.err
    )
    assert (tmp_path / "figures" / "shapes.png").is_file()


@pytest.mark.usefixtures("undrawn")
def test_figures_of_a_grid(echelon, six_jobs, tmp_path):
    """Jobs on several sites have figures of their sites, without homes no migration."""
    echelon("run", six_jobs, "--out", tmp_path, "--quiet")
    (tmp_path / "jobs.parquet").unlink()
    table = tmp_path / "jobs.csv"
    table.write_text(table.read_text().replace("cluster", "east", 1))
    assert echelon("report", tmp_path, "--figures", "png", "--quiet") == (0, "", "")
    names = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert {"sites-jobs", "sites-work", "sites-utilization", "site-load", "schedule"} <= names
    assert not any(name.startswith("migration") for name in names)


def test_an_unknown_format(echelon, six_jobs, tmp_path):
    """Another format is one sentence, and nothing is drawn."""
    echelon("run", six_jobs, "--out", tmp_path, "--quiet")
    said = echelon("report", tmp_path, "--figures", "gif")
    assert said.code == 2
    assert "no figure format is named 'gif'" in said.sentence
    assert not (tmp_path / "figures").exists()
    assert echelon("run", six_jobs, "--figures", "gif", "--out", tmp_path / "new").code == 2
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("undrawn")
def test_figures_with_the_run(echelon, six_jobs, tmp_path):
    """Run and compare draw the figures with their other files, name them, and need a folder for them."""
    said = echelon("run", six_jobs, "--figures", "svg", "--no-report", "--out", tmp_path / "one")
    assert said.code == 0
    assert "Figures in" in said.out
    assert {path.stem for path in (tmp_path / "one" / "figures").iterdir()} == OF_A_RUN
    said = echelon(
        "compare",
        six_jobs,
        "--policies",
        "fcfs,easy",
        "--figures",
        "png",
        "--out",
        tmp_path / "two",
        "--json",
    )
    files = {str(path) for path in (tmp_path / "two").rglob("*") if path.is_file()}
    assert set(said.json["files"]) == files
    # Bars of metrics, differences from the first policy, and each policy's own figures.
    names = {path.stem for path in (tmp_path / "two" / "figures").glob("*.png")}
    assert {"schedule-fcfs", "schedule-easy", "differences-easy", "mean-wait", "utilization"} <= names
    assert "differences-fcfs" not in names
    said = echelon("run", six_jobs, "--figures", "png")
    assert said.code == 2
    assert "--figures: needs a folder for the figures, give --out DIR" in said.sentence


@pytest.mark.usefixtures("undrawn")
def test_each_workload_has_figures_of_its_jobs(echelon, six_jobs, tmp_path):
    """Arrivals and shapes are those of one workload: runs of one share them."""
    arguments = ("lublin:jobs=9:seed=1", "--policies", "fcfs,easy", "--processors", 64, "--figures", "png")
    echelon("compare", six_jobs, *arguments, "--out", tmp_path, "--quiet")
    names = {path.stem for path in (tmp_path / "figures").glob("shapes*")}
    assert len(names) == 2
    assert {name.endswith("-fcfs") for name in names} == {True}
