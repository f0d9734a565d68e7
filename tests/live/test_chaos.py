"""Jobs of a service that is killed with -9 again and again run once and are all accounted for.

For each commit there are enough jobs that all is killed several times, on a fast machine, too.
``HYPOTHESIS_PROFILE=explore`` has four times as many, and ``python tests/live/chaos.py`` as many as you like.
"""

from __future__ import annotations

import pytest

from budgets import IN_FULL
from live.chaos import on_postgres, on_processes, on_slurm
from live.slurm_clusters import COMMANDS, require

TIMES = 4 if IN_FULL else 1


def check(tally, kills):
    """No job is lost, none runs twice, and what is said of each is what happened; much was killed."""
    assert not tally.ran_twice, tally.row
    assert not tally.never_ran, tally.row
    assert not tally.wrong, "\n".join([tally.row, *tally.wrong[:10]])
    assert sum(tally.states.values()) == tally.jobs
    assert tally.kills["service"] >= kills, tally.row


def test_jobs_on_slots_survive_the_service(tmp_path):
    """Of 80 jobs on slots of this machine each runs once, whenever the service is killed."""
    check(on_processes(tmp_path, jobs=80 * TIMES, seed=1), 3)


def test_jobs_survive_their_database(tmp_path):
    """Of 20 jobs each runs once, whenever the service and the PostgreSQL server with its store are killed."""
    pytest.importorskip("psycopg")
    require("setpriv")
    tally = on_postgres(tmp_path, jobs=20 * TIMES, seed=3)
    check(tally, 1)
    assert tally.kills["database"] >= 2, tally.row


def test_jobs_on_slurm_survive_everything(tmp_path):
    """Each of 200 jobs on real Slurm runs once, whenever service, controllers and nodes are killed."""
    require("slurmctld", "slurmd", "setpriv", *COMMANDS)
    check(on_slurm(tmp_path, jobs=200 * TIMES, seed=2), 2)
