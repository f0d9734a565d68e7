"""Trees of sites: the controller of every inner site, from the platform's words and the run's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.refusals import kinds_of_machine

if TYPE_CHECKING:
    from typing import TypeGuard

    from echelon.engine.worlds import LeafRules, TreeOfSites
    from echelon.experiments.grid import Choice
    from echelon.model import Platform


def is_tree(machine: object) -> TypeGuard[Platform]:
    """Return whether a machine has sites of several kinds or levels, or sites with nodes."""
    if machine is None or isinstance(machine, int):
        return False
    from echelon.model import Platform

    if not isinstance(machine, Platform):
        return False
    return machine.is_nested or bool(machine.inner) or len(kinds_of_machine(machine)) > 1


def tree_world(platform: Platform, choice: Choice, rules: LeafRules) -> TreeOfSites:
    """Return the world of `platform`: what it says about its inner sites, and else what the run says.

    Raises
    ------
    InputError
        If who decides is no broker.
    UnknownNameError
        If words name nothing.
    """
    from echelon.engine.worlds import Controller, TreeOfSites
    from echelon.policies import Broker, admissible, broker_of

    said = {inner.path: inner for inner in platform.inner}
    controllers = {}
    for path in platform.inner_paths:
        here = said.get(path)
        broker = choice.broker if here is None or here.broker is None else broker_of(here.broker)
        if not isinstance(broker, Broker):
            where = f"broker of inner site {path!r}"
            raise InputError(f"{getattr(broker, 'name', None)!r} is no broker, which trees need", field=where)
        allowed = choice.admissible
        if here is not None and here.admissible is not None:
            allowed = admissible(here.admissible)
        time = None if here is None else here.decision_time
        controllers[path] = Controller(broker, allowed, time)
    return TreeOfSites(controllers, rules)
