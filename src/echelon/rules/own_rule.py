"""A user's own rule: what a function must be to become one, and the guard around what it does."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


def check_rule(rule: Callable[..., Any], *, kind: str, takes: tuple[str, ...], says: str, name: str) -> None:
    """Refuse a function that cannot become a rule.

    Keyword-only arguments are parameters of the rule; each needs a default.

    Parameters
    ----------
    rule : callable
        The function.
    kind : str
        What it is to become, with its article: ``"an order"``.
    takes : tuple of str
        Its arguments, in order.
    says : str
        What its docstring must say.
    name : str
        Of the rule, for messages.

    Raises
    ------
    InputError
        If it takes another number of arguments, a parameter has no default, or there is no docstring.
    """
    signature = inspect.signature(rule)
    keywords = [one for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
    if len(signature.parameters) - len(keywords) != len(takes):
        raise InputError(f"{kind} takes ({', '.join(takes)}), got {signature}", field=name)
    if without := [one.name for one in keywords if one.default is one.empty]:
        raise InputError(
            f"{kind} needs a default for its parameter {without[0]}, got {signature}", field=name
        )
    # Python started with -OO keeps no docstrings.
    if not inspect.getdoc(rule) and sys.flags.optimize < 2:
        raise InputError(f"{kind} needs a docstring that says {says}", field=name)


class Guard:
    """A block that calls a user's rule: ``with Guard(self._error): key = rule(job, view)``.

    Parameters
    ----------
    error : callable (str) -> EchelonError
        Makes the error to raise of what went wrong: ``"ValueError: no idea"``; it may also raise one itself.
        Errors of ours that are raised inside the block stay as they are.
    """

    __slots__ = ("_error",)

    def __init__(self, error: Callable[[str], EchelonError]) -> None:
        self._error = error

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error if anything but an error of ours went wrong."""
        if isinstance(problem, Exception | SystemExit) and not isinstance(problem, EchelonError):
            raise self._error(f"{type(problem).__name__}: {problem}") from problem
