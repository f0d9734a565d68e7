"""Labels that tell runs of several folders apart, by what differs between them."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.experiments.settings.table import SETTINGS
from echelon.reports.run_names import number_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables

_ALWAYS = ("workload", "platform", "processors", "seed")
"""What is said of every run where it differs, unless those before it settle it."""


def distinct_labels(runs: Sequence[RunTables], folders: Sequence[str]) -> list[str]:
    """Return a label for each run, all of them different.

    A label is that of the run itself, ``easy`` or ``mct + easy``, after what differs among the runs:
    ``workload=kth-sp2 seed=2 + easy``. Where two are still called the same, other settings follow that differ
    among them, and at last the folder.

    Parameters
    ----------
    runs : sequence of RunTables
        In the order of the page.
    folders : sequence of str, of the same length
        The folder that each came from.

    Notes
    -----
    Cost: O(n) for n runs, for each setting.
    """
    settings: list[list[str]] = [[] for _ in runs]
    settled: list[tuple[str, ...]] = [() for _ in runs]
    for key in _ALWAYS:
        values = [_word(run, key) for run in runs]
        if _varies(values, settled):
            _add(settings, runs, key, values, range(len(runs)))
            settled = [(*row, value) for row, value in zip(settled, values, strict=True)]
    for key in (one.name for one in SETTINGS if one.name not in _ALWAYS):
        for group in _group_alike(_join_labels(runs, settings)):
            values = [_word(runs[place], key) for place in group]
            if len(set(values)) > 1:
                _add(settings, runs, key, values, group)
    for group in _group_alike(_join_labels(runs, settings)):
        for place, name in zip(group, _shorten([folders[place] for place in group]), strict=True):
            settings[place].append(f"folder={name}")
    return number_names(_join_labels(runs, settings))


def _word(run: RunTables, key: str) -> str:
    value = run.run.get(key)
    if key == "platform":
        return str(value.get("name") or "") if isinstance(value, dict) else ""
    if key == "processors" and _word(run, "platform"):
        return ""  # which the platform settles
    return str(value) if isinstance(value, str | int | float) else ""


def _varies(values: Sequence[str], settled: Sequence[tuple[str, ...]]) -> bool:
    """Return whether values differ among runs that are alike in all that was said so far."""
    return len(set(zip(settled, values, strict=True))) > len(set(settled))


def _add(
    settings: list[list[str]], runs: Sequence[RunTables], key: str, values: Sequence[str], at: Sequence[int]
) -> None:
    """Add a setting to those of runs whose own labels do not name it."""
    for place, value in zip(at, values, strict=True):
        own = runs[place].label.replace("+", " ").split()
        if value and not any(part.startswith(f"{key}=") for part in own):
            settings[place].append(f"{key}={value}")


def _group_alike(labels: Sequence[str]) -> list[list[int]]:
    """Return the places of runs that are called the same, group by group."""
    places = defaultdict(list)
    for place, label in enumerate(labels):
        places[label].append(place)
    return [group for group in places.values() if len(group) > 1]


def _join_labels(runs: Sequence[RunTables], settings: Sequence[Sequence[str]]) -> list[str]:
    return [_label(run.label, parts) for run, parts in zip(runs, settings, strict=True)]


def _label(label: str, settings: Sequence[str]) -> str:
    """Return settings before a label: among those that begin it already, if any do."""
    first, joint, _ = label.partition(" + ")
    varied = bool(joint) and all("=" in part for part in first.split())
    return (" " if varied else " + ").join(filter(None, (" ".join(settings), label)))


def _shorten(folders: Sequence[str]) -> list[str]:
    """Return as many of the last parts of paths as it takes to tell them apart."""
    parts = [Path(os.path.abspath(folder)).parts for folder in folders]  # noqa: PTH100 (links stay as named)
    for count in range(1, max(map(len, parts))):
        names = ["/".join(path[-count:]) for path in parts]
        if len(set(names)) == len(set(parts)):
            return names
    return ["/".join(path) for path in parts]
