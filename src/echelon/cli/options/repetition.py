"""An option that is given twice is an error; otherwise the second value would silently replace the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperOption

if TYPE_CHECKING:
    from collections.abc import Iterable


class OnceCommand(TyperCommand):
    """A command whose options may each be given once, except those that take several values.

    It has its own options and those generated from the declared settings; its help lists them in groups.
    """

    def __init__(self, name: str | None, **arguments: Any) -> None:  # noqa: ANN401  (what typer says of a command)
        self._options_of_settings = getattr(arguments.get("callback"), "setting_options", None)
        self._extra_options: list[Any] = []
        super().__init__(name, **arguments)

    @property
    def params(self) -> list[Any]:
        """Arguments and options; those of settings are generated at first use."""
        if self._options_of_settings is not None and not self._extra_options:
            self._extra_options = self._options_of_settings()
            self._params += self._extra_options
        return self._params

    @params.setter
    def params(self, parameters: list[Any]) -> None:
        self._params = parameters

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (as above)
        """Write the options, in groups if there are many."""
        if self._options_of_settings is not None:
            from echelon.cli.options.setting_options import write_groups

            write_groups(self.get_params(ctx), ctx, formatter)
        else:
            super().format_options(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Parse `args` into the context.

        Raises
        ------
        typer.BadParameter
            If an option that takes one value, or a flag, is given more than once.
        """
        _, _, parameters = self.make_parser(ctx).parse_args(args=list(args))
        if (name := _find_repeated(parameters)) is not None:
            raise typer.BadParameter("is given more than once; give it once", ctx=ctx, param_hint=f"'{name}'")
        return super().parse_args(ctx, args)


def _find_repeated(parameters: Iterable[object]) -> str | None:
    """Return the name of the first repeated option, or None; a pair of flags counts as one option."""
    seen: set[int] = set()
    for option in parameters:
        if not isinstance(option, TyperOption) or option.multiple or option.count or option.is_eager:
            continue
        if id(option) in seen:
            return "/".join((option.opts[0], *option.secondary_opts))
        seen.add(id(option))
    return None
