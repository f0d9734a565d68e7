"""Objects of JSON that Echelon has written, and that someone may have changed since."""

from __future__ import annotations

import json
from typing import Any


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Return the object of JSON that is all of a text.

    Raises
    ------
    ValueError
        If it is not one: what is there, and what was expected.
    """
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("got lists in lists without end, expected an object of JSON") from None
    if not isinstance(content, dict):
        raise ValueError(f"got {content!r:.40}, expected an object of JSON")  # noqa: TRY004  (of the text)
    return content
