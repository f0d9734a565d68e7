"""The public examples run: each printed figure beside ours."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from echelon.experiments import simulate
from echelon.reproduce.figure import Apart, Figure, Quantity
from echelon.reproduce.irmasim.experiments import platform_of
from echelon.reproduce.irmasim.public_examples import WORKED_BACK, public_examples
from echelon.reproduce.irmasim.seen import Seen
from echelon.reproduce.published import printed_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.reproduce.irmasim.experiments import Experiments

_THESIS_TRACES = {"trace E2a, without contention": "E2a alone", "trace E2b": "E2b"}
"""Runs of the public code on jobs and platform of the thesis, which it cannot let communicate."""


def public_runs(found: Experiments) -> dict[str, Seen]:
    """Return the runs by the names of the printed figures: the examples, and two of the thesis' traces."""
    runs = {
        one.name: Seen(simulate(one.workload, platform=platform_of(one.hardware), **one.rules))
        for one in public_examples()
    }
    return {**runs, **{name: found.runs[run] for name, run in _THESIS_TRACES.items()}}


def public_figures(runs: Mapping[str, Seen]) -> list[Figure]:
    """Return every figure that the public code printed; its energies leave out what never ran.

    Those of examples whose input was not to be had are apart: they are shown, but not counted.
    """
    return [
        Figure(line.subject, *MEASURES[line.quantity][:1], line.printed, line.where,
               MEASURES[line.quantity][1](runs[line.subject]), apart=_apart(line.subject))
        for line in printed_figures("irmasim", "public")
    ]  # fmt: skip


def _apart(subject: str) -> Apart | None:
    """Return why a figure of an example says nothing of us: what it needs was worked back from it."""
    why = WORKED_BACK.get(subject.partition(",")[0])
    return None if why is None else Apart("worked back", why)


def exploitation(run: Seen) -> float:
    """Return the operations done, as a share of what all cores could have done in the makespan."""
    demands = run.result.instance.demands
    assert demands is not None
    done = float((demands.tasks * demands.operations).sum())
    return done / (float(run.hardware.core_speed.sum()) * run.makespan)


def _metric(name: str) -> Callable[[Seen], float]:
    return lambda run: float(run.result.metrics[name])


def _longest(run: Seen) -> float:
    return float((run.result.schedule.end_time - run.result.schedule.start_time).max())


MEASURES: Mapping[str, tuple[Quantity, Callable[[Seen], float]]] = MappingProxyType(
    {
        quantity.name: (quantity, of)
        for quantity, of in (
            (Quantity("c_max", "last end", "s", "max(end)"), _metric("c_max")),
            (Quantity("longest_run", "longest run", "s", "max(end - start)"), _longest),
            (
                Quantity("energy", "energy", "J", "without processors that never ran a task"),
                lambda run: run.energy_of_used,
            ),
            (Quantity("utilization", "utilization", "1", "sum(run x size) / (cores x makespan)"),
             _metric("utilization")),
            (Quantity("exploitation", "exploitation", "1", "operations / (peak speed x makespan)"),
             exploitation),
            (Quantity("mean_slowdown", "mean slowdown", "1", "mean((end - submit) / run)"),
             _metric("mean_slowdown")),
            (Quantity("mean_wait", "mean wait", "s", "mean(start - submit)"), _metric("mean_wait")),
            (Quantity("total_wait", "total wait", "s", "sum(start - submit)"),
             lambda run: float(run.result.schedule.wait_time.sum())),
        )
    }
)  # fmt: skip
