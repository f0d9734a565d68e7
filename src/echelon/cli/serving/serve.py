"""``echelon serve``: the service itself; its libraries are imported when it starts."""

from pathlib import Path
from typing import Annotated

import typer

from echelon.cli.options.repetition import OnceCommand
from echelon.cli.serving.default_group import ServeGroup

serve = typer.Typer(
    name="serve",
    cls=ServeGroup,
    rich_markup_mode=None,
    help="Run the service: it takes jobs, chooses a cluster for each, follows it to its end.",
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
    """Run the service until it is ended (what is done without a word).

    Jobs at clusters run on when it ends; it finds them again when it is started.
    """
    from echelon.service.run import serve as run_service

    run_service(config)
