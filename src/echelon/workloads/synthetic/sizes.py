"""Sizes of jobs: serial ones, powers of 2, and a two-stage uniform distribution of log2(size).

Source: Lublin and Feitelson, JPDC 2003.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.workloads.synthetic.parameter import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import IntColumn

MOST_LOG2 = 40.0


def size_parameters(defaults: Mapping[str, float]) -> tuple[Parameter, ...]:
    """Return the parameters of the sizes, with these defaults."""
    return (
        Parameter("serial", "1", defaults["serial"], "probability of a serial job", 0, 1),
        Parameter("pow2", "1", defaults["pow2"], "probability of a power of 2 above 1", 0, 1),
        Parameter("ulow", "1", defaults["ulow"], "log2 of the smallest parallel size", 0, MOST_LOG2),
        Parameter("umed", "1", defaults["umed"], "log2 of the size between the two stages", 0, MOST_LOG2),
        Parameter("uhi", "1", defaults["uhi"], "log2 of the largest size", 0, MOST_LOG2),
        Parameter("uprob", "1", defaults["uprob"], "probability of the lower stage", 0, 1),
    )


def check_sizes(values: Mapping[str, float]) -> None:
    """Raise `InputError` if the sizes' parameters contradict each other."""
    if values["serial"] + values["pow2"] > 1:
        total = values["serial"] + values["pow2"]
        raise InputError(f"serial and pow2 must be at most 1 together, got {total:g}", field="parameters")
    if not values["ulow"] <= values["umed"] <= values["uhi"]:
        got = ", ".join(f"{values[name]:g}" for name in ("ulow", "umed", "uhi"))
        raise InputError(f"must be ulow <= umed <= uhi, got {got}", field="parameters")


def largest_size(values: Mapping[str, float]) -> int:
    """Return the processors of the machine whose largest job these values describe."""
    return math.floor(math.exp2(values["uhi"]) + 0.5)


def scaled_sizes(processors: float, defaults: Mapping[str, float]) -> dict[str, float]:
    """Return the parameters for a machine of so many processors.

    The largest size is the machine. The size between the stages stays as far below it in log2 as it is by
    default (2 for batch jobs, 2.5 for the others; the authors allow 1.5 to 3.5). The smallest stays, unless
    the machine is smaller still.
    """
    if not 1 <= processors <= 2**MOST_LOG2:
        raise InputError(f"must be between 1 and 2**{MOST_LOG2:g}, got {processors:g}", field="processors")
    uhi = math.log2(processors)
    ulow = min(defaults["ulow"], uhi)
    return {
        "ulow": ulow,
        "umed": min(max(uhi - (defaults["uhi"] - defaults["umed"]), ulow), uhi),
        "uhi": uhi,
    }


def draw_sizes(values: Mapping[str, float], n: int, random: np.random.Generator) -> IntColumn:
    """Return `n` sizes in processors, shape (n,).

    One uniform number tells serial, power of 2 and other jobs apart. Of a machine that is no power of 2, a
    size that would be rounded up beyond it is the largest power of 2 within it; the original would draw a job
    larger than the machine. Cost: O(n).
    """
    kind = random.random(n)
    low = random.random(n) <= values["uprob"]
    place = random.random(n)
    start = np.where(low, values["ulow"], values["umed"])
    end = np.where(low, values["umed"], values["uhi"])
    exponent = start + place * (end - start)
    power = np.minimum(np.floor(exponent + 0.5), math.floor(values["uhi"]))
    exponent = np.where(kind <= values["serial"] + values["pow2"], power, exponent)
    exponent = np.where(kind <= values["serial"], 0.0, exponent)
    sizes = np.floor(np.exp2(exponent) + 0.5).astype(np.int64)
    return np.clip(sizes, 1, largest_size(values))
