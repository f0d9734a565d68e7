"""Stays: after how long the global queues of a run reject a job that has not started."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.table import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller
    from echelon.engine.multicluster.rules import MulticlusterRules

_STAY = next(setting for setting in SETTINGS if setting.name == "longest_stay")


def stay_of(
    given: Mapping[str, Any], controllers: Mapping[str, Controller] | None, shared: MulticlusterRules | None
) -> float:
    """Return how long a job may stay, in seconds; infinity if nothing was said.

    Parameters
    ----------
    given : mapping of str to object
        What was asked for, by setting.
    controllers : mapping of str to Controller, optional
        Those of the inner sites of a tree, by path.
    shared : MulticlusterRules, optional
        The rules of shared nodes: without `controllers`, of a multicluster, which has a global queue.

    Raises
    ------
    InputError
        If it is not a number above 0, or there is no global queue.
    """
    stay: float = _STAY.value(given.get(_STAY.name))
    if not (isinstance(stay, int | float) and stay > 0):
        raise InputError(f"must be a number above 0, got {stay!r}", field="longest stay")
    if stay == math.inf or (shared is not None and not controllers):
        return stay
    if not any(one.queue is not None for one in (controllers or {}).values()):
        raise InputError(
            "rejects jobs that wait in or below a global queue, but there is none; give one with "
            "--global-queue",
            field=_STAY.dashed,
        )
    return stay


def with_stay(controllers: Mapping[str, Controller], stay: float) -> Mapping[str, Controller]:
    """Return the controllers of a tree, whose global queues all reject jobs after `stay` seconds."""
    if stay == math.inf:
        return controllers
    return {
        path: one if one.queue is None else one._replace(queue=one.queue._replace(longest_stay=stay))
        for path, one in controllers.items()
    }


def stay_words(scenario: Scenario) -> dict[str, float | None]:
    """Return by setting after how many seconds the global queues of a run reject jobs; None if never."""
    from echelon.engine.worlds import TreeOfSites

    if not isinstance(scenario.world, TreeOfSites):
        return {_STAY.name: None}
    queues = (getattr(one, "queue", None) for one in scenario.world.controllers.values())
    stays = [queue.longest_stay for queue in queues if queue is not None]
    return {_STAY.name: min((stay for stay in stays if stay < math.inf), default=None)}
