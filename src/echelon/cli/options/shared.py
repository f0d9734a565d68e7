"""Options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer


def _folder(text: str) -> Path:
    """Return the folder named; an empty name would mean the folder one is in, which nobody types so."""
    if not text.strip():
        raise typer.BadParameter("needs the name of a folder, got an empty one")
    return Path(text)


Source: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="WORKLOAD", help="A file of jobs, - for standard input, or a data set's name."),
]
ScenarioSource: TypeAlias = Annotated[
    str, typer.Argument(metavar="WORKLOAD|SCENARIO.toml", help="A workload, as for info, or a scenario file.")
]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Format of WORKLOAD. Default: by its ending, else its content."),
]
Processors: TypeAlias = Annotated[
    int | None,
    typer.Option("--processors", metavar="N", help="Processors of the machine. Default: what the log says."),
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of all random choices. Default: 0.")
]
Strict: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--strict/--drop-invalid",
        help="Refuse a log with jobs that cannot be simulated, or drop and count them (the default).",
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", parser=_folder, help="Folder for the results. Default: nothing is written."),
]
Report: TypeAlias = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Write report.html into DIR, too (the default), or do not."),
]
Figures: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="png|svg|pdf", help="Write the figures into DIR/figures, too, in this format."),
]
Traces: TypeAlias = Annotated[
    bool,
    typer.Option("--traces", help="Write traces.csv into DIR, too: the metrics as the run proceeds."),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print exact figures as JSON on stdout, and nothing else there.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
