"""``echelon report``: make the page of a finished run again."""

from pathlib import Path
from typing import Annotated

import typer

from echelon.cli.options import shared as options

_Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder that run or compare wrote with --out.")
]


def report(
    folder: _Folder,
    *,
    timezone: options.TimeZone = None,
    figures: options.Figures = None,
    quiet: options.Quiet = False,
) -> None:
    """Make DIR/report.html again from the files of a run or a comparison, with figure files if wanted."""
    from echelon.cli.run_steps import check_figures, figure_files
    from echelon.cli.terminal import show
    from echelon.reports import write_report
    from echelon.reports.folder import read_folder

    check_figures(figures, folder)
    runs = read_folder(folder, timezone=timezone)
    page = write_report(runs, folder / "report.html")
    drawn = figure_files(runs, folder, figures) if figures is not None else []
    if not quiet:
        show(f"{page}: {', '.join(run.label for run in runs)}")
        if drawn:
            show(f"{drawn[0].parent}: {', '.join(file.name for file in drawn)}")
