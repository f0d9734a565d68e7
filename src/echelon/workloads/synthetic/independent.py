"""Simple models: independent gaps, run times and sizes. Poisson or lognormal arrivals, lognormal run times.

No daily cycle, and no correlation of any two: what a queueing formula assumes, to compare with.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.workloads.synthetic.model import Jobs, Model
from echelon.workloads.synthetic.parameter import Parameter
from echelon.workloads.synthetic.sizes import (
    check_sizes,
    draw_sizes,
    largest_size,
    scaled_sizes,
    size_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn

SOURCE = "baseline, no paper: its defaults are a fit to the KTH-SP2 log"

DEFAULTS: dict[str, float] = {
    "serial": 0.329,
    "pow2": 0.266,
    "ulow": 0.6,
    "umed": 4.08,
    "uhi": math.log2(100),
    "uprob": 0.887,
}
"""Sizes of KTH-SP2, a machine of 100 processors."""

_SIZES = size_parameters(DEFAULTS)
_RUN_TIMES = (
    Parameter("median_run", "s", 646.0, "median run time", above=0, most=1e9),
    Parameter("run_spread", "1", 2.93, "standard deviation of ln(run time)", 0, 20),
    Parameter("longest_run", "s", 226_710.0, "cutoff: longer run times are redrawn", least=2, most=1e9),
)
_MEAN_GAP = Parameter("mean_gap", "s", 1010.0, "mean time between submissions", above=0, most=1e9)
_GAP_SPREAD = Parameter("gap_spread", "1", 2.11, "standard deviation of ln(gap)", 0, 20)


def draw(arrivals: str, values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return `jobs` jobs with gaps of the kind `arrivals`, ``"poisson"`` or ``"lognormal"``. Cost: O(n)."""
    check_sizes(values)
    gaps = _gaps(arrivals, values, jobs, stream(seed, f"{arrivals}/arrivals"))
    sizes = draw_sizes(values, jobs, stream(seed, f"{arrivals}/sizes"))
    runs = lognormal_run_times(values, jobs, stream(seed, f"{arrivals}/run times"))
    return Jobs(np.floor(np.cumsum(gaps)), runs, sizes, np.full(jobs, -1))


def _gaps(arrivals: str, values: Mapping[str, float], n: int, random: np.random.Generator) -> FloatColumn:
    mean = values["mean_gap"]
    if arrivals == "poisson":
        return random.exponential(mean, n)
    spread = values["gap_spread"]
    return random.lognormal(math.log(mean) - spread * spread / 2, spread, n)


def lognormal_run_times(values: Mapping[str, float], n: int, random: np.random.Generator) -> FloatColumn:
    """Return `n` lognormal run times in whole seconds, at least 1 s, those beyond the cut redrawn.

    Raises
    ------
    InputError
        If the median is beyond the cut: redrawing could take forever.
    """
    median, cut = values["median_run"], values["longest_run"]
    if median > cut:
        raise InputError(
            f"median_run must be at most longest_run={cut:g} s, got {median:g}", field="parameters"
        )
    runs = random.lognormal(math.log(median), values["run_spread"], n)
    while len(beyond := np.flatnonzero(runs > cut)):
        runs[beyond] = random.lognormal(math.log(median), values["run_spread"], len(beyond))
    return np.maximum(1.0, np.floor(runs))


POISSON = Model(
    name="poisson",
    summary="Poisson arrivals, lognormal run times, independent sizes; no daily cycle.",
    source=SOURCE,
    parameters=(_MEAN_GAP, *_RUN_TIMES, *_SIZES),
    draw=partial(draw, "poisson"),
    machine=largest_size,
    scaled=partial(scaled_sizes, defaults=DEFAULTS),
)

LOGNORMAL = Model(
    name="lognormal",
    summary="Lognormal gaps, lognormal run times, independent sizes; no daily cycle.",
    source=SOURCE,
    parameters=(_MEAN_GAP, _GAP_SPREAD, *_RUN_TIMES, *_SIZES),
    draw=partial(draw, "lognormal"),
    machine=largest_size,
    scaled=partial(scaled_sizes, defaults=DEFAULTS),
)
