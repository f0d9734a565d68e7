"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer


def workloads() -> list[str]:
    """Return the names of the data sets, and of the models that draw jobs, for completion in a shell."""
    from echelon.workloads import DATASETS, MODELS

    return [*DATASETS, *MODELS.names]


def named_folder(text: str) -> Path:
    """Return the folder; an empty name, which would mean the current folder, is an error."""
    if not text.strip():
        raise typer.BadParameter("needs the name of a folder, got an empty one")
    return Path(text)


def split_names(texts: list[str] | None) -> list[str]:
    """Return the names given to an option, joined by commas or repeated."""
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]


def show_help(context: typer.Context) -> None:
    """Show the help if no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


Source: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD",
        help="A workload file, - for standard input, or the name of a data set.",
        autocompletion=workloads,
    ),
]
ScenarioSource: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="WORKLOAD|SCENARIO.toml",
        help="A workload (file, - or data set) or a scenario file.",
        autocompletion=workloads,
    ),
]
ScenarioSources: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="WORKLOAD...|SCENARIO.toml",
        help="Workloads (files, - or data sets), or a scenario file.",
        autocompletion=workloads,
    ),
]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Format of WORKLOAD. Default: by its ending, else by its content."),
]
TimeZone: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        help="Time zone in which dates are read and shown, such as Europe/Madrid. Default: that of the log, "
        "else UTC.",
    ),
]
ShownTimeZone: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        help="Time zone in which dates are read and shown, such as Europe/Madrid. Default: that of this "
        "system.",
    ),
]
Processors: TypeAlias = Annotated[
    int | None,
    typer.Option("--processors", metavar="N", help="Processors of the machine. Default: as in the log."),
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of all random choices. Default: 0.")
]
Strict: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--strict/--drop-invalid",
        help="Reject a log with jobs that cannot be simulated, or drop and count these jobs (default).",
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", parser=named_folder, help="Folder for the results. Default: nothing is written."
    ),
]
Report: TypeAlias = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Also write report.html into DIR (default), or do not."),
]
Figures: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="png|svg|pdf",
        parser=str.lower,
        help="Also write the figures into DIR/figures, in this format.",
    ),
]
Traces: TypeAlias = Annotated[
    bool,
    typer.Option("--traces", help="Also write traces.csv into DIR: the metrics over the course of the run."),
]
Gantt: TypeAlias = Annotated[
    bool,
    typer.Option("--gantt", help="Also draw the schedule as text, as textbooks do: for a few jobs."),
]
GanttWindow: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FROM-TO", help="What --gantt shows, in seconds. Default: all, or the first 30 jobs."
    ),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print exact figures as JSON on stdout, and nothing else.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
