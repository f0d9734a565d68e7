"""What the report on the grid study draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import transfer_percentages, transfers
from echelon.reproduce.grid.data import EIGHTEEN, MAIN, METRICS, NINE
from echelon.reproduce.grid.one_level import RIVALS
from echelon.reproduce.grid.two_levels import MAIN_ROWS
from echelon.reproduce.machinery.picture import Bars, Bounds, Curves, Matrix, Rivals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.machinery.picture import Picture

_WAIT = METRICS.index("t_w")


def pictures(
    two: Mapping[str, TwoLevels],
    one: Mapping[str, OneLevel],
    sweeps: Mapping[str, Mapping[float, Sequence[float]]],
) -> list[Picture]:
    """Return all pictures; bars only where the best is not 0, than which all else is infinitely worse."""
    candidates = (*_two_levels(two), *_sweeps(sweeps), *_bounds(), *_one_level(one))
    return [picture for picture in candidates if not isinstance(picture, Bars) or _is_finite(picture)]


def _is_finite(bars: Bars) -> bool:
    return all(math.isfinite(value) for family in bars.bars.values() for value in family.values())


def _two_levels(two: Mapping[str, TwoLevels]) -> Iterator[Picture]:
    for grid, experiment in two.items():
        file = grid.lower().replace(" ", "-")
        for symbol, place in zip(MAIN, MAIN_ROWS, strict=True):
            percent = experiment.percent("both")[place]
            bars = {
                label: dict(zip(NINE, percent[first::2].tolist(), strict=True))
                for label, first in (("a = 0.5", 0), ("a = 1", 1))
            }
            title = f"{grid}: degradation in {symbol} of eighteen strategies"
            yield Bars(
                f"degradation-{file}-{symbol.replace('_', '')}", title, f"degradation in {symbol}, %", bars
            )
        means = experiment.main("both")
        order = np.argsort(means, kind="stable")
        ranked = {EIGHTEEN[place]: float(means[place]) for place in order}
        title = f"{grid}: mean of the degradations in rho, SD_b and t_w, the best first"
        yield Bars(f"mean-degradation-{file}", title, "mean degradation, %", {"": ranked})
        waits = experiment.both[_WAIT]
        if len(waits) > 1:
            yield Rivals(
                f"critical-difference-{file}",
                f"{grid}: mean ranks in t_w over the experiments; a bar joins those that do not "
                "differ significantly",
                "critical-difference",
                NINE,
                experiment.without[_WAIT],
            )
        yield Rivals(
            f"profile-{file}",
            f"{grid}: share of experiments in which t_w is within a factor of the best",
            "profile",
            NINE,
            experiment.without[_WAIT],
        )


def _sweeps(sweeps: Mapping[str, Mapping[float, Sequence[float]]]) -> Iterator[Picture]:
    for grid, by_factor in sweeps.items():
        lines = {name: [row[place] for row in by_factor.values()] for place, name in enumerate(NINE)}
        yield Curves(
            f"sweep-{grid.lower().replace(' ', '-')}",
            f"{grid}: mean of the degradations in rho, SD_b and t_w by the factor of admissibility",
            "factor of admissibility a",
            "mean degradation, %",
            list(by_factor),
            lines,
            logarithmic=True,
        )


def _bounds() -> Iterator[Picture]:
    offline = "Theorems 1 and 2: approximation factor of MCT and MLB, off line; figures 13 to 15"
    online = "Theorem 3: competitive factor of MCT and MLB, on line; figures 16 and 17"
    yield Bounds("bounds-off-line", offline, online=False)
    yield Bounds("bounds-on-line", online, online=True)


def _one_level(one: Mapping[str, OneLevel]) -> Iterator[Picture]:
    for grid, experiment in one.items():
        file = grid.lower().replace(" ", "-")
        sites = tuple(f"{place}: {size}" for place, size in enumerate(experiment.sizes, 1))
        for what in ("jobs", "work"):
            yield Matrix(
                f"migration-{what}-{file}",
                f"{grid}: share of the {what} of each site that others took under ST50, %",
                sites,
                sites,
                "home: site and its processors",
                "taken by",
                transfer_percentages(experiment.mean_moves(what=what)).tolist(),
            )
        means = dict(zip(RIVALS, experiment.main().tolist(), strict=True))
        ranked = {name: means[name] for name in sorted(means, key=means.__getitem__)}
        title = f"{grid}, without a broker: mean of the degradations in rho, SD_b and t_w, the best first"
        yield Bars(f"one-level-{file}", title, "mean degradation, %", {"": ranked})
        stolen = transfers(experiment.mean_moves()).sum(axis=0)
        bars = {"": {site: float(jobs) for site, jobs in zip(sites, stolen, strict=True)}}
        yield Bars(
            f"taken-{file}", f"{grid}: jobs that each site took from others under ST50", "jobs a week", bars
        )
