"""Settings of machines that change that a run would not use, and why; nothing is dropped silently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.availability import IN_TIME, is_none

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = tuple(one.name for one in IN_TIME)


def idle_changes(settings: Mapping[str, Any]) -> dict[str, InputError]:
    """Return every setting that has no use beside what else was asked for, with the error that says why.

    What only a setting without use would use has none either.
    """
    asked = {name for name in NAMES if settings.get(name) is not None and not is_none(settings[name])}
    errors: dict[str, InputError] = {}
    useful, reasons = set(asked), dict[str, str]()
    for names, needed, why in (*_NEEDS, *_NEEDS):
        for name in (name for name in names if name in useful and not useful & needed):
            # Where what it needs was given but has no use itself, the reason is the same.
            reason = next((reasons[one] for one in sorted(needed) if one in reasons), why)
            reasons.setdefault(name, reason)
            errors[name] = InputError(f"{settings[name]!r:.60} {reason}", field=name.replace("_", "-"))
        useful -= errors.keys()
    if "failures" in asked and "repair_times" not in asked:
        errors["failures"] = InputError(
            f"{settings['failures']!r:.60} says when nodes fail, but not for how long; "
            "give --repair-times LAW, such as constant:2h",
            field="failures",
        )
    rule = settings.get("on_failure")
    useless = {"kill": _OF_REQUEUEING, "slurm": ("requeue_order",)}.get(
        rule if isinstance(rule, str) else "", ()
    )
    for name in (name for name in useless if name in asked and name not in errors):
        why = "is never requeued" if rule == "kill" else "is always at the back of the queue"
        errors[name] = InputError(
            f"{settings[name]!r:.60} would not be used: "
            f"with --on-failure {rule} a job that loses a node {why}",
            field=name.replace("_", "-"),
        )
    return errors


_OF_REQUEUEING = ("requeue_order", "requeue_delay", "max_requeues")
_FAILING = {"outages", "failures"}
_TAKING = {"outages", "maintenance", "reservations"}
_NO_FAILURES = "applies to failures; give some with --outages FILE or --failures LAW"
_NEEDS: tuple[tuple[tuple[str, ...], set[str], str], ...] = (
    (("repair_times",), {"failures"}, "applies to failures by a law; give one with --failures LAW"),
    (("repair", "on_failure", *_OF_REQUEUEING, "limit_per"), _FAILING, _NO_FAILURES),
    (("checkpoint", "restart_cost"), _FAILING, _NO_FAILURES),
    (
        ("checkpoint_cost", "checkpoint_mtbf"),
        {"checkpoint"},
        "applies to checkpoints; give --checkpoint RULE",
    ),
    (
        ("reservation_conflict",),
        _TAKING,
        "applies where nodes are kept free; give --maintenance, --reservations or --outages",
    ),
)
"""Settings, what they need at least one of, and what follows a value in the message that refuses them."""


def refuse_events(settings: Mapping[str, Any]) -> None:
    """Refuse scheduling cycles after each event of a run in which capacity changes or jobs are canceled.

    Raises
    ------
    InputError
        If ``event`` or ``pyss`` is asked for.
    """
    cycles = settings.get("cycles")
    if cycles is not None and cycles != "instant":
        raise InputError(
            f"{cycles!r:.20} has no order for failures, maintenance, cancellations and deadlines; "
            "leave it out",
            field="cycles",
        )
