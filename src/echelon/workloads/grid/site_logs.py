"""Site logs: reading a log for a grid, from where it can be had, or saying why, and what stands in for it.

The logs of DAS-2 are known by name and file only: no hash of them is recorded here, so they are never
downloaded, and are taken as the user put them into a folder of ``$ECHELON_DATA``.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.workloads import transform
from echelon.workloads.files import datasets
from echelon.workloads.files.workload_reader import read_workload
from echelon.workloads.synthetic.generation import generate
from echelon.workloads.synthetic.model import MOST_JOBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload
    from echelon.workloads.files.datasets import Progress

MODEL, ESTIMATES = "lublin", "popular"
"""Whose jobs, and whose requested times."""

_FIRST_GUESS = 4096

LOCAL_LOGS: Mapping[str, str] = MappingProxyType(
    {f"das2-fs{cluster}": f"DAS2-fs{cluster}-2003-1.swf.gz" for cluster in range(5)}
)
"""Files of the Parallel Workloads Archive (folder l_das2) that are used only if they are here already.

fs0 is Vrije Universiteit, fs1 Leiden, fs2 Universiteit van Amsterdam, fs3 Delft, fs4 Utrecht.
"""


def read_site_log(log: str, *, progress: Progress | None = None) -> Workload | str:
    """Return the jobs of a log, or a clause that says why it is not to be had.

    Raises
    ------
    InputError
        If the log is there and is not what it must be, or `log` names nothing.
    """
    if reason := absence(log):
        return reason
    if path := local_file(log):
        return replace(read_workload(path), name=log.lower())
    if log.lower() in datasets.DATASETS and not Path(log).is_file() and datasets.find(log) is None:
        try:
            datasets.fetch(log, progress=progress)
        except InputError as error:
            return str(error)
    return read_workload(log)


def absence(log: str) -> str:
    """Return why a log that is never downloaded is not to be had, as a clause, or nothing."""
    file = LOCAL_LOGS.get(log.lower())
    if file is None or Path(log).is_file() or local_file(log) is not None:
        return ""
    return (
        f"{file} is in no folder of $ECHELON_DATA, and cannot be downloaded, as its hash is unknown; the "
        "Parallel Workloads Archive has it in l_das2"
    )


def stamp(log: str) -> tuple[str, ...]:
    """Return values that identify a version of a log: its file's place, time and size."""
    path = local_file(log) or Path(log)
    try:
        status = path.stat()
    except (OSError, ValueError):
        status = None
    here = (log,) if status is None else (log, str(path), str(status.st_mtime_ns), str(status.st_size))
    return (*here, os.environ.get("ECHELON_DATA", ""))


def local_file(log: str) -> Path | None:
    """Return the file of a log of `LOCAL_LOGS` in the user's folders; none if a file is called `log`.

    Parameters
    ----------
    log : str
        Such as ``das2-fs0``.

    Returns
    -------
    Path or None
    """
    file = LOCAL_LOGS.get(log.lower())
    if file is None or Path(log).is_file():
        return None
    return next(datasets.files_named(file, datasets.own_folders()), None)


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
