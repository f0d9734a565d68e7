"""Measure Echelon's speed and memory beside a naive simulator, in one run: ``python benchmarks/run.py``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

import grids
import machine
import nodes
from cells import Cell, disagreements, measured, programs
from isolated import script
from table import page
from traces import TRACES, Generated, Trace
from whole_commands import waits


def main() -> int:
    """Measure, print and write the page; 1 if two programs disagree on a start time."""
    options = _options()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        sources, skipped = _sources(_chosen(quick=options.quick), Path(folder))
        cells, busiest = [], 0.0
        for trace, source in sources:
            cells += [_cell(trace, source, *program) for program in programs(trace.name)]
            busiest = max(busiest, machine.busy())
        print("whole commands ...", file=sys.stderr)
        on_grids = grids.cells(quick=options.quick)
        whole = grids.study(quick=options.quick)
        on_nodes = nodes.cells(quick=options.quick)
        found = waits({trace.name: source for trace, source in sources}, quick=options.quick)
    shown = f"{machine.description()}; {busiest:.1f} processes running at most, these included"
    text = "\n".join(
        (page(cells, found, shown, skipped), grids.section(on_grids, whole), nodes.section(on_nodes))
    )
    print(text)
    print(f"took {perf_counter() - began:.0f} s", file=sys.stderr)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text, encoding="utf-8")
    if options.json:
        named = {"cells": cells, "waits": found, "grids": on_grids, "nodes": on_nodes}
        content: dict[str, object] = {name: [asdict(row) for row in rows] for name, rows in named.items()}
        content["grid study"] = asdict(whole) if whole else None
        options.json.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return 1 if disagreements(cells) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small traces only, and no compilation")
    parser.add_argument("--out", type=Path, default=Path("echelon-out/benchmarks.md"), help="the page")
    parser.add_argument("--json", type=Path, help="every single figure")
    return parser.parse_args()


def _chosen(*, quick: bool) -> list[Trace]:
    return [trace for trace in TRACES if trace.quick or not quick]


def _sources(traces: list[Trace], folder: Path) -> tuple[list[tuple[Trace, str]], list[str]]:
    """Return what each trace is read from, and a line for each that this machine lacks."""
    sources, skipped = [], []
    for trace in traces:
        if isinstance(trace.source, Generated):
            path = folder / f"{trace.name}.swf"
            outcome = script("traces.py", "write", trace.name, str(path), limit=120)
            reason = outcome.reason
        else:
            outcome = script("traces.py", "find", trace.source, limit=60)
            path, reason = (outcome.found or {}).get("path"), outcome.reason
        if path and not reason:
            sources.append((trace, str(path)))
        else:
            skipped.append(f"{trace.title} was left out: {reason or 'in no folder of ECHELON_DATA'}.")
    return sources, skipped


def _cell(trace: Trace, source: str, program: str, policy: str) -> Cell:
    cell = measured(trace, source, program, policy)
    shown = f"{cell.seconds:.3f} s" if cell.seconds else cell.outcome.reason
    print(f"{trace.title:10} {program:10} {policy:24.24} {shown}", file=sys.stderr, flush=True)
    return cell


if __name__ == "__main__":
    sys.exit(main())
