"""Plan: the data of what is planned on a machine that changes: its profile, and reservations of starts.

The profile is a list of segments by time. Each has the set of processors that are free in it, as a row of
words (`echelon.engine.compiled.dynamic_machine.state`), and the last one lasts forever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.dynamic_machine.state import WORD
from echelon.engine.compiled.dynamic_machine.state import sample as sample_of_machine

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAN_FULL = 2
"""Why `run` returns: waiting jobs may need more room in the plan."""
_FIRST = 64
"""Reservations for which there is room at first."""
_BESIDE = 4
"""Segments beside those that begin or end with a job: the first, and both ends of a slot that moves."""

SEGMENT_TYPE = np.dtype(
    [
        ("time", np.float64),  # when it begins
        ("free", np.int32),  # processors in its set
        ("row", np.int32),  # its set, among `sets`
    ],
    align=True,
)
"""One stretch of time in which the same processors are planned to be free."""

RETURN_TYPE = np.dtype([("number", np.int64), ("until", np.float64)], align=True)
"""Processors were given back until then; those before, and after the one before in the list, not so long."""
_RETURNS = 256
"""The most returns that are kept."""

RESERVATION_TYPE = np.dtype(
    [
        ("begin", np.float64),
        ("end", np.float64),
        ("job", np.int64),
    ],
    align=True,
)
"""The start that is reserved for a waiting job; its processors are the row of `places` of the same number."""

BOOK_TYPE = np.dtype(
    [
        ("segments", np.int64),
        ("touched", np.int64),  # rows of `sets` ever used
        ("spare", np.int64),  # of them, those that are out of use again
        ("reservations", np.int64),
        ("running", np.int64),
        ("limit", np.int64),  # reservations made in a cycle, where none lasts longer
        ("threshold", np.float64),  # least expected slowdown for one, nan: the mean slowdown
        ("ended", np.int64),  # jobs that have ended so far
        ("slowdowns", np.float64),  # the sum of their bounded slowdowns
        ("returns", np.int64),  # how often processors were given back
        ("noted", np.int64),  # returns that are kept in `returned`
        ("due", np.float64),  # no reservation begins before
        ("is_due", np.bool_),  # whether one may begin then
        ("valid", np.bool_),  # whether the profile says what is planned
        ("withdrawn", np.bool_),  # whether the reservations must be made again
        ("early", np.bool_),  # whether something was given back that was planned to be held
        ("midway", np.bool_),  # whether the instant lacks its cycle
    ],
    align=True,
)
"""The numbers of a plan."""


class Plan(NamedTuple):
    """The profile, and what is reserved."""

    book: Any  # BOOK_TYPE[1]
    segments: Any  # SEGMENT_TYPE[...]: by time
    sets: Any  # int64[..., n_words]
    spare: Any  # int64[...]: rows of `sets` that are out of use
    reservations: Any  # RESERVATION_TYPE[...], in any order
    places: Any  # int64[..., n_words]
    reservation_of: Any  # int64[n_jobs]: the reservation of each job, -1 without
    returned: Any  # RETURN_TYPE[...]: those behind which none lasts as long
    tried: Any  # int64[n_jobs]: returns when a slot was last looked for
    submit: Any  # float64[n_jobs]: when each job was last submitted
    first: Any  # float64[n_jobs]: the first start reserved since each last waited, nan without
    before: Any  # float64[n_jobs]: that which was first reserved before a start, nan without
    running: Any  # int64[...]: the jobs that run, in order of dispatch
    line: Any  # int64[n_jobs]: some jobs, for sorting


def fresh_plan(n_jobs: int, processors: int, *, limit: int = 0, threshold: float = 1.0) -> Plan:
    """Return the plan before the first event."""
    book, n_words = np.zeros(1, dtype=BOOK_TYPE), -(-processors // WORD)
    book["limit"], book["threshold"] = limit, threshold
    book["due"], book["is_due"] = np.inf, True
    most = min(_FIRST, n_jobs)
    return Plan(
        book,
        **_room(most, processors, n_words),
        reservation_of=np.full(n_jobs, -1, dtype=np.int64),
        returned=np.empty(_RETURNS, dtype=RETURN_TYPE),
        tried=np.full(n_jobs, -1, dtype=np.int64),
        submit=np.empty(n_jobs),
        first=np.full(n_jobs, np.nan),
        before=np.full(n_jobs, np.nan),
        running=np.empty(min(n_jobs, processors) + 1, dtype=np.int64),
        line=np.empty(n_jobs, dtype=np.int64),
    )


def enlarge(plan: Plan, waiting: int, processors: int) -> Plan:
    """Return a plan with room for so many waiting jobs, and more."""
    most = min(len(plan.line), waiting + waiting // 2)
    room = _room(most, processors, plan.sets.shape[1])
    for name, array in room.items():
        old = getattr(plan, name)
        array[: len(old)] = old
    return plan._replace(**room)


def _room(most: int, processors: int, n_words: int) -> dict[str, NDArray[Any]]:
    """Return arrays that have room for so many reservations beside what runs and what is down."""
    segments = processors + 2 * most + _BESIDE
    return {
        "segments": np.empty(segments, dtype=SEGMENT_TYPE),
        "sets": np.empty((segments, n_words), dtype=np.int64),
        "spare": np.empty(segments, dtype=np.int64),
        "reservations": np.empty(most, dtype=RESERVATION_TYPE),
        "places": np.empty((most, n_words), dtype=np.int64),
    }


def sample() -> tuple[Any, ...]:
    """Return arguments of the types that the kernel that reserves starts takes."""
    state, jobs, submissions = sample_of_machine()
    return state, fresh_plan(1, 1), jobs, submissions
