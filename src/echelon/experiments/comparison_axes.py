"""Axes of a comparison: the settings that were given several values, and their combinations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.inputs import check_source
from echelon.experiments.settings.jobs import READING
from echelon.experiments.settings.setting import SettingsByName
from echelon.experiments.settings.signature import check_keywords
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.study.file.axis import Choices, Value
from echelon.experiments.study.plan.combinations import all_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.settings.setting import Setting

_SETTINGS = SettingsByName(one for one in SETTINGS if one.in_python or one.name == "workload")
_PLURALS = {setting.plural: setting.name for setting in _SETTINGS.values() if setting.plural}


@dataclass(frozen=True, slots=True)
class ComparisonAxes:
    """The settings that a comparison was asked for.

    Parameters
    ----------
    values : mapping of str to list
        The values of each setting that was given, one or several.
    fields : mapping of str to str
        How each was spelled: ``policies`` or ``policy``.
    """

    values: Mapping[str, list[Any]]
    fields: Mapping[str, str]

    @property
    def varies(self) -> bool:
        """Whether some setting has several values."""
        return any(len(values) > 1 for values in self.values.values())

    def combinations(self) -> list[Combination]:
        """Return every combination: the settings of the highest rank vary fastest.

        Raises
        ------
        InputError
            If a setting has the same value twice.
        """
        ranked = sorted(self.values, key=lambda name: _SETTINGS[name].rank)
        axes = [self._axis(_SETTINGS[name]) for name in ranked]
        new = [axis.name for axis in axes if len(axis.values) > 1 and _SETTINGS[axis.name].rank <= 0]
        return [_combination(values, new) for values in all_of(axes)]

    def _axis(self, setting: Setting) -> Choices:
        values = self.values[setting.name]
        labels = [setting.canonical(value) for value in values] if len(values) > 1 else [""]
        if setting.name == "workload" and len({*labels}) < len(labels):  # files of one name in two folders
            labels = _labels_of_sources(values)
        for label in labels:
            if labels.count(label) > 1:
                raise InputError(
                    f"must all be different, got {label!r} twice", field=self.fields[setting.name]
                )
        pairs = zip(values, labels, strict=True)
        return Choices(setting.name, tuple(Value({setting.name: value}, label) for value, label in pairs))


@dataclass(frozen=True, slots=True)
class Combination:
    """One run of a comparison.

    Parameters
    ----------
    settings : mapping of str to object
        What is asked for of the jobs once they are read, by setting.
    varied : tuple of pairs of str, default empty
        Settings that the label of a run does not tell, each with the label of its value.
    source : mapping of str to object, default empty
        Which jobs are read, and how: the settings of `READING` that were given.
    """

    settings: Mapping[str, Any]
    varied: tuple[tuple[str, str], ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reading(self) -> dict[str, Any]:
        """What `Inputs.workload` takes."""
        return {**self.source, "platform": self.settings.get("platform")}

    def without(self, names: Iterable[str]) -> Combination:
        """Return the run without some of the settings."""
        left = {*names}
        settings = {name: value for name, value in self.settings.items() if name not in left}
        return replace(
            self, settings=settings, varied=tuple(pair for pair in self.varied if pair[0] not in left)
        )


def axes_of(settings: Mapping[str, Any]) -> ComparisonAxes:
    """Return the axes that the keywords of a comparison ask for.

    Raises
    ------
    TypeError
        If one is unknown.
    InputError
        If a setting has no value, or is given in both of its spellings; as `check_source`.
    """
    keywords = check_keywords("compare", settings, _SETTINGS, _PLURALS)
    values: dict[str, list[Any]] = {}
    fields: dict[str, str] = {}
    for spelled, value in keywords.items():
        setting = _SETTINGS[_PLURALS.get(spelled, spelled)]
        if setting.name in values:
            other = fields[setting.name]
            raise InputError(f"has the same meaning as {other}; give one of the two", field=spelled)
        values[setting.name] = _values(setting, value, several=spelled in _PLURALS)
        fields[setting.name] = spelled
        if not values[setting.name]:
            raise InputError(
                f"needs at least one{setting.noun and f' {setting.noun}'}, got none", field=spelled
            )
    if "workload" in settings:
        for source in values.get("workload", [None]):
            check_source({"workload": source})
    return ComparisonAxes(values, fields)


def _values(setting: Setting, value: Any, *, several: bool) -> list[Any]:  # noqa: ANN401  (as above)
    if not setting.varies:
        return [value]
    if several and not isinstance(value, str):
        return list(value)
    listed = isinstance(value, list | range | Iterator) or type(value) is tuple or hasattr(value, "tolist")
    if not listed or (setting.name == "platform" and _are_sizes(value)):
        return [value]
    parts = list(value)
    if setting.tables and any(map(_is_row, parts)):
        return [parts]
    if list in setting.types and not any(isinstance(part, list | tuple) for part in parts):
        return [parts]
    return parts


def _labels_of_sources(sources: list[Any]) -> list[str]:
    """Return labels of workloads: files as they were given, and jobs by name, numbered if others share it."""
    jobs = {id(source): source for source in sources if not isinstance(source, str | Path)}
    names: list[str] = [source.name for source in jobs.values()]
    numbers = {key: names[:place].count(names[place]) + 1 for place, key in enumerate(jobs)}
    labels = {
        key: f"{jobs[key].name} ({number})" if number > 1 else jobs[key].name
        for key, number in numbers.items()
    }
    return [labels.get(id(source), str(source)) for source in sources]


def _is_row(part: Any) -> bool:  # noqa: ANN401  (as above)
    """Return whether a part of a list is one row of a table, so that the list is one value."""
    from echelon.model.machines.reservations import Reservation

    return isinstance(part, Mapping | Reservation)


def _are_sizes(value: Any) -> bool:  # noqa: ANN401  (as above)
    """Return whether a list is one platform: the processors of its sites."""
    return all(not isinstance(part, str) and hasattr(part, "__index__") for part in value)


def _combination(values: tuple[Value, ...], new: list[str]) -> Combination:
    settings = {name: value for one in values for name, value in one.settings.items()}
    labels = {name: one.label for one in values for name in one.settings}
    source = {name: settings.pop(name) for name in READING if name in settings}
    return Combination(settings, tuple((name, labels[name]) for name in new), source)
