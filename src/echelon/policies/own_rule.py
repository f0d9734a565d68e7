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
        If it takes another number of arguments, or has no docstring.
    """
    signature = inspect.signature(rule)
    if len(signature.parameters) != len(takes):
        raise InputError(f"{kind} takes ({', '.join(takes)}), got {signature}", field=name)
    # Python started with -OO keeps no docstrings.
    if not inspect.getdoc(rule) and sys.flags.optimize < 2:
        raise InputError(f"{kind} needs a docstring that says {says}", field=name)
