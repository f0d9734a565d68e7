"""What a person waits for: whole processes from start to exit, and all compilation on a new machine."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from isolated import Outcome, command, script

if TYPE_CHECKING:
    from collections.abc import Mapping

REPEATS = 5
LIMIT = 120.0
EIGHT = (
    "fcfs,first-fit,easy,easy:shortest-first,easy:smallest-area-first,easy:reservations=2,conservative,plan"
)


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing waited for: what, target and measured in `unit`, and a remark or why it is missing."""

    what: str
    target: float
    measured: float | None
    unit: str = "s"
    remark: str = ""


def waits(sources: Mapping[str, str], *, quick: bool) -> list[Wait]:
    """Measure all of them; `sources` maps the names of the traces that are here to where they are."""
    with tempfile.TemporaryDirectory() as folder:
        found = [
            *_start_up(),
            *_commands(sources.get("sdsc-sp2"), Path(folder)),
            *_end_to_end(sources.get("million"), Path(folder)),
        ]
        return found if quick else [*found, *_compilation()]


def _start_up() -> list[Wait]:
    nothing = _typical([sys.executable, "-c", "pass"])
    whole = _wait("`import echelon`", 0.15, [sys.executable, "-c", "import echelon"])
    remark = f"whole process; an empty one takes {nothing.seconds:.3f} s"
    return [Wait(whole.what, whole.target, whole.measured, remark=remark)]


def _commands(sdsc_sp2: str | None, folder: Path) -> list[Wait]:
    program = str(Path(sys.executable).parent / "echelon")
    helped = _wait("`echelon --help`", 0.3, [program, "--help"])
    made = [program, "generate", "lublin", "--jobs", "400000", "--out", str(folder / "made.swf"), "--quiet"]
    generated = _wait("`echelon generate lublin --jobs 400000`, written", 5.0, made)
    if sdsc_sp2 is None:
        return [helped, generated]
    run = [program, "run", sdsc_sp2, "--policy", "easy", "--out", str(folder / "run")]
    compare = [program, "compare", sdsc_sp2, "--policies", EIGHT, "--out", str(folder / "compare")]
    return [
        helped,
        generated,
        _wait("`echelon reproduce schedlyzer`", 10.0, [program, "reproduce", "schedlyzer"]),
        _wait("`echelon run sdsc-sp2 --policy easy`, all files", 2.0, run),
        _wait("the same with `--no-report`", 1.0, [*run, "--no-report"]),
        _wait("`echelon compare sdsc-sp2` of eight policies", 6.0, compare),
    ]


def _end_to_end(million: str | None, folder: Path) -> list[Wait]:
    if million is None:
        return []
    outcome = script("end_to_end.py", million, "256", str(folder / "jobs.parquet"), limit=LIMIT)
    what = "1,000,000 jobs end to end (read SWF, EASY, write Parquet)"
    if not outcome.found:
        return [Wait(what, 10, None, remark=outcome.reason)]
    parts = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in outcome.found["parts"].items())
    return [
        Wait(what, 10, outcome.seconds, remark=f"whole process: {parts}"),
        Wait("its peak memory", 1000, outcome.found["peak_mb"], unit="MB"),
    ]


def _compilation() -> list[Wait]:
    outcome = script("compile_kernels.py", limit=4 * LIMIT)
    whats = {
        "machine": ("building the kernels of one machine", 15),
        "nodes": ("and those of nodes", 20),
        "grids": ("and those of grids", 40),
        "all": ("all kernels, as `make setup` does", 30),
    }
    remark = "CPU seconds, for one kind of processor, into an empty folder"
    return [
        Wait(
            what,
            target,
            outcome.found["parts"][part] if outcome.found else None,
            remark=outcome.reason or remark,
        )
        for part, (what, target) in whats.items()
    ]


def _wait(what: str, target: float, arguments: list[str]) -> Wait:
    outcome = _typical(arguments)
    if outcome.reason:
        return Wait(what, target, None, remark=outcome.reason)
    return Wait(what, target, outcome.seconds, remark=f"whole process, median of {REPEATS} after one more")


def _typical(arguments: list[str]) -> Outcome:
    """Return the median of some runs after one to warm up, or the first that failed."""
    first = command(arguments, limit=LIMIT)
    if first.reason:
        return first
    later = [command(arguments, limit=LIMIT) for _ in range(REPEATS)]
    return next((run for run in later if run.reason), Outcome(median(run.seconds for run in later)))
