"""A group of commands of which one is meant where none is named: ``echelon serve site.toml``."""

from __future__ import annotations

from typing import Any, ClassVar

from typer.core import TyperGroup


class DefaultGroup(TyperGroup):
    """A group whose command `default` runs where none is named, with the options and words that follow."""

    default: ClassVar[str]
    takes_words: ClassVar[bool]
    """Whether the first word may be one of the default command's; else it must be a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Parse `args`, with the default command before them if they name none."""
        own = {"--help", "-h", *self.commands}
        if not args or (args[0] not in own and (self.takes_words or args[0].startswith("-"))):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class ServeGroup(DefaultGroup):
    """``echelon serve``: the default subcommand runs the service."""

    default, takes_words = "run", True


class ClustersGroup(DefaultGroup):
    """``echelon clusters``: the default subcommand lists them."""

    default, takes_words = "list", False
