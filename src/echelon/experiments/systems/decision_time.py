"""Decision time: what people say of how long brokers take for each decision, in seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from echelon.errors import InputError
from echelon.experiments.settings.values.value_reader import number_of_seconds
from echelon.policies.broker.contract import decision_time_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    DecisionTimeGiven: TypeAlias = str | float

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
        Who decides; 0 if it says nothing.
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
