"""What a function of the user's own must be to become a rule: its arguments, and words on what it does."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


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
