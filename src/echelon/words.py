"""Words: how the text people type for a rule parts into names and settings, and back."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from itertools import accumulate
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from echelon.errors import EchelonError, InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_CALL = re.compile(r"\s*([\w-]+)\(")
_EXAMPLES = {
    "policy": "easy:shortest-first",
    "estimator": "average:alpha=0.5",
    "broker": "mct:of=job",
    "placement": "best-fit:low-power",
    "execution": "memory-v1:steep=formula",
    "network": "constant:factor=0.7",
    "sharing": "round-robin:quantum=0.1",
    "co-allocation": "optimal:seconds=2",
    "upper queue": "nb.rs",
    "queue limit": "stable:predicted",
    "local users": "xwin:share=0.5:period=60",
    "monitoring": "exponential:period=15",
}
_SECONDS = re.compile(r"(.*?)\s*(s|min|h|d)")
_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True, slots=True)
class Named:
    """A type of values that people name: how the words for one are read.

    Parameters
    ----------
    type : type
        As a field of a rule is annotated with it.
    expected : str
        For messages: ``"an order"``.
    read : callable
        From the words to the value; raises InputError or UnknownNameError.
    """

    type: type
    expected: str
    read: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Words:
    """What was typed for a policy, parted.

    Parameters
    ----------
    text : str
        As typed, for messages.
    names : tuple of str
        Names of a backfilling, an order or a file's policy, in turn.
    settings : tuple of (str, str)
        Each ``key=value``, in turn; a key occurs once.
    """

    text: str
    names: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def parted(cls, text: str, *, kind: str = "policy") -> Words:
        """Part ``a:b:key=value`` or ``a(key=value, b):key=value``, the words for a rule of that kind.

        What a value has in parentheses of its own stays whole: ``a:key=b(c=1)``.

        Raises
        ------
        InputError
            If a part is empty or a key is set twice.
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
            raise InputError(
                f"must be words joined by single colons: {_EXAMPLES[kind]}", field=f"{kind} {text!r}"
            )
        names = tuple(part for part in parts if "=" not in part)
        settings = tuple(
            (key.strip(), value.strip())
            for key, value in (part.split("=", 1) for part in parts if "=" in part)
        )
        keys = [key for key, _ in settings]
        if twice := [key for key in dict.fromkeys(keys) if keys.count(key) > 1]:
            raise InputError(f"{twice[0]} is set twice", field=f"{kind} {text!r}")
        return cls(text, names, settings)


def split_outside(text: str, mark: str) -> list[str]:
    """Return the parts of `text` between each `mark`, one character, that is in no parentheses."""
    ends = [i for i, depth in enumerate(_depths(text)) if text[i] == mark and depth == 0]
    return [text[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(text)], strict=True)]


def _depths(text: str) -> list[int]:
    """Return in how many parentheses each character stands, an opening one counted in."""
    steps = ((character == "(") - (character == ")") for character in text)
    return list(accumulate(steps))


def parameters(rule: object) -> dict[str, dataclasses.Field[Any]]:
    """Return the parameters of a rule by the words for them: ``max-age`` is the field ``max_age``.

    A rule is a dataclass or one's instance; anything else has none.
    """
    if not dataclasses.is_dataclass(rule):
        return {}
    return {field.name.replace("_", "-"): field for field in dataclasses.fields(rule) if field.init}


def arguments(
    rule: object, name: str, settings: Mapping[str, str], named: Sequence[Named] = ()
) -> dict[str, Any]:
    """Return the arguments that `settings` give to a rule, read by the types of its fields.

    Parameters
    ----------
    rule : dataclass or its instance
        Its fields may be int, float, bool, a Literal of words, a type in `named`, or a union of them. A
        float whose metadata say ``{"unit": "s"}`` takes ``90``, ``90 s``, ``15min``, ``2h`` and ``7d``.
    name : str
        The rule's name, for messages.
    settings : mapping of str to str
        By the words of `parameters`.
    named : sequence of Named, default none
        Types whose values go by names.

    Raises
    ------
    UnknownNameError
        If a key is no parameter.
    InputError
        If a value does not fit its field.
    """
    known = parameters(rule)
    kind = rule if isinstance(rule, type) else type(rule)
    types = get_type_hints(kind, localns={one.type.__name__: one.type for one in named})
    given: dict[str, Any] = {}
    for key, text in settings.items():
        word = key.replace("_", "-")
        if word not in known:
            raise UnknownNameError(f"parameter of {name}", key, tuple(known))
        field = known[word]
        reader = _Reader(f"{name}, {word}", field.metadata.get("unit", ""), tuple(named))
        given[field.name] = reader.read(types[field.name], text)
    return given


def made(
    kind: type, name: str, settings: Mapping[str, str], named: Sequence[Named] = (), *, field: str
) -> Any:  # noqa: ANN401  (a user's class may be anything)
    """Return an instance of `kind`, a class of the user's own, with these settings.

    Parameters
    ----------
    kind, name, settings, named
        As of `arguments`.
    field : str
        What is being made, for messages: ``"estimator my.py:Median"``.

    Raises
    ------
    UnknownNameError
        If a key is no parameter.
    InputError
        If it takes no parameters, a value does not fit, or the class fails.
    """
    if settings and not parameters(kind):
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=field)
    given = arguments(kind, name, settings, named) if settings else {}
    try:
        return kind(**given)
    except EchelonError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"cannot be made: {type(error).__name__}: {error}", field=field) from error


def settings_of(rule: object) -> list[str]:
    """Return ``key=value`` for every parameter of `rule` that is not at its default, in the fields' order."""
    said = []
    for word, field in parameters(rule).items():
        value = getattr(rule, field.name)
        if value != field.default:
            said.append(f"{word}={text_of(value)}")
    return said


def text_of(value: object) -> str:
    """Return a parameter's value as people type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else str(value)


def _are_words(kind: Any) -> bool:  # noqa: ANN401  (a type, of which Literal[...] is none to mypy)
    return get_origin(kind) is Literal


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the text of one setting by the type of its field."""

    field: str
    unit: str
    named: tuple[Named, ...]

    def read(self, kind: object, text: str) -> object:
        """Return the value of the first alternative of `kind` that `text` fits."""
        origin = get_origin(kind)
        choices = [k for k in get_args(kind) if k is not NoneType] if origin in (Union, UnionType) else [kind]
        # Words before numbers before names: only a name's reader says all that it could have been.
        choices.sort(key=lambda choice: (self._named(choice) is not None, not _are_words(choice)))
        for choice in choices[:-1]:
            try:
                return self._as(choice, text)
            except InputError:
                continue
        try:
            return self._as(choices[-1], text)
        except InputError as error:
            if len(choices) == 1:
                raise
            expected = " or ".join(map(self._expected, choices))
            raise InputError(f"must be {expected}, got {text!r}", field=self.field) from error

    def _named(self, kind: object) -> Named | None:
        return next((one for one in self.named if one.type is kind), None)

    def _as(self, kind: object, text: str) -> object:
        if (named := self._named(kind)) is not None:
            return self._by_name(named, text)
        fits = {int: self._whole, float: self._number, bool: self._truth, str: str}.get(kind)  # type: ignore[call-overload]
        value = fits(text) if fits else (text if text in get_args(kind) else None)
        if value is None:
            hint = "; parameters are parted by colons" if "," in text and "=" in text else ""
            raise InputError(f"must be {self._expected(kind)}, got {text!r}{hint}", field=self.field)
        return value

    def _by_name(self, named: Named, text: str) -> object:
        try:
            return named.read(text)
        except InputError as error:
            if error.field is not None:
                raise
            raise InputError(error.problem, field=self.field) from error

    def _expected(self, kind: object) -> str:
        if kind is float:
            return "a time in seconds (or with s, min, h, d)" if self.unit == "s" else "a number"
        if (named := self._named(kind)) is not None:
            return named.expected
        plain = {int: "a whole number", bool: "yes or no"}.get(kind)  # type: ignore[call-overload]
        return plain or " or ".join(map(str, get_args(kind)))

    @staticmethod
    def _whole(text: str) -> int | None:
        return int(text) if text.isascii() and text.lstrip("-").isdecimal() and len(text) < 18 else None

    def _number(self, text: str) -> float | None:
        scale = 1.0
        if self.unit == "s" and (match := _SECONDS.fullmatch(text)):
            text, scale = match[1], _UNITS[match[2]]
        try:
            value = float(text) * scale
        except ValueError:
            return None
        return None if math.isnan(value) else value

    @staticmethod
    def _truth(text: str) -> bool | None:
        return _TRUTH.get(text.lower())
