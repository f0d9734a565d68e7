"""An option given twice: an error, where the second would quietly take the place of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperOption

if TYPE_CHECKING:
    from collections.abc import Iterable


class OnceCommand(TyperCommand):
    """A command whose options are given once each, save those that take several values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Parse `args` into the context.

        Raises
        ------
        typer.BadParameter
            If an option that takes one value, or a flag, is given more than once.
        """
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        if (name := _given_twice(given)) is not None:
            raise typer.BadParameter("is given more than once; give it once", ctx=ctx, param_hint=f"'{name}'")
        return super().parse_args(ctx, args)


def _given_twice(given: Iterable[object]) -> str | None:
    """Return the name of the first option that is met again, or None; a pair of flags is one option."""
    seen: set[int] = set()
    for option in given:
        if not isinstance(option, TyperOption) or option.multiple or option.count or option.is_eager:
            continue
        if id(option) in seen:
            return "/".join((option.opts[0], *option.secondary_opts))
        seen.add(id(option))
    return None
