"""Words such as ``lublin-typeless:uhi=8,pa=0``: a name and its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def split_words(words: str) -> tuple[str, dict[str, float]]:
    """Return the name before the first colon, and the numbers set after it, parted by commas.

    Raises
    ------
    InputError
        If a setting is not ``key=number``, or a key is set twice.
    """
    name, _, rest = words.partition(":")
    return name.strip().lower(), settings(filter(None, rest.split(",")))


def settings(given: Iterable[str]) -> dict[str, float]:
    """Return the numbers set by words such as ``uhi=8``.

    Raises
    ------
    InputError
        If one is not ``key=number``, or a key is set twice.
    """
    values: dict[str, float] = {}
    for word in given:
        key, equals, text = (part.strip() for part in word.partition("="))
        try:
            number = float(text)
        except ValueError:
            number = None
        if not key or not equals or number is None:
            raise InputError(f"must be key=number, got {word.strip()!r}", field="parameter")
        if key in values:
            raise InputError("is set twice", field=f"parameter {key}")
        values[key] = number
    return values
