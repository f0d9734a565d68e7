"""The rules of time-shared machines, which have no queues: from settings, and back to words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.setting import TIME_SHARED
from echelon.experiments.settings.time_shared import WITHOUT_QUEUES
from echelon.experiments.systems.decision_time import decision_time
from echelon.experiments.systems.refusals import kind_of_machine, kinds_of_machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.model import Monitoring
    from echelon.policies import Policy


def is_immediate(machine: object) -> bool:
    """Return whether a machine is a platform whose sites have no queues."""
    return kind_of_machine(machine) == TIME_SHARED


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
        Who chooses the sites.
    compared : iterable of object, default empty
        All brokers of a comparison, of which the slowest one says what ``equal`` is.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If words name nothing.
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
    if is_immediate(machine) and policy.name != usual:
        raise InputError(
            f"{policy.name!r} applies to sites with queues; on time-shared machines every job starts at once",
            field="policy",
        )


def monitoring(spec: str | Monitoring | None) -> Monitoring:
    """Return `spec` as monitoring: words, one itself, or None for the usual one.

    Parameters
    ----------
    spec : str, Monitoring, optional
        ``"linear"`` or ``"exponential"``, with parameters after colons:
        ``"exponential:period=15:window=60:phase=zero"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or it is neither.
    """
    from echelon.model.machines.monitoring import MONITORING

    return MONITORING.of(spec)


def format_monitoring(rule: Monitoring) -> str:
    """Return the canonical words of monitoring; a parameter at its default is not said."""
    from echelon.model.machines.monitoring import MONITORING

    return MONITORING.format(rule)


def immediate_settings(rules: ImmediateRules | None) -> dict[str, Any]:
    """Return the rules by setting, in canonical words; all None where there are none."""
    return {
        one.name: None if rules is None else one.format(getattr(rules, one.attribute))
        for one in WITHOUT_QUEUES
    }
