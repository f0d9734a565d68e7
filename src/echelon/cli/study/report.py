"""``echelon study report``: make the page of a study from its folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.study.options import (
    CoolDown,
    Folder,
    StyleFile,
    WarmUp,
    note_without_scipy,
    style_of,
)
from echelon.cli.terminal import note, show
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measures",
        metavar="M[,N]",
        help="Metrics to show; `echelon metrics` lists them. Default: those of the study.",
    ),
]
_Pareto = Annotated[
    list[str] | None,
    typer.Option(
        "--pareto",
        metavar="M,N[,O]",
        help="Two or three metrics whose Pareto front is drawn; may be repeated. Default: as in the study, "
        "else its first two measures.",
    ),
]
_Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="Value of an axis that the others are compared with, such as easy. Default: as in the study, "
        "else the first value of each axis.",
    ),
]


def report(
    context: typer.Context,
    folder: Folder,
    *,
    measures: _Measures = None,
    pareto: _Pareto = None,
    baseline: _Baseline = None,
    warm_up: WarmUp = None,
    cool_down: CoolDown = None,
    figures: options.Figures = None,
    style: StyleFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Make DIR/report.html: tables, intervals, tests, curves and Pareto fronts; also while the study runs.

    With --figures every figure is also a file of its own, in the width and font of --style.
    """
    from echelon.cli.run_steps import check_figures

    check_figures(figures, folder)
    if style is not None and figures is None:
        raise InputError("is the style of figures; give --figures pdf|svg|png, too", field="--style")
    left = {"warm_up": warm_up, "cool_down": cool_down}
    names = options.split_names(measures) or None
    fronts = [options.split_names([one]) for one in pareto] if pareto else None
    command = context.obj["command"]
    path = write_page(folder, command, measures=names, fronts=fronts, baseline=baseline, left=left)
    figure_paths = []
    if figures is not None:
        figure_paths = write_figures(folder, figures, style, measures=names, fronts=fronts, left=left)
    if not quiet:
        show(f"{path}")
        if figure_paths:
            show(f"{figure_paths[0].parent}: {', '.join(file.name for file in figure_paths)}")


def write_figures(
    folder: Path,
    kind: str,
    style: Path | None,
    *,
    measures: "Sequence[str] | None",
    fronts: "Sequence[Sequence[str]] | None",
    left: "Mapping[str, float | None]",
) -> list[Path]:
    """Write the figures of a study into their folder and return them; say which failed, and why."""
    from echelon.cli.run_steps import FIGURES
    from echelon.experiments.study.results.stored_results import read_study_results
    from echelon.reports.study.paper.figures import write_study_figures

    results = read_study_results(folder, **left)
    written, missing = write_study_figures(
        results,
        folder / FIGURES,
        kind,
        style=style_of(style, results),
        measures=measures,
        fronts=fronts,
    )
    note_without_scipy(results)
    for sentence in missing:
        note(sentence)
    return written


def write_page(
    folder: Path,
    command: "Sequence[str]",
    *,
    measures: "Sequence[str] | None" = None,
    fronts: "Sequence[Sequence[str]] | None" = None,
    baseline: str | None = None,
    left: "Mapping[str, float | None] | None" = None,
) -> Path:
    """Write the page of a study into its folder and return its path."""
    from echelon.experiments.folders.manifest import without_passwords
    from echelon.experiments.study.results.stored_results import read_study_results
    from echelon.reports.study import study_page, write_study_report

    results = read_study_results(folder, **left or {})
    study_file = folder / "study.toml"
    page = study_page(
        results,
        measures=measures,
        fronts=fronts,
        baseline=baseline,
        file=study_file.read_text(encoding="utf-8", errors="replace") if study_file.is_file() else "",
        command=without_passwords(command),
    )
    return write_study_report(folder, page)
