"""``echelon study table`` and ``export``: means with intervals, or all runs or jobs, as a file."""

from pathlib import Path
from typing import Annotated

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
from echelon.errors import InputError, UnknownNameError
from echelon.quantities import tally

_File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="The file to write, ending in .csv, .md or .tex; a file of that name is replaced. Default: "
        "standard output.",
    ),
]
_By = Annotated[
    str | None,
    typer.Option(
        metavar="AXIS[,AXIS]",
        help="The axes of the rows: one row for each combination of their values. Default: the axes that "
        "determine the scheduling.",
    ),
]
_Across = Annotated[
    str | None,
    typer.Option(metavar="AXIS", help="A further axis: one column for each of its values and each metric."),
]
_Measure = Annotated[
    list[str] | None,
    typer.Option("--measure", metavar="M[,N]", help="Metrics, as `echelon metrics`. Default: the study's."),
]
_Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="csv|markdown|latex",
        parser=str.lower,
        help="Format of the table. Default: by the ending of FILE, else markdown.",
    ),
]

_ENDINGS = {".csv": "csv", ".md": "markdown", ".tex": "latex"}
"""Formats by the ending of a file."""


def table(
    folder: Folder,
    file: _File = None,
    *,
    by: _By = None,
    across: _Across = None,
    measure: _Measure = None,
    format_: _Format = None,
    style: StyleFile = None,
    warm_up: WarmUp = None,
    cool_down: CoolDown = None,
    quiet: options.Quiet = False,
) -> None:
    """Write means with intervals of the study in DIR as a table for a paper; also while the study runs.

    Columns are metrics, or with --across the values of an axis. LaTeX needs booktabs and siunitx.
    """
    import sys

    from echelon.experiments.study.results.stored_results import read_study_results
    from echelon.reports.study.paper.means_table import study_table
    from echelon.workloads.files.atomic import replacing

    kind = _kind(format_, file)
    results = read_study_results(folder, warm_up=warm_up, cool_down=cool_down)
    means_table = study_table(
        results,
        by=None if by is None else options.split_names([by]),
        across=across,
        measures=options.split_names(measure) or None,
        style=style_of(style, results),
    )
    text = {"csv": means_table.to_csv, "markdown": means_table.to_markdown, "latex": means_table.to_latex}[
        kind
    ]()
    if not quiet:
        note_without_scipy(results)
    if not quiet and results.failures:
        note(f"{tally(len(results.failures), 'failed run')} left out of the means")
    if not quiet and results.pace is not None and results.pace.left:
        note(f"the study is not finished: {tally(results.pace.left, 'run')} missing from the means")
    if file is None:
        sys.stdout.write(text)
        return
    with replacing(file) as written:
        written.write(text.encode())
    if not quiet:
        show(f"{file}: {tally(len(means_table.rows), 'row')}")


def _kind(name: str | None, file: Path | None) -> str:
    """Return the format that is asked for, or that the ending of the file names."""
    formats = tuple(_ENDINGS.values())
    if name is not None:
        if name not in formats:
            raise UnknownNameError("table format", name, formats)
        return name
    if file is None:
        return "markdown"
    if file.suffix.lower() not in _ENDINGS:
        raise InputError(
            f"must end in {', '.join(_ENDINGS)}, or give --format {'|'.join(formats)}", file=str(file)
        )
    return _ENDINGS[file.suffix.lower()]


_RunsFile = Annotated[Path, typer.Argument(metavar="FILE", help="File to write, ending in .csv or .parquet.")]
_Jobs = Annotated[
    bool,
    typer.Option(
        "--jobs",
        help="Write one row per job of every run instead of one row per run; .parquet is better for this.",
    ),
]


def export(folder: Folder, file: _RunsFile, *, jobs: _Jobs = False, quiet: options.Quiet = False) -> None:
    """Export the runs of the study in DIR as one table: axes, settings, all metrics; also while it runs."""
    from echelon.experiments.study.results.export import export_jobs, export_runs

    if not (folder / "study.json").is_file():
        raise InputError("is not a study folder: it has no study.json", file=str(folder))
    rows = (export_jobs if jobs else export_runs)(folder, file)
    if not quiet:
        show(f"{file}: {tally(rows, 'job' if jobs else 'run')}")
