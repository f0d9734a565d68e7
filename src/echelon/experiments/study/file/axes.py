"""Reading what varies: the table ``[axes]`` and the lists ``[[case]]`` and ``[[exclude]]`` of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.rule_table import rule_spec
from echelon.experiments.study.file.axis import Choices, Exclusion, Value, range_of
from echelon.experiments.study.file.settings import NOT_IN_STUDIES, RULES, expectation_of, settings_known
from echelon.experiments.study.file.template import fill, format_value, gaps
from echelon.experiments.study.plan.replications import BLOCKS, SEEDS, SHAKE
from echelon.platforms.files.mistakes import format_got, nearest
from echelon.policies.order.multifactor import PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.experiments.study.file.axis import Axis
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes

_LABEL, _NAME = "label", "name"
_LIST = "a list of values, or a range {low = ..., high = ...}"


@dataclass
class AxisReading:
    """Reads axes; keeps what is wrong with them.

    Parameters
    ----------
    fixed : mapping of str to object
        What all runs share.
    axes : mapping of str to object
        The table ``[axes]``, without the seeds.
    listed : list of mapping
        The tables ``[[case]]``.
    mistakes : Mistakes
        Receives what is wrong.
    """

    fixed: Mapping[str, Any]
    axes: Mapping[str, Any]
    listed: list[dict[str, Any]]
    mistakes: Mistakes
    parameters: frozenset[str] = field(init=False)
    asked: set[str] = field(init=False)

    def __post_init__(self) -> None:
        """Find the names that only templates use: axes that set no keys, and what tables set for them."""
        asked = _gaps_within([self.fixed, self.axes, self.listed])
        self.asked = asked
        tables = [table for content in self.axes.values() for table in _links(content, asked)] + self.listed
        named = {name for name, content in self.axes.items() if not _links(content, asked)}
        linked = {key for table in tables for key in table if key in asked}
        settings = settings_known()
        self.parameters = frozenset(
            name for name in named | linked if name not in settings and name != _LABEL
        )

    def read(self) -> tuple[Axis, ...]:
        """Return the axes in the file's order; those that are wrong are left out."""
        self._check_keys(self.fixed, ("fixed",))
        axes = [self._axis(name, content) for name, content in self.axes.items()]
        kept = tuple(axis for axis in axes if axis is not None)
        self._check_twice(kept)
        return kept

    def cases(self) -> tuple[Value, ...]:
        """Return the points of the list of cases."""
        values = []
        for number, table in enumerate(self.listed):
            chosen = {key: value for key, value in table.items() if key != _LABEL}
            self._check_keys(chosen, ("case", number))
            values.append(Value(chosen, str(table.get(_LABEL, "")), ("case", number)))
        return tuple(values)

    def _axis(self, name: str, content: object) -> Axis | None:
        place: Place = ("axes", name)
        if not self._is_known(name, content):
            return None
        if name in self.fixed:
            self.mistakes.note(place, f"{name!r} is both an axis and in [fixed]; leave out one of the two")
        if isinstance(content, dict):
            return range_of(name, content, self.mistakes)
        if not isinstance(content, list):
            self.mistakes.note(place, f"{format_got(content)}, expected {_LIST}")
            return None
        if not content:
            self.mistakes.note(place, f"got an empty list, expected {_LIST}")
            return None
        values = [v for number, one in enumerate(content) for v in self._values(name, one, (*place, number))]
        self._check_different(values)
        return Choices(name, tuple(values)) if values else None

    def _is_known(self, name: str, content: object) -> bool:
        """Return whether an axis is a setting's, sets some, or is used by a template; note it if not."""
        if name in NOT_IN_STUDIES:
            self.mistakes.note(("axes", name), f"cannot be an axis: {NOT_IN_STUDIES[name]}")
            return False
        if name not in self.parameters or name in self.asked:
            return True
        names = [*settings_known(), SEEDS, SHAKE, BLOCKS]
        self.mistakes.note(
            ("axes", name),
            f"unknown axis {name!r:.60} ({format_got(content)}): neither a setting nor used by a template as "
            f"{{{name}}}; {nearest(name, names)}",
            named=True,
        )
        return False

    def _values(self, name: str, content: object, place: Place) -> Iterator[Value]:
        if not isinstance(content, dict):
            yield Value({name: content}, format_value(content), place)
        elif _NAME in content:
            yield from self._join_spec(name, content, place)
        else:
            yield from self._join_keys(name, content, place)

    def _join_spec(self, name: str, table: Mapping[str, Any], place: Place) -> Iterator[Value]:
        """Yield a value for every combination of the parameters of a rule's name."""
        if name not in RULES and name not in self.parameters:
            self.mistakes.note(place, f"{format_got(table)}, expected {_expectation_of(name)}")
            return
        head, label = table[_NAME], table.get(_LABEL)
        lists = {
            key: value if isinstance(value, list) else [value]
            for key, value in table.items()
            if key not in (_NAME, _LABEL)
        }
        wrong = [
            key
            for key, values in lists.items()
            if not values or any(_is_wrong(key, value) for value in values)
        ]
        for key in wrong:
            self.mistakes.note(
                (*place, key),
                f"{format_got(table[key])}, expected a number, text or a list of these; a range is an axis "
                f'of its own, used as "{head}:{key}={{k}}"',
            )
        if wrong or not isinstance(head, str) or (label is not None and not isinstance(label, str)):
            if not wrong:
                self.mistakes.note(place, f"{format_got(table)}, expected text for name and label")
            return
        for chosen in product(*lists.values()):
            settings = dict(zip(lists, chosen, strict=True))
            try:
                spec = rule_spec({_NAME: head, **settings})
            except InputError as error:
                self.mistakes.note(place, error.problem)
                return
            yield Value({name: spec}, spec if label is None else str(fill(label, settings)), place)

    def _join_keys(self, name: str, table: Mapping[str, Any], place: Place) -> Iterator[Value]:
        """Yield the value that sets several keys at once."""
        chosen = {key: value for key, value in table.items() if key != _LABEL}
        label = table.get(_LABEL, ", ".join(map(format_value, chosen.values())))
        self._check_keys(chosen, place)
        if name in settings_known() and name not in chosen:
            self.mistakes.note(place, f"{format_got(table)} does not set {name!r}, the setting of its axis")
        elif not isinstance(label, str) or not label:
            self.mistakes.note((*place, _LABEL), f"{format_got(label)}, expected a string")
        else:
            yield Value(chosen, label, place)

    def _check_keys(self, table: Mapping[str, Any], place: Place) -> None:
        """Note every key that runs do not have."""
        settings = settings_known()
        for key, value in table.items():
            if key in ("seed", SEEDS) and place[0] != "fixed":
                self.mistakes.note((*place, key), f"belongs to all runs: give {SEEDS} in [axes]")
            elif key in NOT_IN_STUDIES:
                self.mistakes.note((*place, key), f"cannot be set in a study: {NOT_IN_STUDIES[key]}")
            elif key not in settings and key not in self.parameters:
                self.mistakes.note_unknown((*place, key), value, [*settings, *self.parameters])

    def _check_different(self, values: list[Value]) -> None:
        """Note a value that comes twice, under one name or two, and two that have one label."""
        for what, names in (
            ("value", [repr(sorted(value.settings.items())) for value in values]),
            ("label", [value.label for value in values]),
            ("value", [_meaning(value) for value in values]),
        ):
            seen: dict[str, Value] = {}
            for key, value in zip(names, values, strict=True):
                if key in seen:
                    self.mistakes.note(value.place, _repetition_sentence(what, seen[key].label, value.label))
                    return
                seen[key] = value

    def _check_twice(self, axes: tuple[Axis, ...]) -> None:
        """Note two axes that set the same."""
        setter: dict[str, str] = {}
        for axis in axes:
            for key in sorted(axis.keys):
                if key in setter:
                    self.mistakes.note(("axes", axis.name), f"sets {key!r}, which {setter[key]!r} also does")
                setter.setdefault(key, axis.name)


def _meaning(value: Value) -> str:
    """Return what a value sets: the same for two names of one rule. Files of the user's own are not read."""
    settings, chosen = settings_known(), []
    for key, argument in sorted(value.settings.items()):
        is_plain = key in RULES and isinstance(argument, str) and ".py" not in argument
        chosen.append((key, settings[key].canonical(argument) if is_plain else argument))
    return repr(chosen)


def _repetition_sentence(what: str, first: str, second: str) -> str:
    if first == second:
        return f"got the {what} {second!r:.60} twice, expected different ones"
    return f"got {second!r:.60}, which is the same as {first!r:.60}, expected different ones"


def exclusions_of(
    tables: list[dict[str, Any]], names: frozenset[str], mistakes: Mistakes
) -> tuple[Exclusion, ...]:
    """Return the rules of what is not run; keys are those of runs and the names of axes."""
    exclusions = []
    settings = settings_known()
    for number, table in enumerate(tables):
        place: Place = ("exclude", number)
        wanted = {key: tuple(value) if isinstance(value, list) else (value,) for key, value in table.items()}
        for key in [key for key in wanted if key not in names and key not in settings]:
            mistakes.note_unknown((*place, key), table[key], [*names, *settings])
        if not wanted or not all(wanted.values()):
            mistakes.note(place, f"{format_got(table)}, expected keys with values that the axes have")
        exclusions.append(Exclusion(wanted, place))
    return tuple(exclusions)


def _links(content: object, asked: set[str]) -> list[dict[str, Any]]:
    """Return the values of an axis that are tables of keys of runs, or of names that templates ask for."""
    tables = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    settings = settings_known()
    return [
        table
        for table in tables
        if _NAME not in table and any(key in asked or key in settings for key in table)
    ]


def _gaps_within(value: object) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(_gaps_within, value.values()))
    if isinstance(value, list):
        return set().union(*map(_gaps_within, value))
    return gaps(value)


def _is_wrong(key: str, value: object) -> bool:
    """Return whether a parameter cannot have this value, as far as its kind goes; priorities are a table."""
    if key in PRIORITIES.values() and isinstance(value, dict):
        return not value or any(isinstance(part, str) or _is_no_word(part) for part in value.values())
    return _is_no_word(value)


def _is_no_word(value: object) -> bool:
    return not isinstance(value, str | int | float) or (isinstance(value, float) and math.isnan(value))


def _expectation_of(name: str) -> str:
    return expectation_of(name) if name in settings_known() else "a number or text"
