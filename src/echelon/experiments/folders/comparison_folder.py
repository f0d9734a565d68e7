"""Comparison folder: a run folder for each policy, and their metrics side by side."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.experiments.folders.results_folder import refuse_mixing
from echelon.experiments.folders.run_folder import make_folder, write_json, writer_of_run
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.experiments.comparison import Comparison

_LONGEST = 80


def write_comparison(comparison: Comparison, folder: str | Path, runs: Sequence[Mapping[str, Any]]) -> Path:
    """Write a run folder for each policy, ``metrics.csv`` and ``metrics.json`` into `folder`.

    Parameters
    ----------
    comparison : Comparison
        The runs.
    folder : str or Path
        Made if need be; files of these names in it are replaced. It may hold no single run.
    runs : sequence of mapping
        The content of each ``run.json``; see `echelon.experiments.manifest`.

    Returns
    -------
    Path
        The folder. ``metrics.csv`` has a row a policy; ``metrics.json`` maps each policy to its metrics.

    Raises
    ------
    InputError
        If a folder or file cannot be written or the folder holds a single run. If a metric of the user's
        own fails, nothing is written.
    """
    for write in writers_of_comparison(comparison, folder, runs):
        write()
    return Path(folder)


def writers_of_comparison(
    comparison: Comparison, folder: str | Path, runs: Sequence[Mapping[str, Any]]
) -> list[Callable[[], object]]:
    """Make the folders and all tables, and return what writes the files, as `write_comparison` does.

    Each to be called once, in order, in this thread or in another.
    """
    metrics = {result.label: result.metrics for result in comparison.results}
    refuse_mixing(folder, "comparison")
    target = make_folder(folder)
    names = folder_names(result.label for result in comparison.results)
    table = comparison.to_frame()

    def write_metrics() -> None:
        with replacing(target / "metrics.csv") as file:
            table.write_csv(file)
        write_json(target / "metrics.json", metrics)

    each = zip(comparison.results, names, runs, strict=True)
    return [*(writer_of_run(result, target / name, run) for result, name, run in each), write_metrics]


def folder_names(policies: Iterable[str]) -> list[str]:
    """Return a folder name for each policy: letters, digits, ``-_.=``; alike ones are numbered from 2 on."""
    names: list[str] = []
    for spec in policies:
        plain = re.sub(r"[^A-Za-z0-9_.=]+", "-", spec)[-_LONGEST:].strip("-.") or "policy"
        same = sum(name.lower() == plain.lower() for name in names)
        number = 2
        while same and f"{plain}-{number}".lower() in map(str.lower, names):
            number += 1
        names.append(f"{plain}-{number}" if same else plain)
    return names
