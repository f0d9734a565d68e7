"""A schedule as text, for cases that are solved by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Schedule


def draw(schedule: Schedule) -> str:
    """Return `schedule` as an ASCII Gantt chart, one line per job.

    Columns begin at event times, so their widths have no meaning. ``.`` is waiting, ``=`` holding processors,
    ``-`` suspended; ``x3`` is the job's size. A drawing determines the schedule: two schedules of one
    instance have the same drawing only if the same jobs hold processors at the same times.

    Examples
    --------
    >>> from echelon.testing import case, draw
    >>> from echelon.engine.contract import Scenario
    >>> from echelon.engine.reference import simulate
    >>> from echelon.policies import policy
    >>> print(draw(simulate(Scenario(case("three-jobs-one-gap").instance(), policy("easy")))))
    time  0    1    2    7    10   20
    1 x1  ====================
    2 x2       ...............=====
    3 x1            =====
    """
    instance = schedule.instance
    names = [f"{instance.label(i)} x{size}" for i, size in enumerate(instance.size.tolist())]
    held: list[list[tuple[float, float]]] = [[] for _ in names]
    for job, start, end in zip(*(column.tolist() for column in schedule.holding), strict=True):
        held[job].append((start, end))
    submits = instance.submit_time.tolist()
    times = sorted({*submits, *(time for spans in held for span in spans for time in span)})
    margin = max(len(name) for name in ("time", *names)) + 2
    width = max(5, *(len(f"{time:g}") + 1 for time in times))
    lines = ["time".ljust(margin) + "".join(f"{time:g}".ljust(width) for time in times)]
    for name, submit, spans in zip(names, submits, held, strict=True):
        marks = (_mark(time, submit, spans) * width for time in times[:-1])
        lines.append(name.ljust(margin) + "".join(marks))
    return "\n".join(line.rstrip() for line in lines)


def _mark(time: float, submit: float, spans: list[tuple[float, float]]) -> str:
    if time < submit:
        return " "
    if not spans or time < spans[0][0]:
        return "."
    if time >= spans[-1][1]:
        return " "
    return "=" if any(start <= time < end for start, end in spans) else "-"
