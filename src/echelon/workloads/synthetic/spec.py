"""Words such as ``lublin-typeless:uhi=8,pa=0``: a name and its settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = re.compile(r".*?\.py:[^:,]*|[^:]*", re.DOTALL)


def parse_spec(spec: str) -> tuple[str, dict[str, float | str]]:
    """Return the name before the first colon, and what is set after it, separated by commas or colons.

    ``FILE.py:NAME`` is one name.

    Raises
    ------
    InputError
        If a setting is not ``key=value``, or a key is set twice.
    """
    end = match.end() if (match := _NAME.match(spec)) else 0
    name, rest = spec[:end], spec[end:]
    name = name.strip() if is_in_file(name) else name.strip().lower()
    return name, settings(filter(None, re.split("[,:]", rest)))


def settings(texts: Iterable[str]) -> dict[str, float | str]:
    """Return what texts such as ``uhi=8`` or ``mix=compute`` set: a number, or else the text.

    Raises
    ------
    InputError
        If one is not ``key=value``, or a key is set twice.
    """
    values: dict[str, float | str] = {}
    for setting in texts:
        key, _, text = (part.strip() for part in setting.partition("="))
        if not key or not text:
            raise InputError(f"must be key=number, got {setting.strip()!r}", field="parameter")
        if key in values:
            raise InputError("is set twice", field=f"parameter {key}")
        values[key] = _value(text)
    return values


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
