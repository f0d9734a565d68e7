"""Parameters of applications: what a user may put into the command of another."""

from __future__ import annotations

import math
import posixpath
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

Kind: TypeAlias = Literal["int", "float", "choice", "text", "path"]

LONGEST = 1000
"""Characters of a value."""

_EXPECTED = (
    'expected a string such as "int 1..10", "float 0..1", "choice small|large", "text [a-z]+" or '
    '"path under /data", got {!r:.60}'
)
_NUMBERS: dict[Kind, tuple[re.Pattern[str], Callable[[str], float]]] = {
    "int": (re.compile(r"[+-]?[0-9]{1,18}"), int),
    "float": (re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"), float),
}
"""How numbers look, and what they are."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an application.

    Attributes
    ----------
    name : str
        Of ``[a-z][a-z0-9_-]*``.
    kind : {"int", "float", "choice", "text", "path"}
        What its values are.
    least, most : float
        Bounds of numbers, both allowed.
    choices : tuple of str
        The values of a choice.
    pattern : str
        The regular expression that a whole text must match.
    folder : str
        The absolute folder that paths stay under.
    default : str, optional
        Its value if none is given; None: one must be given.
    """

    name: str
    kind: Kind
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()
    pattern: str = ""
    folder: str = ""
    default: str | None = None

    def value(self, argument: object) -> str:
        """Return a value as it stands in an argument.

        Parameters
        ----------
        argument : object
            A text, or a number where the parameter is one.

        Raises
        ------
        InputError
            If the parameter may not have it.
        """
        field = f"parameters.{self.name}"
        if isinstance(argument, bool) or not isinstance(argument, str | int | float):
            raise InputError(f"must be a string or a number, got {argument!r:.60}", field=field)
        text = str(argument)
        if len(text) > LONGEST or not text.isprintable():
            problem = f"must have at most {LONGEST} characters, all printable, got {text!r:.60}"
            raise InputError(problem, field=field)
        read = _READ[self.kind](self, text)
        if read is None:
            raise InputError(f"must be {self.expected}, got {text!r:.60}", field=field)
        return read

    @property
    def expected(self) -> str:
        """What its values are, for messages: ``a whole number from 1 to 10``."""
        if self.kind in ("int", "float"):
            noun = "a whole number" if self.kind == "int" else "a number"
            return f"{noun} from {self.least:.15g} to {self.most:.15g}"
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        if self.kind == "text":
            return f"a string that matches {self.pattern} and does not begin with a hyphen"
        return f"a path under {self.folder}"


def parameter_of(name: str, declaration: str, default: object = None) -> Parameter:
    """Return the parameter that a text of a configuration declares.

    Parameters
    ----------
    name : str
        Its name.
    declaration : str
        ``int LEAST..MOST``, ``float LEAST..MOST``, ``choice A|B|C``, ``text PATTERN`` or
        ``path under FOLDER``.
    default : object, optional
        Its value if none is given.

    Raises
    ------
    InputError
        If the declaration is none of these, or the default is not allowed.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,31}", name):
        problem = (
            f"must be named by small letters, digits, - and _, and begin with a letter, got {name!r:.60}"
        )
        raise InputError(problem, field="parameters")
    kind, _, rest = declaration.strip().partition(" ")
    make = _MAKERS.get(kind)
    parameter = make(name, rest.strip()) if make else None
    if parameter is None:
        raise InputError(_EXPECTED.format(declaration), field=f"parameters.{name}")
    if default is None:
        return parameter
    return replace(parameter, default=parameter.value(default))


def _number(kind: Literal["int", "float"], name: str, rest: str) -> Parameter | None:
    pattern, convert = _NUMBERS[kind]
    bounds = [part.strip() for part in rest.split("..")]
    if len(bounds) != 2 or not all(pattern.fullmatch(bound) for bound in bounds):
        return None
    least, most = map(convert, bounds)
    return Parameter(name, kind, least=least, most=most) if least <= most < math.inf else None


def _choice(name: str, rest: str) -> Parameter | None:
    choices = tuple(part.strip() for part in rest.split("|"))
    return Parameter(name, "choice", choices=choices) if all(choices) else None


def _text(name: str, rest: str) -> Parameter | None:
    try:
        re.compile(rest)
    except re.error:
        return None
    return Parameter(name, "text", pattern=rest) if rest else None


def _path(name: str, rest: str) -> Parameter | None:
    keyword, _, folder = rest.partition(" ")
    folder = posixpath.normpath(folder.strip()) if folder.strip() else ""
    if keyword != "under" or not folder.startswith("/"):
        return None
    return Parameter(name, "path", folder=folder)


_MAKERS: dict[str, Callable[[str, str], Parameter | None]] = {
    "int": partial(_number, "int"),
    "float": partial(_number, "float"),
    "choice": _choice,
    "text": _text,
    "path": _path,
}


def _read_number(one: Parameter, text: str) -> str | None:
    pattern, convert = _NUMBERS[one.kind]
    if not pattern.fullmatch(text) or not one.least <= convert(text) <= one.most:
        return None
    return repr(convert(text))


def _read_choice(one: Parameter, text: str) -> str | None:
    return text if text in one.choices else None


def _read_text(one: Parameter, text: str) -> str | None:
    # A hyphen at the front would make an option of it.
    return text if not text.startswith("-") and re.fullmatch(one.pattern, text) else None


def _read_path(one: Parameter, text: str) -> str | None:
    """Return the absolute path; links cannot be followed here, as the folder may be at a cluster only."""
    parts = text.split("/")
    if not text or ".." in parts:
        return None
    path = posixpath.normpath(posixpath.join(one.folder, text))
    inside = one.folder if one.folder.endswith("/") else f"{one.folder}/"
    return path if path.startswith(inside) else None


_READ: dict[str, Callable[[Parameter, str], str | None]] = {
    "int": _read_number,
    "float": _read_number,
    "choice": _read_choice,
    "text": _read_text,
    "path": _read_path,
}
