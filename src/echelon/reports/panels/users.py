"""Fairness between users: who computed how much, and who waited how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import gini_coefficient, jain_index, user_means
from echelon.reports.panels.panel import Content, Panel, absent, body, hint, round_numbers, wait_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import UserMeans
    from echelon.model.jobs.columns import IntColumn
    from echelon.reports.tables import RunTables

MOST_USERS = 1000
"""Users a page lists: those with the most processor-seconds."""

_UNKNOWN = ("", "-1")


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    for run, name in zip(runs, names, strict=True):
        if "user" not in run.jobs.columns:
            return absent(f"The table of jobs of {name} has no column of users.")
    users_of_runs = [_users(run) for run in runs]
    if not all(len(users["name"]) for users in users_of_runs):
        return absent("The log has no users.")
    listed = max(len(users["name"]) for users in users_of_runs)
    n_users = max(users["users"] for users in users_of_runs)
    reading = (
        "Jain's index is 1 if all users wait equally long on average, and 1 / users if only one user waits; "
        "it measures how equal the waits are, not how long. The Gini coefficient is 0 if all users have the "
        "same work and approaches 1 if one user has nearly all of it. Work is processor-seconds; slowdowns "
        "are bounded slowdowns."
    )
    if listed < n_users:
        reading += f" The table lists the {listed:,} of {n_users:,} users with the most work."
    return Content(body("users") + hint(reading + wait_sentence(runs)), users_of_runs)


PANEL = Panel("users", "Fairness between users", _content)


def _users(run: RunTables) -> dict[str, Any]:
    code, texts = known_codes(run, "user")
    means = user_means(code, run.wait, run.bounded_slowdown, area=run.area)
    most = np.argsort(-means.area_share, kind="stable")[:MOST_USERS]
    return {
        "name": [texts[place] for place in means.code[most].tolist()],
        "jobs": means.jobs[most].tolist(),
        "share": round_numbers(means.area_share[most]),
        "wait": round_numbers(means.mean_wait[most]),
        "slowdown": round_numbers(means.mean_bounded_slowdown[most]),
        "unknown": int((code < 0).sum()),
        "users": len(means.code),
        **_indices(means),
    }


def _indices(means: UserMeans) -> dict[str, float | None]:
    if not len(means.code):
        return {"jain_wait": None, "jain_slowdown": None, "gini": None}
    indices = (
        jain_index(means.mean_wait),
        jain_index(means.mean_bounded_slowdown),
        gini_coefficient(means.area_share),
    )
    return dict(zip(("jain_wait", "jain_slowdown", "gini"), round_numbers(indices, 4), strict=True))


def known_codes(run: RunTables, column: str) -> tuple[IntColumn, list[str]]:
    """Return a code for the user or group of each job, -1 where none is known, and the names by code."""
    # A run folder holds them as text or as whole numbers; a missing one is empty, null or -1.
    code, texts = run.codes_of(column)
    unknown = np.array([text in _UNKNOWN for text in texts], dtype=np.bool_)
    return np.where(unknown[code], -1, code) if unknown.any() else code, texts
