"""Combinations that can never run, whatever the jobs: a broker without sites, nodes of no platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError
from echelon.experiments.grid import choice_of, machine_of
from echelon.experiments.multicluster import MulticlusterChoice, multicluster_rules_of
from echelon.experiments.nodes import NodeChoice, node_rules_of
from echelon.experiments.study.template import shown
from echelon.model import Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.experiments.study.point import Point
    from echelon.platforms.mistakes import Mistakes

_ASKED = ("platform", "processors", "broker", "admissible", *NodeChoice._fields, *MulticlusterChoice._fields)
"""Keys that must go together."""


def note_impossible(points: Iterable[Point], mistakes: Mistakes) -> None:
    """Note every combination that can never run, each distinct one once, with its words and the reason."""
    seen: set[str] = set()
    for point in points:
        told = {key: point.settings[key] for key in _ASKED if key in point.settings}
        words = repr(told)
        if words in seen:
            continue
        seen.add(words)
        if reason := reason_against(told):
            named = ", ".join(f"{key} = {shown(value)}" for key, value in told.items())
            mistakes.note(point.place, f"{named} can never run: {reason}")


def reason_against(settings: Mapping[str, Any]) -> str | None:
    """Return why these settings can not go together, or None if they can.

    Parameters
    ----------
    settings : mapping of str to object
        Keys of a run, each checked for itself; those of the workload do not matter.
    """
    told = {key: settings[key] for key in _ASKED if key in settings}
    jobs = Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])
    try:
        machine = machine_of(jobs, told.get("processors", 1), None)
        if "platform" in told:
            machine = machine_of(jobs, told.get("processors"), told["platform"])
        choice_of(machine, told.get("broker"), told.get("admissible"))
        node_rules_of(machine, jobs, NodeChoice(*(told.get(key) for key in NodeChoice._fields)))
        above = MulticlusterChoice(*(told.get(key) for key in MulticlusterChoice._fields))
        multicluster_rules_of(machine, above, execution=told.get("execution"))
    except EchelonError as error:
        return str(error).rstrip(".")
    return None
