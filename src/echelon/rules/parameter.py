"""The parameters of a rule: their declaration, parsing and formatting."""

from __future__ import annotations

import dataclasses
import math
import re
import sys
from dataclasses import MISSING, dataclass
from types import FunctionType, NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from echelon.errors import InputError, UnknownNameError
from echelon.rules.own_rule import Guard
from echelon.rules.spec import find_choice, format_spec, normalize, with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_BYTES = {f"{prefix}B": 1000.0**power for power, prefix in enumerate(("", *"kMGTP"))} | {
    f"{prefix}iB": 1024.0**power for power, prefix in enumerate("KMGTP", 1)
}
SECONDS_OF = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0, "y": 31557600.0}
"""Seconds of each unit of time that a number may be followed by; a year has 365.25 days."""

_UNITS = {
    "s": SECONDS_OF,
    "B": _BYTES,
    "B/s": {f"{unit}/s": scale for unit, scale in _BYTES.items()}
    | {f"{unit[:-1]}bit/s": scale / 8 for unit, scale in _BYTES.items()},
}
"""What a number of a dimension may be followed by, by its base unit."""

_WITH_UNIT = {
    base: re.compile(rf"(.*?)\s*({'|'.join(map(re.escape, units))})") for base, units in _UNITS.items()
}
_EXPECTED = {
    "s": "a time in seconds (or with s, min, h, d, w, y)",
    "B": "a number of bytes (or with kB, MB, GB, KiB, MiB, GiB ...)",
    "B/s": "a number of bytes a second (or with kB/s, MB/s, Mbit/s, Gbit/s ...)",
}
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class Named(NamedTuple):
    """A type of values with names: how a name is read.

    Parameters
    ----------
    type : type
        The annotation of a field of a rule.
    expected : str
        For messages: ``"an order"``.
    read : callable
        From the text to the value; raises InputError or UnknownNameError.
    needs_key : bool, default True
        Whether the key must be written where it is the only parameter of this type in a user's own rule.
    """

    type: type
    expected: str
    read: Callable[[str], object]
    needs_key: bool = True


_ANNOUNCED: list[Callable[[], Sequence[Named]]] = []


def announce(types: Callable[[], Sequence[Named]]) -> None:
    """Let the rules of every family have parameters of some types.

    Parameters
    ----------
    types : callable () -> sequence of Named
        Called when a parameter is read, so that the types are imported then.
    """
    _ANNOUNCED.append(types)


def named_types() -> tuple[Named, ...]:
    """Return all announced types of parameters whose values have names."""
    return tuple(one for types in _ANNOUNCED for one in types())


class Parameter(NamedTuple):
    """One parameter of a rule.

    Parameters
    ----------
    name : str
        The Python name: ``max_age``.
    type : object
        Its annotation, which may be a text.
    default : object
        `MISSING` if it must be given.
    metadata : mapping
        Metadata of a dataclass's field: ``{"unit": "s"}``. A field with ``in_name`` is not a parameter,
        because the rule's name determines it.
    """

    name: str
    type: Any
    default: Any
    metadata: Mapping[str, Any]


def bearer(rule: object) -> Any:  # noqa: ANN401  (whatever a user wrote)
    """Return the object with a rule's parameters: a class, or the object that a decorator wrapped.

    A class whose instances wrap another rule names the field of that rule in ``made_of``.
    """
    while field := getattr(type(rule), "made_of", ""):
        rule = getattr(rule, field)
    return rule


def parameters(rule: object) -> dict[str, Parameter]:
    """Return the parameters of a rule by their names in specs: ``max-age`` is the field ``max_age``.

    They are the fields of a dataclass or of its instance, and the keyword-only arguments of a function; other
    objects have none, nor do those with ``takes_parameters = False``. A rule made by a decorator has the
    parameters of the wrapped object.
    """
    source = bearer(rule)
    if isinstance(source, Configured):
        source = source.function
    if not getattr(source, "takes_parameters", True):
        fields = []
    elif dataclasses.is_dataclass(source):
        fields = [
            Parameter(field.name, field.type, _default(field), field.metadata)
            for field in dataclasses.fields(source)
            if field.init and not field.metadata.get("in_name")
        ]
    elif isinstance(source, FunctionType):
        kinds, defaults = source.__annotations__, source.__kwdefaults__ or {}
        code = source.__code__
        names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        fields = [Parameter(name, kinds.get(name, Any), defaults.get(name, MISSING), {}) for name in names]
    else:
        fields = []
    return {parameter.name.replace("_", "-"): parameter for parameter in fields}


def _default(field: dataclasses.Field[Any]) -> Any:  # noqa: ANN401  (whatever the field holds)
    return field.default if field.default_factory is MISSING else field.default_factory()


@dataclass(frozen=True)
class Configured:
    """A function with fixed keyword-only arguments.

    Parameters
    ----------
    function : callable
        A user's rule.
    values : tuple of (str, object)
        The fixed arguments.
    """

    function: Callable[..., Any]
    values: tuple[tuple[str, Any], ...]

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401  (whatever the function takes and returns)
        """Call the function."""
        return self.function(*arguments, **dict(self.values))

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The function's."""
        return self.function.__doc__


def configure(rule: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401  (any kind of rule)
    """Return `rule`, a class, a ready rule or a function, with parameters set to `values`."""
    if isinstance(rule, type):
        return rule(**values)
    if not values:
        return rule
    if isinstance(rule, Configured):
        return Configured(rule.function, tuple((dict(rule.values) | dict(values)).items()))
    if isinstance(rule, FunctionType):
        return Configured(rule, tuple(values.items()))
    if field := getattr(type(rule), "made_of", ""):
        return dataclasses.replace(rule, **{field: configure(getattr(rule, field), values)})
    return dataclasses.replace(rule, **values)


def arguments(
    rule: object, name: str, settings: Mapping[str, str], named: Sequence[Named] = ()
) -> dict[str, Any]:
    """Return the arguments that `settings` give to a rule, read by the types of its fields.

    Parameters
    ----------
    rule : dataclass or its instance
        Its fields may be int, float, bool, a Literal of words, a type in `named`, or a union of them. A
        float whose metadata say ``{"unit": "s"}`` takes ``90``, ``90 s``, ``15min``, ``2h`` and ``7d``; with
        ``{"unit": "B"}`` ``512MiB`` and ``1.5 GB``, with ``{"unit": "B/s"}`` ``125MB/s`` and ``1 Gbit/s``.
    name : str
        The rule's name, for messages.
    settings : mapping of str to str
        By the names of `parameters`.
    named : sequence of Named, default none
        Types whose values have names.

    Raises
    ------
    UnknownNameError
        If a key is not a parameter.
    InputError
        If a value does not fit its field.
    """
    by_word = parameters(rule)
    by_plain_word = {normalize(word): word for word in by_word}
    types = _types(rule, named) if settings else {}
    values: dict[str, Any] = {}
    for key, text in settings.items():
        if (word := by_plain_word.get(normalize(key), "")) not in by_word:
            raise UnknownNameError(f"parameter of {name}", key, tuple(by_word))
        field = by_word[word]
        reader = _Reader(f"{name}, {word}", field.metadata.get("unit", ""), tuple(named))
        values[field.name] = reader.read(types.get(field.name, Any), text)
    return values


def _types(rule: object, named: Sequence[Named]) -> Mapping[str, Any]:
    """Return the types of a rule's parameters by Python name; without annotation, the default's type."""
    source = bearer(rule)
    source = source.function if isinstance(source, Configured) else source
    here = {one.type.__name__: one.type for one in named}
    kind = source if isinstance(source, type | FunctionType) else type(source)
    makers = kind.__mro__ if isinstance(kind, type) else (kind,)
    places = [vars(sys.modules[one.__module__]) for one in makers if one.__module__ in sys.modules]
    if isinstance(kind, FunctionType):
        places = [kind.__globals__]
    return {one.name: _type(one, places, here) for one in parameters(source).values()}


def _type(parameter: Parameter, places: Sequence[dict[str, Any]], here: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the type of an annotation in the first module that knows its names, or else the annotation."""
    if parameter.type is Any and parameter.default is not MISSING:
        return type(parameter.default)
    for names in places:
        try:
            return get_type_hints(SimpleNamespace(__annotations__={"it": parameter.type}), names, here)["it"]
        except NameError:
            continue
    return parameter.type


def expectations(rule: object, named: Sequence[Named] = ()) -> dict[str, str]:
    """Return the expected value of each parameter of a rule, by name: ``a number``, ``yes or no``."""
    types = _types(rule, named) if parameters(rule) else {}
    return {
        word: _Reader(word, parameter.metadata.get("unit", ""), tuple(named)).expects(types[parameter.name])
        for word, parameter in parameters(rule).items()
    }


def find_keyless(rule: object, named: Sequence[Named]) -> tuple[str, Callable[[str], object] | None]:
    """Return the parameter of a user's own rule that needs no key, and what reads it; an empty text if none.

    It is the only one of a type of `named` that needs none, such as an order.
    """
    types = _types(rule, named)
    matches = [
        (word, one.read)
        for one in named
        if not one.needs_key
        for word, parameter in parameters(rule).items()
        if one.type in _alternatives(types[parameter.name])
    ]
    return matches[0] if len(matches) == 1 else ("", None)


def make_rule(
    rule: Any,  # noqa: ANN401  (a user's rule may be anything)
    name: str,
    settings: Mapping[str, str],
    named: Sequence[Named] = (),
    *,
    field: str,
) -> Any:  # noqa: ANN401
    """Return `rule`, a class or a ready rule, made with these settings.

    Parameters
    ----------
    rule, name, settings, named
        As in `arguments`.
    field : str
        The rule, for messages: ``"estimator my.py:Median"``.

    Raises
    ------
    UnknownNameError
        If a key is not a parameter.
    InputError
        If it takes no parameters, a value does not fit, or making it fails.
    """
    if settings and not parameters(rule):
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=field)
    values = arguments(rule, name, settings, named)
    with Guard(lambda failure: InputError(f"cannot be made: {failure}", field=field)):
        return configure(rule, values)


def settings_of(rule: object) -> list[str]:
    """Return ``key=value`` for each parameter of `rule` that differs from its default, in field order."""
    source = bearer(rule)
    if isinstance(source, Configured | FunctionType):
        values = dict(source.values) if isinstance(source, Configured) else {}
    else:
        values = {field.name: getattr(source, field.name) for field in parameters(source).values()}
    return [
        f"{word}={text_of(values[field.name])}"
        for word, field in parameters(source).items()
        if field.name in values and values[field.name] != field.default
    ]


_SPECS = ("spec", "words")
"""The attribute with a rule's own spec, and its earlier name."""


def own_spec(rule: object) -> object:
    """Return the spec that a rule has itself, as its attribute `spec` or, earlier, `words`; None without.

    One that its class says, the same for all its rules, is followed by what differs from the defaults.
    """
    spec = getattr(rule, "spec", getattr(rule, "words", None))
    is_of_class = any(vars(kind).get(word) is spec for kind in type(rule).__mro__ for word in _SPECS)
    return format_spec(spec, settings_of(rule)) if isinstance(spec, str) and is_of_class else spec


def canonical_spec(rule: Any) -> str:  # noqa: ANN401  (anything with a name)
    """Return ``name:key=value``: the bare word of a rule, and parameters that differ from their defaults."""
    source = bearer(rule)
    bare = getattr(source, "bare_word", "")
    first = [text_of(getattr(source, bare.replace("-", "_")))] if bare else []
    return format_spec(
        rule.name, [*first, *(setting for setting in settings_of(source) if setting.split("=")[0] != bare)]
    )


def text_of(value: object) -> str:
    """Return a parameter's value as typed in a spec."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    name = getattr(value, "name", None)
    if not isinstance(name, str):
        return str(value)
    texts = settings_of(value)
    return f"{name}({', '.join(texts)})" if texts else name


def _are_names(kind: Any) -> bool:  # noqa: ANN401  (a type, of which Literal[...] is none to mypy)
    return get_origin(kind) is Literal


def _alternatives(kind: object) -> list[object]:
    """Return the types of a union without None, or the type itself."""
    is_union = get_origin(kind) in (Union, UnionType)
    return [k for k in get_args(kind) if k is not NoneType] if is_union else [kind]


def _unreadable(kind: Any) -> str:  # noqa: ANN401  (a type, of which Any is none to mypy)
    """Return why no text can be read as a value of this type."""
    if kind in (Any, NoneType):
        return "it has no annotation"
    return f"it is {with_article(kind.__name__ if type(kind) is type else str(kind))}"


class _Reader(NamedTuple):
    """Reads the text of one setting by the type of its field."""

    field: str
    unit: str
    named: tuple[Named, ...]

    def read(self, kind: object, text: str) -> object:
        """Return the value of the first alternative of `kind` that `text` fits."""
        choices = self._choices(kind)
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
            raise InputError(f"must be {self.expects(kind)}, got {text!r}", field=self.field) from error

    def expects(self, kind: object) -> str:
        """Return the description of the values of `kind`."""
        return " or ".join(map(self._expected, self._choices(kind)))

    def _choices(self, kind: object) -> list[object]:
        """Return the alternatives of a type in the order in which they are tried."""
        choices = _alternatives(kind)
        # Words before numbers before names: only the reader of names reports all alternatives.
        return sorted(choices, key=lambda choice: (self._named(choice) is not None, not _are_names(choice)))

    def _named(self, kind: object) -> Named | None:
        return next((one for one in self.named if one.type is kind), None)

    def _as(self, kind: object, text: str) -> object:
        if (named := self._named(kind)) is not None:
            return self._by_name(named, text)
        fits = {int: self._whole, float: self._number, bool: self._truth, str: str}.get(kind)  # type: ignore[call-overload]
        value = fits(text) if fits else self._word(kind, text)
        if value is None:
            hint = "; parameters are separated by colons" if "," in text and "=" in text else ""
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
            return _EXPECTED.get(self.unit, "a number")
        if (named := self._named(kind)) is not None:
            return named.expected
        if isinstance(kind, str):
            return kind
        if _are_names(kind):
            return " or ".join(map(str, get_args(kind)))
        usual = {int: "a whole number", bool: "yes or no", str: "text"}.get(kind)  # type: ignore[call-overload]
        return usual or f"given in Python ({_unreadable(kind)})"

    @staticmethod
    def _word(kind: object, text: str) -> object:
        """Return the word of a choice that `text` is, in any case; None if it is none."""
        return find_choice(text, get_args(kind)) if _are_names(kind) else None

    @staticmethod
    def _whole(text: str) -> int | None:
        return int(text) if text.isascii() and text.lstrip("-").isdecimal() and len(text) < 18 else None

    def _number(self, text: str) -> float | None:
        match = _WITH_UNIT[self.unit].fullmatch(text) if self.unit in _WITH_UNIT else None
        text, scale = (match[1], _UNITS[self.unit][match[2]]) if match else (text, 1.0)
        try:
            value = float(text) * scale
        except ValueError:
            return None
        if match and self.unit != "s":  # 1.1 GB are 1100000000 bytes, which a product of floats need not be
            from decimal import Decimal

            value = float(Decimal(text) * Decimal(scale))
        return None if math.isnan(value) else value

    @staticmethod
    def _truth(text: str) -> bool | None:
        return _TRUTH.get(text.lower())
