"""What the thesis claims of its extension, judged by our runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.analysis import t_interval
from echelon.reproduce.claim import Claim, Verdict
from echelon.reproduce.irmasim.consistency import speed_factor
from echelon.reproduce.irmasim.printed import INCREASE, global_table
from echelon.reproduce.irmasim.traces import COMPUTE_SHARE, PENALTY, TRACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.irmasim.experiments import Experiments
    from echelon.reproduce.irmasim.global_experiment import GlobalExperiment
    from echelon.reproduce.irmasim.seen import Seen

    Judged = tuple[bool | None, str]
    """Whether a claim holds (None: not testable), and our numbers."""

SAME = 1e-9
"""Seconds below which two times are one: tasks end by divisions of floating-point numbers."""


def judged(found: Experiments, whole: GlobalExperiment) -> list[Claim]:
    """Return every claim with its verdict."""
    small = [_claim(*stated[:3], stated[3](found)) for stated in _SMALL]
    return [*small, *(_claim(*stated[:3], stated[3](whole)) for stated in _GLOBAL)]


def _claim(name: str, where: str, text: str, result: Judged) -> Claim:
    holds, finding = result
    verdict: Verdict = "not testable" if holds is None else "holds" if holds else "does not hold"
    return Claim(name, text, where, verdict, f"{finding}.")


def _in_one_node(found: Experiments) -> Judged:
    runs = [(name, run) for name in ("E1a", "E1b") for run in found.random[name]]
    spread = [
        max(len(run.nodes(job)) for job in range(1, run.jobs + 1) if _sequential(name, job))
        for name, run in runs
    ]
    return max(spread) == 1, (
        f"{len(runs)} runs with cores chosen at random: the most nodes of a sequential job is {max(spread)}"
    )


def _sequential(name: str, job: int) -> bool:
    return TRACES[name].jobs[job - 1].demand.sequential


def _waits_for_a_node(found: Experiments) -> Judged:
    runs = found.random["E1b"]
    starts = {run.start(3) for run in runs}
    free = {tuple(run.free_at_start.values()) for run in runs}
    alone = all(len(run.nodes(3)) == 1 for run in runs)
    return alone and all(start > 0 for start in starts) and all(sum(left) >= 4 for left in free), (
        f"In all {len(runs)} runs job 3, of four tasks, starts at {_said(starts)} s in one node; at "
        f"second 0 the nodes have {_said(free)} free cores; makespan "
        f"{_said({run.makespan for run in runs})} s"
    )


def _spreads(found: Experiments) -> Judged:
    runs = found.random["E1a"]
    over = sum(len(run.nodes(3)) == 2 for run in runs)
    at_once = all(run.start(job) == 0 for run in runs for job in (1, 2, 3))
    return at_once and over == len(runs), (
        f"In {over} of {len(runs)} runs job 3 has cores of both nodes (two are left in one and four in the "
        f"other); all jobs start at second 0 and end at {_said({run.makespan for run in runs})} s"
    )


def _starts_and_free(runs: Sequence[Seen]) -> tuple[set[tuple[float, ...]], set[int]]:
    """Return when the three jobs of each run start, and how many cores are free at first."""
    starts = {tuple(run.start(job) for job in (1, 2, 3)) for run in runs}
    return starts, {sum(run.free_at_start.values()) for run in runs}


def _waits_for_cores(found: Experiments) -> Judged:
    runs = found.random["E1c"]
    starts, free = _starts_and_free(runs)
    return starts == {(0.0, 0.0, 1.0)} and max(free) < 4, (
        f"First come first served: jobs 1, 2 and 3 start at {_said(starts)} s, and job 3, of four tasks, "
        f"waits with {_said(free)} cores free, as the text expects (L660); makespan "
        f"{_said({run.makespan for run in runs})} s"
    )


def _twelve_wait(found: Experiments) -> Judged:
    runs = found.random["E1c smallest first"]
    starts, free = _starts_and_free(runs)
    return starts == {(0.0, 1.0, 0.0)} and max(free) < 12, (
        f"With the smallest job first jobs 1, 2 and 3 start at {_said(starts)} s, and job 2, of twelve"
        f" tasks, waits with {_said(free)} cores free, as in the run printed; makespan "
        f"{_said({run.makespan for run in runs})} s. That is the order in which"
        " its program takes the jobs, 1, 3, 2; in the trace's order this can not be"
    )


def _volume(found: Experiments) -> Judged:
    run = found.runs["E2a"]
    return run.volume == 800_000_000, (
        f"{run.volume:,.0f} B: job 2 on cores {_listed(run.cores(2))}, four pairs in different nodes; "
        f"job 3 on cores {_listed(run.cores(3))} sends nothing"
    )


def _no_volume(found: Experiments) -> Judged:
    run = found.runs["E2b"]
    processors = {int(run.hardware.processor_of_core[core]) for core in run.cores(2)}
    return run.volume == 0, (
        f"{run.volume:,.0f} B: all eight tasks are in one node, those of job 2 in {len(processors)} of its "
        "processors"
    )


def _slowed(found: Experiments) -> Judged:
    run = found.runs["E2a"]
    factor = speed_factor(COMPUTE_SHARE, 1, PENALTY)
    took = run.end(2) - run.start(2)
    return abs(took - 1 / factor) < SAME, (
        f"S_f = {factor:.2f}; job 2 takes {took:.9f} s, 1 / S_f is {1 / factor:.9f} s"
    )


def _others_not_slowed(found: Experiments) -> Judged:
    run = found.runs["E2a"]
    ends = [run.end(job) for job in (1, 3)]
    return all(abs(end - 1) < SAME for end in ends), (
        f"Jobs 1 and 3 end at {ends[0]:.9g} and {ends[1]:.9g} s"
    )


def _blocked(found: Experiments) -> Judged:
    run = found.runs["E4"]
    ends, releases = run.held(1, "end"), run.held(1, "release")
    return ends[0] < ends[1] and abs(releases[0] - ends[1]) < SAME, (
        f"Eight tasks end at {ends[0]:.4f} s, the ninth at {ends[1]:.4f} s; their cores are given back at "
        f"{releases[0]:.4f} s"
    )


def _nobody_in_between(found: Experiments) -> Judged:
    run = found.runs["E4 and one more"]
    ends = run.held(1, "end")
    return run.start(2) >= ends[1] - SAME, (
        f"A sequential job of eight tasks, added by us, starts at {run.start(2):.4f} s, though from "
        f"{ends[0]:.4f} s on nothing runs in the first node"
    )


def _one_node_contended(found: Experiments) -> Judged:
    run = found.runs["E4"]
    factors = [run.speed_factor(1, node) for node in (0, 1)]
    return abs(factors[0] - 1) < SAME and abs(factors[1] - speed_factor(COMPUTE_SHARE, 1, PENALTY)) < SAME, (
        f"Speed factors: {factors[0]:.2f} in the first node, {factors[1]:.2f} in the second"
    )


def _longer(whole: GlobalExperiment) -> Judged:
    return _above_zero(whole.mix.longer, "longer")


def _dearer(whole: GlobalExperiment) -> Judged:
    return _above_zero(whole.mix.dearer, "dearer")


def _above_zero(percent: FloatColumn, word: str) -> Judged:
    interval = t_interval(percent)
    found = (
        f"On our mix: {interval.mean:.1f} % {word} (95 % interval {interval.low:.1f} to {interval.high:.1f}"
        f" %), in {int((percent > 0).sum())} of {len(percent)} seeds"
    )
    if interval.low <= 0 < interval.high:
        return None, f"{found}: too few to tell"
    return bool(interval.low > 0), found


def _size(whole: GlobalExperiment) -> Judged:
    shown = ", ".join(
        f"{share:g}: {one.longer.mean():.1f} %" for share, one in sorted(whole.by_share.items(), reverse=True)
    )
    least = min(whole.by_volume.values(), key=lambda one: float(one.volume.mean()))
    volume = global_table().numbers("communication volume")[1]
    return None, (
        f"The thesis states neither its jobs nor their volumes and shares. Ours take longer by their compute "
        f"share ({shown}) and by their volume: a mix that sends {least.volume.mean() / 1e9:.1f} GB in all, "
        f"where the thesis' sends {volume / 1e9:.1f} GB, {least.longer.mean():.1f} %. {INCREASE} % with so "
        "little traffic needs few MPI jobs that send much and end last"
    )


def _said(values: Iterable[float | tuple[float, ...]]) -> str:
    """Return different numbers, or tuples of them, as people say them."""
    found = sorted(set(values))
    return " or ".join(_listed(one) if isinstance(one, tuple) else f"{one:g}" for one in found)


def _listed(values: Iterable[float]) -> str:
    *most, last = (f"{value:g}" for value in values)
    return f"{', '.join(most)} and {last}" if most else last


_SMALL: tuple[tuple[str, str, str, Callable[[Experiments], Judged]], ...] = (
    ("C1", "§ 4.2.1: L612", "The tasks of a sequential job are always in one node.", _in_one_node),
    ("C2", "§ 4.2.1: L650", "A sequential job waits although enough cores are free, in several nodes.",
     _waits_for_a_node),
    ("C3a", "§ 4.2.1: L630", "The tasks of an MPI job may be in several nodes.", _spreads),
    ("C3b", "§ 4.2.1: L660", "An MPI job waits while fewer cores are free than it has tasks: job 3 of the "
     "third trace, with two free.", _waits_for_cores),
    ("C3c", "§ 4.2.1: L664", "In the run of the third trace jobs 1 and 3 start at once, and job 2 waits with "
     "ten cores free.", _twelve_wait),
    ("C4a", "§ 4.2.2: L690", "Only tasks of one MPI job in different nodes communicate: 800 MB.", _volume),
    ("C4b", "§ 4.2.2: L708", "Tasks in one node do not, even in different processors: 0 B.", _no_volume),
    ("C5a", "§ 4.2.3: L735", "A job with contention is slowed by 1 / S_f: 1.0204 s.", _slowed),
    ("C5b", "§ 4.2.3: L725", "Nobody else is.", _others_not_slowed),
    ("C6a", "§ 4.2.4: L755", "Of one job in two nodes only the task in the contended one is slowed.",
     _one_node_contended),
    ("C6b", "§ 4.2.4: L759", "Tasks that have ended keep their cores until the slowest of their job ends.",
     _blocked),
    ("C6c", "§ 3.4.4", "No other job can start on them in between.", _nobody_in_between),
)  # fmt: skip

_GLOBAL: tuple[tuple[str, str, str, Callable[[GlobalExperiment], Judged]], ...] = (
    ("C7a", "§ 4.2.5: L779", "Communication makes a realistic mix take longer.", _longer),
    ("C7b", "§ 4.2.5: L779", "And it raises its energy.", _dearer),
    ("C7c", "§ 4.2.5: L779", f"It takes {INCREASE} % longer.", _size),
)  # fmt: skip
