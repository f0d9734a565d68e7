"""Combinations that can never run, whatever the jobs: a broker without sites, nodes of no platform."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError
from echelon.experiments.scenario import scenario_of
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.study.file.settings import settings_known
from echelon.experiments.study.file.template import format_value
from echelon.model import Workload
from echelon.platforms import platform_named
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.experiments.study.plan.point import Point
    from echelon.model import Platform
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes

_ALONE = ("processors", *(setting.name for setting in SETTINGS if setting.scope is not None))
_WITH_PLATFORM = ("platform", *_ALONE, "policy", "estimator")
"""Keys that must go together: on one plain machine every policy runs."""


def note_impossible(points: Iterable[Point], mistakes: Mistakes) -> None:
    """Note each reason why combinations can never run, with the first of them and how many others."""
    seen: set[str] = set()
    places_by_reason: dict[str, list[tuple[Place, str]]] = {}
    platform = lru_cache(maxsize=None)(platform_named)
    for point in points:
        asked = _machine_settings(point.settings)
        if repr(asked) not in seen:
            seen.add(repr(asked))
            if reason := reason_against(asked, platform):
                named = ", ".join(f"{key} = {format_value(value)}" for key, value in asked.items())
                places_by_reason.setdefault(reason, []).append((point.place, named))
    for reason, combinations in places_by_reason.items():
        place, named = combinations[0]
        others = tally(len(combinations) - 1, "other combination")
        alike = f" (and {others}, for the same reason)" if len(combinations) > 1 else ""
        mistakes.note(place, f"{named} can never run: {reason}{alike}")


def reason_against(
    settings: Mapping[str, Any], platform: Callable[[str], Platform] = platform_named
) -> str | None:
    """Return why these settings cannot go together, or None if they can.

    Parameters
    ----------
    settings : mapping of str to object
        Keys of a run, each checked for itself; those of the workload do not matter.
    platform : callable, default `platform_named`
        Reads the spec of a platform.
    """
    asked = _machine_settings(settings)
    jobs = Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])
    try:
        if "platform" in asked:
            asked["platform"] = platform(asked["platform"])
        else:
            asked.setdefault("processors", 1)
        scenario_of(jobs, **asked)
    except EchelonError as error:
        return str(error).rstrip(".")
    return None


def _machine_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    options = settings_known().present(settings)
    keys = _WITH_PLATFORM if "platform" in options else _ALONE
    return {key: options[key] for key in keys if key in options}
