"""Tags: which run of which job a name at a cluster stands for."""

from __future__ import annotations

import re

_TAG = re.compile(r"ech-([0-9a-f]{32})-([1-9][0-9]*)")


def job_of(tag: str) -> tuple[str, int] | None:
    """Return id and run of the job that a tag names, see `JobRecord.tag`; None if it names none."""
    match = _TAG.fullmatch(tag)
    return (match[1], int(match[2])) if match else None
