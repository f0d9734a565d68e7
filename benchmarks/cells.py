"""Cell: one program on one trace, measured; the figures of the tables come from here."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from isolated import script
from programs import MORE_POLICIES, MORE_TRACES, NAIVE_POLICIES, POLICIES, SIMULATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from isolated import Outcome
    from traces import Trace

LIMITS = {"compiled": 60.0, "reference": 30.0, "naive": 30.0, "load": 60.0}
"""Seconds after which a measurement is ended: for the whole process, reading included."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement: of which program and policy, on which trace, and its result."""

    trace: Trace
    program: str
    policy: str
    outcome: Outcome

    @property
    def found(self) -> dict[str, Any] | None:
        """What the process reported, or None if it did not finish."""
        return self.outcome.found

    @property
    def seconds(self) -> float | None:
        """Median of the runs."""
        return median(self.found["seconds"]) if self.found else None


def programs(trace: str) -> Iterator[tuple[str, str]]:
    """Name every program and its policy on the trace of that name, in the order of the table."""
    yield "load", ""
    for policy in POLICIES:
        for program in SIMULATORS:
            if program != "naive" or policy in NAIVE_POLICIES:
                yield program, policy
    for policy, engines in MORE_POLICIES.items() if trace in MORE_TRACES else ():
        for engine in engines:
            yield engine, policy


def measured(trace: Trace, source: str, program: str, policy: str) -> Cell:
    """Measure one cell in a process of its own."""
    arguments = [program, policy] if policy else [program]
    outcome = script("measure.py", source, str(trace.processors), *arguments, limit=LIMITS[program])
    return Cell(trace, program, policy, outcome)


def disagreements(cells: list[Cell]) -> list[str]:
    """Name the cells whose start times are not those of the compiled engine on the same jobs."""
    wanted = {
        (cell.trace.name, cell.policy): cell.found["starts"]
        for cell in cells
        if cell.program == "compiled" and cell.found
    }
    return [
        f"{cell.trace.title} {cell.program} {cell.policy}"
        for cell in cells
        if cell.found
        and "starts" in cell.found
        and wanted.get((cell.trace.name, cell.policy), cell.found["starts"]) != cell.found["starts"]
    ]
