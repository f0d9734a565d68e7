"""Tables of ours on the SINAPAD study, whose figures are lost, and on what it leaves open."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.listing import Listing, listing
from echelon.reproduce.machinery.statement import mean_interval
from echelon.reproduce.sinapad.data import INDEPENDENT_SEEDS, decision_times, read_independent
from echelon.reproduce.sinapad.evidence import Case, Extended, Paced, Reading
from echelon.reproduce.sinapad.experiments import (
    FINISHED,
    JOBS,
    PACES,
    READINGS,
    RULES,
    TESTED,
    TESTED_POLICIES,
)
from echelon.reproduce.sinapad.setups import (
    DEVIATION,
    EXECUTION,
    INTERLEAVED,
    MAKESPAN,
    MODES,
    POLICIES,
    REPLICATED,
    SCENARIOS,
    SIMULTANEOUS,
    TURNAROUND,
    preset,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.reproduce.machinery.listing import Row
    from echelon.reproduce.machinery.statement import Measured
    from echelon.reproduce.sinapad.evidence import Evidence

NOISE = 3.0
"""Standard errors within which two means count as the same."""


@listing(
    "scenarios",
    "Table 1: scenarios",
    ("Scenario", "Printed name", "Heterogeneity", "r1", "r2", "r3", "r4", "Machines", "Capacity, of r1"),
    "A machine of type r1 is 2, 4 and 8 times as fast as one of r2, r3 and r4. RBE is printed twice.",
    labels=3,
)
def scenarios_listing() -> Iterator[Row]:
    """Return Table 1 as it is run: how many machines of each type a scenario has."""
    for scenario, heterogeneity in SCENARIOS.items():
        speeds = [machine.speed for machine in preset(scenario).time_shared]
        counts = (float(speeds.count(1 / 2**power)) for power in range(4))
        printed = _PRINTED_NAMES.get(scenario, scenario)
        yield (scenario, printed, heterogeneity, *counts, float(len(speeds)), sum(speeds))


_PRINTED_NAMES = {"RAE": "RBE"}


def execution_listing(evidence: Evidence, mode: str, figure: str) -> Listing:
    """Return mean and deviation of execution times by scenario, in the place of a lost figure."""
    rows: list[Row] = []
    for scenario in SCENARIOS:
        samples = [evidence.study[Case(scenario, mode, policy)] for policy in POLICIES]
        for column, labels in ((EXECUTION, (scenario, "mean")), (DEVIATION, ("", "deviation"))):
            rows += _mean_rows(labels, [mean_interval(one[:, column]) for one in samples])
    return Listing(
        f"execution-{mode.replace(' ', '-')}",
        f"Figure {figure}: execution times of jobs submitted {_LABELS[mode]}, in s",
        ("Scenario", "", *POLICIES),
        tuple(rows),
        "Means over repetitions of the mean over 40 jobs and of the standard deviation over the jobs of a "
        "run, each with half the width of its 95 % interval.",
        labels=2,
    )


def _mean_rows(labels: tuple[str, ...], intervals: Sequence[Measured]) -> Iterator[Row]:
    """Yield a row of means, and one of half the widths of their intervals."""
    yield (*labels, *(one.mean for one in intervals))
    blanks = [""] * (len(labels) - 1)
    yield (*blanks, "± (95 %)", *((one.high - one.low) / 2 for one in intervals))


_LABELS = {SIMULTANEOUS: "at once", INTERLEAVED: "one every 20 s"}


@listing(
    "decision-times",
    "Table 2: time of a decision in RH, printed and ours",
    ("Policy", "Printed, ms", "over CPULoad", "Rule alone, µs", "over CPULoad", "Selection call, µs"),
    "Printed: what OpenBus and ten components on their own machines took to answer, which is what costs "
    "there. Ours: the rule alone in a run, and the selection call of a portal in one process.",
)
def decision_listing(evidence: Evidence) -> Iterable[Row]:
    """Return Table 2 beside what a decision costs here: measured, not compared."""
    paper_times = decision_times()
    return tuple(
        (
            policy,
            float(paper_times[policy]),
            paper_times[policy] / paper_times["CPULoad"],
            float(np.median(costs.rule)),
            float(np.median(costs.rule)) / float(np.median(evidence.cost["CPULoad"].rule)),
            float(np.median(costs.selection)),
        )
        for policy, costs in evidence.cost.items()
    )


@listing(
    "decision-pace",
    "Mean execution time, in s, by the time of a decision",
    ("Submission", "Scenario", "Policy", *(f"{pace:g} s" for pace in PACES)),
    "0.32 s is RandomScheduler's own, 0.831 s LotterySchedulerWithLoad's, to which all are slowed down "
    "where jobs come at once.",
    labels=3,
)
def paced_listing(evidence: Evidence) -> Iterator[Row]:
    """Return the authors' test: mean execution times by seconds of a decision, also one by one."""
    for mode in MODES:
        for scenario in TESTED:
            for policy in TESTED_POLICIES:
                samples = [
                    mean_interval(evidence.paced[Paced(scenario, policy, pace, mode)][:, EXECUTION])
                    for pace in PACES
                ]
                yield from _mean_rows((mode, scenario, policy), samples)


@listing(
    "readings",
    "Mean execution times, in s, under other readings",
    ("Submission", "Scenario", "Reading", *POLICIES),
    "A dash: the reading is of another policy.",
    labels=3,
)
def readings_listing(evidence: Evidence) -> Iterator[Row]:
    """Return mean execution times under other readings of what the study leaves open."""
    there = list(dict.fromkeys((key.case.mode, key.case.scenario) for key in evidence.readings))
    for mode, scenario in there:
        for name in (*READINGS, *FINISHED):
            cells = [
                evidence.readings.get(Reading(name, Case(scenario, mode, policy))) for policy in POLICIES
            ]
            if any(cell is not None for cell in cells):
                values = [math.nan if cell is None else float(cell[:, EXECUTION].mean()) for cell in cells]
                yield (mode, scenario, name, *values)


def independent_listing(evidence: Evidence) -> Listing:
    """Return another program's means beside ours, in standard errors of the difference."""
    rows: list[Row] = []
    for (mode, scenario, policy), (mean, std) in read_independent().items():
        sample = evidence.study[Case(scenario, mode, policy)]
        rows.append(
            (
                mode,
                scenario,
                policy,
                float(mean),
                float(sample[:, EXECUTION].mean()),
                errors_apart(sample[:, EXECUTION], float(mean)),
                float(std),
                float(sample[:, DEVIATION].mean()),
            )
        )
    near = sum(abs(float(row[5])) <= NOISE for row in rows)
    return Listing(
        "independent",
        "An independent program by the same model: execution times in s",
        ("Submission", "Scenario", "Policy", "Theirs", "Ours", "Errors apart", "Deviation", "Ours"),
        tuple(rows),
        f"{near} of {len(rows)} means are within {NOISE:g} standard errors of theirs, of {INDEPENDENT_SEEDS} "
        "repetitions and rounded to whole seconds. It knows 60 s / speed of each machine before, we the mean "
        "of the jobs themselves.",
        labels=3,
    )


def errors_apart(ours: np.ndarray, theirs: float) -> float:
    """Return how many standard errors of the difference our mean is from a mean of `INDEPENDENT_SEEDS`.

    Both have the spread of our repetitions; half a second of rounding is no difference.
    """
    spread = float(ours.std(ddof=1))
    error = spread * math.sqrt(1 / len(ours) + 1 / INDEPENDENT_SEEDS)
    apart = float(ours.mean()) - theirs
    beyond = math.copysign(max(0.0, abs(apart) - 0.5), apart)
    return beyond / error if error else math.copysign(math.inf, apart) if beyond else 0.0


def extended_listings(evidence: Evidence) -> list[Listing]:
    """Return a table for each kind of jobs: the five policies and what the study cites."""
    return [_list_extended(evidence, jobs) for jobs in JOBS]


_NOTES = {
    "as in the study": "The rules below the five policies know speeds and run times; Min-Min, Max-Min, "
    "Sufferage, FPLTF and WQR let jobs wait, so that turnaround compares them.",
    "four applications, 1 to 27": "Of equal mean work. CPU times are known by application.",
    "half of the jobs I/O-bound": (
        "They compute for a quarter of their time on a machine of speed 1, so that their CPU time says "
        "little about their duration, and slow machines cost them less."
    ),
    "chains of five jobs": "Each job is submitted when the one before it has ended; a chain begins every 100 "
    "s, or all at once. Turnaround is from then.",
    "fork and join of five jobs": "Three jobs wait for one, and one for the three.",
}


def _list_extended(evidence: Evidence, jobs: str) -> Listing:
    there = list(dict.fromkeys((key.mode, key.scenario) for key in evidence.extended if key.jobs == jobs))
    rows: tuple[Row, ...] = tuple(
        (
            rule,
            *(
                float(evidence.extended[Extended(jobs, scenario, mode, rule)][:, column].mean())
                for mode, scenario in there
                for column in (TURNAROUND, MAKESPAN)
            ),
            100 * _mean_replicas(evidence, jobs, rule, there),
        )
        for rule in RULES
    )
    heads = tuple(
        f"{scenario} {_LABELS[mode].removeprefix('one every ')}, {what}"
        for mode, scenario in there
        for what in ("mean", "last")
    )
    return Listing(
        f"jobs-{jobs.split()[0]}-{jobs.split()[-1].replace('/', '-')}".lower(),
        f"Jobs {jobs}: mean turnaround and makespan, in s",
        ("Rule", *heads, "Wasted, %"),
        rows,
        _NOTES[jobs],
    )


def _mean_replicas(evidence: Evidence, jobs: str, rule: str, there: Sequence[tuple[str, str]]) -> float:
    samples = [evidence.extended[Extended(jobs, scenario, mode, rule)] for mode, scenario in there]
    return float(np.mean([one[:, REPLICATED].mean() for one in samples]))


@listing(
    "misprints",
    "Misprints and open points, and how they are read",
    ("Where", "What", "Read as"),
    labels=3,
)
def misprints_listing() -> Iterable[Row]:
    """Return what the study prints wrong or leaves open, and how it is read."""
    return (
        (
            "§ 4",
            "CPULoadScheduler better only where jobs come at once; its reasons imply the reverse",
            "only where they come one by one",
        ),
        ("table 1", "two rows are named RBE", "the second one is RAE: 8 of r1 and 2 of r4"),
        ("table 1", "RAU has 8 machines, all others 10", "8, two of each type"),
        ("table 1", "RAB has 12 machines if each number is of each type", "4 r2, 4 r3, 1 r4, 1 r1"),
        ("§ 4", "the text places the scenarios in Tabela 4", "table 1"),
        (
            "abstract",
            "the best policy has the largest decision time (English), one of the largest (Portuguese)",
            "table 2: LotterySchedulerWithLoad's is the largest",
        ),
        ("eqs. 1, 3", "||x||", "x rounded to the nearest whole number, halves up"),
        ("eqs. 1, 3", "an infinite number of tickets", "a million, a parameter"),
        ("eq. 4", "no competition if the load is at most 1; in the equation, if below 1", "the same value"),
        ("eq. 6", "fin_ratio has no formula", "min(60 s - time since the end, time it ran) / 60 s"),
        ("§ 4", "2.4 times the fastest policies", "774 ms are 2.42 times 320 ms, 2.46 times 315 ms"),
        ("§ 4", "10 % of variation", "uniform, each job up to 10 % longer or shorter"),
        (
            "§ 3",
            "ties of equal loads, or of equal estimates",
            "first in a list; in which order machines are listed is read in four ways",
        ),
        (
            "§ 4",
            "what is known before the first job",
            "mean CPU times of all machines: else no policy could choose",
        ),
    )
