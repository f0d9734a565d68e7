"""Point: one combination of a study's axes, which is run once for every seed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.changes import DRAWING
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.workload_spec import with_seed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.study.run.outcome import Outcome
    from echelon.platforms.files.key_lines import Place


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
        """Whether the words of its workload hold the seed: the jobs may be others under another one."""
        if "workload_seed" in self.settings:
            return False
        words = self.settings["workload"]
        return with_seed(words, 0) != words or not DRAWING.isdisjoint(self.settings)

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
        words = self.settings["workload"]
        return self.is_seeded and (with_seed(words, 0) != words or "shake_by" in self.settings)
