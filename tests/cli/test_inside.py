"""``echelon run``, ``compare`` and ``report`` on nodes: what they print and leave."""

from __future__ import annotations

import json

import polars as pl
import pytest

WORKLOAD = "irmasim-mix:jobs=12,most_tasks=8,node_cores=8"
INSIDE = ("--platform", "irmasim-a", "--network", "constant", "--execution", "speed")


def test_a_run_tells_energy_and_what_decided(echelon):
    """Energy has a unit that reads well; the machine its nodes; one sentence says who chose."""
    said = echelon("run", WORKLOAD, *INSIDE, "--power-cap", "1200", "--place", "best-fit")
    assert said.code == 0
    assert "on irmasim-mix, irmasim-a (2 nodes, 16 cores)" in said.out
    assert (
        "Inside the machine: placed by best-fit, execution speed, network constant, at most 1.200 kW."
        in said.out
    )
    energy = next(line for line in said.out.splitlines() if line.strip().startswith("Energy "))
    assert energy.endswith(" kJ")


def test_rules_of_irmasim_are_options_and_keys(echelon, tmp_path):
    """Typed as options or written in a scenario file, they are in the sentence, the folder and the page."""
    rules = {
        "policy": "node-backfill",
        "place": "node-order:by=high-cores:tasks-per-node=4",
        "release": "gang",
        "sequential": "one-node",
        "estimates": "request",
    }
    straddling = rules | {"sequential": "straddle"}
    typed = [word for key, value in straddling.items() for word in (f"--{key}", value)]
    jobs = "irmasim-mix:jobs=12,most_tasks=4,node_cores=4"
    options = ("--platform", "irmasim-a", "--out", str(tmp_path / "typed"))
    said = echelon("run", jobs, *options, *typed)
    assert said.code == 0, said.err
    assert (
        "Inside the machine: placed by node-order:by=high-cores:tasks-per-node=4, execution "
        "speed, all cores of a job released together, sequential jobs may straddle nodes." in said.out
    )
    told = json.loads((tmp_path / "typed" / "run.json").read_text())
    assert {key: told[key] for key in rules} == straddling
    page = (tmp_path / "typed" / "report.html").read_text()
    assert "all cores of a job are released together; sequential jobs may straddle nodes" in page
    assert "plans with requests" in page
    lines = [
        f'{key} = "{value}"' for key, value in (rules | {"workload": jobs, "platform": "irmasim-a"}).items()
    ]
    (tmp_path / "run.toml").write_text("\n".join(lines))
    written = echelon("run", str(tmp_path / "run.toml"), "--out", str(tmp_path / "written"), "--no-report")
    assert written.code == 0, written.err
    told = json.loads((tmp_path / "written" / "run.json").read_text())
    assert {key: told[key] for key in rules} == rules


def test_a_comparison_says_what_runs_have_in_common(echelon):
    """Placements that are compared are not in the sentence on what all runs share."""
    said = echelon("compare", WORKLOAD, *INSIDE, "--policies", "fcfs", "--places", "first-fit,worst-fit")
    assert said.code == 0
    assert "Inside the machine: execution speed, network constant." in said.out
    # Each row is a policy with a placement, and energy is told beside the times.
    assert said.out.startswith("2 runs on irmasim-mix, irmasim-a")
    assert "jobs simulated in each of 2 runs in" in said.out
    first, _, third = said.out.splitlines()[2:5]
    assert first.endswith("Energy")
    assert third.split()[0] == "Run"
    assert third.endswith("kJ")
    assert "Median" not in first
    alone = echelon("compare", WORKLOAD, *INSIDE, "--policies", "fcfs,easy")
    assert alone.out.startswith("2 policies on irmasim-mix")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("command", ["run", "compare"])
def test_the_files_make_the_page_again(echelon, tmp_path, command):
    """Holdings, nodes and power are in the folder of each run, and the page is drawn from them again."""
    folder = tmp_path / "out"
    policies = ("--policy", "easy") if command == "run" else ("--policies", "easy,fcfs")
    assert echelon(command, WORKLOAD, *INSIDE, *policies, "--out", str(folder)).code == 0
    one = folder if command == "run" else folder / "easy"
    jobs, holdings = (pl.read_csv(one / f"{name}.csv") for name in ("jobs", "holdings"))
    assert holdings["row"].n_unique() == jobs.height == 12
    assert pl.read_csv(one / "nodes.csv")["energy"].sum() == pytest.approx(
        (lambda p: (p["power"][:-1] * p["time"].diff()[1:]).sum())(pl.read_csv(one / "power.csv"))
    )
    page = (folder / "report.html").read_text()
    (folder / "report.html").unlink()
    said = echelon("report", str(folder), "--figures", "svg")
    assert said.code == 0
    assert (folder / "report.html").read_text() == page
    assert {file.name for file in (folder / "figures").iterdir()} >= (
        {"core-gantt.svg", "node-load.svg", "power.svg"}
        if command == "run"
        else {"core-gantt-easy.svg", "node-load-fcfs.svg", "power-easy.svg", "energy.svg"}
    )


def test_a_damaged_table_is_one_sentence(echelon, tmp_path):
    """A table of holdings that was edited wrongly is refused with its file, its row and what was expected."""
    folder = tmp_path / "out"
    assert echelon("run", WORKLOAD, *INSIDE, "--out", str(folder), "--no-report").code == 0
    (folder / "holdings.parquet").unlink()
    lines = (folder / "holdings.csv").read_text().splitlines()
    cells = lines[1].split(",")
    cells[4] = "3-2"
    (folder / "holdings.csv").write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    said = echelon("report", str(folder))
    assert said.code == 2
    assert "expected a set of numbers such as '1-3 5 7', ascending, got '3-2' in row 1" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("policy", ["round-robin", "preemptive-priority", "srtf"])
def test_policies_that_suspend_jobs_are_refused_before_the_run_where_tasks_share_cores(echelon, policy):
    """Shared cores are not taken away, so preemption is refused at once and not when a job is suspended."""
    said = echelon("run", WORKLOAD, *INSIDE, "--policy", policy, "--sharing", "fair")
    assert said.code == 2
    assert f"lets tasks share cores, but {policy} suspends jobs" in said.err


def test_the_page_of_many_placements_is_titled_by_runs(echelon, tmp_path):
    """Six rows of two policies are no six policies."""
    folder = tmp_path / "out"
    places = "first-fit,worst-fit,best-fit"
    arguments = ("--policies", "fcfs,easy", "--places", places, "--out", str(folder))
    assert echelon("compare", WORKLOAD, *INSIDE, *arguments).code == 0
    assert "<title>6 runs on irmasim-mix" in (folder / "report.html").read_text()
