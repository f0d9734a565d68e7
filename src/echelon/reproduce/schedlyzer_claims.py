"""What Schedlyzer's study claims, each judged by computation.

The texts are ours; L numbers are lines of the thesis as plain text. What it says of the five comparators it
discusses is judged on those five; BETTERFIT, which it ran but does not discuss, is left out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from echelon.metrics import per_schedule
from echelon.reproduce.claim import Claim

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from echelon.experiments import Result
    from echelon.reproduce.claim import Verdict

    Runs: TypeAlias = Mapping[str, Result]
    """Results by the study's names: ``"PQS-FIFO"``."""
    Judged: TypeAlias = tuple[bool | None, str]
    """Whether the claim holds (None: an explanation only), and our numbers."""

FIVE = ("FIFO", "LARGEFIRST", "SMALLFIRST", "LONGFIRST", "SHORTFIRST")
FOUR = tuple(name for name in FIVE if name != "SMALLFIRST")
"""Those whose EASY schedule differs; the study leaves EASY-SMALLFIRST out."""

_FACTORS = {
    "busy_share": 100.0,
    "throughput_per_day": 1.0,
    "mean_turnaround": 1 / 3600,
    "mean_wait": 1 / 3600,
}
_DECIMALS = {"busy_share": 3, "throughput_per_day": 2, "mean_turnaround": 2, "mean_wait": 2}
_UNITS = {"busy_share": "%", "throughput_per_day": "jobs/day", "mean_turnaround": "h", "mean_wait": "h"}


def judged(runs: Runs) -> list[Claim]:
    """Return every claim with its verdict and our numbers."""
    claims = []
    for name, where, text, check in _STATED:
        holds, finding = check(runs)
        verdict: Verdict = "explanation only" if holds is None else "holds" if holds else "does not hold"
        claims.append(Claim(name, text, where, verdict, finding))
    return claims


def _values(runs: Runs, prefix: str, metric: str) -> dict[str, float]:
    """Return a metric of the five comparators, in the study's unit."""
    return {name: runs[f"{prefix}-{name}"].metrics[metric] * _FACTORS[metric] for name in FIVE}


def _ranked(values: Mapping[str, float], *, best: str) -> list[str]:
    return sorted(values, key=values.__getitem__, reverse=best == "high")


def _listed(values: Mapping[str, float], metric: str, names: list[str] | None = None) -> str:
    shown = ", ".join(f"{name} {values[name]:,.{_DECIMALS[metric]}f}" for name in names or values)
    return f"{shown} {_UNITS[metric]}"


def _change(runs: Runs, metric: str) -> str:
    before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
    places = _DECIMALS[metric]
    shown = ", ".join(f"{name} {before[name]:,.{places}f} to {after[name]:,.{places}f}" for name in FOUR)
    return f"{shown} {_UNITS[metric]}"


def _same(runs: Runs, comparator: str) -> int:
    """Return how many jobs start at the same time with and without backfilling."""
    starts = [runs[f"{prefix}-{comparator}"].schedule.start_time for prefix in ("PQS", "EASY")]
    return int(np.count_nonzero(starts[0] == starts[1]))


def _utilizations_near_100(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "busy_share")
    ranked = _ranked(values, best="high")
    holds = min(values.values()) > 99.9 and (ranked[0], ranked[-1]) == ("SHORTFIRST", "LONGFIRST")
    return holds, _listed(values, "busy_share", ranked)


def _large_above_small(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "busy_share")
    return values["LARGEFIRST"] > values["SMALLFIRST"], _listed(
        values, "busy_share", ["LARGEFIRST", "SMALLFIRST"]
    )


def _fifo_third(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "busy_share")
    ranked = _ranked(values, best="high")
    place = ranked.index("FIFO") + 1
    return place == 3, f"It is number {place}: {_listed(values, 'busy_share', ranked)}"


def _throughputs(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "throughput_per_day")
    ranked = _ranked(values, best="high")
    gaps = [(values[a] - values[b], {a, b}) for a, b in pairwise(ranked)]
    nearest = min(gaps, key=lambda gap: gap[0])[1]
    order = (ranked[0], ranked[1], ranked[-1]) == ("LARGEFIRST", "SMALLFIRST", "FIFO")
    return order and nearest == {"LONGFIRST", "SHORTFIRST"}, _listed(values, "throughput_per_day", ranked)


def _turnarounds(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "mean_turnaround")
    ranked = _ranked(values, best="low")
    holds = ranked[:2] == ["SMALLFIRST", "SHORTFIRST"] and ranked[-1] == "LONGFIRST"
    return holds, _listed(values, "mean_turnaround", ranked)


def _turnaround_linear(runs: Runs) -> Judged:
    apart = [run.metrics["mean_turnaround"] - run.metrics["mean_wait"] for run in runs.values()]
    mean_run = per_schedule.mean(next(iter(runs.values())).instance.run_time)
    error = max(abs(value - mean_run) for value in apart)
    return error < 1e-6 * mean_run, (
        f"Turnaround - wait is the mean run, {mean_run / 3600:.4f} h, in all {len(runs)} runs"
    )


def _easy_lowers_utilization(runs: Runs) -> Judged:
    before, after = _values(runs, "PQS", "busy_share"), _values(runs, "EASY", "busy_share")
    holds = all(after[name] < before[name] for name in FOUR) and after["SMALLFIRST"] == before["SMALLFIRST"]
    return holds, _change(runs, "busy_share")


def _easy_long_above_fifo(runs: Runs) -> Judged:
    values = _values(runs, "EASY", "busy_share")
    return values["LONGFIRST"] > values["FIFO"], _listed(values, "busy_share", ["LONGFIRST", "FIFO"])


def _easy_raises_throughput(runs: Runs) -> Judged:
    metric = "throughput_per_day"
    before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
    raised = all(after[name] > before[name] for name in FOUR) and after["SMALLFIRST"] == before["SMALLFIRST"]
    holds = raised and after["FIFO"] > after["SHORTFIRST"]
    return holds, _change(runs, metric)


def _easy_in_hours(runs: Runs) -> Judged:
    before, after = _values(runs, "PQS", "mean_wait"), _values(runs, "EASY", "mean_wait")
    day = 24.0
    better = all(after[name] < before[name] and after[name] < day for name in FOUR)
    return better and after["FIFO"] < after["SHORTFIRST"], f"Mean wait: {_change(runs, 'mean_wait')}"


def _largest_gains(runs: Runs) -> Judged:
    before, after = _values(runs, "PQS", "mean_wait"), _values(runs, "EASY", "mean_wait")
    gains = {name: before[name] - after[name] for name in FOUR}
    ranked = _ranked(gains, best="high")
    return ranked[:2] == [
        "LONGFIRST",
        "LARGEFIRST",
    ], f"Mean wait shorter by {_listed(gains, 'mean_wait', ranked)}"


def _best_overall(runs: Runs) -> Judged:
    best = {"throughput_per_day": "high", "mean_turnaround": "low", "mean_wait": "low"}
    values = {metric: _values(runs, "EASY", metric) for metric in (*best, "busy_share")}
    holds = all(
        set(_ranked(values[metric], best=end)[:2]) == {"FIFO", "LARGEFIRST"} for metric, end in best.items()
    )
    used = _ranked(values["busy_share"], best="high")
    shown = "; ".join(
        _listed(values[metric], metric, _ranked(values[metric], best=end)[:3]) for metric, end in best.items()
    )
    places = " and ".join(str(used.index(name) + 1) for name in ("FIFO", "LARGEFIRST"))
    return holds, (
        f"The two best of five by throughput, turnaround and wait: {shown}. By CPU utilization they are "
        f"number {places} of five: {_listed(values['busy_share'], 'busy_share', used)}"
    )


def _small_the_same(runs: Runs) -> Judged:
    jobs, same = len(runs["PQS-SMALLFIRST"].instance), _same(runs, "SMALLFIRST")
    others = ", ".join(f"{name} {_same(runs, name):,}" for name in FOUR)
    return same == jobs, (
        f"{same:,} of {jobs:,} jobs start at the same time with and without backfilling "
        f"(of the others: {others})"
    )


def _small_a_bug(runs: Runs) -> Judged:
    jobs = len(runs["PQS-SMALLFIRST"].instance)
    must = _same(runs, "SMALLFIRST") == jobs
    return not must, (
        "It follows from the order: the head is the smallest waiting job, so if it does not fit, no other "
        "does, and nothing can be backfilled"
    )


def _easy_better_in_all(runs: Runs) -> Judged:
    ends = {"busy_share": 1, "throughput_per_day": 1, "mean_turnaround": -1, "mean_wait": -1}
    words = {"busy_share": "CPU utilization", "throughput_per_day": "throughput"}
    words |= {"mean_turnaround": "turnaround", "mean_wait": "wait"}
    better: list[str] = []
    worse: list[str] = []
    for metric, sign in ends.items():
        before, after = _values(runs, "PQS", metric), _values(runs, "EASY", metric)
        all_better = all(sign * after[name] > sign * before[name] for name in FOUR)
        (better if all_better else worse).append(words[metric])
    return not worse, (
        f"Better in {', '.join(better)}, not in {' or '.join(worse)} (C7)" if worse else "Better in all"
    )


def _twenty_a_day(runs: Runs) -> Judged:
    submit = runs["PQS-FIFO"].instance.submit_time
    rate = per_schedule.DAY * len(submit) / float(submit.max() - submit.min())
    return 15 < rate < 25, (
        f"{rate:.2f} a day. The figure that the claim is read from shows percentages, not jobs; with "
        "this rate a throughput near 73 jobs a day, which the study finds odd, is what one expects"
    )


def _shorter_are_wider(runs: Runs) -> Judged:
    instance = runs["PQS-FIFO"].instance
    run, size = instance.run_time, instance.size.astype(np.float64)
    correlation = _rank_correlation(run, size)
    order = np.argsort(run, kind="stable")
    shorter, longer = np.array_split(size[order], 2)
    return correlation < 0, (
        f"Over all {len(run):,} jobs the rank correlation of run time and size is {correlation:+.2f}; the "
        f"shorter half have {shorter.mean():.1f} processors on average, the longer half {longer.mean():.1f}"
    )


def _wider_hence_better(runs: Runs) -> Judged:
    values = _values(runs, "PQS", "busy_share")
    return None, (
        f"SHORTFIRST is above LONGFIRST ({_listed(values, 'busy_share', ['SHORTFIRST', 'LONGFIRST'])}), but "
        "nothing in the experiment parts this cause from others"
    )


def _rank_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation, -1 to 1; 0 if all values of a column are the same."""
    ranks = [_ranks(column) for column in (x, y)]
    apart = [rank - rank.mean() for rank in ranks]
    scale = float(np.sqrt((apart[0] @ apart[0]) * (apart[1] @ apart[1])))
    return float(apart[0] @ apart[1]) / scale if scale else 0.0


def _ranks(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, from 1; equal values share their mean rank."""
    _, place, count = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


_STATED: tuple[tuple[str, str, str, Callable[[Runs], Judged]], ...] = (
    (
        "C1",
        "§ 6.1.2: L1161-1163",
        "CPU utilization is close to 100 % with every comparator, SHORTFIRST best, LONGFIRST worst.",
        _utilizations_near_100,
    ),
    ("C2", "§ 6.1.2: L1197", "LARGEFIRST uses the CPU more than SMALLFIRST.", _large_above_small),
    ("C3", "§ 6.1.2: L1199", "FIFO has the third best CPU utilization.", _fifo_third),
    (
        "C4",
        "§ 6.2.2: L1227-1233",
        "Throughput is best with LARGEFIRST, then SMALLFIRST, worst with FIFO; LONGFIRST and SHORTFIRST "
        "differ little.",
        _throughputs,
    ),
    (
        "C5",
        "§ 6.3.2: L1263",
        "By turnaround SMALLFIRST beats SHORTFIRST, and LONGFIRST is the worst.",
        _turnarounds,
    ),
    ("C6", "§ 6.3.2: L1267", "Turnaround follows the waiting time linearly.", _turnaround_linear),
    (
        "C7",
        "§ 6.1.3: L1208",
        "EASY slightly lowers the CPU utilization of every comparator (SMALLFIRST: the same).",
        _easy_lowers_utilization,
    ),
    (
        "C8",
        "§ 6.1.3: L1208",
        "EASY-LONGFIRST has a better CPU utilization than EASY-FIFO.",
        _easy_long_above_fifo,
    ),
    (
        "C9",
        "§ 6.2.3: L1244",
        "EASY raises the throughput of every comparator (SMALLFIRST: the same); EASY-FIFO is above "
        "EASY-SHORTFIRST.",
        _easy_raises_throughput,
    ),
    (
        "C10",
        "§§ 6.3.3 and 6.4.3: L1276, L1304",
        "EASY improves turnaround and wait spectacularly, to hours instead of months; EASY-FIFO is better "
        "than EASY-SHORTFIRST.",
        _easy_in_hours,
    ),
    ("C11", "§ 6.4.3: L1306", "LONGFIRST gains most by EASY, then LARGEFIRST.", _largest_gains),
    ("C12", "§ 7: L1314", "EASY-FIFO and EASY-LARGEFIRST give the best results.", _best_overall),
    (
        "C13a",
        "§ 6: L1134",
        "PQScheduler and EASYScheduler give the same result with SMALLFIRST.",
        _small_the_same,
    ),
    ("C13b", "§ 6: L1134", "That must be a bug in SST.", _small_a_bug),
    ("C14", "§ 7: L1314", "EASY is better in all metrics.", _easy_better_in_all),
    (
        "C15",
        "§§ 3.4.1 and 6.2.2: L722, L1227",
        "About 20 jobs arrive a day.",
        _twenty_a_day,
    ),
    (
        "C16a",
        "§ 6.1.2: L1163-1167",
        "Jobs of a shorter run time tend to use more processors.",
        _shorter_are_wider,
    ),
    (
        "C16b",
        "§ 6.1.2: L1163-1167",
        "That is why SHORTFIRST has the best CPU utilization.",
        _wider_hence_better,
    ),
)
"""Name, where, text and check of each claim."""
