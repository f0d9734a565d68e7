"""Spec: the text of a rule, parsed into names and settings."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

W = TypeVar("W")

_CALL = re.compile(r"\s*([\w-]+|[^:()=]*\.py:[^:()=]+)\(")
WORD = re.compile(r"[\w.-]+")
"""A name, or a part of one, within a spec."""

_SETTING = re.compile(r"[^()=]*=")


class Spec(NamedTuple):
    """The parsed text of a rule.

    Parameters
    ----------
    text : str
        As typed, for messages.
    names : tuple of str
        The parts other than ``key=value``, in order: a rule's name, then rules or values without a key.
    settings : tuple of (str, str)
        Each ``key=value``, in order; a key occurs once.
    """

    text: str
    names: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str, *, kind: str = "rule", example: str = "name:key=value") -> Spec:
        """Parse ``a:b:key=value`` or ``a(key=value, b):key=value``, the spec of a rule of that kind.

        Parentheses of a value are kept: ``a:key=b(c=1)``.

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
        parts = _join_files([part.strip() for part in split_outside(outside, ":")])
        # Inside parentheses a colon does not separate: there may be a file name.
        parts += [part.strip() for part in split_outside(inside, ",")] if inside.strip() else []
        if not all(parts):
            raise InputError(f"must be parts joined by single colons: {example}", field=f"{kind} {text!r}")
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
    """Return the parts of `text` between occurrences of the character `mark` outside of parentheses."""
    ends = [i for i, depth in enumerate(_depths(text)) if text[i] == mark and depth == 0]
    return [text[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(text)], strict=True)]


def _join_files(parts: list[str]) -> list[str]:
    """Return the parts of a spec; the value ``key=FILE.py`` has the name after it, a rule of that file."""
    joined: list[str] = []
    for part in parts:
        is_in_value = joined and _SETTING.match(joined[-1]) and joined[-1].endswith(".py")
        if is_in_value and not _SETTING.match(part):
            joined[-1] += f":{part}"
        else:
            joined.append(part)
    return joined


def format_spec(name: str, parts: list[str]) -> str:
    """Return ``name:part:part``, or ``name(part, part)`` if a part contains a colon."""
    if any(":" in part for part in parts):
        return f"{name}({', '.join(parts)})"
    return ":".join([name, *parts])


def normalize(word: str) -> str:
    """Return a name as it is compared: in lower case, with hyphens for underscores."""
    return word.strip().lower().replace("_", "-")


def find_choice(text: str, words: Iterable[W]) -> W | None:
    """Return the one of some words that `text` is, in any case; None if it is none."""
    return next((word for word in words if normalize(str(word)) == normalize(text)), None)


def with_article(noun: str) -> str:
    """Return a noun with its article: ``an order``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _depths(text: str) -> list[int]:
    """Return the depth of parentheses at each character, including an opening one."""
    steps = ((character == "(") - (character == ")") for character in text)
    return list(accumulate(steps))
