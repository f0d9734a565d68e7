"""JSON objects that Echelon has written, and that someone may have changed since."""

from __future__ import annotations

import json
from typing import Any


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object that a text holds and nothing else.

    Raises
    ------
    ValueError
        If it is not one: what is there, and what was expected.
    """
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply, expected a JSON object") from None
    if not isinstance(content, dict):
        raise ValueError(f"got {content!r:.40}, expected a JSON object")  # noqa: TRY004  (of the text)
    return content
