"""Record of a study while it runs: outcomes in the order of the cases, its log and its failures kept up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeAlias

from echelon.experiments.study.run.dispatch import outcomes_of
from echelon.experiments.study.store.log import Log, read_log

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from echelon.experiments.study.executors.contract import Pool
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Ending, Outcome
    from echelon.experiments.study.store.store import Store

    Progress: TypeAlias = Callable[[Outcome, int], None]


class StudyRecord:
    """The outcomes of cases so far, for the log, the screen and the search; a context manager.

    Parameters
    ----------
    store : Store
        Whose log and failures are kept up.
    progress : callable, optional
        Called after each case with its outcome and the number of cases known so far.
    """

    def __init__(self, store: Store, progress: Progress | None) -> None:
        self.outcomes: list[Outcome] = []
        self._store, self._progress = store, progress
        path = store.folder / "log.jsonl"
        self._endings = {_place(entry.case): (entry.key, entry.ending) for entry in read_log(path)}
        self._log = Log(path)
        self._failed_before = store.failures().keys()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close the log."""
        self._log.close()

    def run(self, cases: Sequence[Case], pool: Pool) -> None:
        """Run cases, those with the same settings once, and add their outcomes in the order of the cases."""
        same: dict[str, list[int]] = {}
        for place, case in enumerate(cases):
            same.setdefault(case.spec, []).append(place)
        outcomes: dict[int, Outcome] = {}
        total = len(self.outcomes) + len(cases)
        for outcome in outcomes_of(pool, [cases[places[0]] for places in same.values()]):
            for place in same[outcome.case.spec]:
                outcomes[place] = _outcome_of(cases[place], outcome)
                self._add(outcomes[place], total)
        self.outcomes += [outcomes[place] for place in range(len(cases))]

    def message(self) -> str:
        """Return how far it has come, for who stopped it."""
        return (
            f"stopped; finished runs are kept in {self._store.folder}; run the same command again to resume"
        )

    def _add(self, outcome: Outcome, total: int) -> None:
        self._note(outcome)
        if outcome.ending == "failed":
            self._store.put_failure(outcome)
        elif self._store.failure_name(outcome.case) in self._failed_before:
            self._store.drop_failure(outcome.case)
        if self._progress is not None:
            self._progress(outcome, total)

    def _note(self, outcome: Outcome) -> None:
        """Add the outcome to the log, unless it was only found as the log has it already."""
        key, ending = self._endings.get(_place(outcome.case), ("", "failed"))
        if outcome.ending != "kept" or ending == "failed" or key != outcome.key:
            self._log.add(outcome)


def _place(case: Case) -> str:
    return f"{case.spec} {json.dumps(dict(case.labels), sort_keys=True)}"


def _outcome_of(case: Case, outcome: Outcome) -> Outcome:
    """Return the outcome of a case that has the settings of the one that was run."""
    if case is outcome.case:
        return outcome
    ending: Ending = "kept" if outcome.ending == "done" else outcome.ending
    return replace(outcome, case=case, ending=ending, seconds=0.0, engine_seconds=0.0)
