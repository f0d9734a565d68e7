"""The clusters that were looked at for a job, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table


def candidates_table(candidates: Sequence[Mapping[str, Any]], chosen: str) -> list[str | Table]:
    """Return a table of what was known and forecast at each cluster; nothing if none was looked at."""
    from echelon.cli.serving.answers import ago, length, until
    from echelon.cli.terminal import grid
    from echelon.client.plain_text import plain

    if not candidates:
        return []
    rows = [
        (
            *(plain(one["cluster"]), f"{one['free']:,}", f"{one['waiting']:,}"),
            *(until(one["wait_time"]), length(one["run_time"]), ago(one["age"])),
            "chosen" if one["cluster"] == chosen else plain(one["why_not"]),
        )
        for one in candidates
    ]
    heads = ("cluster", "free", "waiting", "would start", "would run", "news", "why not")
    return [grid(heads, rows, numbers=(1, 2))]
