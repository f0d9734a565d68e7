"""The Lublin-Feitelson model of rigid jobs: batch, interactive, typeless, and batch with interactive.

Source: Lublin and Feitelson, JPDC 2003; the numbers are those of the authors' own program, lublin99.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.streams import stream
from echelon.workloads.synthetic.daily_cycle import arrival_parameters, draw_arrivals
from echelon.workloads.synthetic.model import Jobs, Model
from echelon.workloads.synthetic.run_times import draw_run_times, run_time_parameters
from echelon.workloads.synthetic.sizes import (
    check_sizes,
    draw_sizes,
    largest_size,
    scaled_sizes,
    size_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.synthetic.parameter import Parameter

SOURCE = "Lublin and Feitelson, JPDC 2003"
INTERACTIVE, BATCH, TYPELESS = 0, 1, -1
_QUEUES = {"batch": BATCH, "interactive": INTERACTIVE, "typeless": TYPELESS}

_NAMES = (
    *("serial", "pow2", "ulow", "umed", "uhi", "uprob"),
    *("a1", "b1", "a2", "b2", "pa", "pb"),
    *("aarr", "barr", "anum", "bnum", "arar"),
)
_BATCH = (
    *(0.2927, 0.6686, 1.2, 5, 7, 0.875),
    *(6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986),
    *(6.0415, 0.8531, 6.1271, 5.2740, 1.0519),
)
_INTERACTIVE = (
    *(0.1541, 0.625, 1, 3, 5.5, 0.705),
    *(3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156),
    *(6.5510, 0.6621, 8.9186, 3.6680, 0.9797),
)
_TYPELESS = (
    *(0.244, 0.576, 0.8, 4.5, 7, 0.86),
    *(4.2, 0.94, 312, 0.03, -0.0054, 0.78),
    *(10.2303, 0.4871, 8.1737, 3.9631, 1.0225),
)
DEFAULTS: dict[str, dict[str, float]] = {
    "batch": dict(zip(_NAMES, _BATCH, strict=True)),
    "interactive": dict(zip(_NAMES, _INTERACTIVE, strict=True)),
    "typeless": dict(zip(_NAMES, _TYPELESS, strict=True)),
}
"""The authors' numbers, by type of job."""


def parameters(kind: str) -> tuple[Parameter, ...]:
    """Return the parameters of one type of job."""
    defaults = DEFAULTS[kind]
    return (*size_parameters(defaults), *run_time_parameters(defaults), *arrival_parameters(defaults))


def draw_one_type(kind: str, values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return `jobs` jobs of one type. Cost: O(n)."""
    check_sizes(values)
    arrivals = draw_arrivals(values, jobs, stream(seed, f"lublin-{kind}/arrivals"))
    sizes, runs = _sizes_and_runs(kind, values, jobs, seed)
    return Jobs(np.floor(arrivals), runs, sizes, np.full(jobs, _QUEUES[kind]))


def draw_both_types(values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return the first `jobs` jobs of the batch and the interactive stream.

    Ties: of two jobs that arrive at once, the interactive one is first. Cost: O(n log n).
    """
    kinds = ("interactive", "batch")
    own = {kind: of_kind(kind, values) for kind in kinds}
    for kind in kinds:
        check_sizes(own[kind])
    times = [draw_arrivals(own[kind], jobs, stream(seed, f"lublin-{kind}/arrivals")) for kind in kinds]
    queue = np.repeat([INTERACTIVE, BATCH], jobs)
    merged = np.concatenate(times)
    # Stable, and the interactive jobs stand first: they win ties.
    first = np.argsort(merged, kind="stable")[:jobs]
    queue, submit = queue[first], np.floor(merged[first])
    sizes, runs = np.empty(jobs, dtype=np.int64), np.empty(jobs)
    for kind in kinds:
        mine = queue == _QUEUES[kind]
        sizes[mine], runs[mine] = _sizes_and_runs(kind, own[kind], int(mine.sum()), seed)
    return Jobs(submit, runs, sizes, queue)


def of_kind(kind: str, values: Mapping[str, float]) -> dict[str, float]:
    """Return the values of one type among those of both: ``batch_serial`` as ``serial``."""
    mark = f"{kind}_"
    return {name.removeprefix(mark): value for name, value in values.items() if name.startswith(mark)}


def _sizes_and_runs(
    kind: str, values: Mapping[str, float], n: int, seed: int
) -> tuple[IntColumn, FloatColumn]:
    sizes = draw_sizes(values, n, stream(seed, f"lublin-{kind}/sizes"))
    return sizes, draw_run_times(values, sizes, stream(seed, f"lublin-{kind}/run times"))


def _scale_both(processors: int) -> dict[str, float]:
    """Batch jobs up to the whole machine, interactive ones up to the share of it they have by default."""
    whole = scaled_sizes(processors, DEFAULTS["batch"])
    share = 2.0 ** (DEFAULTS["interactive"]["uhi"] - DEFAULTS["batch"]["uhi"])
    part = scaled_sizes(max(1.0, processors * share), DEFAULTS["interactive"])
    return {f"batch_{name}": value for name, value in whole.items()} | {
        f"interactive_{name}": value for name, value in part.items()
    }


def _one_type(kind: str, summary: str) -> Model:
    return Model(
        name=f"lublin-{kind}",
        summary=summary,
        source=SOURCE,
        parameters=parameters(kind),
        draw=partial(draw_one_type, kind),
        machine=largest_size,
        scaled=partial(scaled_sizes, defaults=DEFAULTS[kind]),
    )


BOTH = Model(
    name="lublin",
    summary="Batch and interactive jobs, each in its own stream; queue 1 is batch, 0 interactive.",
    source=SOURCE,
    parameters=tuple(one.with_prefix(kind) for kind in ("batch", "interactive") for one in parameters(kind)),
    draw=draw_both_types,
    machine=lambda values: max(largest_size(of_kind(kind, values)) for kind in ("batch", "interactive")),
    scaled=_scale_both,
)

BATCH_JOBS = _one_type("batch", "The batch jobs alone.")
INTERACTIVE_JOBS = _one_type("interactive", "The interactive jobs alone.")
TYPELESS_JOBS = _one_type("typeless", "Jobs without a distinction of types, in one stream.")
