"""A user's own rule: the requirements on its function, and the guard around its calls."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


def check_rule(rule: Callable[..., Any], *, kind: str, takes: tuple[str, ...], says: str, name: str) -> None:
    """Reject a function that cannot become a rule.

    Keyword-only arguments are parameters of the rule; each needs a default.

    Parameters
    ----------
    rule : callable
        The function.
    kind : str
        The kind of rule, with its article: ``"an order"``.
    takes : tuple of str
        Its arguments, in order.
    says : str
        What its docstring must describe.
    name : str
        Name of the rule, for messages.

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
        Makes the error to raise from a description: ``"ValueError: no idea"``; it may also raise one itself.
        Errors of Echelon inside the block are not changed.
    """

    __slots__ = ("_error",)

    def __init__(self, error: Callable[[str], EchelonError]) -> None:
        self._error = error

    def __enter__(self) -> None:
        """Enter the block."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error on any exception that is not an error of Echelon."""
        if isinstance(problem, Exception | SystemExit) and not isinstance(problem, EchelonError):
            raise self._error(f"{type(problem).__name__}: {problem}") from problem
