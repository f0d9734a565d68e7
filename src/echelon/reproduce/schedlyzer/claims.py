"""What Schedlyzer's study claims, each judged by computation.

The texts are ours; L numbers are lines of the thesis as plain text. What it says of the five comparators it
discusses is judged on those five; BETTERFIT, which it ran but does not discuss, is left out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from echelon.metrics.schedule import schedule_values
from echelon.reproduce.machinery.claims import Claims, Point, Reason
from echelon.reproduce.machinery.order_agreement import spearman_rho
from echelon.reproduce.machinery.statement import fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments import Result
    from echelon.reproduce.machinery.claims import Statements

    Runs: TypeAlias = Mapping[str, Result]
    """Results by the study's names: ``"PQS-FIFO"``."""

FIVE = ("FIFO", "LARGEFIRST", "SMALLFIRST", "LONGFIRST", "SHORTFIRST")
FOUR = tuple(name for name in FIVE if name != "SMALLFIRST")
"""Those whose EASY schedule differs; the study leaves EASY-SMALLFIRST out."""


class _Metric(NamedTuple):
    """The study's unit of a metric and its size in ours, decimals shown, the good end, and its name."""

    unit: str
    factor: float
    decimals: int
    best: str
    phrase: str


_METRICS = {
    "throughput_per_day": _Metric("jobs/day", 1.0, 2, "high", "throughput"),
    "mean_turnaround": _Metric("h", 1 / 3600, 2, "low", "turnaround"),
    "mean_wait": _Metric("h", 1 / 3600, 2, "low", "wait"),
    "busy_share": _Metric("%", 100.0, 3, "high", "CPU utilization"),
}

CLAIMS: Claims[Runs] = Claims()


def _values(runs: Runs, prefix: str, metric: str) -> dict[str, float]:
    """Return a metric of the five comparators, in the study's unit."""
    return {name: runs[f"{prefix}-{name}"].metrics[metric] * _METRICS[metric].factor for name in FIVE}


def _rank(runs: Runs, prefix: str, metric: str) -> tuple[dict[str, float], list[str]]:
    """Return a metric of the five comparators, and their names, the best first."""
    values = _values(runs, prefix, metric)
    return values, sorted(values, key=values.__getitem__, reverse=_METRICS[metric].best == "high")


def _format(values: Mapping[str, float], metric: str, names: list[str] | None = None) -> str:
    unit, _, places, *_ = _METRICS[metric]
    return f"{', '.join(f'{name} {values[name]:,.{places}f}' for name in names or values)} {unit}"


def _change(runs: Runs, metric: str) -> str:
    before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
    unit, _, places, *_ = _METRICS[metric]
    shown = ", ".join(f"{name} {before[name]:,.{places}f} to {after[name]:,.{places}f}" for name in FOUR)
    return f"{shown} {unit}"


def _count_same(runs: Runs, comparator: str) -> int:
    """Return how many jobs start at the same time with and without backfilling."""
    starts = [runs[f"{prefix}-{comparator}"].schedule.start_time for prefix in ("PQS", "EASY")]
    return int(np.count_nonzero(starts[0] == starts[1]))


@CLAIMS.states(
    "C1",
    "§ 6.1.2: L1161-1163",
    "CPU utilization is close to 100 % with every comparator, SHORTFIRST best, LONGFIRST worst.",
)
def _utilizations_near_100(runs: Runs) -> Statements:
    values, ranked = _rank(runs, "PQS", "busy_share")
    yield fact(f"all are above 99.9 %: {_format(values, 'busy_share', ranked)}", min(values.values()) > 99.9)
    yield fact(f"the best is {ranked[0]}", ranked[0] == "SHORTFIRST" and _is_clear(values, ranked, 0))
    yield fact(f"the worst is {ranked[-1]}", ranked[-1] == "LONGFIRST" and _is_clear(values, ranked, -2))


def _is_clear(values: Mapping[str, float], ranked: Sequence[str], place: int) -> bool:
    """Return whether the one at this place and the next differ."""
    return values[ranked[place]] != values[ranked[place + 1]]


@CLAIMS.states("C2", "§ 6.1.2: L1197", "LARGEFIRST uses the CPU more than SMALLFIRST.")
def _large_above_small(runs: Runs) -> Statements:
    values = _values(runs, "PQS", "busy_share")
    shown = _format(values, "busy_share", ["LARGEFIRST", "SMALLFIRST"])
    yield fact(shown, values["LARGEFIRST"] > values["SMALLFIRST"])


@CLAIMS.states("C3", "§ 6.1.2: L1199", "FIFO has the third best CPU utilization.")
def _fifo_third(runs: Runs) -> Statements:
    values, ranked = _rank(runs, "PQS", "busy_share")
    place = ranked.index("FIFO") + 1
    yield fact(f"it is number {place}: {_format(values, 'busy_share', ranked)}", place == 3)


@CLAIMS.states(
    "C4",
    "§ 6.2.2: L1227-1233",
    "Throughput is best with LARGEFIRST, then SMALLFIRST, worst with FIFO; LONGFIRST and SHORTFIRST "
    "differ little.",
)
def _throughputs(runs: Runs) -> Statements:
    values, ranked = _rank(runs, "PQS", "throughput_per_day")
    shown = _format(values, "throughput_per_day", ranked)
    first = ranked[:2] == ["LARGEFIRST", "SMALLFIRST"] and _is_clear(values, ranked, 1)
    yield fact(f"the best two are {ranked[0]} and {ranked[1]}: {shown}", first)
    yield fact(f"the worst is {ranked[-1]}", ranked[-1] == "FIFO" and _is_clear(values, ranked, -2))
    gap, nearest = min((values[a] - values[b], {a, b}) for a, b in pairwise(ranked))
    text = f"the two that differ least are {' and '.join(sorted(nearest))}, by {gap:.2f} jobs/day"
    yield fact(text, nearest == {"LONGFIRST", "SHORTFIRST"})


@CLAIMS.states(
    "C5", "§ 6.3.2: L1263", "By turnaround SMALLFIRST beats SHORTFIRST, and LONGFIRST is the worst."
)
def _turnarounds(runs: Runs) -> Statements:
    values, ranked = _rank(runs, "PQS", "mean_turnaround")
    shown = _format(values, "mean_turnaround", ["SMALLFIRST", "SHORTFIRST"])
    yield fact(shown, values["SMALLFIRST"] < values["SHORTFIRST"])
    text = f"the worst is {ranked[-1]}: {_format(values, 'mean_turnaround', ranked)}"
    yield fact(text, ranked[-1] == "LONGFIRST" and _is_clear(values, ranked, -2))


@CLAIMS.states("C6", "§ 6.3.2: L1267", "Turnaround follows the waiting time linearly.")
def _turnaround_linear(runs: Runs) -> Statements:
    apart = [run.metrics["mean_turnaround"] - run.metrics["mean_wait"] for run in runs.values()]
    mean_run = schedule_values.mean(next(iter(runs.values())).instance.run_time)
    error = max(abs(value - mean_run) for value in apart)
    text = f"turnaround - wait is the mean run, {mean_run / 3600:.4f} h, in all {len(runs)} runs"
    yield fact(text, error < 1e-6 * mean_run)


@CLAIMS.states(
    "C7",
    "§ 6.1.3: L1208",
    "EASY slightly lowers the CPU utilization of every comparator (SMALLFIRST: the same).",
)
def _easy_lowers_utilization(runs: Runs) -> Statements:
    before, after = _values(runs, "PQS", "busy_share"), _values(runs, "EASY", "busy_share")
    yield fact(_change(runs, "busy_share"), all(after[name] < before[name] for name in FOUR))
    yield fact("SMALLFIRST: the same", after["SMALLFIRST"] == before["SMALLFIRST"])


@CLAIMS.states("C8", "§ 6.1.3: L1208", "EASY-LONGFIRST has a better CPU utilization than EASY-FIFO.")
def _easy_long_above_fifo(runs: Runs) -> Statements:
    values = _values(runs, "EASY", "busy_share")
    shown = _format(values, "busy_share", ["LONGFIRST", "FIFO"])
    yield fact(shown, values["LONGFIRST"] > values["FIFO"])


@CLAIMS.states(
    "C9",
    "§ 6.2.3: L1244",
    "EASY raises the throughput of every comparator (SMALLFIRST: the same); EASY-FIFO is above "
    "EASY-SHORTFIRST.",
)
def _easy_raises_throughput(runs: Runs) -> Statements:
    metric = "throughput_per_day"
    before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
    yield fact(_change(runs, metric), all(after[name] > before[name] for name in FOUR))
    yield fact("SMALLFIRST: the same", after["SMALLFIRST"] == before["SMALLFIRST"])
    shown = _format(after, metric, ["FIFO", "SHORTFIRST"])
    yield fact(f"with EASY {shown}", after["FIFO"] > after["SHORTFIRST"])


@CLAIMS.states(
    "C10",
    "§§ 6.3.3 and 6.4.3: L1276, L1304",
    "EASY improves turnaround and wait spectacularly, to hours instead of months; EASY-FIFO is better "
    "than EASY-SHORTFIRST.",
)
def _easy_in_hours(runs: Runs) -> Statements:
    before, after = _values(runs, "PQS", "mean_wait"), _values(runs, "EASY", "mean_wait")
    day = 24.0
    better = all(after[name] < before[name] and after[name] < day for name in FOUR)
    yield fact(f"mean wait: {_change(runs, 'mean_wait')}", better)
    shown = _format(after, "mean_wait", ["FIFO", "SHORTFIRST"])
    yield fact(f"with EASY {shown}", after["FIFO"] < after["SHORTFIRST"])


@CLAIMS.states("C11", "§ 6.4.3: L1306", "LONGFIRST gains most by EASY, then LARGEFIRST.")
def _largest_gains(runs: Runs) -> Statements:
    before, after = _values(runs, "PQS", "mean_wait"), _values(runs, "EASY", "mean_wait")
    gains = {name: before[name] - after[name] for name in FOUR}
    ranked = sorted(gains, key=gains.__getitem__, reverse=True)
    holds = ranked[:2] == ["LONGFIRST", "LARGEFIRST"] and _is_clear(gains, ranked, 1)
    yield fact(f"mean wait shorter by {_format(gains, 'mean_wait', ranked)}", holds)


@CLAIMS.states("C12", "§ 7: L1314", "EASY-FIFO and EASY-LARGEFIRST give the best results.")
def _best_overall(runs: Runs) -> Statements:
    for metric, about in _METRICS.items():
        values, ranked = _rank(runs, "EASY", metric)
        holds = set(ranked[:2]) == {"FIFO", "LARGEFIRST"} and _is_clear(values, ranked, 1)
        shown = _format(values, metric, ranked)
        yield fact(f"the best two by {about.phrase} are {ranked[0]} and {ranked[1]}: {shown}", holds)


@CLAIMS.states("C13a", "§ 6: L1134", "PQScheduler and EASYScheduler give the same result with SMALLFIRST.")
def _small_the_same(runs: Runs) -> Statements:
    jobs, same = len(runs["PQS-SMALLFIRST"].instance), _count_same(runs, "SMALLFIRST")
    others = ", ".join(f"{name} {_count_same(runs, name):,}" for name in FOUR)
    text = (
        f"{same:,} of {jobs:,} jobs start at the same time with and without backfilling "
        f"(of the others: {others})"
    )
    yield fact(text, same == jobs)


@CLAIMS.states("C13b", "§ 6: L1134", "That must be a bug in SST.")
def _small_a_bug(runs: Runs) -> Statements:
    jobs = len(runs["PQS-SMALLFIRST"].instance)
    must = _count_same(runs, "SMALLFIRST") == jobs
    text = (
        "it follows from the order: the head is the smallest waiting job, so if it does not fit, no other "
        "does, and nothing can be backfilled"
    )
    yield fact(text, not must)


@CLAIMS.states("C14", "§ 7: L1314", "EASY is better in all metrics.")
def _easy_better_in_all(runs: Runs) -> Statements:
    for metric, about in _METRICS.items():
        sign = 1 if about.best == "high" else -1
        before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
        holds = all(sign * after[name] > sign * before[name] for name in FOUR)
        yield fact(f"{about.phrase}: {_change(runs, metric)}", holds)


@CLAIMS.states("C15", "§§ 3.4.1 and 6.2.2: L722, L1227", "About 20 jobs arrive a day.")
def _twenty_a_day(runs: Runs) -> Statements:
    submit = runs["PQS-FIFO"].instance.submit_time
    rate = schedule_values.DAY * len(submit) / float(submit.max() - submit.min())
    text = (
        f"{rate:.2f} a day. The figure that the claim is read from shows percentages, not jobs; with "
        "this rate a throughput near 73 jobs a day, which the study finds surprising, is expected"
    )
    yield fact(text, 15 < rate < 25)


@CLAIMS.states("C16a", "§ 6.1.2: L1163-1167", "Jobs of a shorter run time tend to use more processors.")
def _shorter_are_wider(runs: Runs) -> Statements:
    instance = runs["PQS-FIFO"].instance
    run, size = instance.run_time, instance.size.astype(np.float64)
    correlation = spearman_rho(run, size)
    order = np.argsort(run, kind="stable")
    shorter, longer = np.array_split(size[order], 2)
    text = (
        f"over all {len(run):,} jobs the rank correlation of run time and size is {correlation:+.2f}; the "
        f"shorter half have {shorter.mean():.1f} processors on average, the longer half {longer.mean():.1f}"
    )
    yield fact(text, correlation < 0)


@CLAIMS.states("C16b", "§ 6.1.2: L1163-1167", "That is why SHORTFIRST has the best CPU utilization.")
def _wider_hence_better(runs: Runs) -> Reason:
    values = _values(runs, "PQS", "busy_share")
    return Reason(
        f"SHORTFIRST is above LONGFIRST ({_format(values, 'busy_share', ['SHORTFIRST', 'LONGFIRST'])}), but "
        "the experiment does not separate this cause from others"
    )


CONCLUSIONS = (
    Point(
        ("C10", "C11"),
        "EASY cuts waits from months to hours, most with LONGFIRST and LARGEFIRST.",
        "Its claims on how much EASY shortens waits are not fully confirmed.",
    ),
    Point(
        ("C12", "C14"),
        "EASY is better, and FIFO and LARGEFIRST are best with it, by every metric.",
        "That EASY is better, and FIFO and LARGEFIRST best with it, is not confirmed by any metric.",
        in_part="EASY is better, and FIFO and LARGEFIRST are best with it, by some metrics, not by all of "
        "them.",
    ),
    Point(
        ("C3", "C13b", "C15", "C16a"),
        "Its claims on the workload and on the fault of SST are also right.",
        "Its claims on the workload and on the fault of SST should not be cited.",
    ),
)
"""What a reader may conclude, by the claims that decide it."""
