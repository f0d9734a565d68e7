"""Soundness: whether what a back end answers is what the contract says; others write back ends, too."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TYPE_CHECKING

from echelon.backends.contract import (
    Accepted,
    EndRecord,
    Evidence,
    OtherJob,
    Outcome,
    OwnJob,
    Refused,
    Snapshot,
    Unclear,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.backends.contract import Answer

_STATES = ("waiting", "running", "ended")


def why_no_answers(answers: object, count: int) -> str:
    """Return why these are not answers to so many submissions; empty: they are."""
    if not isinstance(answers, list | tuple):
        return f"it answers {answers!r:.60}, not a list of answers"
    if len(answers) != count:
        return f"it has {len(answers)} answers to {count} submissions"
    odd = [one for one in answers if not _is_answer(one)]
    return f"it answers {odd[0]!r:.60}" if odd else ""


def _is_answer(one: Answer) -> bool:
    if isinstance(one, Accepted):
        return isinstance(one.native_id, str)
    return isinstance(one, Refused | Unclear) and isinstance(one.reason, str)


def why_no_look(seen: object) -> str:
    """Return why this is not a look; empty: it is one."""
    if not isinstance(seen, Snapshot):
        return f"it looks and sees {seen!r:.60}"
    if not (_is_time(seen.began_at) and isinstance(seen.problem, str) and _is_count(seen.processors)):
        return "its look has a time, a problem or a number of processors that is none"
    odd = [one for one in seen.own if not _is_own(one)] + [one for one in seen.others if not _is_other(one)]
    return f"it lists {odd[0]!r:.60}" if odd else ""


def _is_own(one: OwnJob) -> bool:
    return (
        isinstance(one, OwnJob)
        and isinstance(one.tag, str)
        and isinstance(one.native_id, str)
        and one.state in _STATES
        and (one.outcome is None or isinstance(one.outcome, Outcome))
        and _are_times((one.started_at, one.ended_at))
    )


def _is_other(one: OtherJob) -> bool:
    return (
        isinstance(one, OtherJob)
        and isinstance(one.native_id, str)
        and one.state in _STATES
        and _is_count(one.processors)
        and _are_times((one.started_at,))
        and (one.time_limit is None or isinstance(one.time_limit, float | Real))
    )


def why_no_evidence(evidence: object) -> str:
    """Return why this is not evidence; empty: it is."""
    if not isinstance(evidence, Evidence) or not _is_time(evidence.began_at):
        return f"its evidence is {evidence!r:.60}"
    odd = [one for one in evidence.records.values() if not _is_end(one)]
    return f"a record of an end is {odd[0]!r:.60}" if odd else ""


def _is_end(one: EndRecord) -> bool:
    return (
        isinstance(one, EndRecord)
        and isinstance(one.outcome, Outcome)
        and all(value is None or isinstance(value, int | Integral) for value in (one.exit_code, one.signal))
        and _are_times((one.started_at, one.ended_at))
    )


def _are_times(times: Iterable[object]) -> bool:
    return all(time is None or _is_time(time) for time in times)


def _is_time(value: object) -> bool:
    return isinstance(value, float | Real) and math.isfinite(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int | Integral) and int(value) >= 0
