"""``echelon reproduce all``: run every published study in turn and write one report on them."""

from typing import TYPE_CHECKING, Any

import typer

from echelon.cli.terminal import grid, note, progress, show, show_json
from echelon.errors import EchelonError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from echelon.reproduce import Study


def reproduce_all(
    out: str, settings: "Mapping[str, Any]", run: "Mapping[str, object]", *, json: bool, quiet: bool
) -> None:
    """Run all studies, each with the `settings` that it supports, and write one report into `out`.

    A study that cannot be run, for lack of data or of an extra, is reported and does not stop the others. The
    exit code is then 1, as it is if a figure differs in a study that can be reproduced to the digit.
    """
    from echelon.cli.run_steps import compiling
    from echelon.extras import MATPLOTLIB
    from echelon.reproduce import STUDIES
    from echelon.reproduce.last_verdict import run_timed
    from echelon.reproduce.report.folders import ReproductionsFolder

    MATPLOTLIB.load()  # Each report has figures, so it is written last.
    folder = ReproductionsFolder(out, run)
    bad = False
    for study in STUDIES.values():
        try:
            with progress(quiet=quiet) as step, compiling(None, quiet=quiet):
                reproduction, seconds = run_timed(study, step, study.takes_only(settings))
        except EchelonError as error:
            folder.add_failure(study, str(error))
            note(f"{study.name} could not be run: {error}")
            bad = True
            continue
        folder.add(reproduction, seconds=seconds, settings=study.takes_only(settings))
        bad = bad or (study.to_the_digit and not reproduction.agrees)
        if not (quiet or json):
            _show_verdict(study, reproduction.verdict, seconds)
    _show(folder.digests, folder.files, run, json=json, quiet=quiet)
    if bad:
        raise typer.Exit(1)


def _show_verdict(study: "Study", verdict: str, seconds: float) -> None:
    show(f"{study.name} ({seconds:,.0f} s): {verdict}", "")


def _show(
    digests: "Sequence[Mapping[str, Any]]",
    written: "Sequence[Path]",
    run: "Mapping[str, object]",
    *,
    json: bool,
    quiet: bool,
) -> None:
    from echelon.reproduce.report.digest import claim_counts, run_summary
    from echelon.reproduce.report.pages import figure_share

    if json:
        show_json({"studies": list(digests), **run, "files": [str(path) for path in written]})
    elif not quiet:
        rows = [
            (
                str(one["name"]),
                figure_share(one),
                *(str(count) for count in claim_counts(one)),
                run_summary(one),
            )
            for one in digests
        ]
        heads = (
            "Study",
            "Figures as printed",
            "Claims hold",
            "in part",
            "do not",
            "not decided",
            "not testable",
            "Took",
        )
        show("", grid(heads, rows, numbers=range(2, len(heads))), "", f"Look at {written[-1]}")
