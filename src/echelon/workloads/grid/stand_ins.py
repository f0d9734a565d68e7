"""Stand-ins: jobs of a model in the place of a log that is not to be had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.workloads import transform
from echelon.workloads.synthetic.generation import generate
from echelon.workloads.synthetic.model import MOST_JOBS

if TYPE_CHECKING:
    from echelon.model import Workload

MODEL, ESTIMATES = "lublin", "popular"
"""Whose jobs, and whose requested times."""

_FIRST_GUESS = 4096


def stand_in(site: str, processors: int, *, seconds: float, seed: int) -> Workload:
    """Return Lublin-Feitelson jobs for a site of this size, over this time from a Monday's midnight.

    Parameters
    ----------
    site : str
        Its name; each site has a random stream of its own.
    processors : int
        >= 1.
    seconds : float
        The jobs go on at least so long, in seconds.
    seed : int
        >= 0.

    Raises
    ------
    InputError
        If so long a time takes more jobs than a workload can have, or the site is too small for the model.

    Notes
    -----
    Users are unknown; there are no weekends: the model has days, not weeks. Cost: O(n log n).
    """
    own = int(stream(seed, f"stand-in/{site}").integers(2**31))
    jobs = _FIRST_GUESS
    while True:
        workload = generate(MODEL, jobs, processors=processors, seed=own)
        if float(workload.submit_time[-1]) >= seconds:
            break
        if (jobs := 2 * jobs) > MOST_JOBS:
            raise InputError(
                f"needs more than {MOST_JOBS} jobs for {seconds:.0f} s", field=f"stand-in at {site}"
            )
    workload = transform.draw_estimates(workload, ESTIMATES, seed=own)
    return replace(workload, name=f"{MODEL}-stand-in-{site}")
