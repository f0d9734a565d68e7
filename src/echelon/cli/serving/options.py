"""Arguments and options that commands of the service share, and groups of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar, get_type_hints

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.client import Client

Service: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--service",
        metavar="ADDRESS",
        help="The service: unix:///PATH or http://HOST:PORT. Default: $ECHELON_SERVICE, else the socket in "
        "its folder, ~/.local/state/echelon.",
    ),
]
OneJob: TypeAlias = Annotated[str, typer.Argument(metavar="JOB", help="The number of a job, or its id.")]
SeveralJobs: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="JOB...", help="Numbers of jobs, or their ids.")
]


def show_answer(answer: Mapping[str, object]) -> None:
    """Print an answer as JSON, in ASCII: whatever others wrote into it, a terminal shows it as text."""
    import json

    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


def client_of(service: str | None) -> Client:
    """Return a client of the service that the user means."""
    from echelon.client.client import Client

    return Client(service)


Function = TypeVar("Function", bound=Callable[..., Any])


def with_options(group: type) -> Callable[[Function], Function]:
    """Return what gives a command the options of a group, which it takes as ``**asked``, before its own.

    Parameters
    ----------
    group : type
        A ``TypedDict`` with an annotated option each; those not given are None, flags False.
    """
    hints = get_type_hints(group, include_extras=True)

    def give(function: Function) -> Function:
        parameters = inspect.signature(function).parameters.values()
        own = [one for one in parameters if one.kind is not one.VAR_KEYWORD]
        defaults = {name: False if hint.__origin__ is bool else None for name, hint in hints.items()}
        asked = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint)
            for name, hint in hints.items()
        ]
        arguments = [one for one in own if one.kind is not one.KEYWORD_ONLY]
        rest = [one for one in own if one.kind is one.KEYWORD_ONLY]
        function.__signature__ = inspect.Signature([*arguments, *asked, *rest])  # type: ignore[attr-defined]
        function.__annotations__ = {**{one.name: one.annotation for one in own}, **hints}
        return function

    return give


class DefaultGroup(TyperGroup):
    """A group whose command `default` runs where none is named, with all that follows."""

    default: ClassVar[str]
    takes_arguments: ClassVar[bool]
    """Whether the first argument may be for the default command; else it must be a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Parse `args`, with the default command before them if they name none."""
        own = {"--help", "-h", *self.commands}
        if not args or (args[0] not in own and (self.takes_arguments or args[0].startswith("-"))):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class ServeGroup(DefaultGroup):
    """``echelon serve``: the default subcommand runs the service."""

    default, takes_arguments = "run", True


class ClustersGroup(DefaultGroup):
    """``echelon clusters``: the default subcommand lists them."""

    default, takes_arguments = "list", False
