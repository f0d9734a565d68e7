"""Options that say what a job asks for, shared by ``submit`` and ``forecast``, which end with a program."""

from typing import Annotated, Any, TypedDict

import typer

from echelon.cli.options.repetition import OnceCommand
from echelon.cli.serving.options import Function, with_options


class JobOptions(TypedDict):
    """One option each, with what was given for it."""

    processors: Annotated[
        int | None, typer.Option("--processors", "-n", min=1, metavar="N", help="Processors. Default: 1.")
    ]
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            "-t",
            metavar="LIMIT",
            help="Time limit: minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM:SS, or with a unit as 90s or 2h. "
            "Default: the service's.",
        ),
    ]
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="For listings: small letters, digits, hyphens, at most 32."),
    ]
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory of all processors together, as 4G; MB without a unit."),
    ]
    clusters: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[,NAME]", help="The only clusters that may run it. Default: all."),
    ]
    after: Annotated[
        list[str] | None,
        typer.Option(metavar="JOB[,JOB]", help="Jobs that must have ended before it starts."),
    ]
    retries: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="How often it may run again after it was interrupted. Default: 0."
        ),
    ]
    hold: Annotated[bool, typer.Option("--hold", help="Hold it until `echelon release`.")]
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="For what it prints. Default: ech-ID-RUN.out in its working directory."
        ),
    ]
    error: Annotated[
        str | None, typer.Option(metavar="FILE", help="For its error output. Default: as its other output.")
    ]
    chdir: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Its working directory at the cluster. Default: this one; of a service on another machine, "
            "one of the service's.",
        ),
    ]
    env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=VALUE]",
            help="A variable of its environment; without a value that of yours. May be repeated.",
        ),
    ]
    app: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Run this application of the service; its parameters follow as NAME=VALUE."
        ),
    ]
    script: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Run this script, which begins with #!; - is standard input."),
    ]
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="For the cluster's own scheduler, as partition=long, if the service allows it. May be "
            "repeated.",
        ),
    ]


def with_job_options(function: Function) -> Function:
    """Give a command the options of a job, which it takes as ``**asked``, before its own."""
    function = with_options(JobOptions)(function)
    function.command_class = ProgramCommand  # type: ignore[attr-defined]
    return function


class ProgramCommand(OnceCommand):
    """A command whose options stand before its first argument: ``-n 4 prog --its-option``."""

    allow_interspersed_args = False

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Return the parts of the usage line, with the sign between options and the program."""
        pieces = super().collect_usage_pieces(ctx)
        return [*pieces[:-1], "--", pieces[-1]]
