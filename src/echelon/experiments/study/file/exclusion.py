"""Exclusion: combinations of a study that are not run."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from echelon.experiments.study.file.template import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.platforms.files.key_lines import Place


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A rule: what has all of this is not run.

    Parameters
    ----------
    wanted : mapping of str to tuple
        By axis or key the values, of which one must be there. A text is compared with the label on the axis
        and with the value itself, and may hold ``*`` and ``?``.
    place : tuple of str and int
        Where the study file says so.
    """

    wanted: Mapping[str, tuple[Any, ...]]
    place: Place = ()

    def excludes(self, settings: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
        """Return whether a combination with these settings and labels is left out."""
        return all(
            any(_is(value, names) for value in values)
            for key, values in self.wanted.items()
            for names in [_names(key, settings, labels)]
        )


def _names(key: str, settings: Mapping[str, Any], labels: Mapping[str, str]) -> set[str]:
    names = {labels[key]} if key in labels else set()
    return names | ({shown(settings[key])} if key in settings else set())


def _is(value: object, names: set[str]) -> bool:
    return any(fnmatchcase(name, shown(value)) for name in names)
