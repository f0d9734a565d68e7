"""``echelon serve``: the service itself; its libraries are imported when it starts."""

from pathlib import Path
from typing import Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.repetition import OnceCommand
from echelon.cli.serving.options import ServeGroup, show_answer
from echelon.cli.serving.twin import twin
from echelon.cli.terminal import grid, note, show
from echelon.client.plain_text import escape

serve = typer.Typer(
    name="serve",
    cls=ServeGroup,
    rich_markup_mode=None,
    help="Run the service: it takes jobs, chooses a cluster for each, and follows each to its end.",
)

_Config = Annotated[
    Path | None,
    typer.Argument(
        metavar="[SERVE.toml]",
        help="The configuration. Default: one cluster on this machine, with as many slots as it has cores.",
    ),
]


@serve.command(cls=OnceCommand)
def run(config: _Config = None) -> None:
    """Run the service until it is stopped; the default subcommand.

    Jobs run on when it ends; it finds them again when it is started.
    """
    from echelon.service.run import serve as serve_until_stopped

    serve_until_stopped(config, announce=note)


@serve.command(cls=OnceCommand)
def check(config: _Config = None, *, json: options.Json = False) -> None:
    """Try each cluster of a configuration, without submitting anything; exit with 1 if a trial fails."""
    from echelon.service.configuration.check import check as findings

    results = list(findings(config))
    if json:
        show_answer({"findings": [one._asdict() for one in results]})
    else:
        rows = [
            (one.cluster or "-", one.what, "well" if one.is_well else "failed", escape(one.detail))
            for one in results
        ]
        show(grid(("cluster", "tried", "", "result"), rows))
    if not all(one.is_well for one in results):
        raise typer.Exit(1)


@serve.command(cls=OnceCommand)
def migrate(config: _Config = None) -> None:
    """Update the tables in the database of a configuration to this version; make a copy first."""
    from echelon.service.configuration.config import read_config
    from echelon.service.store.opening import migrate as migrate_store

    before, after = migrate_store(read_config(config).database)
    show(
        f"The tables are of version {after}" + ("" if before == after else f", they were of version {before}")
    )


serve.command(cls=OnceCommand)(twin)
