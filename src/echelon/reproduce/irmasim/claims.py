"""What the thesis claims of its extension, judged by our runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.irmasim.consistency import speed_factor
from echelon.reproduce.irmasim.data import INCREASE, global_numbers
from echelon.reproduce.irmasim.setups import COMPUTE_SHARE, PENALTY, TRACES
from echelon.reproduce.machinery.claims import Claims, Point, Untested
from echelon.reproduce.machinery.statement import above_zero, fact, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.irmasim.experiments import Evidence
    from echelon.reproduce.irmasim.observed_run import ObservedRun
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.machinery.statement import Statement

SAME = 1e-9
"""Seconds below which two times are one: tasks end by divisions of floating-point numbers."""


CLAIMS: Claims[Evidence] = Claims()


@CLAIMS.states("C1", "§ 4.2.1: L612", "The tasks of a sequential job are always in one node.")
def _in_one_node(evidence: Evidence) -> Statements:
    runs = [(name, run) for name in ("E1a", "E1b") for run in evidence.small.random[name]]
    spread = [
        max(len(run.nodes(k)) for k, job in enumerate(TRACES[name].jobs, 1) if job.demand.sequential)
        for name, run in runs
    ]
    text = (
        f"{len(runs)} runs with cores chosen at random: the most nodes of a sequential job is {max(spread)}"
    )
    yield fact(text, max(spread) == 1)


@CLAIMS.states(
    "C2", "§ 4.2.1: L650", "A sequential job waits although enough cores are free, in several nodes."
)
def _waits_for_a_node(evidence: Evidence) -> Statements:
    runs = evidence.small.random["E1b"]
    starts = {run.start(3) for run in runs}
    free = {tuple(run.free_at_start.values()) for run in runs}
    text = f"at second 0 the nodes have {_text_of(free)} free cores, as many together as job 3 has tasks"
    yield fact(text, all(sum(left) >= 4 for left in free))
    text = (
        f"in all {len(runs)} runs job 3 starts at {_text_of(starts)} s; makespan "
        f"{_text_of({run.makespan for run in runs})} s"
    )
    yield fact(text, all(start > 0 for start in starts))
    yield fact("it is in one node then", all(len(run.nodes(3)) == 1 for run in runs))


@CLAIMS.states("C3a", "§ 4.2.1: L630", "The tasks of an MPI job may be in several nodes.")
def _spreads(evidence: Evidence) -> Statements:
    runs = evidence.small.random["E1a"]
    over = sum(len(run.nodes(3)) == 2 for run in runs)
    text = (
        f"in {over} of {len(runs)} runs job 3 has cores of both nodes (two are left in one and four in the "
        "other)"
    )
    yield fact(text, over == len(runs))
    at_once = all(run.start(job) == 0 for run in runs for job in (1, 2, 3))
    starts = {run.start(3) for run in runs}
    text = (
        f"it starts at {_text_of(starts)} s, and the makespan is {_text_of({run.makespan for run in runs})} s"
    )
    yield fact(text, at_once)


def _starts_and_free(runs: Sequence[ObservedRun]) -> tuple[set[tuple[float, ...]], set[int]]:
    """Return when the three jobs of each run start, and how many cores are free at first."""
    starts = {tuple(run.start(job) for job in (1, 2, 3)) for run in runs}
    return starts, {sum(run.free_at_start.values()) for run in runs}


@CLAIMS.states(
    "C3b",
    "§ 4.2.1: L660",
    "An MPI job waits while fewer cores are free than it has tasks: job 3 of the third trace, with two free.",
)
def _waits_for_cores(evidence: Evidence) -> Statements:
    runs = evidence.small.random["E1c"]
    starts, free = _starts_and_free(runs)
    text = (
        f"first come first served: jobs 1, 2 and 3 start at {_text_of(starts)} s, and job 3, of four tasks, "
        f"waits with {_text_of(free)} cores free, as the text expects (L660); makespan "
        f"{_text_of({run.makespan for run in runs})} s"
    )
    yield fact(text, starts == {(0.0, 0.0, 1.0)} and max(free) < 4)


@CLAIMS.states(
    "C3c",
    "§ 4.2.1: L664",
    "In the run of the third trace jobs 1 and 3 start at once, and job 2 waits with ten cores free.",
)
def _twelve_wait(evidence: Evidence) -> Statements:
    runs = evidence.small.random["E1c smallest first"]
    starts, free = _starts_and_free(runs)
    text = (
        f"with the smallest job first jobs 1, 2 and 3 start at {_text_of(starts)} s, and job 2, of twelve"
        f" tasks, waits with {_text_of(free)} cores free, as in the run printed; makespan "
        f"{_text_of({run.makespan for run in runs})} s. That is the order in which"
        " its program takes the jobs, 1, 3, 2; in the trace's order this cannot be"
    )
    yield fact(text, starts == {(0.0, 1.0, 0.0)} and max(free) < 12)


@CLAIMS.states("C4a", "§ 4.2.2: L690", "Only tasks of one MPI job in different nodes communicate: 800 MB.")
def _volume(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E2a"]
    text = (
        f"{run.volume:,.0f} B: job 2 on cores {_series_of(run.cores(2))}, four pairs in different nodes; "
        f"job 3 on cores {_series_of(run.cores(3))} sends nothing"
    )
    yield fact(text, run.volume == 800_000_000)


@CLAIMS.states("C4b", "§ 4.2.2: L708", "Tasks in one node do not, even in different processors: 0 B.")
def _no_volume(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E2b"]
    processors = {int(run.hardware.processor_of_core[core]) for core in run.cores(2)}
    text = (
        f"{run.volume:,.0f} B: all eight tasks are in one node, those of job 2 in {len(processors)} of its "
        "processors"
    )
    yield fact(text, run.volume == 0)


@CLAIMS.states("C5a", "§ 4.2.3: L735", "A job with contention is slowed by 1 / S_f: 1.0204 s.")
def _check_slowdown(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E2a"]
    factor = speed_factor(COMPUTE_SHARE, 1, PENALTY)
    took = run.end(2) - run.start(2)
    text = f"S_f = {factor:.2f}; job 2 takes {took:.9f} s, 1 / S_f is {1 / factor:.9f} s"
    yield fact(text, abs(took - 1 / factor) < SAME)


@CLAIMS.states("C5b", "§ 4.2.3: L725", "No other job is slowed.")
def _others_not_slowed(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E2a"]
    ends = [run.end(job) for job in (1, 3)]
    text = f"jobs 1 and 3 end at {ends[0]:.9g} and {ends[1]:.9g} s"
    yield fact(text, all(abs(end - 1) < SAME for end in ends))


@CLAIMS.states(
    "C6b", "§ 4.2.4: L759", "Tasks that have ended keep their cores until the slowest of their job ends."
)
def _check_blocking(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E4"]
    ends, releases = run.holdings_by_node(1, "end"), run.holdings_by_node(1, "release")
    yield fact(f"eight tasks end at {ends[0]:.4f} s, the ninth at {ends[1]:.4f} s", ends[0] < ends[1])
    text = f"the cores of the eight are given back at {releases[0]:.4f} s"
    yield fact(text, abs(releases[0] - ends[1]) < SAME)


@CLAIMS.states("C6c", "§ 3.4.4", "No other job can start on them in between.")
def _nobody_in_between(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E4 and one more"]
    ends = run.holdings_by_node(1, "end")
    text = (
        f"a sequential job of eight tasks, added by us, starts at {run.start(2):.4f} s, though from "
        f"{ends[0]:.4f} s on nothing runs in the first node"
    )
    yield fact(text, run.start(2) >= ends[1] - SAME)


@CLAIMS.states(
    "C6a", "§ 4.2.4: L755", "Of one job in two nodes only the task in the contended one is slowed."
)
def _one_node_contended(evidence: Evidence) -> Statements:
    run = evidence.small.runs["E4"]
    first, second = (run.speed_factor(1, node) for node in (0, 1))
    yield fact(f"the speed factor in the first node is {first:.2f}", abs(first - 1) < SAME)
    slowed = abs(second - speed_factor(COMPUTE_SHARE, 1, PENALTY)) < SAME
    yield fact(f"in the second it is {second:.2f}", slowed)


@CLAIMS.states("C7a", "§ 4.2.5: L779", "Communication makes a realistic mix take longer.")
def _longer(evidence: Evidence) -> Statements:
    yield _above_zero(evidence.whole.mix.longer, "longer")


@CLAIMS.states("C7b", "§ 4.2.5: L779", "And it raises its energy.")
def _dearer(evidence: Evidence) -> Statements:
    yield _above_zero(evidence.whole.mix.dearer, "dearer")


def _above_zero(percent: FloatColumn, comparative: str) -> Statement:
    text = (
        f"on our mix: {mean_interval(percent).text(' %', 1)} {comparative}, in {int((percent > 0).sum())} of "
        f"{len(percent)} seeds"
    )
    return above_zero(text, percent)


@CLAIMS.states("C7c", "§ 4.2.5: L779", f"It takes {INCREASE} % longer.")
def _size(evidence: Evidence) -> Untested:
    shown = ", ".join(
        f"{share:g}: {one.longer.mean():.1f} %"
        for share, one in sorted(evidence.whole.by_share.items(), reverse=True)
    )
    least = min(evidence.whole.by_volume.values(), key=lambda one: float(one.volume.mean()))
    volume = global_numbers("communication volume")[1]
    return Untested(
        f"The thesis states neither its jobs nor their volumes and shares. Ours take longer by their compute "
        f"share ({shown}) and by their volume: a mix that sends {least.volume.mean() / 1e9:.1f} GB in all, "
        f"where the thesis' sends {volume / 1e9:.1f} GB, {least.longer.mean():.1f} %. {INCREASE} % with so "
        "little traffic needs few MPI jobs that send much and end last"
    )


def _text_of(values: Iterable[float | tuple[float, ...]]) -> str:
    """Return different numbers, or tuples of them, as people say them."""
    alternatives = sorted(set(values))
    return " or ".join(_series_of(one) if isinstance(one, tuple) else f"{one:g}" for one in alternatives)


def _series_of(values: Iterable[float]) -> str:
    *most, last = (f"{value:g}" for value in values)
    return f"{', '.join(most)} and {last}" if most else last


CONCLUSIONS = (
    Point(
        tuple(stated.name for stated in CLAIMS if not stated.name.startswith("C7")),
        "Placement, communication and contention of tasks agree with the thesis.",
        "Placement, communication and contention of tasks do not agree with the thesis.",
        in_part="Placement, communication and contention of tasks agree with the thesis only in part.",
    ),
    Point(
        ("C7a", "C7b"),
        "Communication makes a mix of jobs take longer and need more energy.",
        "That communication makes a mix of jobs take longer and need more energy is not confirmed.",
        "Whether communication makes a mix of jobs take longer and need more energy is not settled.",
        in_part="Communication does not make a mix of jobs both take longer and need more energy.",
    ),
    Point(
        ("C7c",),
        "The amount is as printed.",
        "The amount is not as printed.",
        "The amount cannot be compared, as the thesis does not state its jobs.",
    ),
)
"""What a reader may conclude, by the claims that decide it."""
