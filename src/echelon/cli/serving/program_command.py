"""A command that ends with a program and its arguments, which keep their own options."""

from __future__ import annotations

from typing import Any

from echelon.cli.options.repetition import OnceCommand


class ProgramCommand(OnceCommand):
    """A command whose options stand before the first word that is none: ``-n 4 prog --its-option``."""

    allow_interspersed_args = False

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401  (typer's, has no public name)
        """Return the words of the usage line, with the sign between options and the program."""
        pieces = super().collect_usage_pieces(ctx)
        return [*pieces[:-1], "--", pieces[-1]]
