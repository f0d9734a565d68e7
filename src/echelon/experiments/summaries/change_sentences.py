"""Sentences on what changed of a machine during a run, and on what nothing models of what was given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments.changes.planned_changes import change_settings, is_endless, not_modelled
from echelon.experiments.summaries.change_notes import change_notes
from echelon.model import JobStatus
from echelon.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.result import Result
    from echelon.model import Schedule

_ENDINGS = {
    JobStatus.FAILED_NODE: "failed with a node",
    JobStatus.CANCELED_RUNNING: "canceled while running",
    JobStatus.CANCELED_WAITING: "canceled while waiting again",
    JobStatus.DEADLINE: "past a deadline",
    JobStatus.HELD: "held",
    JobStatus.EVICTED: "evicted",
    JobStatus.UNFINISHED: "unfinished",
}
"""How jobs that started may end without having completed or reached their limits."""

_LONGEST = 80
"""Letters of a value that a sentence shows."""


def change_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on what changed of the machine in all runs alike; none where nothing did."""
    settings = [change_settings(result.scenario) for result in results]
    same = {
        name: value for name, value in settings[0].items() if all(one.get(name) == value for one in settings)
    }
    if not same:
        return []
    parts = [f"{name.replace('_', ' ')} {_shown(value)}" for name, value in same.items()]
    counts = {_counts(result) for result in results}
    many = f" ({counts.pop()})" if len(counts) == 1 and "" not in counts else ""
    return [f"The machine changed over time: {', '.join(parts)}{many}."]


def ending_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on the jobs of each run that started and did not complete; none where all did."""
    sentences = []
    for result in results:
        if counts := _not_completed(result.schedule):
            where = f" in {result.label}" if len(results) > 1 else ""
            sentences.append(f"Did not complete{where}: {', '.join(counts)}.")
    return sentences


def _not_completed(schedule: Schedule) -> list[str]:
    """Return how many jobs ended in each way of `_ENDINGS`, as clauses."""
    if schedule.status is None:
        return []
    counts = np.bincount(schedule.status, minlength=len(JobStatus))
    return [f"{counts[status]} {how}" for status, how in _ENDINGS.items() if counts[status]]


def sentences_on_the_rest(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each thing that files of outages and reservations carry and nothing models.

    Then one on whatever else is to be known of them.
    """
    left = (clause for result in results for clause in not_modelled(result.scenario))
    notes = (clause for result in results for clause in change_notes(result))
    return [*(f"not modelled: {clause}" for clause in dict.fromkeys(left)), *dict.fromkeys(notes)]


def _shown(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if text.startswith("[{") or (text.startswith('["') and text.endswith("]")):
        # Tables of a scenario, perhaps after files: the words of both are JSON.
        content = json.loads(text)
        parts = content if isinstance(content, list) else [content]
        files = [str(one) for one in parts if not isinstance(one, dict)]
        text = " and ".join([*files, counted(len(parts) - len(files), "table")])
    # What follows the name of a file is at the end.
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


def _counts(result: Result) -> str:
    """Return how many outages and reservations there are; nothing where they have no natural end."""
    changes = result.scenario.changes
    if is_endless(result.scenario):
        return ""
    words = [counted(len(changes.outages), "outage")] if len(changes.outages) else []
    if changes.reservations:
        words.append(counted(len(changes.reservations), "reservation"))
    return ", ".join(words) or "nothing in the time of the run"
