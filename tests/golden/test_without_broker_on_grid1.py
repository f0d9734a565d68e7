"""What pages quote of the thirty weeks of grid 1 without a broker."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.metrics import mean_migration, migration, transfer_percentages
from echelon.model import Instance
from echelon.platforms import platform_named
from echelon.policies import broker_named, policy
from echelon.workloads.grid import grid_workload

DOCS = Path(__file__).parents[2] / "docs"
COSTS = ("", ":latency=1min", ":latency=10min", ":refresh=10min", ":refresh=1h", ":refresh=1d")

TABLE_9 = {
    (0, 1): 11.8, (0, 2): 15.0, (0, 3): 10.1, (0, 4): 12.8, (0, 5): 19.1, (0, 6): 15.7, (1, 2): 3.5,
    (1, 3): 9.3, (1, 4): 22.1, (1, 5): 31.4, (1, 6): 31.8, (2, 3): 7.3, (2, 4): 17.1, (2, 5): 31.7,
    (2, 6): 29.3, (3, 4): 19.7, (3, 5): 27.5, (3, 6): 33.8, (4, 5): 32.4, (4, 6): 36.9, (5, 6): 80.0,
}  # fmt: skip
"""Percent of the jobs of each site that larger ones took, as the study prints them for its grid 1."""


LOGS = (
    "SDSC-SP2-1998-4.2-cln",
    "HPC2N-2002-2.2-cln",
    "CTC-SP2-1996-3.1-cln",
    "LANL-CM5-1994-4.1-cln",
    "SDSC-BLUE-2000-4.2-cln",
    "SDSC-DS-2004-2.1-cln",
)
"""The logs of grid 1 that do not come with the package."""


@cache
def thirty_weeks():
    """Return the instances of the thirty weeks."""
    grid, jobs = platform_named("grid1"), grid_workload("grid1")
    return [Instance.of(jobs.week(week), grid) for week in range(1, 31)]


@pytest.fixture
def weeks(data_file):
    """Return the thirty weeks, or skip if a log is not on this machine: nothing is downloaded."""
    for log in LOGS:
        data_file(f"{log}.swf.gz")
    return thirty_weeks()


def schedules(weeks, words):
    """Return the schedule of each week."""
    return [
        compiled.simulate(Scenario(week, policy("fcfs"), system_model=tree_of_sites(broker_named(words))))
        for week in weeks
    ]


def test_what_communication_costs(weeks):
    """The table of mean waits is what comes out: half of it, each protocol and each cost several times."""
    page = (DOCS / "explanation" / "decentralized-grids.md").read_text(encoding="utf-8")
    assert f"{np.mean([len(week) for week in weeks]):,.0f} jobs a week" in page
    rows = re.findall(r"^\| `([\w:-]+)` \| ([\d,| ]+) \|$", page, re.MULTILINE)
    assert len(rows) == 4
    for row, (words, quoted) in enumerate(rows):
        for column, (cost, wait) in enumerate(zip(COSTS, quoted.split(" | "), strict=True)):
            if (row + column) % 2 and not IN_FULL:
                continue
            found = np.mean([one.wait_time.mean() for one in schedules(weeks, words + cost)])
            assert f"{found:,.0f}" == wait, words + cost


@pytest.mark.parametrize(("words", "missed"), [("", "3.3"), (":steals=first-list", "4.3")])
def test_which_reading_of_stealing_is_nearer(weeks, words, missed):
    """Decision 19 quotes by how much each reading misses the printed percentages of migrated jobs."""
    work = [week.run_time * week.size for week in weeks]
    moves = [
        migration(one.home_site, one.site, area=area, sites=7)
        for one, area in zip(schedules(weeks, f"stealing:50{words}"), work, strict=True)
    ]
    found = transfer_percentages(mean_migration(moves).jobs)
    apart = np.mean([abs(found[pair] - printed) for pair, printed in TABLE_9.items()])
    assert f"{apart:.1f}" == missed
    decision = (DOCS / "decisions" / "0019-stealing-and-exchange.md").read_text(encoding="utf-8")
    assert missed in decision
