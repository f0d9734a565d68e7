"""What a person waits for, in processor seconds: ``python benchmarks/starts.py``.

Two tables. The first shows what each stage of a command takes, and how many modules it imports. The second
holds whole commands beside a whole program of SimPy, in one run: medians, every program in turn, so that a
busy machine slows all of them. ``--before SRC`` measures the commands of another checkout beside these.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import machine
from isolated import HERE
from whole_commands import EIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KTH, SDSC = ("kth-sp2", "100"), ("sdsc-sp2", "128")
STAGED = {
    "--help": "--help",
    "policies": "policies",
    "info kth-sp2": "info kth-sp2",
    "run kth-sp2 --no-report": "run kth-sp2 --policy easy --no-report --out {folder}/a",
    "run kth-sp2": "run kth-sp2 --policy easy --out {folder}/b",
    "compare sdsc-sp2, eight": f"compare sdsc-sp2 --policies {EIGHT} --out {{folder}}/c",
}
COLUMNS = {
    "Python": ("interpreter",),
    "numpy": ("import numpy",),
    "polars": ("import polars",),
    "typer, rich": ("import typer", "import rich"),
    "other imports": ("import standard library", "import other libraries"),
    "our imports": ("import echelon",),
    "reading": ("reading",),
    "simulating": ("simulating",),
    "tables": ("tables",),
    "writing": ("writing",),
    "report": ("report",),
    "the rest": ("the command", "end"),
}


@dataclass(frozen=True, slots=True)
class Goal:
    """A command, what it is held against, and the most that it may take of that."""

    command: str
    against: str
    most: float


SIMPY = "SimPy on {}, whole"
GOALS = (
    Goal("--help", "import typer", 3),
    Goal("policies", "import typer", 3),
    Goal("info kth-sp2", "import numpy, typer", 3),
    Goal("run kth-sp2 --policy easy --no-report --out {folder}/d", SIMPY.format(KTH[0]), 0.45),
    Goal("run sdsc-sp2 --policy easy --no-report --out {folder}/e", SIMPY.format(SDSC[0]), 0.28),
    Goal("run kth-sp2 --policy easy --out {folder}/f", SIMPY.format(KTH[0]), 0.7),
    Goal("run sdsc-sp2 --policy easy --out {folder}/g", SIMPY.format(SDSC[0]), 0.4),
    Goal(f"compare sdsc-sp2 --policies {EIGHT} --out {{folder}}/h", SIMPY.format(SDSC[0]), 0.9),
)


UNSET = ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS")


def environment(source: str | None = None) -> dict[str, str]:
    """Return the environment of all programs: bytecode is kept, and threads are as each program sets them."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return kept if source is None else kept | {"PYTHONPATH": source}


def processor_seconds(arguments: Sequence[str], source: str | None = None) -> float:
    """Return the user and system seconds of a process and its children, or raise if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, env=environment(source), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(programs: Mapping[str, tuple[Sequence[str], str | None]], repeats: int) -> dict[str, float]:
    """Return the median of each program, after one run of each that does not count."""
    for arguments, source in programs.values():
        processor_seconds(arguments, source)
    found: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(repeats):
        for name, (arguments, source) in programs.items():
            found[name].append(processor_seconds(arguments, source))
    return {name: median(seconds) for name, seconds in found.items()}


def stages(folder: str, repeats: int) -> Iterator[str]:
    """Yield the lines of the table of stages: milliseconds, and modules imported."""
    yield f"| Command | all | {' | '.join(COLUMNS)} | modules | ours |"
    yield "|:--|" + "--:|" * (len(COLUMNS) + 3)
    for title, text in STAGED.items():
        told = [_told("stages.py", text.format(folder=folder).split()) for _ in range(repeats + 1)][1:]
        seconds = {
            column: median(sum(one["seconds"].get(stage, 0.0) for stage in parts) for one in told)
            for column, parts in COLUMNS.items()
        }
        modules: Counter[str] = Counter(told[0]["modules"])
        cells = [sum(seconds.values()), *seconds.values()]
        shown = " | ".join(f"{1000 * cell:.0f}" if cell >= 0.0005 else "" for cell in cells)
        yield f"| `echelon {title}` | {shown} | {modules.total()} | {modules['echelon']} |"


def _told(name: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Return what a script beside this file tells in its last line."""
    done = subprocess.run(
        [sys.executable, str(HERE / name), *arguments],
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def ratios(folder: str, repeats: int, before: str | None) -> Iterator[str]:
    """Yield the lines of the table of goals: seconds, and what they are of those of the yardstick."""
    python = sys.executable
    yardsticks: dict[str, tuple[list[str], str | None]] = {
        "import typer": ([python, "-c", "import typer"], None),
        "import numpy, typer": ([python, "-c", "import numpy, typer"], None),
    }
    for name, processors in (KTH, SDSC):
        arguments = [python, str(HERE / "whole_simpy.py"), _path(name), processors, f"{folder}/{name}.csv"]
        yardsticks[SIMPY.format(name)] = (arguments, None)
    ours = {goal.command: (_command(goal.command, f"{folder}/now"), None) for goal in GOALS}
    theirs = {
        f"before: {goal.command}": (_command(goal.command, f"{folder}/before"), before) for goal in GOALS
    }
    found = in_turn(yardsticks | ours | (theirs if before else {}), repeats)
    for name in yardsticks:
        yield f"`{name}`: {found[name]:.3f} s  "
    for name, run in ((KTH[0], "d"), (SDSC[0], "e")):
        yield f"floor of {name} {_floor(f'{folder}/now/{run}', folder, repeats, found[SIMPY.format(name)])}  "
    yield ""
    yield "| Command | before, s | s | before | now | goal | of |"
    yield "|:--|--:|--:|--:|--:|--:|:--|"
    for goal in GOALS:
        now, base = found[goal.command], found[goal.against]
        was = found.get(f"before: {goal.command}")
        shown = goal.command.split(" --out")[0].replace(EIGHT, "of eight")
        sides = (f"{was:.3f}", f"{was / base:.2f}") if was else ("", "")
        yield (
            f"| `echelon {shown}` | {sides[0]} | {now:.3f} | {sides[1]} | {now / base:.2f} | {goal.most:g} | "
            f"{goal.against} |"
        )


def _floor(run: str, folder: str, repeats: int, whole: float) -> str:
    """Return a sentence on what importing numpy, polars and typer and writing the files of a run takes."""
    told = [_told("floor.py", (run, f"{folder}/floor")) for _ in range(repeats)]
    imports, files = (median(one[part] for one in told) for part in ("imports", "files"))
    share = (imports + files) / whole
    return f"(imports {imports:.3f} s, its files {files:.3f} s): {share:.2f} of SimPy"


def _command(text: str, folder: str) -> list[str]:
    return [sys.executable, "-m", "echelon.cli", *text.format(folder=folder).split()]


def _path(name: str) -> str:
    return str(_told("traces.py", ("find", name))["path"])


def main() -> None:
    """Print both tables, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=10, help="runs of each program; default 10")
    parser.add_argument("--before", metavar="SRC", help="the folder src of another checkout, measured beside")
    parser.add_argument("--out", type=Path, default=Path("echelon-out/starts.md"), help="the page")
    given = parser.parse_args()
    lines = [f"Processor time on {machine.description()}; medians of {given.repeats} runs, in turn.", ""]
    with tempfile.TemporaryDirectory() as folder:
        lines += ["Milliseconds of each stage, and modules imported:", "", *stages(folder, given.repeats), ""]
        lines += ["Whole commands beside a whole program:", "", *ratios(folder, given.repeats, given.before)]
    text = "\n".join(lines) + "\n"
    print(text)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
