"""``echelon report``: make the page of finished runs again, or one page of several folders."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared as options

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
    from echelon.cli.terminal import show
    from echelon.errors import InputError
    from echelon.reports.side_by_side.folders import read_folders

    if out is None and len(folders) > 1:
        raise InputError("is missing: several folders need one for their page, give --out OUT", field="--out")
    target = folders[0] if out is None else out
    check_figures(figures, target)
    found = read_folders(folders, timezone=timezone)
    written = _written(found, target, is_apart=out is not None)
    drawn = figure_files(found.runs, target, figures) if figures is not None else []
    if not quiet:
        show(*written)
        if drawn:
            show(f"{drawn[0].parent}: {', '.join(file.name for file in drawn)}")


def _written(found: "RunsBeside", target: Path, *, is_apart: bool) -> list[str]:
    """Write the page, and beside it the table if it has a folder of its own; return what to say of them."""
    from echelon.quantities import counted
    from echelon.reports import write_report
    from echelon.reports.run_names import run_labels

    if not is_apart:
        page = write_report(found.runs, target / "report.html")
        return [f"{page}: {', '.join(run.label for run in found.runs)}"]
    from echelon.reports.side_by_side.report import write_beside

    page = write_beside(found, target)
    return [
        f"{page}: {', '.join(run_labels(found.runs))}",
        f"{target / 'metrics.csv'}: {counted(len(found.runs), 'run')}",
        *found.sentences,
    ]
