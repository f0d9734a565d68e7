"""Making points: values of axes put together, templates filled in, every distinct word checked once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError
from echelon.experiments.study.file.settings import checked, settings_known
from echelon.experiments.study.file.template import filled, gaps
from echelon.experiments.study.plan.point import Point
from echelon.experiments.study.run.workload_spec import has_draws
from echelon.platforms.files.mistakes import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from echelon.experiments.study.file.axis import Value
    from echelon.experiments.study.file.exclusion import Exclusion
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes


@dataclass
class PointMaker:
    """Makes the points of one study, and keeps what is wrong with them.

    Parameters
    ----------
    fixed : mapping of str to object
        What all runs share, as the file says it.
    parameters : frozenset of str
        Names that only templates use.
    exclusions : tuple of Exclusion
        What is not run.
    folder : Path
        The study file's, from which its paths start.
    mistakes : Mistakes
        Told of every value that a key does not take, once.
    """

    fixed: Mapping[str, Any]
    parameters: frozenset[str]
    exclusions: tuple[Exclusion, ...]
    folder: Path
    mistakes: Mistakes
    excluding: set[Place] = field(default_factory=set)
    _checked: dict[tuple[str, str], Any] = field(default_factory=dict)
    _reported: set[Place] = field(default_factory=set)

    def made(self, values: Iterable[tuple[str, Value]]) -> Point | None:
        """Return the point of these values, each with its axis's name; None if it is excluded or wrong."""
        options = dict(self.fixed)
        places: dict[str, Place] = {key: ("fixed", key) for key in self.fixed}
        chosen = list(values)
        for _, value in chosen:
            options |= value.settings
            places |= dict.fromkeys(value.settings, value.place)
        parameters = {name: options.pop(name) for name in self.parameters & options.keys()}
        asked = set().union(*map(gaps, options.values()))
        settings = {
            key: self._value(key, value, parameters, places[key])
            for key, value in options.items()
            if key in settings_known()
        }
        place = chosen[-1][1].place if chosen else ("fixed",)
        if "workload" not in options:
            where = place if place[0] == "case" else ("fixed",)
            self.mistakes.note(where, "workload is missing, expected it in [fixed] or among the axes")
            return None
        if any(isinstance(value, EchelonError) for value in settings.values()):
            return None
        labels = {
            name: str(filled(value.label, parameters))
            for name, value in chosen
            if name not in self.parameters or name in asked
        }
        if "workload_seed" in settings and not has_draws(settings):
            del settings["workload_seed"]
            labels.pop("workload_seed", None)
        if self._is_excluded(settings | parameters, labels):
            return None
        return Point(settings, labels, place)

    def _is_excluded(self, settings: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
        places = [rule.place for rule in self.exclusions if rule.excludes(settings, labels)]
        self.excluding.update(places)
        return bool(places)

    def _value(self, key: str, value: object, parameters: Mapping[str, Any], place: Place) -> Any:  # noqa: ANN401
        """Return a checked value, or the error that it is, which is noted when it is first seen."""
        filled_value = filled(value, parameters)
        if missing := gaps(filled_value) - self.parameters:
            name = min(missing)
            problem = f"got {value!r:.60}, but no axis is named {name!r}; {nearest(name, self.parameters)}"
            self.mistakes.note(place, problem)
            return InputError(problem)
        asked = (key, json.dumps(filled_value, default=str))
        if asked not in self._checked:
            try:
                self._checked[asked] = checked(key, filled_value, self.folder)
            except EchelonError as error:
                self._checked[asked] = error
                self._note(key, place, error)
        return self._checked[asked]

    def _note(self, key: str, place: Place, error: EchelonError) -> None:
        """Note what is wrong with a value; of all that one template gives, the first."""
        where = place if key in place else (*place, key)
        if where not in self._reported:
            self._reported.add(where)
            self.mistakes.note(where, str(error).rstrip("."))
