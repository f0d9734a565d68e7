"""The rules of time-shared machines, which have no queues, and how long brokers take for a decision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.errors import InputError
from echelon.experiments.settings.setting import TIME_SHARED
from echelon.experiments.settings.time_shared import WITHOUT_QUEUES
from echelon.experiments.settings.values.value_reader import number_of_seconds
from echelon.experiments.systems.refusals import kind_of_machine, kinds_of_machine
from echelon.policies.broker.contract import decision_time_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.model import Monitoring
    from echelon.policies import Policy

    DecisionTimeGiven: TypeAlias = str | float


def immediate_rules_of(
    machine: object, settings: Mapping[str, Any], broker: object, *, compared: Iterable[object] = ()
) -> ImmediateRules | None:
    """Return the rules of `machine`, or None if its sites have queues.

    Parameters
    ----------
    machine : object
        A platform of time-shared machines, or anything else.
    settings : mapping of str to object
        What was asked for, by setting; what is not there is the setting's default. A decision takes the
        broker's own time by default.
    broker : object
        What chooses the sites.
    compared : iterable of object, default empty
        All brokers of a comparison, of which the slowest one says what ``equal`` is.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If a spec names nothing.
    """
    if TIME_SHARED not in kinds_of_machine(machine):
        return None
    from echelon.engine.immediate.rules import ImmediateRules

    seconds = decision_time(settings.get("decision_time"), broker, compared=list(compared))
    asked = {**settings, "decision_time": seconds}
    return ImmediateRules(**{one.attribute: one.value(asked.get(one.name)) for one in WITHOUT_QUEUES})


def check_local_policy(machine: object, policy: Policy, usual: str) -> None:
    """Refuse a local policy of machines that have no queue to order.

    Raises
    ------
    InputError
        If there is no queue and the policy is not the `usual` one.
    """
    if kind_of_machine(machine) == TIME_SHARED and policy.name != usual:
        raise InputError(
            f"{policy.name!r} applies to sites with queues; on time-shared machines every job starts at once",
            field="policy",
        )


def monitoring(spec: str | Monitoring | None) -> Monitoring:
    """Return `spec` as monitoring: its spec, one itself, or None for the usual one.

    Parameters
    ----------
    spec : str, Monitoring, optional
        ``"linear"`` or ``"exponential"``, with parameters after colons:
        ``"exponential:period=15:window=60:phase=zero"``.

    Raises
    ------
    UnknownNameError
        If a spec names nothing.
    InputError
        If a parameter is wrong, or it is neither.
    """
    from echelon.model.machines.monitoring import MONITORING

    return MONITORING.of(spec)


def format_monitoring(rule: Monitoring) -> str:
    """Return the canonical spec of monitoring; a parameter at its default is not said."""
    from echelon.model.machines.monitoring import MONITORING

    return MONITORING.format(rule)


def immediate_settings(rules: ImmediateRules | None) -> dict[str, Any]:
    """Return the rules by setting, in canonical form; all None where there are none."""
    return {
        one.name: None if rules is None else one.format(getattr(rules, one.attribute))
        for one in WITHOUT_QUEUES
    }


OWN_TIME = "own"
"""Each broker takes as long for a decision as its own parameter ``decision`` says; so in platform files."""

EQUAL_TIME = "equal"
"""Each broker of a comparison takes as long as the slowest of them."""


def decision_time(
    spec: DecisionTimeGiven | None, broker: object, *, compared: Sequence[object] = ()
) -> float:
    """Return how long `broker` takes for each decision, in seconds, finite, >= 0.

    Parameters
    ----------
    spec : str, float or None
        ``"own"`` or None, ``"equal"``, or seconds.
    broker : object
        What decides; 0 if it says nothing.
    compared : sequence of object, default empty
        All brokers of a comparison, of which the slowest one says what ``equal`` is.

    Raises
    ------
    InputError
        If it is none of them, or ``equal`` and nothing is compared.
    """
    if spec is None or spec == OWN_TIME:
        return decision_time_of(broker)
    if spec == EQUAL_TIME:
        if not compared:
            raise InputError(
                "equal applies to a comparison of brokers; give own or a time in seconds",
                field="decision-time",
            )
        return max(map(decision_time_of, compared))
    seconds = number_of_seconds(spec)
    if not 0 <= seconds < math.inf:
        raise InputError(
            f"must be own, equal or a time in seconds >= 0 (or with a unit, 5min), got {spec!r:.60}",
            field="decision-time",
        )
    return seconds


def check_decision_time(spec: DecisionTimeGiven) -> None:
    """Raise an error if `spec` is no decision time that `echelon.compare` takes."""
    decision_time(spec, None, compared=[None])
