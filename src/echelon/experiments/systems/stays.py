"""Stays: after how long the global queues of a run reject a job that has not started."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.values_by_site import as_by_site, format_by_site
from echelon.rules import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller
    from echelon.engine.multicluster.rules import MulticlusterRules

_STAY = next(setting for setting in SETTINGS if setting.name == "longest_stay")


def refuse_idle_stay(
    settings: Mapping[str, Any],
    controllers: Mapping[str, Controller] | None,
    shared: MulticlusterRules | None,
) -> None:
    """Refuse a longest stay where there is no global queue.

    Parameters
    ----------
    settings : mapping of str to object
        What was asked for, by setting.
    controllers : mapping of str to Controller, optional
        Those of the inner sites of a tree, by path.
    shared : MulticlusterRules, optional
        The rules of shared nodes: without `controllers`, of a multicluster, which has a global queue.

    Raises
    ------
    InputError
        If one is said, and there is none; if what is said is not a number above 0.
    """
    stays = as_by_site(_STAY.value(settings.get(_STAY.name))).values.values()
    if all(stay == math.inf for stay in stays) or (shared is not None and not controllers):
        return
    if not any(one.queue is not None for one in (controllers or {}).values()):
        raise InputError(
            "rejects jobs that wait in or below a global queue, but there is none; give one with "
            "--global-queue",
            field=_STAY.dashed,
        )


def stay_settings(scenario: Scenario) -> dict[str, float | str | None]:
    """Return by setting after how many seconds the global queues of a run reject jobs; None if never.

    It is one number unless they differ, from one another or from what the platform says: then texts by path.
    """
    from echelon.engine.system_model import TreeOfSites

    if not isinstance(scenario.system_model, TreeOfSites):
        return {_STAY.name: None}
    controllers = scenario.system_model.controllers
    queues = {path: queue for path, one in controllers.items() if (queue := getattr(one, "queue", None))}
    stays = {path: queue.longest_stay for path, queue in queues.items()}
    own = (one.settings.get(_STAY.name) for one in scenario.instance.sites.inner if one.path in stays)
    if len({*stays.values(), *own} - {None}) > 1:
        return {_STAY.name: format_by_site({path: text_of(stay) for path, stay in stays.items()})}
    return {_STAY.name: min((stay for stay in stays.values() if stay < math.inf), default=None)}
