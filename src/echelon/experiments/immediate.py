"""What a run on machines without queues is told besides: how loads are watched and decisions are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from echelon.errors import InputError
from echelon.experiments.decision_time import decision_time
from echelon.experiments.misplaced_choices import refuse_choices
from echelon.model import Platform

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.experiments.decision_time import DecisionTimeGiven
    from echelon.model import Monitoring
    from echelon.policies import Policy

    MonitoringGiven: TypeAlias = str | Monitoring


class ImmediateChoice(NamedTuple):
    """What was asked for on machines without queues, None where nothing was: as of `echelon.simulate`."""

    monitoring: MonitoringGiven | None = None
    decision_time: DecisionTimeGiven | None = None
    experience: str | None = None
    cpu_use: str | None = None


def is_immediate(machine: object) -> bool:
    """Return whether a machine is a platform whose sites have no queues."""
    return isinstance(machine, Platform) and machine.is_immediate


def immediate_rules_of(
    machine: object, choice: ImmediateChoice, broker: object, *, compared: Iterable[object] = ()
) -> ImmediateRules | None:
    """Return the rules of `machine`, or None if its sites have queues.

    Parameters
    ----------
    machine : object
        A platform of machines without queues, or anything else.
    choice : ImmediateChoice
        By default one-minute averages every 15 s, the broker's own decision time, warm, CPU-bound.
    broker : object
        Who chooses the sites.
    compared : iterable of object, default empty
        All brokers of a comparison, of which the slowest one says what ``equal`` is.

    Raises
    ------
    InputError
        If a choice is for machines without queues and there are none, or what is given is wrong.
    UnknownNameError
        If words name nothing.
    """
    if not is_immediate(machine):
        decides = isinstance(machine, Platform) and machine.is_shared
        refuse_choices(
            {name: given for name, given in choice._asdict().items() if name != "decision_time"},
            "for machines without queues; say which with a platform of such (--platform FILE|PRESET)",
        )
        if not decides:
            refuse_choices(
                {"decision_time": choice.decision_time},
                "for machines without queues and multiclusters; say which with a platform of such "
                "(--platform FILE|PRESET)",
            )
        return None
    from echelon.engine.immediate.rules import ImmediateRules

    return ImmediateRules(
        monitoring(choice.monitoring),
        decision_time(choice.decision_time, broker, compared=list(compared)),
        "warm" if choice.experience is None else choice.experience,  # type: ignore[arg-type]
        "full" if choice.cpu_use is None else choice.cpu_use,  # type: ignore[arg-type]
    )


def check_local_policy(machine: object, policy: Policy, usual: str) -> None:
    """Refuse a local policy of machines that have no queue to order.

    Raises
    ------
    InputError
        If there is no queue and the policy is none but the `usual` one, which nobody asked for.
    """
    if is_immediate(machine) and policy.name != usual:
        raise InputError(
            f"{policy.name!r} is for sites with queues; on machines without queues every job starts at once",
            field="policy",
        )


def monitoring(given: MonitoringGiven | None) -> Monitoring:
    """Return `given` as monitoring: words, one itself, or None for the usual one.

    Parameters
    ----------
    given : str, Monitoring, optional
        ``"linear"`` or ``"exponential"``, with parameters after colons:
        ``"exponential:period=15:window=60:phase=zero"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or it is neither.
    """
    from echelon.model.immediate import MONITORING

    return MONITORING.of(given)


def monitoring_words(given: Monitoring) -> str:
    """Return the canonical words of monitoring; a parameter at its default is not said."""
    from echelon.model.immediate import MONITORING

    return MONITORING.format(given)


def immediate_words(rules: ImmediateRules | None) -> dict[str, Any]:
    """Return the rules by the names of the options, in canonical words; all None where there are none."""
    if rules is None:
        return dict.fromkeys(ImmediateChoice._fields)
    return {
        "monitoring": monitoring_words(rules.monitoring),
        "decision_time": float(rules.decision_time),
        "experience": rules.experience,
        "cpu_use": rules.cpu_use,
    }
