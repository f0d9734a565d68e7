"""What a person waits for: the program held against, the stages of a command, and the tables of both."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

import echelon as ec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

LOG = """; MaxProcs: 8
1 0 0 100 4 -1 -1 4 50 -1 1 1 1 1 1 1 -1 -1
2 1 0 100 8 -1 -1 8 200 -1 1 1 1 1 1 1 -1 -1
3 2 0 90 -1 -1 -1 2 100 -1 1 2 1 1 1 1 -1 -1
4 3 0 200 4 -1 -1 4 300 -1 1 2 1 1 1 1 -1 -1
5 4 0 0 1 -1 -1 1 60 -1 0 2 1 1 1 1 -1 -1
6 5 0 10 9 -1 -1 9 60 -1 1 2 1 1 1 1 -1 -1
7 6 0 10 -1 -1 -1 -1 60 -1 1 2 1 1 1 1 -1 -1
8 7 0 30 2 -1 -1 2 -1 -1 1 2 1 1 1 1 -1 -1
"""


@pytest.mark.parametrize("name", ["log.swf", "log.swf.gz"])
def test_the_whole_program_does_what_ours_does(
    script: Callable[[str], ModuleType], tmp_path: Path, name: str
) -> None:
    """The program of SimPy takes the same jobs of a log as `simulate`, and starts and ends them with it."""
    pytest.importorskip("simpy", reason="SimPy is installed for benchmarks only")
    log, table = tmp_path / name, tmp_path / "jobs.csv"
    log.write_bytes(gzip.compress(LOG.encode()) if name.endswith(".gz") else LOG.encode())
    script("whole_simpy").main(str(log), "8", str(table))
    columns = ["job_id", "submit_time", "start_time", "end_time", "run_time", "processors", "wait_time"]
    ours = ec.simulate(log, policy="easy").jobs.select(pl.col(columns).cast(float))
    assert pl.read_csv(table).select(pl.col(columns).cast(float)).equals(ours)


@pytest.mark.slow
def test_stages_are_told_by_the_process(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    """A command tells what it imports, reads, simulates and writes, each once, and counts its modules."""
    (tmp_path / "log.swf").write_text(LOG)
    arguments = ["run", "log.swf", "--policy", "easy", "--no-report", "--out", "out"]
    program = script("starts").HERE / "stages.py"
    done = subprocess.run(
        [sys.executable, str(program), *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    stages = {"interpreter", "import numpy", "import polars", "import echelon", "reading", "simulating"}
    assert stages | {"tables", "writing", "the command"} <= set(told["seconds"])
    assert "report" not in told["seconds"]
    assert min(told["seconds"].values()) >= 0
    assert told["modules"]["numpy"] > 50
    assert (tmp_path / "out" / "jobs.csv").is_file()


def test_an_import_counts_for_who_asks_no_more(script: Callable[[str], ModuleType]) -> None:
    """Seconds of a stage are its own: what happens in a stage within it counts for that one alone."""
    clock = script("stages").Clock()
    with clock.at("outer"):
        sum(range(200_000))
        before = clock.seconds["outer"]
        with clock.at("inner"):
            sum(range(2_000_000))
        between = clock.seconds["outer"]
    assert clock.seconds["inner"] > 2 * (between - before) >= 0


def test_the_tables_name_every_goal(
    script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row a goal, with seconds and ratios before and now, after the yardsticks and the floor."""
    starts = script("starts")
    took = {"import typer": 0.1, "--help": 0.2}
    monkeypatch.setattr(
        starts,
        "processor_seconds",
        lambda arguments, source=None: took.get(arguments[-1], 0.5) * (2 if source == "old" else 1),
    )
    monkeypatch.setattr(starts, "_told", lambda *_: {"path": "log.swf", "imports": 0.2, "files": 0.05})
    lines = list(starts.ratios("folder", 1, "old"))
    assert "floor of kth-sp2 (imports 0.200 s, its files 0.050 s): 0.50 of SimPy  " in lines
    rows = [line for line in lines if line.startswith("| `echelon")]
    assert len(rows) == len(starts.GOALS)
    assert rows[0] == "| `echelon --help` | 0.400 | 0.200 | 4.00 | 2.00 | 3 | import typer |"
    assert all(starts.EIGHT not in row for row in rows)
