"""The rules of global queues, and the limits of clusters' queues, by name; a new rule is added here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from echelon.errors import UnknownNameError
from echelon.lazy import Rules
from echelon.policies.global_queue.contract import GlobalQueueRule
from echelon.policies.global_queue.limit import AtMost, QueueLimit
from echelon.quantities import is_whole
from echelon.rules.family import Family, name_as_declared

if TYPE_CHECKING:
    from echelon.rules.spec import Spec

GLOBAL_QUEUES: Rules[type[GlobalQueueRule]] = Rules(
    __package__,
    {
        "fcfs": "fcfs.Fcfs",
        "sjf": "fcfs.ShortestFirst",
        "fpfs": "fcfs.FitProcessorsFirst",
        "backfilling": "backfilling.GlobalBackfilling",
        "b": "blocking.Blocking",
        "nb": "blocking.NonBlocking",
        "b.rs": "blocking.BlockingRescheduling",
        "nb.rs": "blocking.NonBlockingRescheduling",
        "pull": "fcfs.Pull",
        "requests": "requests.SimultaneousRequests",
    },
)
"""In the sequence of the tables."""

_OLD_METHOD = "hand_out"
"""What `GlobalQueueRule.dispatch` was called before; rules with it still work."""


def _dispatches(rule: object) -> bool:
    """Return whether `rule` is a global queue; its class gets an old method also under its present name."""
    if not hasattr(rule, "dispatch") and callable(old := getattr(type(rule), _OLD_METHOD, None)):
        type(rule).dispatch = old  # type: ignore[attr-defined]
    return isinstance(rule, GlobalQueueRule)


def _check_own(rule: GlobalQueueRule, spec: Spec | None) -> GlobalQueueRule:
    from echelon.policies.global_queue.order_reading import check_orders

    return check_orders(name_as_declared(rule, spec))


GLOBAL_QUEUE: Family[GlobalQueueRule] = Family(
    "global queue",
    [GLOBAL_QUEUES],
    example="nb.rs",
    is_rule=lambda thing: hasattr(thing, "dispatch") or hasattr(thing, _OLD_METHOD),
    is_ready=_dispatches,
    must="have a name and dispatch(view)",
    groups=["echelon.global_queues", "echelon.upper_queues"],
    own=_check_own,
)
global_queue, format_global_queue, names_global_queue = (
    GLOBAL_QUEUE.of,
    GLOBAL_QUEUE.format,
    GLOBAL_QUEUE.in_file,
)

QUEUE_LIMITS: Rules[type[QueueLimit]] = Rules(
    __package__, {"at-most": "limit.AtMost", "held": "limit.Held", "stable": "limit.Stable"}
)
"""Limits of the clusters' queues, in the sequence of the tables."""


class _QueueLimits(Family[QueueLimit]):
    """Limits, of which the commonest is a number alone."""

    def parse(self, text: str) -> QueueLimit:
        """Return the limit that people mean by `text`; ``3`` is ``at-most:3``."""
        return (
            AtMost(int(text)) if re.fullmatch(r"\s*[-+]?\d{1,9}\s*", text, re.ASCII) else super().parse(text)
        )

    def find(self, name: str) -> Any:  # noqa: ANN401  (as in `Family`)
        """Return the class of a limit; an unknown name is refused with what else `parse` takes."""
        try:
            return super().find(name)
        except UnknownNameError as error:
            if ":" in name:  # in a file, whose limits it lists
                raise
            names = (*error.known, "a number", "stable:predicted")
            raise UnknownNameError(error.kind, error.name, names) from None

    def of(self, limit: object) -> QueueLimit:
        """Return `limit` as a limit: a spec, a number of waiting jobs, a limit itself, or None for none."""
        if limit is None or is_whole(limit):
            return AtMost(limit)
        return super().of(limit)


def _unlimited() -> QueueLimit:
    """Any number of jobs may wait at a cluster."""
    return AtMost()


QUEUE_LIMIT: Family[QueueLimit] = _QueueLimits(
    "queue limit",
    [QUEUE_LIMITS],
    example="stable:predicted",
    is_rule=lambda thing: hasattr(thing, "accepts"),
    is_ready=lambda rule: isinstance(rule, QueueLimit),
    must="have accepts(state)",
    groups=["echelon.queue_limits"],
    own=name_as_declared,
    nothing={"unlimited": _unlimited},
)
queue_limit, format_queue_limit = QUEUE_LIMIT.of, QUEUE_LIMIT.format
