"""Point: one combination of a study's axes, which is run once for every seed, and how points are made."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError
from echelon.experiments.settings.changes import DRAWING
from echelon.experiments.study.file.settings import check_value, settings_known
from echelon.experiments.study.file.template import fill, gaps
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.workload_spec import has_draws, with_seed
from echelon.platforms.files.mistakes import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from echelon.experiments.study.file.axis import Exclusion, Value
    from echelon.experiments.study.run.outcome import Outcome
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes


@dataclass(frozen=True, slots=True)
class Point:
    """One combination, checked.

    Parameters
    ----------
    settings : mapping of str to object
        The settings of its runs, without the seed; plain values, paths as seen from here.
    labels : mapping of str to str
        What tables call it: axis, then the value's label.
    place : tuple of str and int
        Where the study file says so, for messages.
    """

    settings: Mapping[str, Any]
    labels: Mapping[str, str]
    place: Place = ()

    @property
    def spec(self) -> str:
        """The settings as one line: equal if and only if they are."""
        return json.dumps(dict(self.settings), sort_keys=True)

    def case(self, seed: int | None, *, shown: bool = True, first: int | None = None) -> Case:
        """Return the run of this combination with a seed.

        Parameters
        ----------
        seed : int or None
            Of the run's random choices, and of its workload if that is drawn: so all policies schedule the
            same jobs under the same seed. None leaves both as they are by default.
        shown : bool, default True
            Whether the seed is among the labels.
        first : int, optional
            So many jobs instead of those it says.
        """
        settings = dict(self.settings)
        workload_seed = settings.pop("workload_seed", seed)
        if seed is not None:
            settings["seed"] = seed
        if workload_seed is not None:
            settings["workload"] = with_seed(settings["workload"], workload_seed)
            if not DRAWING.isdisjoint(settings):
                settings["workload_seed"] = workload_seed
        if first is not None:
            settings["first"] = first
        labels = dict(self.labels)
        if shown and seed is not None:
            labels["seed"] = str(seed)
        return Case(settings, labels, self.is_seeded)

    @property
    def is_seeded(self) -> bool:
        """Whether the spec of its workload holds the seed: the jobs may be others under another one."""
        if "workload_seed" in self.settings:
            return False
        spec = self.settings["workload"]
        return with_seed(spec, 0) != spec or not DRAWING.isdisjoint(self.settings)

    def replications(self, seeds: Sequence[int | None], first: Outcome | None) -> Sequence[int | None]:
        """Return those of the seeds with which a run is worth making, as far as that is known by now.

        Parameters
        ----------
        seeds : sequence of int or None
            All there are, at least one.
        first : Outcome or None
            What became of the run with the first of them; None if it was not made yet.

        Returns
        -------
        sequence of int or None
            All of `seeds`, or the first alone: of a point that no chance enters, since the others would
            repeat it, and of one of which this is unknown before it has run.
        """
        if first is None:
            return seeds if self._is_drawn else seeds[:1]
        return seeds[:1] if first.chance is False else seeds

    @property
    def _is_drawn(self) -> bool:
        """Whether its jobs are others under another seed beyond doubt: some models of estimates draw none."""
        spec = self.settings["workload"]
        return self.is_seeded and (with_seed(spec, 0) != spec or "shake_by" in self.settings)


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

    def make(self, values: Iterable[tuple[str, Value]]) -> Point | None:
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
            name: str(fill(value.label, parameters))
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
        filled_value = fill(value, parameters)
        if missing := gaps(filled_value) - self.parameters:
            name = min(missing)
            problem = f"got {value!r:.60}, but no axis is named {name!r}; {nearest(name, self.parameters)}"
            self.mistakes.note(place, problem)
            return InputError(problem)
        asked = (key, json.dumps(filled_value, default=str))
        if asked not in self._checked:
            try:
                self._checked[asked] = check_value(key, filled_value, self.folder)
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
