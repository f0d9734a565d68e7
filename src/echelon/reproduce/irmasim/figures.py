"""The thesis' printed figures and table beside ours, with the readings that explain those that differ."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING

from echelon.reproduce.irmasim.data import global_table
from echelon.reproduce.machinery.figure import Detour, Figure, Quantity, figures_beside
from echelon.reproduce.machinery.printed_table import (
    Misprint,
    Printed,
    PrintedTable,
    beside_print,
    printed_figures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.reproduce.irmasim.experiments import Experiments
    from echelon.reproduce.irmasim.observed_run import ObservedRun
    from echelon.reproduce.machinery.printed_table import Cell, Labels


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        one.name: one
        for one in (
            Quantity("makespan", "makespan", "s", "max(end) - min(submit)"),
            Quantity("third_start", "start of job 3", "s", "start"),
            Quantity("volume", "communication volume", "B", "volume x pairs of tasks in different nodes"),
            Quantity("energy", "energy", "J", "sum of power x time over all processors"),
            Quantity("energy_delay_product", "energy-delay product", "J s", "energy x makespan"),
            Quantity("speed_factor", "speed factor", "1", "T_compute x S_m + (1 - T_compute) x S_c"),
            Quantity("contended_time", "run time of job 2", "s", "end - start"),
        )
    }
)

_RUNS = {"E3": "E2a"}
"""E3 looks at the times of the run whose volume E2a looks at."""

_CONTENDED = {"E3": (2, 0), "E4": (1, 1)}
"""Job and node whose tasks are slowed."""


def thesis_figures(experiments: Experiments) -> list[Figure]:
    """Return every figure printed outside the global experiment."""
    return figures_beside(
        printed_figures("irmasim", "thesis"),
        QUANTITIES,
        lambda line: _measure_quantity(line.subject, line.quantity, experiments),
        detour=lambda line: _detour(line.subject, line.quantity, experiments),
    )


def _measure_quantity(subject: str, quantity: str, experiments: Experiments) -> float:
    if subject in experiments.random:
        # What is printed of the planning traces has to hold for every choice of cores.
        return max(_MEASURES[quantity](run) for run in experiments.random[subject])
    run = experiments.runs[_RUNS.get(subject, subject)]
    if quantity == "speed_factor":
        return run.speed_factor(*_CONTENDED[subject])
    return _MEASURES[quantity](run)


_MEASURES: Mapping[str, Callable[[ObservedRun], float]] = MappingProxyType(
    {
        "makespan": lambda run: run.makespan,
        "third_start": lambda run: run.start(3),
        "volume": lambda run: run.volume,
        "energy": lambda run: run.energy,
        "energy_delay_product": lambda run: run.energy * run.makespan,
        "contended_time": lambda run: run.end(2) - run.start(2),
    }
)


def _detour(subject: str, quantity: str, experiments: Experiments) -> Detour | None:
    """Return the thesis' way to a number, taken with our values."""
    run, other = experiments.runs["E2a"], experiments.runs["E2b"]
    power, rounded = other.energy / other.makespan, round(run.makespan, 2)
    if (subject, quantity) == ("E2a", "energy"):
        return Detour(
            power * rounded,
            f"{power:g} W, which E2b draws, x the makespan rounded to {rounded:g} s; ours has ten busy cores "
            "for a second where E2b has eight",
        )
    if (subject, quantity) == ("E2a", "energy_delay_product"):
        return Detour(
            power * rounded**2, f"{power:g} W x {rounded:g} s x {rounded:g} s, as the printed energy"
        )
    if (subject, quantity) == ("E3", "contended_time"):
        took = run.end(2) - run.start(2)
        return Detour(
            math.ceil(took * 1e9) / 1e9,
            f"ours is {took:.12f} s; the thesis' program rounds the time to the next event up to whole "
            "nanoseconds",
        )
    return None


_UNTESTED = "its jobs, their volumes and compute shares and the power of its platform are not stated"


def global_printed() -> PrintedTable:
    """Return the table, with the cells that its swapped heads have incompatibility."""
    table = global_table()
    cells: dict[Labels, tuple[str, ...]] = {
        (f"{name}, {unit}",): texts for (name, unit), texts in table.rows.items()
    }
    units: dict[Labels, str] = {(f"{name}, {unit}",): unit for name, unit in table.rows}
    why = "the heads are swapped: only the run with communications has a volume, and it is the longer one"
    misprints: dict[Cell, Misprint] = {
        (labels, column): Misprint(other, why)
        for labels, texts in cells.items()
        if labels[0].startswith(("makespan,", "communication volume,"))
        for column, other in zip(table.columns, reversed(texts), strict=True)
    }
    return beside_print(
        Printed(("parameter",), table.columns, cells),
        ("table 4.2.5", "The global experiment, as printed", "§ 4.2.5: L772"),
        lambda _: None,
        unit=units.__getitem__,
        ranked=False,
        untested=_UNTESTED,
        misprints=misprints,
    )
