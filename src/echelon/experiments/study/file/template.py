"""Templates: text with ``{name}`` in it, which a parameter axis of the same name fills in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from echelon.rules import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_GAP = re.compile(r"\{([A-Za-z_][\w-]*)\}")


def gaps(value: object) -> set[str]:
    """Return the names that a value of a file asks for: of a text, or of the texts in a list.

    Examples
    --------
    >>> sorted(gaps("easy:reservations={k}:candidates={order}"))
    ['k', 'order']
    """
    if isinstance(value, str):
        return set(_GAP.findall(value)) if "{" in value else set()
    return set().union(*map(gaps, value)) if isinstance(value, list) else set()


def fill(value: Any, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401  (whatever a file says)
    """Return a value with its gaps filled in; those without a value stay.

    A text that is one gap alone becomes the value itself: ``"{k}"`` with k = 2 is the number 2.

    Examples
    --------
    >>> fill("easy:reservations={k}", {"k": 2}), fill("{k}", {"k": 2})
    ('easy:reservations=2', 2)
    """
    if isinstance(value, list):
        return [fill(item, parameters) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    alone = _GAP.fullmatch(value)
    if alone and alone[1] in parameters:
        return parameters[alone[1]]
    return _GAP.sub(lambda gap: format_value(parameters[gap[1]]) if gap[1] in parameters else gap[0], value)


def format_value(value: object) -> str:
    """Return a value as people type it, and as tables call it: ``0.5``, ``yes``, ``easy``."""
    if isinstance(value, list):
        return ", ".join(map(format_value, value))
    return text_of(value)
