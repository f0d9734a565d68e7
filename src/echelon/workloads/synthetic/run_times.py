"""Run times of jobs: a hyper-gamma distribution of ln(run time), whose mixture depends on the size.

Source: Lublin and Feitelson, JPDC 2003.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.gamma import gamma_cdf
from echelon.workloads.synthetic.parameter import TINIEST, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn, IntColumn

LONGEST_RUN = math.exp(12)
RAREST = 0.01
"""Least share of draws that must be within the cut: below it, redrawing would take forever."""


def run_time_parameters(defaults: Mapping[str, float]) -> tuple[Parameter, ...]:
    """Return the parameters of the run times, with these defaults."""
    return (
        Parameter(
            "a1", "1", defaults["a1"], "shape of ln(run time) of the shorter jobs", least=TINIEST, most=1e6
        ),
        Parameter("b1", "1", defaults["b1"], "its scale", least=TINIEST, most=1e6),
        Parameter(
            "a2", "1", defaults["a2"], "shape of ln(run time) of the longer jobs", least=TINIEST, most=1e6
        ),
        Parameter("b2", "1", defaults["b2"], "its scale", least=TINIEST, most=1e6),
        Parameter("pa", "1", defaults["pa"], "slope, per processor, of the probability of a shorter job"),
        Parameter("pb", "1", defaults["pb"], "that probability at size 0; clamped to 0 to 1"),
        Parameter("longest_run", "s", LONGEST_RUN, "cutoff: longer run times are redrawn", least=2, most=1e9),
    )


def draw_run_times(values: Mapping[str, float], sizes: IntColumn, random: np.random.Generator) -> FloatColumn:
    """Return a run time for each job, in whole seconds, shape (n_jobs,).

    With the probability p = pa * size + pb, clamped to 0 to 1, ln(run time) is gamma(a1, b1), else
    gamma(a2, b2); what is beyond the cut is redrawn, both the choice and the number. The run time is rounded
    down, and never below 1 s. Cost: O(n).

    Raises
    ------
    InputError
        If hardly any draw would be within the cut.
    """
    cut = math.log(values["longest_run"])
    shorter = np.clip(values["pa"] * sizes + values["pb"], 0.0, 1.0)
    _check_reach(values, shorter, cut)
    logs = np.empty(len(sizes))
    open_ = np.arange(len(sizes))
    while len(open_):
        first = random.random(len(open_)) <= shorter[open_]
        shape = np.where(first, values["a1"], values["a2"])
        sample = random.standard_gamma(shape) * np.where(first, values["b1"], values["b2"])
        logs[open_] = sample
        open_ = open_[sample > cut]
    return np.floor(np.exp(logs))


def _check_reach(values: Mapping[str, float], shorter: FloatColumn, cut: float) -> None:
    """Refuse parameters under which the jobs of some size are nearly all cut away."""
    reach = gamma_cdf(cut, [values["a1"], values["a2"]], [values["b1"], values["b2"]])
    within = shorter * reach[0] + (1 - shorter) * reach[1]
    if within.min(initial=1.0) < RAREST:
        raise InputError(
            f"hardly any run time is within longest_run={values['longest_run']:g} s; raise it, or "
            "lower a1, b1, a2 or b2",
            field="parameters",
        )
