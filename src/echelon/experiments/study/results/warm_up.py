"""Warm-up of a study's runs: what share of their jobs MSER-5 would leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import mser5
from echelon.experiments.study.store.stored_run import run_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LOOKED_AT = 40
"""Runs that are looked at, evenly over all: the share is a rough one anyway."""


def suggested_warm_up(folder: Path, keys: Sequence[str]) -> float | None:
    """Return the median, over some runs, of the share of jobs that MSER-5 leaves out at the beginning.

    Parameters
    ----------
    folder : Path
        Of the study.
    keys : sequence of str
        Of its runs.

    Returns
    -------
    float or None
        From 0 to 0.5, by the waits in the order of submission; near 0.5 the runs are too short, or never
        steady. None without a run that has 20 jobs.

    Notes
    -----
    Cost: the jobs of at most `LOOKED_AT` runs are read. Source: see `echelon.analysis.mser5`.
    """
    places = np.unique(np.linspace(0, len(keys) - 1, LOOKED_AT).round().astype(np.int64)).tolist()
    shares = []
    for key in (keys[place] for place in places if keys):
        jobs = run_in(folder, key).jobs_with(["submit_time", "start_time"])
        jobs = jobs.sort("submit_time", maintain_order=True)
        if len(jobs) >= 20:
            waits = (jobs["start_time"] - jobs["submit_time"]).to_numpy()
            shares.append(mser5(waits) / len(jobs))
    return float(np.median(shares)) if shares else None
