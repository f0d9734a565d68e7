"""Small logs of sites, in files, and a recipe over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from echelon.model import Header, Workload
from echelon.workloads import GridRecipe, SiteLog, write_workload

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOUR = 3600
DAY = 24 * HOUR
SUNDAY_NOON = 843_991_200
"""Sunday, 29 September 1996, 12:00 in Stockholm (10:00 UTC), as Unix time."""


@pytest.fixture
def log_of(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a log with these submit times and columns, and returns its path."""

    def write(name: str, submit: list[float], *, zone: str = "Europe/Stockholm", **columns: object) -> str:
        count = len(submit)
        given = {
            "run_time": np.full(count, 60),
            "allocated_processors": np.full(count, 4),
            "requested_time": np.full(count, 100),
            "user": np.full(count, 7),
            **columns,
        }
        header = Header((("MaxProcs", "8"), ("UnixStartTime", str(SUNDAY_NOON)), ("TimeZoneString", zone)))
        path = tmp_path / f"{name}.swf"
        write_workload(Workload.from_columns(header=header, submit_time=submit, **given), path)
        return str(path)

    return write


@pytest.fixture
def two_sites(log_of: Callable[..., str]) -> GridRecipe:
    """Return a recipe of two weeks: a log with a job an hour for 16 days, and one with half as many."""
    hourly = log_of("hourly", [HOUR * k for k in range(16 * 24)])
    rare = log_of("rare", [2 * HOUR * k for k in range(16 * 12)], zone="US/Pacific")
    return GridRecipe("pair", (SiteLog(hourly, "EAST", 8), SiteLog(rare, "WEST", 16)), weeks=2)
