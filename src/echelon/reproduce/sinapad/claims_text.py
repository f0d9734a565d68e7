"""What the SINAPAD study claims elsewhere, C12 to C22: in its abstracts, reasons and conclusion.

Some of it says another thing than its results do; each sentence is judged as it is printed. The texts are
ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.parts import Part, against, measured, settled
from echelon.reproduce.sinapad.evidence import Case, Paced
from echelon.reproduce.sinapad.experiments import STUDIED_JOBS, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.orders import below_everywhere, clearly, way
from echelon.reproduce.sinapad.printed import decision_times
from echelon.reproduce.sinapad.setups import (
    EXECUTION,
    INTERLEAVED,
    MAKESPAN,
    MODES,
    POLICIES,
    REPLICATED,
    SCENARIOS,
    SIMULTANEOUS,
    SLOWEST,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.claim import Verdict
    from echelon.reproduce.sinapad.evidence import Evidence

    Judged = tuple[Verdict, str]

UNCHANGED = 5.0
"""Percent up to which a pace is taken to make no difference."""


def loads_beat_chance(evidence: Evidence) -> Judged:
    """C12."""
    informed = ("CPULoad", "LotteryWithLoad", "WallTime")
    return settled(
        below_everywhere(evidence.execution, policy, "Random", mode) for policy in informed for mode in MODES
    )


def random_is_worst(evidence: Evidence) -> Judged:
    """C13."""
    others = [policy for policy in POLICIES if policy != "Random"]
    return settled(
        below_everywhere(evidence.execution, policy, "Random", mode) for policy in others for mode in MODES
    )


def cpu_load_as_printed(evidence: Evidence) -> Judged:
    """C14: the sentence that C6 reads by its reasons."""
    pairs = (("CPULoad", "Random", SIMULTANEOUS), ("Random", "CPULoad", INTERLEAVED))
    return settled(below_everywhere(evidence.execution, *pair) for pair in pairs)


def cpu_load_beats_lottery(evidence: Evidence) -> Judged:
    """C15."""
    return settled([below_everywhere(evidence.execution, "CPULoad", "LotteryWithLoad", INTERLEAVED)])


def the_draw_hurts(evidence: Evidence) -> Judged:
    """C16."""
    parts = []
    for what, of in (("mean execution", evidence.execution), ("deviation", evidence.deviation)):
        for mode in MODES:
            part = below_everywhere(of, "WallTime", "LotteryWithLoad", mode)
            parts.append(part._replace(says=f"{what}, {part.says}"))
    return settled(parts)


def machines_are_used_more(evidence: Evidence) -> Judged:
    """C17: the work is the same, so what is used of the machines goes with 1 / makespan."""
    parts = []
    for mode in MODES:
        shorter = _over_scenarios(evidence, mode, EXECUTION, lambda old, new: 100 * (1 - new / old))
        fuller = _over_scenarios(evidence, mode, MAKESPAN, lambda old, new: 100 * (old / new - 1))
        text = (
            f"{mode}: WallTime's execution times are {measured(shorter).text(' %', 1)} shorter than CPULoad's"
        )
        parts += [
            Part(f"{text}, mean of all scenarios", *clearly([shorter])),
            Part(
                f"{mode}: until the last job ends machines are used {measured(fuller).text(' %', 1)} more",
                *clearly([fuller]),
            ),
        ]
    return settled(parts)


def _over_scenarios(
    evidence: Evidence, mode: str, column: int, change: Callable[[FloatColumn, FloatColumn], FloatColumn]
) -> FloatColumn:
    changes = [
        change(*(evidence.study[Case(name, mode, policy)][:, column] for policy in ("CPULoad", "WallTime")))
        for name in SCENARIOS
    ]
    found: FloatColumn = np.mean(changes, axis=0)
    return found


def pace_is_nothing_one_by_one(evidence: Evidence) -> Judged:
    """C18."""
    fastest, parts = POLICIES["Random"][1], []
    for scenario in TESTED:
        for policy in TESTED_POLICIES:
            slow, fast = (
                evidence.paced[Paced(scenario, policy, pace, INTERLEAVED)][:, EXECUTION]
                for pace in (SLOWEST, fastest)
            )
            change = 100 * (slow - fast) / fast.mean()
            found = measured(change)
            parts.append(
                Part(
                    f"{scenario}, {policy}: at {SLOWEST:g} s a decision "
                    f"{way(slow, fast, f'what it is at {fastest:g} s')}, "
                    f"alike if within {UNCHANGED:g} %",
                    max(-found.low, found.high) <= UNCHANGED,
                    against(UNCHANGED - change * np.sign(found.mean)),
                )
            )
    return settled(parts)


def decisions_in_order(evidence: Evidence) -> Judged:
    """C19."""
    cost = _rules(evidence)
    said = ", ".join(f"{name} {value:.1f}" for name, value in cost.items())
    calls = ", ".join(
        f"{name} {float(np.median(found.selection)):.0f}" for name, found in evidence.cost.items()
    )
    ranked = sorted(cost, key=cost.__getitem__)
    parts = [
        Part(
            "WallTime is last but one, LotteryWithLoad last", ranked[-2:] == ["WallTime", "LotteryWithLoad"]
        ),
        Part("Random and CPULoad are the fastest two", set(ranked[:2]) == {"Random", "CPULoad"}),
        Part(
            "Random and CPULoad differ by less than a tenth",
            abs(cost["Random"] / cost["CPULoad"] - 1) < _TENTH,
        ),
    ]
    verdict, text = settled(parts)
    return verdict, (
        f"{text}. Our rules alone in microseconds: {said}; a portal's selection call: {calls}. Theirs ask "
        "ten components on other machines first; ours have nobody to ask"
    )


_TENTH = 0.1


def best_is_slowest(evidence: Evidence) -> Judged:
    """C20."""
    said, ours = decision_times(), _rules(evidence)
    return settled(
        Part(
            f"{what}: WallTime {times['WallTime']:.3g} {unit}, "
            f"LotteryWithLoad {times['LotteryWithLoad']:.3g} {unit}",
            max(times, key=times.__getitem__) == "WallTime",
        )
        for what, times, unit in (("Table 2", said, "ms"), ("ours", ours, "µs"))
    )


def _rules(evidence: Evidence) -> dict[str, float]:
    return {name: float(np.median(found.rule)) for name, found in evidence.cost.items()}


def replication_costs(evidence: Evidence) -> Judged:
    """C21."""
    return settled(
        Part(
            f"{mode} {scenario}: {measured(100 * table[:, REPLICATED]).text(' %', 1)} of work is thrown away",
            *clearly([table[:, REPLICATED]]),
        )
        for (jobs, scenario, mode, rule), table in evidence.extended.items()
        if jobs == STUDIED_JOBS and rule == "WQR"
    )


def run_times_are_hard_to_tell(_: Evidence) -> Judged:
    """C22."""
    return "explanation only", (
        "Run times are given to the heuristics that need them, at no cost; what they gain by that is in the "
        "tables of other rules"
    )


STATED_ELSEWHERE: tuple[tuple[str, str, str, Callable[[Evidence], Judged]], ...] = (
    (
        "C12",
        "abstract and resumo",
        "policies that use information at hand, such as loads of processors, decide better than by chance",
        loads_beat_chance,
    ),
    ("C13", "§ 4 and § 5", "RandomScheduler is the worst policy in general", random_is_worst),
    (
        "C14",
        "§ 4",
        "CPULoadScheduler is better than RandomScheduler only where jobs come at once (as printed; C6 reads "
        "it by its reasons)",
        cpu_load_as_printed,
    ),
    (
        "C15",
        "§ 5",
        "where the grid has less to do, CPULoadScheduler is better than LotterySchedulerWithLoad, though it "
        "knows nothing of how fast machines are",
        cpu_load_beats_lottery,
    ),
    (
        "C16",
        "§ 5",
        "to draw lots hurts: LotterySchedulerWithLoad without the draw, which is WallTimeEstimatedScheduler, "
        "is better and varies less",
        the_draw_hurts,
    ),
    (
        "C17",
        "§ 1",
        "with such policies execution times fall clearly, and machines are used more (against "
        "CPULoadScheduler, which SINAPAD had)",
        machines_are_used_more,
    ),
    (
        "C18",
        "§ 4",
        "where jobs come one by one, how long decisions take makes no difference",
        pace_is_nothing_one_by_one,
    ),
    (
        "C19",
        "§ 4, table 2",
        "CPULoadScheduler and RandomScheduler take about the same time to decide and are fastest, "
        "WallTimeEstimatedScheduler is last but one, LotterySchedulerWithLoad last",
        decisions_in_order,
    ),
    (
        "C20",
        "abstract",
        "the policy that performs best has the largest decision time (the resumo: one of the largest)",
        best_is_slowest,
    ),
    ("C21", "§ 3", "to replicate jobs, as WQR does, takes more of the machines", replication_costs),
    (
        "C22",
        "§ 3",
        "to estimate the run time of each application, as MCT, MET, Sufferage, Min-Min and Dynamic FPLTF do, "
        "is hard and costly",
        run_times_are_hard_to_tell,
    ),
)
