"""What composes: reports with Gantt charts, measures, traces, comparisons and studies of every system."""

from __future__ import annotations

import base64
import csv
import json
import math
import re
import zlib
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import echelon as ec
from echelon.cli import main
from system.columns import COLUMNS, PROCESSORS, Column
from system.jobs import JOBS, workload

if TYPE_CHECKING:
    from pathlib import Path

SPECIAL = {
    "one machine": ("--policy", "srtf:switch=1", "--estimates", "kill"),
    "nodes": ("--policy", "srtf", "--sleep-after", "3"),
    "grid": ("--broker", "exchange"),
    "grid of nodes": ("--policy", "round-robin:quantum=10", "--power-cap", "190", "--broker", "ml"),
    "multicluster": (
        "--local-users",
        "xwin-internet:share=0.5:period=30",
        "--watch",
        "ibl",
        "--policy",
        "srtf:switch=1",
    ),
    "with reservations": ("--co-allocate", "threshold", "--two-phase", "--policy", "conservative"),
    "time-shared": ("--broker", "wqr:replicas=2"),
    "mixed tree": (
        "--global-queue",
        "nb.rs",
        "--queue-limit",
        "2",
        "--estimates",
        "kill",
        "--estimator",
        "sdpn",
        "--policy",
        "round-robin:quantum=10",
        "--broker",
        "ml@campus/desks=wqr:replicas=2",
    ),
    "grid of grids": ("--policy", "srtf", "--decision-time", "2", "--refresh", "20", "--broker", "ml"),
}
"""A run of each column that leaves more than starts and ends: suspensions, copies, parts, sleep, owners."""

TYPES = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32, "f8": np.float64}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the log and the platform of each column."""
    folder: Path = tmp_path_factory.mktemp("inputs")
    ec.write_workload(workload("forty"), folder / "jobs.swf")
    for column in COLUMNS.values():
        (folder / f"{column.name}.toml").write_text(column.platform)
    return folder


def machine_words(column: Column, inputs: Path) -> list[str]:
    """Return the words that name the log and the machine."""
    machine = (
        ["--platform", f"{inputs / column.name}.toml"]
        if column.platform
        else ["--processors", str(PROCESSORS)]
    )
    return [str(inputs / "jobs.swf"), *machine]


def words_of(column: Column, inputs: Path, *, special: bool) -> list[str]:
    """Return the words of the plain run of a column, or of its special one."""
    policy = ["--policy", column.policies[0]] if column.policies else []
    return [*machine_words(column, inputs), *(SPECIAL[column.name] if special else policy)]


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table that a run left."""
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def total(rows: list[dict[str, str]], name: str) -> float:
    """Return the sum of a column, of which some values may be missing."""
    return math.fsum(float(row[name]) for row in rows if row.get(name))


def page_data(folder: Path) -> dict[str, Any]:
    """Return the data of the page that a run left."""
    text = (folder / "report.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def unpacked(block: dict[str, Any]) -> list[float]:
    """Return the values of a column of the page."""
    kind = np.dtype(TYPES[block["type"]])
    grouped = np.frombuffer(zlib.decompress(base64.b64decode(block["data"])), np.uint8)
    values = np.ascontiguousarray(grouped.reshape(kind.itemsize, block["n"]).T).view(kind).ravel()
    if block["delta"]:
        values = np.cumsum(values.view(np.uint32), dtype=np.uint32).view(np.int32)
    found: list[float] = values.tolist()
    return found


def rectangles(data: dict[str, Any]) -> list[tuple[int, int, int, float, float]]:
    """Return the Gantt chart: job, first processor, number of processors, start and length of each piece."""
    run = data["runs"][0]
    chart = {name: unpacked(data["blocks"][block]) for name, block in run["gantt"].items()}
    start = chart.get("start") or unpacked(data["blocks"][run["columns"]["start"]])
    length = chart.get("run") or unpacked(data["blocks"][run["columns"]["run"]])
    job = chart.get("job", range(len(start)))
    pieces = [piece for piece, count in enumerate(chart["count"]) for _ in range(int(count))]
    return [
        (int(job[piece]), int(first), int(height), start[piece], length[piece])
        for piece, first, height in zip(pieces, chart["first"], chart["height"], strict=True)
    ]


def assert_no_rectangles_overlap(drawn: list[tuple[int, int, int, float, float]]) -> None:
    """Assert that no row of the chart shows two jobs at once."""
    rows = defaultdict(list)
    for _, first, height, start, length in drawn:
        for row in range(first, first + height):
            rows[row].append((start, start + length))
    for spans in rows.values():
        for one, other in pairwise(sorted(span for span in spans if span[1] > span[0])):
            assert one[1] <= other[0] + 1e-6


@pytest.mark.parametrize("special", [False, True], ids=["plain", "special"])
@pytest.mark.parametrize("column", COLUMNS.values(), ids=lambda column: column.name)
def test_a_run_leaves_a_report_measures_traces_and_tables(column, special, inputs, tmp_path, capsys):
    """Every job is drawn where it ran, every measure is finite, and all tables add up to the same."""
    words = words_of(column, inputs, special=special)
    assert main(["run", *words, "--out", str(tmp_path), "--traces"]) == 0, capsys.readouterr().err
    metrics = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))
    jobs, traces = table(tmp_path, "jobs"), table(tmp_path, "traces")
    assert len(jobs) == metrics["jobs"] == total(table(tmp_path, "users"), "jobs")
    assert len(jobs) == total(table(tmp_path, "classes"), "jobs")
    assert all(math.isfinite(value) for value in metrics.values())
    assert metrics["makespan"] == pytest.approx(
        max(float(job["end_time"]) for job in jobs) - min(float(job["submit_time"]) for job in jobs)
    )
    assert metrics["mean_wait"] == pytest.approx(total(jobs, "wait_time") / len(jobs))
    for name, value in traces[-1].items():
        if name in metrics and name != "grid_utilization":
            # What a switch holds counts as held here.
            whole = metrics[name] + (metrics["switch_share"] if name == "utilization" else 0.0)
            if name == "utilization" and "replicated_share" in metrics:
                # So does what copies held that were canceled.
                whole = max(whole, float(value))
            assert float(value) == pytest.approx(whole, rel=1e-9), name
    tables_add_up(tmp_path, jobs, metrics)
    data = page_data(tmp_path)
    drawn = rectangles(data)
    assert {job for job, *_ in drawn} == set(range(len(jobs)))
    assert_no_rectangles_overlap(drawn)
    everything_is_drawn(column, drawn, jobs)


def tables_add_up(folder: Path, jobs: list[dict[str, str]], metrics: dict[str, float]) -> None:
    """Assert that sites and nodes have all jobs and all energy, which is the integral of the power."""
    if (folder / "sites.csv").exists():
        assert total(table(folder, "sites"), "jobs") == len(jobs)
    if "energy" not in metrics:
        assert not (folder / "power.csv").exists()
        return
    assert total(table(folder, "nodes"), "energy") == pytest.approx(metrics["energy"])
    if (folder / "sites.csv").exists():
        assert total(table(folder, "sites"), "energy") == pytest.approx(metrics["energy"])
    assert total(jobs, "energy") + metrics["idle_energy"] == pytest.approx(metrics["energy"])
    power = [(float(row["time"]), float(row["power"])) for row in table(folder, "power")]
    end = max(float(job["end_time"]) for job in jobs)
    spans = [(min(to, end) - since, watts) for (since, watts), (to, _) in pairwise([*power, (end, 0.0)])]
    assert math.fsum(span * watts for span, watts in spans) == pytest.approx(metrics["energy"])


def everything_is_drawn(column: Column, drawn: list[Any], jobs: list[dict[str, str]]) -> None:
    """Assert that what is drawn of each job has its processors for the time that it held them."""
    area = defaultdict(float)
    for job, _, height, _, length in drawn:
        area[job] += height * length
    for place, job in enumerate(jobs):
        asked = float(job["processors"])
        held = float(job["end_time"]) - float(job["start_time"]) - float(job.get("suspended_time") or 0)
        # Copies that were canceled are drawn, too.
        assert area[place] >= asked * held * (1 - 1e-6) - 1e-6
        if "copies" not in job:
            assert area[place] == pytest.approx(asked * held, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("column", COLUMNS.values(), ids=lambda column: column.name)
def test_a_report_is_made_again_from_its_folder(column, inputs, tmp_path, capsys):
    """From the files alone the same page is made, with figures beside it."""
    words = words_of(column, inputs, special=True)
    assert main(["run", *words, "--out", str(tmp_path)]) == 0
    first = page_data(tmp_path)
    (tmp_path / "report.html").unlink()
    assert main(["report", str(tmp_path), "--quiet"]) == 0, capsys.readouterr().err
    again = page_data(tmp_path)
    assert rectangles(again) == rectangles(first)
    assert again["panels"] == first["panels"]
    assert again["runs"] == first["runs"]


@pytest.mark.parametrize("column", COLUMNS.values(), ids=lambda column: column.name)
def test_runs_are_compared(column, inputs, tmp_path, capsys):
    """Two policies, or brokers where there is none, are two rows with the figures of each alone."""
    varied = ("--policies", "easy,fcfs") if column.policies else ("--brokers", "wall-time,ml")
    words = [*machine_words(column, inputs), *varied]
    assert main(["compare", *words, "--out", str(tmp_path), "--quiet"]) == 0, capsys.readouterr().err
    rows = table(tmp_path, "metrics")
    assert len(rows) == 2
    for value, row in zip(varied[1].split(","), rows, strict=True):
        capsys.readouterr()
        option = "--policy" if column.policies else "--broker"
        assert main(["run", *machine_words(column, inputs), option, value, "--json"]) == 0
        alone = json.loads(capsys.readouterr().out)["metrics"]
        assert float(row["mean_turnaround"]) == alone["mean_turnaround"]
        assert float(row["makespan"]) == alone["makespan"]
    assert len(page_data(tmp_path)["runs"]) == 2


@pytest.mark.parametrize("column", COLUMNS.values(), ids=lambda column: column.name)
def test_a_study_runs(column, inputs, tmp_path, capsys):
    """A study of two estimates makes two runs, resumes with none to make, and reports both."""
    machine = f'platform = "{inputs / column.name}.toml"' if column.platform else f"processors = {PROCESSORS}"
    policy = f'policy = "{column.policies[0]}"' if column.policies else ""
    study = tmp_path / "study.toml"
    study.write_text(
        f'name = "one"\n[fixed]\nworkload = "{inputs / "jobs.swf"}"\n{machine}\n{policy}\n'
        '[axes]\nestimates = ["raise", "exact"]\n',
        encoding="utf-8",
    )
    words = ["study", "run", str(study), "--out", str(tmp_path / "out"), "--executor", "threads", "--json"]
    for done, kept in ((2, 0), (0, 2)):
        capsys.readouterr()
        assert main(words) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["done"], told["kept"], told["failed"]) == (done, kept, [])
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    runs = ec.read_study_results(tmp_path / "out").runs
    assert runs["jobs"].to_list() == [len(JOBS["forty"])] * 2
