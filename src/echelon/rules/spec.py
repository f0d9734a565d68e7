"""Spec: the text that people type for a rule, parsed into names and settings."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from echelon.errors import InputError

_CALL = re.compile(r"\s*([\w-]+|[^:()=]*\.py:[^:()=]+)\(")
_SETTING = re.compile(r"[^()=]*=")


class Spec(NamedTuple):
    """What was typed for a rule, parsed.

    Parameters
    ----------
    text : str
        As typed, for messages.
    names : tuple of str
        What is not ``key=value``, in turn: a rule's name, then rules or values that it takes without a key.
    settings : tuple of (str, str)
        Each ``key=value``, in turn; a key occurs once.
    """

    text: str
    names: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str, *, kind: str = "rule", example: str = "name:key=value") -> Spec:
        """Parse ``a:b:key=value`` or ``a(key=value, b):key=value``, the spec of a rule of that kind.

        What a value has in parentheses of its own stays whole: ``a:key=b(c=1)``.

        Raises
        ------
        InputError
            If a part is empty, a parenthesis is not closed or a key is set twice; it shows the `example`.
        """
        if (depths := _depths(text)) and (min(depths) < 0 or depths[-1]):
            raise InputError("must close each parenthesis that it opens", field=f"{kind} {text!r}")
        outside, inside = text, ""
        if call := _CALL.match(text):
            close = depths.index(0, call.end())
            outside, inside = call[1] + text[close + 1 :], text[call.end() : close]
        parts = [part.strip() for part in split_outside(outside, ":")]
        # Inside parentheses a colon does not part: a file's name may stand there.
        parts += [part.strip() for part in split_outside(inside, ",")] if inside.strip() else []
        if not all(parts):
            raise InputError(f"must be words joined by single colons: {example}", field=f"{kind} {text!r}")
        names = tuple(part for part in parts if not _SETTING.match(part))
        settings = tuple(
            (key.strip(), value.strip())
            for key, value in (part.split("=", 1) for part in parts if _SETTING.match(part))
        )
        keys = [key for key, _ in settings]
        if twice := [key for key in dict.fromkeys(keys) if keys.count(key) > 1]:
            raise InputError(f"{twice[0]} is set twice", field=f"{kind} {text!r}")
        return cls(text, names, settings)


def split_outside(text: str, mark: str) -> list[str]:
    """Return the parts of `text` between each `mark`, one character, that is in no parentheses."""
    ends = [i for i, depth in enumerate(_depths(text)) if text[i] == mark and depth == 0]
    return [text[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(text)], strict=True)]


def format_spec(name: str, parts: list[str]) -> str:
    """Return ``name:part:part``, or ``name(part, part)`` where a part holds a colon of its own."""
    if any(":" in part for part in parts):
        return f"{name}({', '.join(parts)})"
    return ":".join([name, *parts])


def plain(word: str) -> str:
    """Return a name as it is compared: in small letters, with hyphens for underscores."""
    return word.strip().lower().replace("_", "-")


def an(noun: str) -> str:
    """Return a noun with its article: ``an order``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _depths(text: str) -> list[int]:
    """Return in how many parentheses each character stands, an opening one counted in."""
    steps = ((character == "(") - (character == ")") for character in text)
    return list(accumulate(steps))
