"""Decision time: how long a metascheduler takes for each decision, and how a rule declares it."""

from __future__ import annotations

import math

from echelon.errors import InputError


def check_decision(decision: object, name: str) -> None:
    """Reject a decision time that is not a finite number of seconds >= 0."""
    number = isinstance(decision, int | float) and not isinstance(decision, bool)
    if not number or not 0 <= decision < math.inf:  # type: ignore[operator]
        raise InputError(f"must be a finite number >= 0, got {decision!r:.60}", field=f"{name}, decision")


def decision_time_of(rule: object) -> float:
    """Return the decision time that `rule` declares, in seconds; 0 if it declares none.

    Raises
    ------
    InputError
        If the declared time is not a finite number >= 0.
    """
    decision = getattr(rule, "decision", 0.0)
    check_decision(decision, str(getattr(rule, "name", "broker")))
    return float(decision)
