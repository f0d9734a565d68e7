"""RunTables: all a report knows of a run, as tables; no engine, no workload."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics import bounded_slowdown, wait_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from echelon.model.columns import FloatColumn, IntColumn

NEEDED_COLUMNS = ("job_id", "submit_time", "start_time", "end_time", "processors")


@dataclass(frozen=True, slots=True, eq=False)
class RunTables:
    """One run, as its folder holds it.

    Parameters
    ----------
    jobs : polars.DataFrame
        The columns of ``jobs.csv``; `NEEDED_COLUMNS` must be there, ``user`` and ``requested_time`` are shown
        if they are. Times in seconds.
    metrics : mapping of str to float
        The keys of ``metrics.json``; times in seconds.
    run : mapping
        The content of ``run.json``. Every key may be missing. Shown are ``policy``, ``workload``,
        ``processors``, ``estimates``, ``passes``, ``engine``, ``seed``, ``command`` (text or list of words),
        ``input_sha256``, ``versions`` (mapping), ``seconds`` (number, or mapping of step to number),
        ``dropped`` (list of mappings with ``reason``, ``count``, ``first``, or a mapping of reason to
        count), ``oddities`` (list of mappings with ``count`` and ``sentence``, or of text), ``notes``
        (list of text), ``unix_start_time`` (Unix time of second 0) and ``time_zone`` (of the log).

    Raises
    ------
    InputError
        If a needed column is missing.
    """

    jobs: pl.DataFrame
    metrics: Mapping[str, float]
    run: Mapping[str, Any]

    def __post_init__(self) -> None:
        if missing := [name for name in NEEDED_COLUMNS if name not in self.jobs.columns]:
            raise InputError(f"a report needs the columns of jobs.csv, missing: {', '.join(missing)}")

    @property
    def policy(self) -> str:
        """The policy's name."""
        return str(self.run.get("policy", "run"))

    @property
    def processors(self) -> int:
        """Processors of the machine; where the run does not say, of the largest job."""
        stated = self.run.get("processors")
        return int(stated) if stated else int(self.int_column("processors").max(initial=1))

    @property
    def wait(self) -> FloatColumn:
        """Waiting time of each job, in seconds, shape (n_jobs,): as stated, else start - submit."""
        if "wait_time" in self.jobs.columns:
            return self.float_column("wait_time")
        return wait_time(self.float_column("submit_time"), self.float_column("start_time"))

    @property
    def run_time(self) -> FloatColumn:
        """Run time of each job, in seconds, shape (n_jobs,): as stated, else from start to end."""
        if "run_time" in self.jobs.columns:
            return self.float_column("run_time")
        return self.float_column("end_time") - self.float_column("start_time")

    @property
    def bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdown of each job with tau = 10 s, shape (n_jobs,): as stated, else from its times."""
        if "bounded_slowdown" in self.jobs.columns:
            return self.float_column("bounded_slowdown")
        return bounded_slowdown(self.wait, self.run_time)

    def float_column(self, name: str) -> FloatColumn:
        """Return a column of times, shape (n_jobs,)."""
        return np.asarray(self.jobs[name].to_numpy(), dtype=np.float64)

    def int_column(self, name: str) -> IntColumn:
        """Return a column of counts, shape (n_jobs,)."""
        return np.asarray(self.jobs[name].to_numpy(), dtype=np.int64)


def run_names(runs: Sequence[RunTables]) -> list[str]:
    """Return a name for each run: its policy, numbered from the second run of the same policy on."""
    seen: Counter[str] = Counter()
    names = []
    for run in runs:
        seen[run.policy] += 1
        names.append(run.policy if seen[run.policy] == 1 else f"{run.policy} ({seen[run.policy]})")
    return names
