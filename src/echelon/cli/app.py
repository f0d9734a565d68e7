"""All commands, in the order in which ``echelon --help`` lists them."""

from typing import Annotated

import typer

from echelon import __version__
from echelon.cli.brokers import brokers
from echelon.cli.check import check
from echelon.cli.compare import compare
from echelon.cli.convert import convert
from echelon.cli.datasets import datasets
from echelon.cli.generate import generate
from echelon.cli.history import history
from echelon.cli.info import info
from echelon.cli.merge import merge
from echelon.cli.metrics import metrics
from echelon.cli.once import OnceCommand
from echelon.cli.placements import placements
from echelon.cli.platforms import platforms
from echelon.cli.policies import policies
from echelon.cli.report import report
from echelon.cli.reproduce import reproduce
from echelon.cli.run import run
from echelon.cli.study import study

# Plain text instead of boxes: quick to start, and the same in a pipe, a log and a terminal.
app = typer.Typer(
    name="echelon",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

for command in (
    *(info, run, compare, reproduce, generate, merge, convert),
    *(policies, placements, brokers, platforms, metrics, datasets, history, check, report),
):
    app.command(cls=OnceCommand)(command)
    if command is compare:
        app.add_typer(study)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"echelon {__version__}")
        raise typer.Exit


@app.callback(
    epilog="A command's own options: echelon COMMAND --help. With --debug, errors show their traceback."
)
def echelon(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Replay a workload on a machine under named policies, measure the schedule, and see it."""
