"""How long co-allocation takes, and how good the heuristic is: ``python benchmarks/co_allocation.py``.

Prints the tables of docs/explanation/co-allocation.md. Problems are drawn from seeds: nodes of every power
from 0.3 to 1, links of 1 Gbit/s of which up to a quarter is in use, jobs that need a quarter of all nodes,
and whose tasks ask for so much that as many as a cluster's share fill half of its link. Seconds are of the
wall clock, from the problem to the answer: the median of some problems, with the worst behind it.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import machine
import numpy as np

from echelon.policies.coallocation import (
    DynamicProgram,
    FirstFeasible,
    Heuristic,
    NonSaturated,
    Optimal,
    Reading,
    SpanningProblem,
    Threshold,
    format_co_allocation,
)
from echelon.policies.coallocation.binary_program import Programmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.policies.coallocation import Span, SpanningRule

GIGABIT = 125e6
"""Bytes a second."""

VARIANTS = (Optimal, NonSaturated, FirstFeasible)


class Timed(NamedTuple):
    """The result of one problem."""

    problem: SpanningProblem
    span: Span | None
    seconds: float


def drawn(
    seed: int, clusters: int, nodes: int, *, need: float = 0.25, tasks: int = 2, busy: float = 0.25
) -> SpanningProblem:
    """Draw a problem; `need` is what a task asks for, `busy` most of what is in use, as shares of a link."""
    rng = np.random.default_rng(seed)
    return SpanningProblem(
        tasks=tasks,
        bandwidth=need * GIGABIT,
        compute_time=float(rng.uniform(100, 1000)),
        communication_time=float(rng.uniform(100, 1000)),
        cluster=np.repeat(np.arange(clusters), nodes),
        power=rng.uniform(0.3, 1.0, clusters * nodes),
        link=np.full(clusters, GIGABIT),
        consumed=rng.uniform(0, busy, clusters) * GIGABIT,
    )


def timed(rule: SpanningRule, problems: Iterable[SpanningProblem]) -> list[Timed]:
    """Ask a rule about each problem."""
    found = []
    for problem in problems:
        began = perf_counter()
        span = rule.span(problem)
        found.append(Timed(problem, span, perf_counter() - began))
    return found


def shown(found: Sequence[Timed]) -> str:
    """Return the median of the seconds, and the worst."""
    seconds = [one.seconds for one in found]
    return f"{in_seconds(float(np.median(seconds)))} ({in_seconds(max(seconds))})"


def in_seconds(value: float) -> str:
    """Return seconds with their unit."""
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def curve(rules: Sequence[SpanningRule], sizes: Sequence[tuple[int, int]], seeds: int) -> str:
    """Return seconds of every rule by clusters and nodes; one that is too slow is left out from then on."""
    rows, late = [], set()
    for clusters, nodes in sizes:
        tasks = max(2, clusters * nodes // 4)
        problems = [drawn(seed, clusters, nodes, need=2 / nodes, tasks=tasks) for seed in range(seeds)]
        cells = []
        for rule in rules:
            found = timed(rule, problems) if rule not in late else []
            if isinstance(rule, Programmed) and any(one.span and not one.span.proved for one in found):
                late.add(rule)
            cells.append(
                f"> {rule.seconds:g} s" if rule in late and found else shown(found) if found else "–"
            )
        rows.append((f"{clusters} x {nodes}", *cells))
    return table(("clusters x nodes", *(f"`{format_co_allocation(rule)}`" for rule in rules)), rows)


def needs(sizes: tuple[int, int], tasks: int, seeds: int) -> str:
    """Return seconds, and the load of the busiest link used, by what a task asks for."""
    rows = []
    for need in (0.25, 0.375, 0.5, 0.625, 0.75):
        problems = [drawn(seed, *sizes, need=need, tasks=tasks, busy=0.1) for seed in range(seeds)]
        cells: list[str] = []
        for kind in (Optimal, NonSaturated):
            found = timed(kind(), problems)
            loads = [
                one.problem.slowdowns(np.array(one.span.nodes), Reading(clamp=False))[1]
                for one in found
                if one.span is not None
            ]
            mean = f"{np.mean(loads):.2f}" if loads else "–"
            cells += [f"{len(loads)} of {seeds}", mean, shown(found)]
        rows.append((f"{need:.1%}", *cells))
    heads = ((f"`{kind.name}` answers", "busiest link", "seconds") for kind in (Optimal, NonSaturated))
    return table(("PNBW / link", *(head for three in heads for head in three)), rows)


def gaps(count: int) -> str:
    """Return how far the heuristic is above the optimum, on problems of every kind."""
    rows = []
    for step in (0.02, 0.1, 0.3):
        for limited in (False, True):
            above, none, missed = [], 0, 0
            for seed in range(count):
                problem = mixed(seed)
                best = Threshold(non_saturated=limited).span(problem)
                found = Heuristic(step=step, non_saturated=limited).span(problem)
                none += best is None
                missed += best is not None and found is None
                if best is not None and found is not None:
                    above.append(found.time / best.time - 1)
            high, worst = np.percentile(above, 95), max(above)
            figures = (f"{np.mean(above):.2%}", f"{high:.2%}", f"{worst:.2%}")
            rows.append(
                (f"{step:g}", "yes" if limited else "no", *figures, f"{len(above)}", f"{missed}", f"{none}")
            )
    head = ("step", "SC ≤ 1", "mean gap", "95th percentile", "worst", "answers", "missed", "none exists")
    return table(head, rows)


def mixed(seed: int) -> SpanningProblem:
    """Draw a problem with 2 to 24 clusters of 1 to 16 nodes, unequal links, and any number of tasks."""
    rng = np.random.default_rng((1, seed))
    clusters = int(rng.integers(2, 25))
    sizes = rng.integers(1, 17, clusters)
    link = rng.choice([12.5e6, GIGABIT, 10 * GIGABIT], clusters)
    return SpanningProblem(
        tasks=int(rng.integers(2, sizes.sum() + 1)),
        bandwidth=float(10 ** rng.uniform(5, 8)),
        compute_time=float(rng.uniform(0, 1000)),
        communication_time=float(rng.uniform(0, 1000)),
        cluster=np.repeat(np.arange(clusters), sizes),
        power=rng.uniform(0.1, 1.0, sizes.sum()),
        link=link,
        consumed=rng.uniform(0, 0.5, clusters) * link,
    )


def large(seeds: int) -> str:
    """Return seconds of the rules for large multiclusters."""
    rows = []
    for clusters, nodes in ((250, 8), (1000, 8), (50, 200), (1000, 100)):
        problems = [
            drawn(seed, clusters, nodes, need=2 / nodes, tasks=clusters * nodes // 4) for seed in range(seeds)
        ]
        exact, near = timed(Threshold(), problems), timed(Heuristic(), problems)
        above = [n.span.time / e.span.time - 1 for n, e in zip(near, exact, strict=True) if n.span and e.span]
        rows.append((f"{clusters} x {nodes}", shown(exact), shown(near), f"{max(above):.2%}"))
    return table(("clusters x nodes", "`threshold`", "`heuristic`", "worst gap"), rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="problems a row")
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit of the solver")
    parser.add_argument("--problems", type=int, default=1000, help="for the heuristic's gap")
    options = parser.parse_args()
    timed(Optimal(), [drawn(0, 2, 2)])  # the solver's library is loaded
    reduced = [kind(seconds=options.seconds) for kind in VARIANTS]
    full = [kind(seconds=options.seconds, form="full") for kind in VARIANTS]
    others = [Threshold(), DynamicProgram(), Heuristic()]
    print(f"Measured on: {machine.description()}.\n")
    for sizes in ([(2**n, 8) for n in range(1, 7)], [(4, 2**n) for n in range(3, 10)]):
        for rules in (reduced, full, others):
            print(curve(rules, sizes, options.seeds))
    print(needs((2, 10), 12, options.seeds))
    print(needs((16, 8), 32, options.seeds))
    print(gaps(options.problems))
    print(large(options.seeds))


if __name__ == "__main__":
    main()
