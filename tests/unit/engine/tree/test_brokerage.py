"""Inner sites with brokers: when jobs leave them, what waits there, and what observers hear."""

from __future__ import annotations

import pytest
from tests.unit.engine.tree.trees import Hearer, instance, nodes, of, platform, run, run_grid, time_shared

from echelon.errors import PolicyError

NESTED = {"g__a": 2, "g__b": 2, "c": 2}


def test_without_a_decision_time_a_job_reaches_its_leaf_at_once():
    """Job 0 passes two brokers at 0 and starts at 0; every broker counts it when job 1 is sent."""
    hearer = Hearer()
    found = run(
        instance(platform(**NESTED), (0, 9, 2), (0, 9, 2), (0, 9, 2)),
        {"": of("mpl"), "g": of("mpl")},
        observers=[hearer],
    )
    assert found.start_time.tolist() == [0, 0, 0]
    # g has 2 jobs' processors on 4, c as many on 2: the third goes to g again, and there to the free b.
    assert found.site.tolist() == [0, 2, 1]
    assert [event[1:] for event in hearer.events[:3]] == [("join", 0, 0), ("join", 1, 2), ("join", 2, 1)]


def test_decisions_are_made_one_at_a_time():
    """Each takes 5 s: that of job 1 begins when job 0 has left, that of job 2 when it comes."""
    given = instance(platform(a=4, b=4), (0, 1, 1), (2, 1, 1), (20, 1, 1))
    assert run(given, of("ml", time=5.0)).start_time.tolist() == [5, 10, 25]


@pytest.mark.parametrize("kind", [4, nodes(2, 2), time_shared(4)])
def test_decision_times_of_levels_follow_each_other(kind):
    """The root takes 5 s and the group 3 s, on sites of any kind: job 1 leaves the root at 10."""
    given = instance(platform(g__a=kind), (0, 1, 1), (0, 1, 1))
    found = run(given, {"": of("ml", time=5.0), "g": of("ml", time=3.0)})
    assert found.start_time.tolist() == [8, 13]


def test_a_decision_knows_what_is_known_when_it_is_complete():
    """At 0 site a is as good as b for job 1, but at 5 job 0 is there."""
    given = instance(platform(a=2, b=2), (0, 99, 1), (1, 99, 1), (11, 99, 1))
    assert run(given, of("ml", time=5.0)).site.tolist() == [0, 1, 0]


def test_a_decision_that_takes_no_time_waits_for_all_submissions_of_its_instant():
    """With 0 s all jobs have joined the root's queue before the first is sent; the schedule is the same."""
    hearer, given = Hearer(), instance(platform(a=2, b=2), (0, 5, 1), (0, 5, 1))
    found = run(given, of("ml", time=0.0), observers=[hearer])
    assert hearer.at(0)[:3] == [("join", 0, None), ("join", 1, None), ("decide", 0, None)]
    assert found.site.tolist() == run(given, of("ml")).site.tolist() == [0, 1]


def test_a_job_that_waits_for_an_inner_broker_counts_at_the_branch_where_it_waits():
    """Job 0 waits in g until 50, and g has one job from 0 on: job 1 goes to c, job 2 to g by the tie."""
    given = instance(platform(**NESTED), (0, 99, 1), (1, 99, 1), (2, 99, 1), (3, 99, 1))
    found = run(given, {"": of("ml"), "g": of("ml", time=50.0)})
    assert found.site.tolist() == [0, 2, 1, 2]
    assert found.start_time.tolist() == [50, 1, 100, 3]


def test_observers_hear_of_a_job_where_it_waits_first():
    """A job that waits for a decision joins no site; one that is sent at once joins its leaf."""
    hearer = Hearer()
    run(
        instance(platform(**NESTED), (0, 9, 1), (1, 9, 1)),
        {"": of("ml"), "g": of("ml", time=50.0)},
        observers=[hearer],
    )
    assert [event for event in hearer.events if event[1] == "join"] == [
        (0, "join", 0, None),
        (1, "join", 1, 2),
    ]
    assert hearer.at(50) == [("decide", 0, None), ("start", 0, 0), ("decide", 0, 0)]


def test_a_tie_between_branches_goes_to_the_one_with_the_smaller_largest_job():
    """The group has 6 processors but holds jobs of up to 3 only; the site with 4 comes after it."""
    on = platform(big=4, g__a=3, g__b=3)
    assert run(instance(on, (0, 9, 1)), {"": of("ml"), "g": of("ml")}).site.tolist() == [1]
    # Of equally large ones the first in the file.
    on = platform(big=3, g__a=3, g__b=3)
    assert run(instance(on, (0, 9, 1)), {"": of("ml"), "g": of("ml")}).site.tolist() == [0]


def test_one_inner_site_changes_nothing():
    """A group below the root whose broker is that of a grid gives the grid's schedule, start for start."""
    rows = [(k // 3, 3 + k % 7, 1 + k % 4) for k in range(60)]
    grid = run_grid(instance(platform(a=2, b=4, c=4), *rows), "mpl")
    found = run(instance(platform(g__a=2, g__b=4, g__c=4), *rows), {"": of("mwt"), "g": of("mpl")})
    assert found.start_time.tolist() == grid.start_time.tolist()
    assert found.site.tolist() == grid.site.tolist()


def test_each_level_draws_numbers_of_its_own():
    """Random brokers of two levels reach all four leaves, each with a quarter of the jobs or so."""
    given = instance(platform(g__a=4, g__b=4, h__a=4, h__b=4), *[(k, 1, 1) for k in range(400)])
    found = run(given, {"": of("random"), "g": of("random"), "h": of("random")}, seed=3)
    assert all(75 < (found.site == leaf).sum() < 125 for leaf in range(4))


def test_a_level_without_a_choice_draws_nothing():
    """The numbers of the level below are those of a grid alone, so a random grid stays as it is."""
    rows = [(k, 3, 1) for k in range(40)]
    grid = run_grid(instance(platform(a=4, b=4, c=4), *rows), "random", seed=3)
    found = run(
        instance(platform(g__a=4, g__b=4, g__c=4), *rows), {"": of("random"), "g": of("random")}, seed=3
    )
    assert found.site.tolist() == grid.site.tolist()


class Astray:
    """A broker that sends every job to site 7."""

    name, information, grid_state = "astray", 0, "actual"

    def choose(self, job, view):
        """Choose a site that is not there."""
        return 7


def test_an_inner_broker_is_held_to_what_it_may_choose():
    """The error names the broker, the time, the job, and the branches that could hold it."""
    given = instance(platform(**NESTED), (3, 9, 1))
    with pytest.raises(
        PolicyError, match=r"astray.*t = 3.*job 1.*assigned to 7; expected one of the sites 0 to 1"
    ):
        run(given, {"": of("ml"), "g": of(Astray())})
