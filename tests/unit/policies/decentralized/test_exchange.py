"""Exchange through a global queue, followed by hand on a site of 4 and one of 8 processors."""

from __future__ import annotations

import pytest

from echelon.errors import UnknownNameError
from echelon.policies import broker_named
from echelon.policies.decentralized.exchange import Exchange

SIZES = (4, 8)


def test_what_is_left_over_is_seen_at_once(run_on):
    """The job that does not fit its home starts at the other site at the same instant."""
    assert run_on(SIZES, "exchange:fcfs", (0, 100, 4, 1), (0, 10, 4, 1)) == [(0, 1), (0, 2)]


def test_who_turns_to_the_global_queue(run_on):
    """By the printed algorithm a site that has started a local job takes no other's at that instant."""
    jobs = ((0, 100, 1, 2), (0, 100, 4, 1), (0, 10, 1, 1))
    assert run_on(SIZES, "exchange:fcfs", *jobs)[2] == (100, 1)
    assert run_on(SIZES, "exchange:fcfs:takes=always", *jobs)[2] == (0, 2)


def test_a_job_too_large_for_a_site_holds_up_nobody_there(run_on):
    """At 11 site 1 passes over the job of 8 processors at the head of the global queue."""
    jobs = ((0, 100, 8, 2), (0, 100, 8, 2), (1, 10, 4, 1), (1, 10, 4, 1))
    for algorithm in ("fcfs", "easy", "list"):
        assert run_on(SIZES, f"exchange:{algorithm}", *jobs) == [(0, 2), (100, 2), (1, 1), (11, 1)]


def test_a_job_too_large_for_its_home(run_on):
    """It goes straight to a site that can hold it."""
    assert run_on(SIZES, "exchange:fcfs", (0, 10, 6, 1), (0, 10, 1, 1)) == [(0, 2), (0, 1)]


def test_the_three_algorithms_on_the_global_queue(run_on):
    """At 50 one processor is free: FCFS waits for the head, EASY starts what ends by 100, LIST what fits."""
    jobs = ((0, 100, 3), (0, 50, 1), (1, 50, 4), (1, 200, 1), (1, 50, 1))
    assert run_on((4,), "exchange:fcfs", *jobs)[2:] == [(100, 1), (150, 1), (150, 1)]
    assert run_on((4,), "exchange:easy", *jobs)[2:] == [(100, 1), (150, 1), (50, 1)]
    assert run_on((4,), "exchange:list", *jobs)[2:] == [(250, 1), (50, 1), (100, 1)]


def test_extra_processors_beside_the_head(run_on):
    """EASY starts a long job that takes only what the head will leave."""
    jobs = ((0, 100, 2), (0, 50, 2), (1, 50, 3), (1, 200, 1), (1, 200, 1))
    assert run_on((4,), "exchange:easy", *jobs)[2:] == [(100, 1), (50, 1), (150, 1)]


def test_a_transfer_counts_for_easy(run_on):
    """A job of site 1 that would end at 100 at site 2 but for the transfer does not start beside its head."""
    jobs = ((0, 100, 7, 2), (0, 200, 4, 1), (1, 50, 8, 2), (50, 50, 1, 1))
    assert run_on(SIZES, "exchange:easy", *jobs)[2:] == [(100, 2), (50, 2)]
    assert run_on(SIZES, "exchange:easy:latency=1", *jobs)[2:] == [(100, 2), (151, 2)]


def test_specs():
    """The algorithm is always said."""
    assert broker_named("exchange").spec == "exchange:easy"
    assert broker_named("exchange:list:takes=always:latency=2min").spec == (
        "exchange:list:latency=120:takes=always"
    )


@pytest.mark.parametrize("parameter", ["algorithm", "takes"])
def test_unknown_parameters(parameter):
    """A parameter's word that does not exist is refused."""
    with pytest.raises(UnknownNameError, match="nonsense"):
        Exchange(**{parameter: "nonsense"})
