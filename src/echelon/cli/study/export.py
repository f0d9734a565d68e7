"""``echelon study export``: export the runs of a study, or all their jobs, as one table."""

from pathlib import Path
from typing import Annotated

import typer

from echelon.cli.options import shared as options
from echelon.cli.study.options import Folder

_File = Annotated[Path, typer.Argument(metavar="FILE", help="File to write, ending in .csv or .parquet.")]
_Jobs = Annotated[
    bool,
    typer.Option(
        "--jobs",
        help="Write one row per job of every run instead of one row per run; .parquet is better for this.",
    ),
]


def export(folder: Folder, file: _File, *, jobs: _Jobs = False, quiet: options.Quiet = False) -> None:
    """Export the runs of the study in DIR as one table: axes, settings, all metrics; also while it runs."""
    from echelon.cli.terminal import show
    from echelon.errors import InputError
    from echelon.experiments.study.results.export import export_jobs, export_runs
    from echelon.quantities import counted

    if not (folder / "study.json").is_file():
        raise InputError("is not a study folder: it has no study.json", file=str(folder))
    rows = (export_jobs if jobs else export_runs)(folder, file)
    if not quiet:
        show(f"{file}: {counted(rows, 'job' if jobs else 'run')}")
