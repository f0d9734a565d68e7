"""Compatibility of brokers and platforms: rules that need sites with queues, or time-shared machines."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from echelon.policies.decentralized.contract import Decentralized
from echelon.policies.immediate.contract import Dispatcher

if TYPE_CHECKING:
    from echelon.policies.broker.contract import Broker


def incompatibility(
    rule: Broker | Decentralized | Dispatcher, *, immediate: bool, shared: bool = False
) -> str | None:
    """Return why `rule` cannot choose among sites with queues or time-shared machines; None if it can.

    On a multicluster (`shared`) brokers may take their time, too.
    """
    if immediate and isinstance(rule, Decentralized):
        return (
            f"{rule.name} exchanges jobs that wait at sites, but no job waits at time-shared machines; "
            "choose a broker, such as wall-time"
        )
    if not immediate and (isinstance(rule, Dispatcher) or getattr(rule, "immediate", False)):
        return (
            f"{rule.name} is for time-shared machines, but the platform's sites have queues; choose "
            'another broker, or a platform whose sites have queue = "none" (such as sinapad-rau)'
        )
    elsewhere = getattr(rule, "only_queued" if immediate else "only_immediate", ())
    if changed := _changed_fields(
        rule, tuple(name for name in elsewhere if not (shared and name == "decision"))
    ):
        kind = "sites with queues" if immediate else "time-shared machines"
        return f"{rule.name} has {changed} for {kind} only"
    return None


def _changed_fields(rule: object, names: tuple[str, ...]) -> str:
    """Return the fields among `names` that differ from their defaults."""
    if not dataclasses.is_dataclass(rule):
        return ""
    defaults = {field.name: field.default for field in dataclasses.fields(rule)}
    return " and ".join(repr(name) for name in names if getattr(rule, name) != defaults[name])
