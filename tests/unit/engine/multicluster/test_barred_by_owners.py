"""Owners who leave jobs nothing: jobs wait until they go, and a run that cannot end says why."""

from __future__ import annotations

import numpy as np
import pytest

import echelon as ec
from echelon.errors import DeadlockError, InputError
from echelon.model import (
    AWAY,
    LocalChange,
    LocalUse,
    Platform,
    SharedCluster,
    Site,
    SocialContract,
    Workload,
    Workstation,
)

BUSY = LocalUse(1.0, 0.2, 0.0)


def _platform(**node) -> Platform:
    return Platform((Site("lab", SharedCluster((Workstation(**node),) * 4, SocialContract(mpl=2))),))


class Shift:
    """All owners are at work from one second to another."""

    name = "shift"
    spec = "shift"

    def __init__(self, come, leave=None):
        self.times = ((come, BUSY), *(() if leave is None else ((leave, AWAY),)))

    def changes(self, platform, seed):
        for time, use in self.times:
            for site, cluster in enumerate(platform.clusters):
                for node in range(len(cluster)):
                    yield LocalChange(float(time), site, node, use)


def _jobs(n=3, run_time=10.0, late=0.0) -> Workload:
    return Workload.from_columns(
        submit_time=late + np.arange(n, dtype=float), run_time=np.full(n, run_time), processors=np.full(n, 2)
    )


@pytest.mark.parametrize(
    "policy", ["fcfs", "easy", "conservative", "plan", "easy:reservations=2", "first-fit"]
)
def test_jobs_wait_until_owners_leave(policy):
    """Whatever the local policy plans, jobs whom owners bar start the moment these leave, and not before."""
    run = ec.simulate(_jobs(), platform=_platform(), policy=policy, local_users=Shift(0, 100))
    assert run.jobs["start_time"].to_list() == [100, 100, 100]


@pytest.mark.parametrize("policy", ["fcfs", "conservative", "plan"])
def test_a_job_too_large_for_owners_who_stay_lets_the_others_end(policy):
    """Where owners leave two of four nodes, a job for four is told, not a defect of the placement."""
    half = Shift(0)
    half.changes = lambda platform, seed: (LocalChange(0.0, 0, node, BUSY) for node in range(2))
    table = Workload.from_columns(submit_time=[0, 1], run_time=[10, 10], processors=[2, 4])
    with pytest.raises(
        DeadlockError, match=r"can never start at site 'lab': .* the owners of its nodes leave"
    ):
        ec.simulate(table, platform=_platform(), policy=policy, local_users=half)


def test_owners_are_the_reason_in_the_global_queue_too():
    """Where no queue builds up below, jobs whom owners bar wait above, and the rule is not to blame."""
    with pytest.raises(DeadlockError, match=r"can never leave the global queue 'fcfs': .* owners at work"):
        ec.simulate(_jobs(), platform=_platform(), local_users=Shift(0), queue_limit=0)


@pytest.mark.parametrize("longest_stay", [None, 50.0])
def test_jobs_that_stand_still_for_ever_are_told(longest_stay):
    """Owners who come while jobs run and never leave: the run says so, though no job waits."""
    with pytest.raises(DeadlockError, match=r"can never end: .* the owners"):
        ec.simulate(
            _jobs(), platform=_platform(), local_users=Shift(5), longest_stay=longest_stay, broker="tat"
        )


def test_powers_of_next_to_nothing_are_told():
    """Times that no number can tell apart any more end a run with a sentence."""
    with pytest.raises(DeadlockError, match=r"would still run at t = 9.01e\+15 s"):
        ec.simulate(_jobs(), platform=_platform(power=1e-300))


def test_all_rejected_is_told():
    """A run in which no job ever started has nothing to measure."""
    with pytest.raises(InputError, match="no job is left to simulate: 3 with a stay of 10 s"):
        ec.simulate(_jobs(), platform=_platform(), local_users=Shift(0), longest_stay=10)


def test_run_times_below_what_the_clock_tells():
    """However short the noise makes a job, it ends after its start."""
    run = ec.simulate(_jobs(late=1e9), platform=_platform(), execution="time-shared:noise=100", seed=1)
    assert (run.jobs["end_time"] > run.jobs["start_time"]).all()


@pytest.mark.slow
def test_owners_among_whom_time_does_not_pass(tmp_path):
    """Changes closer and closer to each other, without end, are refused instead of followed."""
    file = tmp_path / "own.py"
    file.write_text(
        "from itertools import count\n"
        "from echelon.model import AWAY, LocalChange\n"
        "def zeno(platform, seed):\n"
        "    return (LocalChange(5.0 - 5.0 / n**3, 0, 0, AWAY) for n in count(1))\n"
        "def same(platform, seed):\n"
        "    return (LocalChange(5.0, 0, 0, AWAY) for n in count(1))\n",
        encoding="utf-8",
    )
    for name in ("zeno", "same"):
        with pytest.raises(InputError, match="changes need time between them"):
            ec.simulate(_jobs(), platform=_platform(), local_users=f"{file}:{name}")
