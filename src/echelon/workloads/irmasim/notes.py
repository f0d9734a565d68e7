"""Notes: what a person should know of how a file was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.workload import Anomaly
from echelon.workloads.irmasim.task_demand import Profiles, beside_profiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.workloads.irmasim.records import Records


def starts_late(start: float) -> list[Anomaly]:
    """Return the note that times count from the first submission, unless that is at 0 anyway."""
    if not start:
        return []
    return [Anomaly("late-start", 1, f"the first job is submitted at {start:.15g} s; times count from then")]


def note_readings(jobs: Records, profiles: Profiles, *, spread: bool) -> list[Anomaly]:
    """Return how what the jobs say was read where it could be read otherwise, or was not."""
    n = len(jobs)
    alone = jobs.have_value("ntasks") & ~jobs.have_value("nodes") & ~jobs.have_value("ntasks_per_node")
    alone &= ~jobs.have_value("job_type")
    texts = [text for text in jobs.texts("id") if text is not None]
    energy = int(np.count_nonzero(jobs.have_value("req_energy")))
    counts = (
        (
            "assumed-run-times",
            n - int(np.count_nonzero(jobs.have_value("run_time"))),
            "without a run time; that of the longest task on a core of 1e9 operations per second is used",
        ),
        ("tasks-anywhere", int(np.count_nonzero(alone)), "with ntasks alone; their tasks may run anywhere"),
        (
            "num-nodes-not-used",
            0 if spread else int(np.count_nonzero(jobs.have_value("num_nodes"))),
            "with num_nodes, which is not binding, as in IRMASim; use nodes to bind them",
        ),
        (
            "figures-beside-profile",
            beside_profiles(jobs, profiles.rows_of(jobs)),
            "with both demands and a profile; the demands are ignored",
        ),
        ("repeated-id", len(texts) - len(set(texts)), "with the id of an earlier job"),
        ("energy-not-kept", energy, "with req_energy, which is not kept"),
    )
    return [Anomaly(kind, count, f"{count} of {n} jobs {what}") for kind, count, what in counts if count]


def note_ignored(kind: str, *counts: Mapping[str, int]) -> list[Anomaly]:
    """Return a note of the names that were not understood, if there are any."""
    names = sorted({name for count in counts for name in count})
    if not names:
        return []
    return [Anomaly(kind, len(names), f"unknown keys, ignored: {', '.join(names)[:200]}")]
