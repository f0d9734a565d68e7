"""The sentences of an explanation: what was seen, in the order of time, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.summaries.moments import format_date
from echelon.quantities import series, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.experiments.summaries.explanation.explanation import (
        Began,
        Explanation,
        Obstacle,
        OtherJob,
        Overtaker,
        PlannedStart,
        Predecessor,
        Wait,
    )

_MOST_NAMED = 4
"""Jobs that a sentence names; of more it gives the number."""

_MOST_OBSTACLES = 8
_MOST_OVERTAKERS = 5
_MOST_WAITS = 6

_ENDINGS = {
    "killed": "it was killed at its requested time",
    "failed_node": "it had lost a node and was not run again",
    "canceled_waiting": "it was canceled while it waited",
    "canceled_running": "it was canceled while it ran",
    "deadline": "it could not end before its deadline",
    "held": "it waited for a reservation that ended",
    "evicted": "it was killed by maintenance or a reservation",
    "unfinished": "nothing was left that could let it end",
}


def sentences_of(explanation: Explanation) -> list[str]:
    """Return an explanation in sentences, about one each event."""
    if explanation.job.position < 0:
        return [f"Job {explanation.job.label} is not simulated: {explanation.status}."]
    lines = [_describe_start(explanation), *_dates(explanation), *_release(explanation)]
    shown = explanation.waits[:_MOST_WAITS]
    for number, wait in enumerate(shown):
        lines += _of_wait(explanation, wait, again=number > 0)
    if left := len(explanation.waits) - len(shown):
        lines.append(
            f"{tally(left, 'further wait')} of job {explanation.job.label} {_is(left)} left out here."
        )
    return [*lines, *_describe_end(explanation)]


def _describe_start(explanation: Explanation) -> str:
    job = f"Job {explanation.job.label}"
    needs = f"needed {tally(explanation.job.processors, 'processor')}"
    planned = f"was planned to run for {_s(explanation.planned_time)}"
    if not explanation.waits:
        return f"{job} {needs}, {planned}, and was never submitted."
    came, start = explanation.waits[0].since, explanation.start
    if start is None:
        how = "and never started"
    elif start == came:
        how = "and started at once"
    else:
        how = f"waited for {_s(start - came)}, and started at {_s(start)}"
    return f"{job} was submitted at {_s(came)}, {needs}, {planned}, {how}."


def _dates(explanation: Explanation) -> Iterator[str]:
    """Yield the dates at which it came and started, where the log has dates."""
    if explanation.unix_start_time is None or not explanation.waits:
        return
    first = explanation.unix_start_time
    came, start = (
        None if time is None else format_date(first + time, explanation.time_zone)
        for time in (explanation.waits[0].since, explanation.start)
    )
    if came is None:
        return
    if start is None or start == came:
        yield f"On the log's clock it was submitted {'' if start is None else 'and started '}at {came}."
    else:
        yield f"On the log's clock it was submitted at {came} and started at {start}."


def _release(explanation: Explanation) -> Iterator[str]:
    """Yield which jobs it waited for before it was submitted."""
    if not explanation.predecessors:
        return
    released = (
        f"was released at {_s(explanation.waits[0].since)}" if explanation.waits else "was never released"
    )
    waited = series([*map(_predecessor, explanation.predecessors)])
    submit = _s(explanation.logged_submit)
    yield f"The log submits it at {submit}. It had to wait for {waited}, and {released}."


def _predecessor(one: Predecessor) -> str:
    if one.end is None:
        return f"job {one.job.label} (had not ended)"
    think = f", with {_s(one.delay)} of think time" if one.delay else ""
    return f"job {one.job.label} (ended at {_s(one.end)}{think})"


def _of_wait(explanation: Explanation, wait: Wait, *, again: bool) -> Iterator[str]:
    if again:
        yield f"It waited again from {_s(wait.since)} on."
    yield from _place(explanation, wait, again=again)
    yield from _obstacles(explanation, wait)
    yield from _overtakers(explanation, wait)
    if wait.began is not None:
        yield from _start(explanation, wait.began, again=again, waited=bool(wait.obstacles))
    if wait.stop is not None:
        if wait.stop.by_scheduler:
            yield f"At {_s(wait.stop.time)} the scheduler suspended it."
        else:
            yield (
                f"At {_s(wait.stop.time)} it lost its processors, "
                "by no decision of the scheduler: the machine changed, or it was stopped."
            )


def _place(explanation: Explanation, wait: Wait, *, again: bool) -> Iterator[str]:
    """Yield where it waited, and what is known of how it came there."""
    if explanation.broker is not None and wait.site and not again:
        yield f"It went to site {wait.site}; sites were chosen by {explanation.broker}."
    arrival = wait.began.time if wait.arrival is None and wait.began is not None else wait.arrival
    if arrival is None:
        yield "It was seen in no queue of a site."
    elif arrival > wait.since and wait.arrival is None:
        yield f"From {_s(wait.since)} to {_s(arrival)} it waited in no queue of a site."
    elif arrival > wait.since:
        yield f"Until {_s(arrival)} it waited outside the queue of a site; then it joined one."


def _obstacles(explanation: Explanation, wait: Wait) -> Iterator[str]:
    if not wait.obstacles:
        return
    first = wait.obstacles[0]
    behind = f"behind {_name_jobs(first.ahead)}" if first.ahead else "at the head of the queue"
    yield f"At {_s(first.since)} it was {behind}, with {_free(first)}."
    shown, left = _select_obstacles(wait.obstacles)
    for number, obstacle in enumerate(shown):
        if left and number == len(shown) // 2:
            yield f"{tally(left, 'further change')} of the reason {_is(left)} left out here."
        yield _obstacle(explanation, obstacle)


def _select_obstacles(obstacles: Sequence[Obstacle]) -> tuple[Sequence[Obstacle], int]:
    """Return the first and the last obstacles, and how many are left out between them."""
    if len(obstacles) <= _MOST_OBSTACLES:
        return obstacles, 0
    half = _MOST_OBSTACLES // 2
    return [*obstacles[:half], *obstacles[-half:]], len(obstacles) - 2 * half


def _free(seen: Obstacle) -> str:
    down = f" and {tally(seen.room.down, 'processor')} down" if seen.room.down else ""
    return f"{tally(seen.room.free, 'processor')} free{down}"


def _span(seen: Obstacle) -> str:
    at = f" at site {seen.site}" if seen.site else ""
    if seen.until == seen.since:
        return f"At {_s(seen.since)}{at}"
    return f"From {_s(seen.since)} to {_s(seen.until)}{at}"


def _own(seen: Obstacle) -> str:
    return "" if seen.own_start is None else f" Its own start was planned for {_s(seen.own_start)}."


def _too_few(explanation: Explanation, seen: Obstacle) -> str:
    if not seen.most_free:
        few = "no processor was"
    else:
        at_most = "at most" if seen.until > seen.since else "only"
        verb = "was" if seen.most_free == 1 else "were"
        few = f"{at_most} {seen.most_free} of the {seen.needs} processors that it needed {verb}"
    return f"{_span(seen)} {few} left free{_holder_clause(explanation, seen)}.{_own(seen)}"


def _holder_clause(explanation: Explanation, seen: Obstacle) -> str:
    """Return the job that held processors when an obstacle began: the largest, or that whose end is next."""
    if not seen.running:
        return ""
    if explanation.preempts:
        one = min(seen.running, key=lambda holder: holder.remaining)
        held = f"job {one.job.label} ran with {_s(one.remaining)} of its planned time left, where job "
        held += f"{explanation.job.label} had {_s(seen.remaining)}"
    else:
        one = max(seen.running, key=lambda holder: holder.job.processors)
        held = f"job {one.job.label} held {one.job.processors}, planned until {_s(one.planned_end)}"
    others = len(seen.running) - 1
    beside = f", beside {tally(others, 'other running job')}" if others else ""
    return f"; at {_s(seen.since)} {held}{beside}"


def _closed_processors(explanation: Explanation, seen: Obstacle) -> str:
    return (
        f"{_span(seen)} {seen.room.free} processors were free, but {seen.room.closed} of them were closed to "
        f"it before {_s(seen.planned_end)}, its planned end, by maintenance or a reservation.{_own(seen)}"
    )


def _no_place(explanation: Explanation, seen: Obstacle) -> str:
    nodes = ""
    if seen.room.in_one_node is not None:
        nodes = f", at most {seen.room.in_one_node} in one node"
    return (
        f"{_span(seen)} enough processors were free, {seen.room.free} at first{nodes}, but its placement "
        f"found no room for its tasks among them.{_own(seen)}"
    )


def _in_order(seen: Obstacle, behind: OtherJob) -> str:
    return (
        f"{_span(seen)} there was room for it, but {_size_of(behind)} was ahead and did not fit, and "
        f"under this policy no job overtakes another."
    )


def _planned_start(seen: Obstacle, conflict: PlannedStart) -> str:
    other, start, moved, is_reserved, is_ahead = conflict
    ahead = ", ahead of it," if is_ahead else ""
    verb = "had a reservation for" if is_reserved else "was planned to start at"
    late = "could not have started then"
    if moved is not None:
        late = f"could not have started before {_s(moved)}"
    return (
        f"{_span(seen)} there was room for it, but {_size_of(other)}{ahead} {verb} {_s(start)}. Started at "
        f"{_s(seen.since)}, it would have run until {_s(seen.planned_end)} as planned, and job {other.label} "
        f"{late}.{_own(seen)}"
    )


def _by_node(seen: Obstacle, behind: OtherJob, latest: float) -> str:
    return (
        f"{_span(seen)} there was room for it, but {_size_of(behind)}, ahead of it, was planned to "
        f"start by {_s(latest)} in each node with that room, before {_s(seen.planned_end)}, its planned "
        "end."
    )


def _not_started(explanation: Explanation, seen: Obstacle) -> str:
    ran = ""
    if seen.running:
        one = seen.running[0]
        left = f"{_s(one.remaining)} left of its planned time; it had {_s(seen.remaining)}"
        ran = f" Job {one.job.label} ran, with {left}."
    return (
        f"{_span(seen)} there was room for it, and the scheduler did not start it. Nothing that it asked or "
        f"decided says why.{ran}{_own(seen)}"
    )


_OBSTACLES: dict[str, Callable[[Explanation, Obstacle], str]] = {
    "processors": _too_few,
    "closed": _closed_processors,
    "place": _no_place,
    "scheduler": _not_started,
}


def _obstacle(explanation: Explanation, seen: Obstacle) -> str:
    """Return why the job waited for some time."""
    if seen.conflict is not None:
        return _planned_start(seen, seen.conflict)
    if seen.behind is not None:
        return (
            _in_order(seen, seen.behind) if seen.latest is None else _by_node(seen, seen.behind, seen.latest)
        )
    return _OBSTACLES[seen.kind](explanation, seen)


def _overtakers(explanation: Explanation, wait: Wait) -> Iterator[str]:
    for one in wait.overtakers[:_MOST_OVERTAKERS]:
        yield _overtaker(explanation, one)
    if len(wait.overtakers) > _MOST_OVERTAKERS:
        left = len(wait.overtakers) - _MOST_OVERTAKERS
        yield f"{tally(left, 'further job')} that came later or stood behind it started before it."


def _overtaker(explanation: Explanation, one: Overtaker) -> str:
    came = [f"was submitted at {_s(one.job.submit_time)}"] if one.job.submit_time > _came(explanation) else []
    stood = "was behind it in the queue" if one.was_behind else "was ahead of it in the queue"
    return (
        f"{_size_of(one.job, capital=True)} got processors before it, at {_s(one.time)}, planned until "
        f"{_s(one.planned_end)}. It {' and '.join([*came, stood])}; {_room_then(explanation, one)}."
    )


def _room_then(explanation: Explanation, one: Overtaker) -> str:
    """Return whether there was room for the job when another overtook it, and why it did not start then."""
    name = f"job {explanation.job.label}"
    if not one.fitted:
        return f"{name} did not fit then"
    if one.reason is None or one.reason.conflict is None:
        return f"there was room for {name}, too"
    return (
        f"there was room for {name}, too, but it would have run until {_s(one.reason.planned_end)} as "
        f"planned, and {_delay_clause(one.reason.conflict)}"
    )


def _delay_clause(conflict: PlannedStart) -> str:
    """Return what would have become of a planned start."""
    planned = f"job {conflict.job.label}, planned for {_s(conflict.start)}, could not have started"
    return f"{planned} then" if conflict.moved_to is None else f"{planned} before {_s(conflict.moved_to)}"


def _came(explanation: Explanation) -> float:
    return explanation.waits[0].since


def _start(explanation: Explanation, began: Began, *, again: bool, waited: bool) -> Iterator[str]:
    verb = "resumed" if again else "started"
    if not began.is_seen:
        yield f"It {verb} at {_s(began.time)}; no queue was seen to decide that."
        return
    causes = []
    if began.ended:
        causes.append(f"{_name_jobs(began.ended)} ended")
    if began.suspended:
        causes.append(
            f"{_name_jobs(began.suspended)} {'was' if len(began.suspended) == 1 else 'were'} suspended"
        )
    because = f"At {_s(began.time)} {' and '.join(causes)}, and" if causes else f"At {_s(began.time)}"
    free = f"with {tally(began.free, 'processor')} free"
    reserved = " as reserved" if began.reserved == began.time else ""
    over = f", before {_name_jobs(began.paused)} ran again" if began.paused else ""
    if overtaken := [other for other in began.overtaken if other not in began.paused]:
        over += f", and overtook {_name_jobs(overtaken)}"
    yield f"{because} job {explanation.job.label} {verb}{reserved}, {free}{over}."
    if began.overtaken and began.planned_start is not None:
        yield _compare_with_plan(explanation, began, began.planned_start)


def _compare_with_plan(explanation: Explanation, began: Began, planned_start: PlannedStart) -> str:
    """Return how its planned end lies to the planned start of the first job that it overtook."""
    other, start, moved, is_reserved, _ = planned_start
    verb = "had a reservation for" if is_reserved else "was planned to start at"
    first = f"Then {_size_of(other)} {verb} {_s(start)}"
    if began.planned_end <= start:
        return f"{first}. Job {explanation.job.label} was planned to end by then, at {_s(began.planned_end)}."
    until = _s(began.planned_end)
    past = f"{first}. Job {explanation.job.label} was planned to run past that time, until {until}, "
    if moved is not None:
        return f"{past}so that job {other.label} could not start before {_s(moved)}."
    return f"{past}and left enough processors for job {other.label}."


def _describe_end(explanation: Explanation) -> Iterator[str]:
    if explanation.end is not None and explanation.status in ("completed", "killed"):
        how = "was killed at its requested time" if explanation.status == "killed" else "ended"
        yield f"It {how} at {_s(explanation.end)}."
    elif explanation.status != "completed":
        yield f"What became of it: {_ENDINGS.get(explanation.status, explanation.status)}."


def _name_jobs(jobs: Sequence[OtherJob]) -> str:
    """Return jobs by their names, of many the first ones."""
    if len(jobs) <= _MOST_NAMED:
        noun = "job" if len(jobs) == 1 else "jobs"
        return f"{noun} {series([job.label for job in jobs])}"
    return f"{len(jobs):,} jobs ({', '.join(job.label for job in jobs[:_MOST_NAMED])} ...)"


def _size_of(job: OtherJob, *, capital: bool = False) -> str:
    return f"{'Job' if capital else 'job'} {job.label} ({tally(job.processors, 'processor')})"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _s(seconds: float) -> str:
    return f"{seconds:,.10g} s"
