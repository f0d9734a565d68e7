"""Runner: one case in, its run in the store, its outcome out."""

from __future__ import annotations

import traceback
from contextlib import ExitStack
from time import perf_counter
from typing import TYPE_CHECKING

from echelon.errors import Cancelled, EchelonError
from echelon.experiments.simulation import run_scenario
from echelon.experiments.study.run.outcome import Outcome
from echelon.experiments.study.run.resolved_case import resolve
from echelon.experiments.study.run.workload_spec import has_draws
from echelon.experiments.study.store.run_files import files_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.resolved_case import Resolved
    from echelon.experiments.study.store.store import Store
    from echelon.experiments.study.store.stored_run import StoredRun


def run_case(case: Case, store: Store) -> Outcome:
    """Run a case unless the store holds its run, and keep it there.

    Parameters
    ----------
    case : Case
        What to run.
    store : Store
        Where runs are kept.

    Returns
    -------
    Outcome
        ``kept`` if the run existed or another process made it meanwhile, ``done`` if it is there now,
        ``failed`` with the sentence that says why if it cannot be run; then the store is as it was.

    Raises
    ------
    StoreError
        If the store cannot be written.
    Cancelled
        If the person interrupts it.

    Notes
    -----
    Cost: the simulation's, and for 5,000 jobs about 4 ms beside it; see benchmarks/studies.py.
    """
    began = perf_counter()
    key = ""
    with ExitStack() as held:
        try:
            resolved = resolve(case)
            key = resolved.key
            if not store.has(key):
                # A case with other specs may be the same run, which another worker may have in hand.
                held.enter_context(store.making(key))
            if store.has(key):
                return _outcome_of_kept(case, resolved, store.read(key), began)
            result = run_scenario(resolved.scenario, engine=resolved.engine, metrics=resolved.metrics)
            files = files_of(case, resolved, result, perf_counter() - began)
        except Cancelled:
            raise
        except EchelonError as error:
            return Outcome(case, key, "failed", {}, str(error), perf_counter() - began)
        except (Exception, SystemExit) as error:  # one case must not end the study
            return Outcome(case, key, "failed", {}, _message(error), perf_counter() - began)
        is_new = store.put(key, files)
    return Outcome(
        case,
        key,
        "done" if is_new else "kept",
        result.metrics,
        seconds=perf_counter() - began,
        engine_seconds=result.seconds,
        chance=_chance(case, resolved, result.random_streams),
    )


def _outcome_of_kept(case: Case, resolved: Resolved, run: StoredRun, began: float) -> Outcome:
    """Return the outcome of a case whose run is there."""
    chance = _chance(case, resolved, run.manifest.get("random_streams"))
    return Outcome(case, run.key, "kept", run.metrics, seconds=perf_counter() - began, chance=chance)


def _chance(case: Case, resolved: Resolved, streams: Sequence[str] | None) -> bool | None:
    """Return whether another seed would give another run, by the streams that jobs and run were drawn from.

    None if those of the run are not known: earlier releases did not record them.
    """
    is_seeded = has_draws(case.settings) if case.is_seeded is None else case.is_seeded
    if is_seeded and resolved.streams:
        return True
    return None if streams is None else bool(streams)


def _message(error: BaseException) -> str:
    """Return one sentence on an unexpected error, with the place where it arose."""
    if isinstance(error, MemoryError):
        return "ran out of memory"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"failed inside: {type(error).__name__}: {error}{place}"
