"""Draw the figures that the page on figures shows: ``make picture``."""

from __future__ import annotations

import sys
from pathlib import Path

import echelon as ec
from echelon import plotting

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "how-to" / "pictures"
POLICIES = ["fcfs", "easy", "easy:shortest-first", "conservative"]
DAYS = (24_000_000, 24_600_000)
"""A busy week of the log, in seconds."""


def main() -> None:
    """Write a Gantt chart and a distribution of waits among the pictures of the pages."""
    results = ec.compare("kth-sp2", policies=POLICIES).results
    figures = {
        "gantt": plotting.plot_gantt(results[1], color_by="wait", window=DAYS),
        "wait-distribution": plotting.plot_distribution(dict(zip(POLICIES, results, strict=True))),
    }
    for name, axes in figures.items():
        path = FOLDER / f"{name}.png"
        plotting.save_figure(axes.figure, path)
        sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
