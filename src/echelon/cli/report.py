"""``echelon report``: make the page of finished runs again, or one page of several folders."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import show
from echelon.errors import InputError
from echelon.quantities import tally

if TYPE_CHECKING:
    from echelon.reports.side_by_side.folders import RunsBeside

_Folders = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...",
        help="The folder that run or compare wrote with --out. Runs of several folders are set side by side, "
        "also those of different workloads.",
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        parser=options.named_folder,
        metavar="OUT",
        help="The folder for report.html and metrics.csv; needed with several folders. Default: DIR, for "
        "report.html alone.",
    ),
]


def report(
    folders: _Folders,
    *,
    out: _Out = None,
    timezone: options.TimeZone = None,
    figures: options.Figures = None,
    quiet: options.Quiet = False,
) -> None:
    """Make DIR/report.html again from the files of a run or a comparison, with figure files if wanted.

    With several folders, or with --out, one page and one table of all their runs are made in OUT.
    """
    from echelon.cli.run_steps import check_figures, figure_files
    from echelon.reports.side_by_side.folders import read_folders

    if out is None and len(folders) > 1:
        raise InputError("is missing: several folders need one for their page, give --out OUT", field="--out")
    target = folders[0] if out is None else out
    check_figures(figures, target)
    comparison = read_folders(folders, timezone=timezone)
    written = _write_page(comparison, target, is_apart=out is not None)
    figure_paths = figure_files(comparison.runs, target, figures) if figures is not None else []
    if not quiet:
        show(*written)
        if figure_paths:
            show(f"{figure_paths[0].parent}: {', '.join(file.name for file in figure_paths)}")


def _write_page(comparison: "RunsBeside", target: Path, *, is_apart: bool) -> list[str]:
    """Write the page, and beside it the table if it has a folder of its own; return what to say of them."""
    from echelon.reports import write_report
    from echelon.reports.run_names import run_labels

    if not is_apart:
        page = write_report(comparison.runs, target / "report.html")
        return [f"{page}: {', '.join(run.label for run in comparison.runs)}"]
    from echelon.reports.side_by_side.report import write_beside

    page = write_beside(comparison, target)
    return [
        f"{page}: {', '.join(run_labels(comparison.runs))}",
        f"{target / 'metrics.csv'}: {tally(len(comparison.runs), 'run')}",
        *comparison.sentences,
    ]
