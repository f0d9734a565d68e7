"""Decision time: what people say of how long brokers take for each decision, in seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from echelon.errors import InputError
from echelon.experiments.settings.values.value_reader import number_of_seconds
from echelon.policies.immediate.decision_time import decision_time_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    DecisionTimeGiven: TypeAlias = str | float

OWN_TIME = "own"
"""Each broker takes as long for a decision as its own parameter ``decision`` says; so in platform files."""

EQUAL_TIME = "equal"
"""Each broker of a comparison takes as long as the slowest of them."""


def decision_time(
    given: DecisionTimeGiven | None, broker: object, *, compared: Sequence[object] = ()
) -> float:
    """Return how long `broker` takes for each decision, in seconds, finite, >= 0.

    Parameters
    ----------
    given : str, float or None
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
    if given is None or given == OWN_TIME:
        return decision_time_of(broker)
    if given == EQUAL_TIME:
        if not compared:
            raise InputError(
                "equal applies to a comparison of brokers; give own or a time in seconds",
                field="decision-time",
            )
        return max(map(decision_time_of, compared))
    seconds = number_of_seconds(given)
    if not 0 <= seconds < math.inf:
        raise InputError(
            f"must be own, equal or a time in seconds >= 0 (or with a unit, 5min), got {given!r:.60}",
            field="decision-time",
        )
    return seconds


def check_decision_time(given: DecisionTimeGiven) -> None:
    """Raise an error if `given` is no decision time that `echelon.compare` takes."""
    decision_time(given, None, compared=[None])
