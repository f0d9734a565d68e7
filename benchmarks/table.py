"""The Markdown page: targets first, then every measurement, then counted work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cells import LIMITS, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cells import Cell
    from whole_commands import Wait

# Jobs a second: (program, policy, trace) -> at least.
TARGETS = {
    **{("compiled", "easy", name): 1_000_000 for name in ("kth-sp2", "sdsc-sp2", "hpc2n", "sdsc-blue")},
    ("compiled", "easy", "million"): 1_000_000,
    ("compiled", "easy", "ricc"): 300_000,
    ("compiled", "easy", "overloaded"): 200_000,
    ("compiled", "conservative", "kth-sp2"): 100_000,
    ("compiled", "conservative", "sdsc-sp2"): 30_000,
    ("reference", "easy", "kth-sp2"): 50_000,
}
COUNTS = ("events", "passes", "examined", "segments")
NAMES = {"load": "read", "compiled": "compiled engine", "reference": "reference engine", "naive": "SimPy"}

INTRODUCTION = """\
# Benchmarks

Made by `make bench`; do not edit by hand. Measured on: {machine}.

Every measurement has a process of its own, on one thread, with kernels compiled. *jobs/s* is for the median
of at least three runs (one run where a single one takes over 4 s); the slowest and the best run stand
behind it. What is timed is the simulation alone, from `Instance` to `Schedule`; reading and `Instance.of`
have their own figures. Peak memory is the whole process's: Python, libraries (about 160 MB) and workload
included. A process is ended after {compiled:g} s, or {reference:g} s for the reference engine and SimPy;
then the table says `>` and gives the bound that follows from it, and nothing is extrapolated. *SimPy* is
`benchmarks/naive_simpy.py`, the simulator a user would otherwise write.

{agreement}

The generated traces are seeded; `benchmarks/traces.py` says how they are drawn.
"""


def page(cells: Sequence[Cell], waits: Sequence[Wait], machine: str, skipped: Sequence[str]) -> str:
    """Return the whole page."""
    wrong = disagreements(list(cells))
    agreement = (
        f"**Start times differ from the compiled engine's: {'; '.join(wrong)}.**"
        if wrong
        else "On every trace, all programs that finished gave each job the same start."
    )
    parts = [
        INTRODUCTION.format(machine=machine, agreement=agreement, **LIMITS),
        "## Targets\n",
        _table(("what", "target", "measured", "", "remark"), _targets(cells, waits)),
        *(f"{line}\n" for line in skipped),
        "## Speed and memory\n",
        _table(
            ("trace", "policy", "program", "jobs/s", "slowest to best", "runs", "times SimPy", "peak MB"),
            _speeds(cells),
        ),
        "## Preparing\n",
        _table(("trace", "jobs", "processors", "`read_workload`", "`Instance.of`"), _preparing(cells)),
        "## Counted work\n",
        "Of the compiled engine, the same on every machine. `examined`: jobs, and blocks of jobs, looked at\n"
        "by backfilling; `segments`: steps of the availability profile read or changed. Tests gate on those\n"
        "of KTH-SP2.\n",
        _table(("trace", "policy", "mean wait, s", *COUNTS), _counted(cells)),
    ]
    return "\n".join(parts)


def _targets(cells: Sequence[Cell], waits: Sequence[Wait]) -> Iterable[Sequence[str]]:
    for cell in cells:
        target = TARGETS.get((cell.program, cell.policy, cell.trace.name))
        if target is None:
            continue
        what = f"{cell.trace.title}, {cell.policy}, {NAMES[cell.program]}"
        speed = _speed(cell)
        timed_out = cell.outcome.reason.startswith(">")
        met = "" if speed is None and not timed_out else _verdict(not timed_out and (speed or 0) >= target)
        yield what, f"≥ {target:,} jobs/s", _jobs_a_second(cell), met, cell.outcome.reason
    for wait in waits:
        digits = 0 if wait.unit == "MB" else 2
        measured = "–" if wait.measured is None else f"{wait.measured:,.{digits}f} {wait.unit}"
        met = "" if wait.measured is None else _verdict(wait.measured < wait.target)
        yield wait.what, f"< {wait.target:,g} {wait.unit}", measured, met, wait.remark


def _speeds(cells: Sequence[Cell]) -> Iterable[Sequence[str]]:
    naive = {(cell.trace.name, cell.policy): cell for cell in cells if cell.program == "naive"}
    for cell in cells:
        if cell.program == "load":
            continue
        runs = cell.found["seconds"] if cell.found else []
        spread = f"{_rate(cell, max(runs))} to {_rate(cell, min(runs))}" if len(runs) > 1 else "–"
        peak = f"{cell.found['peak_mb']:,.0f}" if cell.found else "–"
        ratio = _ratio(cell, naive.get((cell.trace.name, cell.policy)))
        yield (
            cell.trace.title,
            cell.policy,
            NAMES[cell.program],
            _jobs_a_second(cell),
            spread,
            str(len(runs)),
            ratio,
            peak,
        )


def _preparing(cells: Sequence[Cell]) -> Iterable[Sequence[str]]:
    engines = {cell.trace.name: cell for cell in cells if cell.program == "compiled" and cell.found}
    for cell in cells:
        if cell.program != "load" or not cell.found:
            continue
        engine = engines.get(cell.trace.name)
        seconds = sorted(engine.found["instance_seconds"]) if engine and engine.found else []
        preparing = f"{seconds[len(seconds) // 2] * 1000:.1f} ms" if seconds else "–"
        reading = f"{cell.seconds:.3f} s ({_jobs_a_second(cell)} jobs/s)"
        yield cell.trace.title, f"{cell.found['jobs']:,}", f"{cell.trace.processors:,}", reading, preparing


def _counted(cells: Sequence[Cell]) -> Iterable[Sequence[str]]:
    for cell in cells:
        if cell.program == "compiled" and cell.found:
            counts = (f"{cell.found['counts'][name]:,}" for name in COUNTS)
            yield cell.trace.title, cell.policy, f"{cell.found['mean_wait']:,.2f}", *counts


def _speed(cell: Cell) -> float | None:
    return cell.found["jobs"] / cell.seconds if cell.found and cell.seconds else None


def _jobs_a_second(cell: Cell) -> str:
    return _rate(cell, cell.seconds) if cell.seconds else cell.outcome.reason


def _rate(cell: Cell, seconds: float) -> str:
    return f"{cell.found['jobs'] / seconds:,.0f}" if cell.found else "–"


def _ratio(cell: Cell, naive: Cell | None) -> str:
    """Return how many times faster than SimPy, or the bound that its time limit gives."""
    if naive is None or cell.program == "naive" or not cell.seconds:
        return "–"
    if naive.seconds:
        return f"{naive.seconds / cell.seconds:,.1f}"
    return f"> {naive.outcome.seconds / cell.seconds:,.0f}" if naive.outcome.reason.startswith(">") else "–"


def _verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines) + "\n"
