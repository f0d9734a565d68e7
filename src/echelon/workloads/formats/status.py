"""Statuses of logs and batch systems, as SWF's numbers."""

from __future__ import annotations

from echelon.model.jobs.fields import UNKNOWN

FAILED, COMPLETED, CANCELLED = 0, 1, 5

STATUS_NUMBERS: dict[str, int] = {
    "completed": COMPLETED,
    "failed": FAILED,
    "killed": FAILED,
    "timeout": FAILED,
    "out_of_memory": FAILED,
    "node_fail": FAILED,
    "boot_fail": FAILED,
    "deadline": FAILED,
    "launch_failed": FAILED,
    "reconfig_fail": FAILED,
    "cancelled": CANCELLED,
    "canceled": CANCELLED,
    "preempted": CANCELLED,
    "revoked": CANCELLED,
    "unknown": UNKNOWN,
    "pending": UNKNOWN,
    "running": UNKNOWN,
    "suspended": UNKNOWN,
    "stopped": UNKNOWN,
    "requeued": UNKNOWN,
    "resizing": UNKNOWN,
    "configuring": UNKNOWN,
    "completing": UNKNOWN,
}
"""By the word in lower case. A job cut at its limit or by a fault failed; one stopped by its user, an
administrator or a more important job is cancelled; one that has not ended has no status yet."""


def status_number(text: str) -> int:
    """Return SWF's status of a word such as ``TIMEOUT``, ``CANCELLED by 1234`` or ``CANCELLED+``.

    Raises
    ------
    ValueError
        If the first word is none of `STATUS_NUMBERS`.
    """
    status = text.split(maxsplit=1)[0].rstrip("+").lower() if text.strip() else "unknown"
    if status not in STATUS_NUMBERS:
        raise ValueError(text)
    return STATUS_NUMBERS[status]
