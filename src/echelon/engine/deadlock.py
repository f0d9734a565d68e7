"""Deadlock: how jobs that can never start are named in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Job

_MOST_NAMED = 5


def count_of(jobs: Sequence[Job]) -> str:
    """Return the number of jobs: ``1 job``, ``2 jobs``."""
    return f"{len(jobs)} job{'' if len(jobs) == 1 else 's'}"


def list_of(jobs: Sequence[Job], unit: str) -> str:
    """Return the ids and sizes of the first jobs: ``1 (3 processors), 2 (1 processors) ...``."""
    shown = ", ".join(f"{job.job_id} ({job.processors} {unit})" for job in jobs[:_MOST_NAMED])
    return f"{shown}{' ...' if len(jobs) > _MOST_NAMED else ''}"
