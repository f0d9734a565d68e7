"""All commands, in the order of ``echelon --help``; each is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from echelon import __version__
from echelon.cli.options.repetition import OnceCommand
from echelon.lazy import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

_LISTING = ("policies", "placements", "brokers", "platforms", "metrics", "rules", "datasets")

_WISHES = ("cancel", "hold", "release")

_SIMULATION = {
    "info": "workload.info",
    **{name: name for name in ("run", "compare", "explain")},
    "study": "study.commands",
    "reproduce": "study.reproduce",
    **{name: f"workload.{name}" for name in ("generate", "merge", "convert")},
    **{name: f"listing.{name}" for name in _LISTING},
    **{name: name for name in ("history", "check", "report")},
}

_SERVICE = {
    **{name: f"serving.{name}" for name in ("serve", "submit", "queue", "show")},
    **dict.fromkeys(_WISHES, "serving.wishes"),
    **{name: f"serving.{name}" for name in ("wait", "forecast", "clusters", "token")},
}

_FILES = _SIMULATION | _SERVICE

WITH_PROGRAM = ("submit", "forecast")
"""Commands that end with a program and its arguments."""

SECTIONS = {"Commands": tuple(_SIMULATION), "Commands of the service": tuple(_SERVICE)}
"""The headings of ``echelon --help``, each with its commands."""

COMMANDS: Rules[Any] = Rules("echelon.cli", {name: f"{file}.{name}" for name, file in _FILES.items()})
"""The function of each command; for ``study``, which has subcommands, their application."""


class SectionedGroup(TyperGroup):
    """All commands; its help lists them under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer's, has no public name)
        """Write the commands, section by section."""
        for title, names in SECTIONS.items():
            listed = [name for name in names if name in self.commands]
            room = formatter.width - 6 - max(map(len, listed), default=0)
            rows = [(name, self.commands[name].get_short_help_str(room)) for name in listed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def app_of(names: Iterable[str] = COMMANDS.names, *, add_completion: bool = False) -> typer.Typer:
    """Return a command line with only these commands; running one command needs no other.

    Parameters
    ----------
    names : iterable of str, default all
        Names of the commands.
    add_completion : bool, default False
        Whether shell completion is available; it takes time to load.
    """
    # Plain text instead of boxes: quick to start, and the same in a pipe, a log and a terminal.
    app = typer.Typer(
        name="echelon",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=add_completion,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
        cls=SectionedGroup,
    )
    for name in names:
        command = COMMANDS.named(name)
        if isinstance(command, typer.Typer):
            app.add_typer(command)
        else:
            app.command(cls=getattr(command, "command_class", OnceCommand))(command)
    app.callback(
        epilog="A command's own options: echelon COMMAND --help. With --debug, errors show their traceback. "
        "To have your shell complete options, rules and presets: echelon --install-completion."
    )(_echelon)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"echelon {__version__}")
        raise typer.Exit


def _echelon(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Simulate workloads on machines, or run jobs on real clusters, under the same scheduling rules."""
