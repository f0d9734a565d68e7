"""What the runs of a study left out: jobs of their workloads, and priorities that were not given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.experiments.study.file.settings import PROBLEM
from echelon.experiments.study.store.stored_run import run_in
from echelon.quantities import series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.experiments.study.results.results import StudyResults
    from echelon.experiments.study.store.stored_run import StoredRun

MOST_NAMED = 12
"""Workloads that have a sentence each."""


def dropped_notes(results: StudyResults) -> list[str]:
    """Return a sentence for each workload of which jobs were left out, with the reasons.

    Read is the first run of each problem: what is left out of a workload does not depend on how its jobs are
    scheduled, unless the machine changes.
    """
    read: dict[str, int] = {}
    counts: dict[str, dict[str, set[int]]] = {}
    for run in _first_runs(results):
        manifest = run.manifest
        name = str(manifest.get("workload"))
        try:
            read[name] = max(read.get(name, 0), int(manifest.get("jobs_read", 0)))
            for drop in manifest.get("dropped", ()):
                counts.setdefault(name, {}).setdefault(str(drop["reason"]), set()).add(int(drop["count"]))
        except (KeyError, TypeError, ValueError) as error:
            raise run.error_of(
                "manifest.json", "what it says of dropped jobs is no list of counts"
            ) from error
    notes = [_sentence(name, read[name], reasons) for name, reasons in counts.items()]
    if (more := len(notes) - MOST_NAMED) > 0:
        notes = [*notes[:MOST_NAMED], f"Jobs of {more:,} more workloads are left out, too."]
    return notes


def _sentence(name: str, read: int, reasons: dict[str, set[int]]) -> str:
    texts = [
        f"{'up to ' if len(counts) > 1 else ''}{max(counts):,} with {reason}"
        for reason, counts in reasons.items()
    ]
    return f"Not simulated of the {read:,} jobs of {name}: {series(texts)}."


def _first_runs(results: StudyResults) -> Iterator[StoredRun]:
    """Yield the first run of each problem."""
    if results.folder is None:
        return
    names = [*PROBLEM, *results.outline.problem, *results.replicated]
    columns = list(dict.fromkeys(name for name in names if name in results.runs.columns))
    seen: set[tuple[Any, ...]] = set()
    for row in results.runs.iter_rows(named=True):
        problem = tuple(row[name] for name in columns)
        if problem not in seen:
            seen.add(problem)
            yield run_in(results.folder, row["key"])


_WEIGHING = ("multifactor", "preemptive-priority", ".py:")
"""What is in the settings of runs whose rules may ask for priorities: names of built-in ones, or a file."""


def priority_notes(results: StudyResults) -> list[str]:
    """Return each sentence that runs of a study say on priorities which were not given, once."""
    return list(dict.fromkeys(_sentences(results)))


def _sentences(results: StudyResults) -> Iterator[str]:
    if results.folder is None:
        return
    for row in results.runs.iter_rows(named=True):
        # Other runs have nothing to say: of a large study not every manifest is read.
        if any(isinstance(value, str) and any(name in value for name in _WEIGHING) for value in row.values()):
            yield from run_in(results.folder, row["key"]).manifest.get("priorities", ())
