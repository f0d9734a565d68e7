"""``echelon study run``: run all simulations of a study in parallel, each once."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.study.options import StudyFile, read_design
from echelon.cli.terminal import note, show, show_json
from echelon.errors import Cancelled, InputError
from echelon.quantities import duration, figure, tally

if TYPE_CHECKING:
    from echelon.experiments.study.plan.study import Study
    from echelon.experiments.study.plan.successive_halving import Winner
    from echelon.experiments.study.run.study_run import StudyRun

_Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder for the runs; runs that it already holds are not repeated. Default: as in the file.",
    ),
]
_Workers = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Number of concurrent runs. Default: as in the file, else one per processor."
    ),
]
_Executor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How to execute the runs: processes, threads, dask. Default: as in the file, else processes.",
    ),
]
_Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address of a Dask scheduler, tcp://HOST:PORT, whose workers see the same folders. Default with "
        "--executor dask: a cluster on this machine.",
    ),
]
_Sync = Annotated[
    bool,
    typer.Option(
        "--sync",
        help="Flush each run to disk before it counts as done, against a loss of power. Killed processes "
        "lose no run either way.",
    ),
]
_OnlyCase = Annotated[
    list[str] | None,
    typer.Option(
        "--only-case",
        metavar="AXIS=LABEL",
        help="Run only cases with this label; * and ? are wildcards; may be repeated.",
    ),
]
_Most = Annotated[
    int | None,
    typer.Option("--max", min=1, metavar="N", help="Runs that a study may have. Default: 1,000,000."),
]

_Report = Annotated[
    bool,
    typer.Option(
        "--report/--no-report", help="Make report.html in DIR at the end, or keep the existing one."
    ),
]

_FAILURES = 3
"""The number of failures whose reasons are shown."""


def run(
    context: typer.Context,
    file: StudyFile,
    *,
    out: _Out = None,
    workers: _Workers = None,
    executor: _Executor = None,
    dask: _Dask = None,
    sync: _Sync = False,
    only_case: _OnlyCase = None,
    most: _Most = None,
    report: _Report = True,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run all simulations that a study file describes, or resume a stopped study.

    A finished run is stored in a folder named by its input and is not repeated. The exit code is 1 if some
    runs failed; the next call tries them again.
    """
    from echelon.cli.run_steps import compiling, policy_output_apart
    from echelon.cli.study.progress import StudyProgress
    from echelon.cli.study.report import write_page
    from echelon.experiments.study.plan.search import select_cases
    from echelon.experiments.study.run.study_run import run_study
    from echelon.libraries.lookup import why_not

    study = read_design(file, most)
    study = select_cases(study, only_case) if only_case else study
    folder = _folder(study, out)
    with compiling(study.fixed.get("engine"), quiet=quiet):
        why_not("machine")  # Announced once here, not by every worker.
    progress = StudyProgress(study.name, cases=_count_cases(study), quiet=quiet)
    try:
        with policy_output_apart(), progress:
            done = run_study(
                study, folder, executor=executor, workers=workers, dask=dask, sync=sync, progress=progress
            )
    except Cancelled as stopped:
        note(str(stopped))
        raise
    page = write_page(Path(folder), context.obj["command"]) if report else None
    if json:
        show_json(_as_json(study, done, folder) | {"report": page and str(page)})
    elif not quiet:
        _show(study, done, folder)
        if page is not None:
            show(f"Look at {page}")
    if done.failed:
        raise typer.Exit(1)


def _count_cases(study: "Study") -> int:
    """Return the certain number of cases; there are more if randomness turns out to matter."""
    from echelon.experiments.study.plan.search import AllCases

    search = study.search
    return len(search.first()) if isinstance(search, AllCases) else search.size


def _without_chance(study: "Study", done: "StudyRun") -> int:
    """Return the number of combinations that ran once despite several seeds."""
    return sum(one.chance is False for one in done.outcomes) if len(study.seeds) > 1 else 0


def _folder(study: "Study", out: Path | None) -> str:
    if out is not None:
        return str(out)
    if study.out is None:
        raise InputError(
            "needs a folder for the runs: give --out DIR, or set out in the file", file=study.file
        )
    return study.out


def _as_json(study: "Study", done: "StudyRun", folder: str) -> dict[str, Any]:
    """Return the outcome as values of JSON."""
    return {
        "name": study.name,
        "runs": len(done.outcomes),
        "done": done.count("done"),
        "kept": done.count("kept"),
        "without_chance": _without_chance(study, done),
        "best": [
            {"labels": dict(one.point.labels), "mean": one.mean, "runs": one.runs}
            for one in _winners(study, done)
        ],
        "failed": [
            {"labels": dict(one.case.labels), "settings": dict(one.case.settings), "problem": one.problem}
            for one in done.failed
        ],
        "seconds": done.seconds,
        "workers": done.workers,
        "overhead": done.overhead,
        "out": folder,
    }


def _winners(study: "Study", done: "StudyRun") -> tuple["Winner", ...]:
    """Return the best candidate of each contest of successive halving; empty for other searches."""
    from echelon.experiments.study.plan.successive_halving import SuccessiveHalving

    search = study.search
    return search.winners(done.outcomes) if isinstance(search, SuccessiveHalving) else ()


def _winner_sentence(best: "Winner", study: "Study") -> str:
    from echelon.experiments.study.plan.successive_halving import SuccessiveHalving

    search = study.search
    measure = search.measure if isinstance(search, SuccessiveHalving) else ""
    labels = ", ".join(f"{axis} {label}" for axis, label in best.point.labels.items())
    return f"Best by {measure}: {labels} (mean {figure(best.mean)} of {tally(best.runs, 'run')})"


def _show(study: "Study", done: "StudyRun", folder: str) -> None:
    runs = done.count("done")
    parts = [tally(runs, "run") + " made"] + [
        f"{count:,} {phrase}"
        for count, phrase in ((done.count("kept"), "already there"), (len(done.failed), "failed"))
        if count
    ]
    rate = f", {runs / done.seconds:,.3g} a second" if runs and done.seconds > 0 else ""
    beside = "" if math.isnan(done.overhead) else f"; {duration(done.overhead)} a run of overhead"
    workers = tally(done.workers, "worker")
    show(f"{study.name}: {', '.join(parts)} in {duration(done.seconds)} by {workers}{rate}{beside}.")
    if once := _without_chance(study, done):
        what = "1 combination was" if once == 1 else f"{once:,} combinations were each"
        show(f"{what} run once, not with {len(study.seeds):,} seeds: seeds change nothing here.")
    for one in done.failed[:_FAILURES]:
        labels = ", ".join(f"{axis} {label}" for axis, label in one.case.labels.items())
        show(f"Failed: {labels or 'the run'}: {one.problem}")
    if len(done.failed) > _FAILURES:
        show(f"and {tally(len(done.failed) - _FAILURES, 'other')}, in {Path(folder) / 'log.jsonl'}")
    for best in _winners(study, done):
        show(_winner_sentence(best, study))
    show("", f"Kept in {folder}; look at it: echelon study show {folder}")
