"""Point: one combination of a study's axes, which is run once for every seed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.experiments.study.case import Case
from echelon.experiments.study.workload_words import with_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.platforms.key_lines import Place


@dataclass(frozen=True, slots=True)
class Point:
    """One combination, checked.

    Parameters
    ----------
    settings : mapping of str to object
        What a run of it is told, but for the seed; plain values, paths as seen from here.
    labels : mapping of str to str
        What tables call it: axis, then the value's label.
    place : tuple of str and int
        Where the study file says so, for messages.
    """

    settings: Mapping[str, Any]
    labels: Mapping[str, str]
    place: Place = ()

    @property
    def words(self) -> str:
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
        drawn = settings.pop("workload_seed", seed)
        if seed is not None:
            settings["seed"] = seed
        if drawn is not None:
            settings["workload"] = with_seed(settings["workload"], drawn)
            if "estimates_model" in settings:
                settings["workload_seed"] = drawn
        if first is not None:
            settings["first"] = first
        labels = dict(self.labels)
        if shown and seed is not None:
            labels["seed"] = str(seed)
        return Case(settings, labels)
