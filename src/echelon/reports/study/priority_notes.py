"""Which queues and partitions had no priority in runs of a study whose rules weigh them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.study.store.stored_run import run_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.experiments.study.results.results import StudyResults

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
