"""run_study: all cases of a study in parallel, each once, kept in a folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.errors import Cancelled, InputError, UnknownNameError
from echelon.experiments.study.plan.log_blocks import block_counts
from echelon.experiments.study.plan.search import ListedCases
from echelon.experiments.study.plan.study import Execution, Study
from echelon.experiments.study.store.outline import outline_of, write_outline
from echelon.experiments.study.store.store import Store
from echelon.experiments.study.store.study_record import StudyRecord
from echelon.extras import DASK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.experiments.study.executors.contract import Pool
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome
    from echelon.experiments.study.store.study_record import Progress

Executor: TypeAlias = Literal["processes", "threads", "dask"]
"""Where runs go: processes or threads of this machine, or the workers of a Dask cluster."""

EXECUTORS: tuple[str, ...] = get_args(Executor)


@dataclass(frozen=True, slots=True)
class StudyRun:
    """Outcome of running a study.

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
        runs = [outcome for outcome in self.outcomes if outcome.ending == "done"]
        if not runs:
            return float("nan")
        return (self.seconds * self.workers - sum(outcome.engine_seconds for outcome in runs)) / len(runs)


def run_study(
    study: Study | Sequence[Case],
    out: str | Path | None = None,
    *,
    executor: str | None = None,
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
    out : str or Path, optional
        The folder of the study: made if need be; one that holds runs of the same study is resumed. Default:
        what the study's file says.
    executor : {"processes", "threads", "dask"}, optional
        Processes of this machine ("spawn": a script must guard what it does by
        ``if __name__ == "__main__":``), threads of this process, or the workers of a Dask cluster, which need
        to see `out` and the workloads under the same paths. Default: what the study's file says, else
        processes.
    workers : int, optional
        How many runs at once, >= 1. Default: what the study's file says, else one a processor; of a Dask
        cluster that runs already, as many as it has.
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
        If the folder holds something else or cannot be written, no worker can be had, or there is no case.
    UnknownNameError
        If there is no such executor.
    MissingExtraError
        If Dask is asked for and not installed.
    Cancelled
        If the person interrupts it (Ctrl-C): finished runs are kept, and the same call resumes.

    Notes
    -----
    A run is identified by its input, see `resolved_case.resolve`: one that the folder holds is
    not made again, whatever it was called then, and cases with the same input are one run. Cases
    that failed before are tried again. A combination that no chance enters is run with its first seed alone.
    """
    planned = study if isinstance(study, Study) else Study("", ListedCases(tuple(study)))
    cases, folder, execution = planned.search.first(), planned.out if out is None else out, planned.execution
    if not cases:
        raise InputError("has no run", field="study")
    if folder is None:
        raise InputError("is missing, expected a folder for the runs", field="out")
    if planned.blocks is not None:
        block_counts(cases, planned.blocks)
    chosen = Execution(
        executor or execution.executor,
        execution.workers if workers is None else workers,
        dask or execution.dask,
    )
    _check(chosen)
    store = Store.open(folder, name=planned.name, sync=sync)
    if planned.text:
        store.put_study_file(planned.text)
    outline = outline_of(study) if isinstance(study, Study) else None
    if outline is not None:
        write_outline(outline, store.folder)
    began = perf_counter()
    with _pool(chosen, store) as pool, StudyRecord(store, progress) as record:
        while cases:
            try:
                record.run(cases, pool)
            except KeyboardInterrupt:
                pool.stop()
                raise Cancelled(record.message()) from None
            cases = planned.search.next(record.outcomes)
        store.sweep()
        if outline is not None:  # only now it is known which combinations chance enters
            write_outline(replace(outline, cases=len(record.outcomes)), store.folder)
        return StudyRun(store, tuple(record.outcomes), perf_counter() - began, pool.workers)


def _executor(chosen: Execution) -> str:
    return "dask" if chosen.dask else chosen.executor or "processes"


def _check(chosen: Execution) -> None:
    """Refuse what cannot run anything, before a folder is made for it."""
    executor = _executor(chosen)
    if executor not in EXECUTORS:
        raise UnknownNameError("executor", executor, EXECUTORS)
    if chosen.workers is not None and chosen.workers < 1:
        raise InputError(f"must be at least 1, got {chosen.workers}", field="workers")
    if executor == "dask":
        DASK.load()


def _pool(chosen: Execution, store: Store) -> Pool:
    executor = _executor(chosen)
    # Each is imported where it is used: Dask takes half a second, and may not be there.
    if executor == "dask":
        from echelon.experiments.study.executors.dask import DaskWorkers

        return DaskWorkers(store, chosen.workers, address=chosen.dask)
    if executor == "threads":
        from echelon.experiments.study.executors.threads import Threads

        return Threads(store, chosen.workers)
    from echelon.experiments.study.executors.processes import Processes

    return Processes(store, chosen.workers)
