"""run_study: all cases of a study in parallel, each once, kept in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias, get_args

from echelon.errors import Cancelled, InputError, UnknownNameError
from echelon.experiments.study.dispatch import outcomes_of
from echelon.experiments.study.log import Log
from echelon.experiments.study.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from echelon.experiments.study.case import Case
    from echelon.experiments.study.executors.contract import Pool
    from echelon.experiments.study.outcome import Ending, Outcome

    Progress: TypeAlias = Callable[[Outcome, int], None]

Executor: TypeAlias = Literal["processes", "threads", "dask"]
"""Where runs go: processes or threads of this machine, or the workers of a Dask cluster."""

EXECUTORS: tuple[str, ...] = get_args(Executor)


class Searched(Protocol):
    """A study, as far as running it goes."""

    name: str
    text: str
    search: Any


@dataclass(frozen=True, slots=True)
class StudyRun:
    """What came of running a study.

    Parameters
    ----------
    store : Store
        Where its runs are.
    outcomes : tuple of Outcome
        One a case, in the order of the cases.
    seconds : float
        Wall-clock time of it all, in seconds.
    workers : int
        How many worked at once.
    """

    store: Store
    outcomes: tuple[Outcome, ...]
    seconds: float
    workers: int

    def count(self, ending: str) -> int:
        """Return how many cases came to this end."""
        return sum(outcome.ending == ending for outcome in self.outcomes)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The outcomes of those that could not be run."""
        return tuple(outcome for outcome in self.outcomes if outcome.ending == "failed")

    @property
    def busy_share(self) -> float:
        """Share of the workers' time in which they had a case in hand, 0 to 1."""
        busy = sum(outcome.seconds for outcome in self.outcomes)
        return min(1.0, busy / (self.seconds * self.workers)) if self.seconds > 0 else 0.0

    @property
    def overhead(self) -> float:
        """Wall-clock time of a worker beside the engine for each run made now, in seconds; NaN if none was.

        Reading, resolving, measuring, writing, and waiting for work.
        """
        made = [outcome for outcome in self.outcomes if outcome.ending == "done"]
        if not made:
            return float("nan")
        return (self.seconds * self.workers - sum(outcome.engine_seconds for outcome in made)) / len(made)


def run_study(
    study: Searched | Sequence[Case],
    out: str | Path,
    *,
    executor: str = "processes",
    workers: int | None = None,
    dask: str | None = None,
    sync: bool = False,
    progress: Progress | None = None,
) -> StudyRun:
    """Run every case of a study that its folder does not hold yet, in parallel.

    Parameters
    ----------
    study : Study or sequence of Case
        What to run.
    out : str or Path
        The folder of the study: made if need be; one that holds runs of the same study is gone on with.
    executor : {"processes", "threads", "dask"}, default "processes"
        Processes of this machine ("spawn": a script must guard what it does by
        ``if __name__ == "__main__":``), threads of this process, or the workers of a Dask cluster, which need
        to see `out` and the workloads under the same paths.
    workers : int, optional
        How many runs at once, >= 1. Default: one a processor; of a Dask cluster that runs already, as many as
        it has.
    dask : str, optional
        Address of a Dask scheduler, ``"tcp://host:8786"``; implies ``executor="dask"``. Default: a cluster on
        this machine, as long as the study runs.
    sync : bool, default False
        Whether each run is on the disk before it counts as there, for a loss of power; killed processes do no
        harm either way.
    progress : callable, optional
        Called after each case with its outcome and the number of cases known so far.

    Returns
    -------
    StudyRun
        Outcomes in the order of the cases. Cases that could not be run are among them, with the reason.

    Raises
    ------
    InputError
        If the folder holds something else or can not be written, no worker can be had, or there is no case.
    UnknownNameError
        If there is no such executor.
    MissingExtraError
        If Dask is asked for and not installed.
    Cancelled
        If the person interrupts it (Ctrl-C): what is done is kept, and the same call goes on from there.

    Notes
    -----
    A run is identified by its input, see `echelon.experiments.study.resolved.resolve`: one that the folder
    holds is not made again, whatever it was called then, and cases with the same input are one run. Cases
    that failed before are tried again.
    """
    cases = tuple(study) if isinstance(study, Sequence) else study.search.first()
    if not cases:
        raise InputError("has no case to run", field="study")
    store = Store.opened(out, name=getattr(study, "name", ""), sync=sync)
    if text := getattr(study, "text", ""):
        store.put_study_file(text)
    began = perf_counter()
    with _Record(store, progress) as record, _pool(executor, store, workers, dask) as pool:
        while cases:
            try:
                record.run(cases, pool)
            except KeyboardInterrupt:
                pool.stop()
                raise Cancelled(record.told()) from None
            cases = () if isinstance(study, Sequence) else study.search.next(record.outcomes)
        store.sweep()
        return StudyRun(store, tuple(record.outcomes), perf_counter() - began, pool.workers)


def _pool(executor: str, store: Store, workers: int | None, dask: str | None) -> Pool:
    if executor not in EXECUTORS:
        raise UnknownNameError("executor", executor, EXECUTORS)
    if workers is not None and workers < 1:
        raise InputError(f"must be at least 1, got {workers}", field="workers")
    # Each is imported where it is used: Dask takes half a second, and may not be there.
    if dask is not None or executor == "dask":
        raise InputError("dask is not there yet")
    if executor == "threads":
        from echelon.experiments.study.executors.threads import Threads

        return Threads(store, workers)
    from echelon.experiments.study.executors.processes import Processes

    return Processes(store, workers)


class _Record:
    """What has become of cases so far: for the log, for the person, and for the search."""

    def __init__(self, store: Store, progress: Progress | None) -> None:
        self.outcomes: list[Outcome] = []
        self._store, self._progress = store, progress
        self._log = Log(store.folder / "log.jsonl")
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
            same.setdefault(case.words, []).append(place)
        found: dict[int, Outcome] = {}
        known = len(self.outcomes) + len(cases)
        for outcome in outcomes_of(pool, [cases[places[0]] for places in same.values()]):
            for place in same[outcome.case.words]:
                found[place] = _of(cases[place], outcome)
                self._add(found[place], known)
        self.outcomes += [found[place] for place in range(len(cases))]

    def told(self) -> str:
        """Return how far it has come, for who stopped it."""
        return (
            f"stopped by the person; the runs that are done are kept in {self._store.folder}, and the same "
            "command goes on from there"
        )

    def _add(self, outcome: Outcome, known: int) -> None:
        self._log.add(outcome)
        if outcome.ending == "failed":
            self._store.put_failure(outcome)
        elif self._store.failure_name(outcome.case) in self._failed_before:
            self._store.drop_failure(outcome.case)
        if self._progress is not None:
            self._progress(outcome, known)


def _of(case: Case, outcome: Outcome) -> Outcome:
    """Return the outcome of a case that has the settings of the one that was run."""
    if case is outcome.case:
        return outcome
    ending: Ending = "kept" if outcome.ending == "done" else outcome.ending
    return replace(outcome, case=case, ending=ending, seconds=0.0, engine_seconds=0.0)
