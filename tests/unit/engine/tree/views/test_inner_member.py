"""What a broker knows of an inner site: sums over all that is below, and the choice of the broker there."""

from __future__ import annotations

import pytest
from tests.unit.engine.tree.trees import instance, nodes, of, platform, run, scenario, time_shared

from echelon import broker
from echelon.engine.reference import system_of
from echelon.engine.tree.views.inner_member import InnerMember

SEEN = ("jobs", "size_sum", "free", "time_sum", "area_sum")


class Spy:
    """A broker that writes down all that it may see of every branch, and sends jobs where a test says."""

    name, information, grid_state = "spy", 4, "actual"

    def __init__(self, *sites, asks=SEEN):
        self.sites, self.asks, self.seen = list(sites), asks, []

    def choose(self, job, view):
        """Look at everything, then send the job where the test says."""
        found = {name: [getattr(view, name)(k) for k in range(len(view.sizes))] for name in self.asks}
        self.seen.append({"sizes": list(view.sizes), **found})
        return self.sites.pop(0)


def test_a_branch_is_the_sum_of_its_leaves():
    """Jobs 0 and 1 are in g, of which one runs; c is empty, and knows nothing of them."""
    spy = Spy(0, 0, 1)
    given = instance(platform(g__a=2, g__b=3, c=4), (0, 10, 2, 20), (1, 10, 3, 30), (2, 5, 1))
    run(given, {"": of(spy), "g": of("first-site")})
    assert spy.seen[2] == {
        "sizes": [5, 4],
        "jobs": [2, 0],
        "size_sum": [5, 0],
        "free": [0, 4],
        "time_sum": [50.0, 0.0],
        "area_sum": [130.0, 0.0],
    }


def test_sums_are_of_all_levels_and_of_leaves_of_any_kind():
    """Job 0 runs at b, job 1 at t, and job 2 waits at b; the four cores of a are free: a branch adds them."""
    spy = Spy(0, 0, 0, 0)
    on = platform(g__h__a=nodes(2, 2), g__h__t=time_shared(2), g__b=2, c=2)
    given = instance(on, (0, 10, 2), (1, 10, 2), (2, 10, 1), (3, 1, 1))
    run(given, {"": of(spy), "g": of("ml"), "g/h": of("ml")})
    assert spy.seen[3]["sizes"] == [8, 2]
    assert (spy.seen[3]["jobs"][0], spy.seen[3]["size_sum"][0], spy.seen[3]["free"][0]) == (3, 5, 4)
    assert spy.seen[3]["area_sum"] == [50.0, 0.0]


def test_an_ended_job_is_in_the_past_of_its_branch_with_its_real_times():
    """Job 0 was planned for 20 s and ended at 10."""
    spy = Spy(0, 1, asks=("past",))
    given = instance(platform(g__a=2, c=2), (0, 10, 2, 20), (15, 1, 1))
    run(given, {"": of(spy), "g": of("ml")})
    (planned,) = spy.seen[1]["past"][0]
    assert (planned.job.position, planned.start, planned.end) == (0, 0, 10)


def test_a_plan_has_the_new_job_where_its_broker_would_send_it():
    """Both sites of g have a job, so its broker would send job 2 to a, where it would start at 20."""
    seen = []

    @broker("looks", information=4, grid_state="actual", source="none")
    def looks(job, site, view):
        """Write down the planned schedule of the first branch with the job."""
        if site == 0:
            seen.append([(one.job.position, one.start, one.end) for one in view.schedule(0, job)])
        return site

    given = instance(platform(g__a=2, g__b=2, c=2), (0, 10, 2, 20), (1, 4, 1, 5), (2, 3, 2))
    run(given, {"": of(looks), "g": of("ml")})
    # By start, then end: of all jobs below, wherever they are.
    assert seen == [[(0, 0, 20)], [(0, 0, 20), (1, 1, 6)], [(0, 0, 20), (1, 1, 6), (2, 20, 23)]]


def tree_of(on, *, inner):
    """Return the system of a tree before its first event, with the controllers of its inner sites."""
    given = instance(on, (0, 10, 1), (1, 10, 1))
    return system_of(scenario(given, {"": of("ml"), **inner}))


def members(system):
    """Return the leaves of a tree as an inner member that always chooses the last."""
    leaves = system._actual.leaves
    return InnerMember(leaves, lambda job: [(len(leaves) - 1, job)])


def test_speed_and_ready_time_are_means_by_processors():
    """Three processors of speed 1 and one of speed 2 are 1.25; the busy site has a weight of three."""
    system = tree_of(platform(a=3, t=time_shared(1, 2.0)), inner={})
    member = members(system)
    assert member.speed == pytest.approx(1.25)
    assert member.processors == member.free == 4
    job = system.ledger.announce(0, 0.0)
    system._actual.begin(0.0)
    system._actual.join(job, 0, is_reported=False)
    system.decide()
    # 10 s of one of its three processors are 10 / 3 s of the site, and 2.5 s of both.
    assert member.ready_time() == pytest.approx(2.5)
    assert (member.running_jobs, member.waiting, member.free) == (1, [], 3)


def test_what_depends_on_a_job_is_asked_of_the_site_it_would_go_to():
    """The time of a job alone is that at the chosen machine, twice as fast here."""
    system = tree_of(platform(a=3, t=time_shared(1, 2.0)), inner={})
    job = system.ledger.announce(0, 0.0)
    member = members(system)
    assert member.execution_time(job) == 5.0
    assert member.starts_at_once(job)
    assert member.forecast(job).run == 5.0


def test_a_job_in_parts_starts_with_its_last_part_and_runs_as_long_as_the_longest():
    """Of three processors two are taken until 10 s; three more come with the machine of half the speed."""
    system = tree_of(platform(a=3, t=time_shared(3, 0.5)), inner={})
    system._actual.begin(0.0)
    system._actual.join(system.ledger.announce(0, 0.0)._replace(processors=2), 0, is_reported=False)
    system.decide()
    whole = system.ledger.announce(1, 0.0)._replace(processors=5)
    parts = [(0, whole._replace(processors=2)), (1, whole._replace(processors=3))]
    member = InnerMember(system._actual.leaves, lambda job: parts)
    assert not member.starts_at_once(whole)
    assert member.forecast(whole) == (10.0, 20.0)
    assert member.execution_time(whole) == 20.0
    (mine,) = [one for one in member.planned_schedule(whole) if one.job.position == whole.position]
    assert (mine.job.processors, mine.start, mine.end) == (5, 10.0, 30.0)


def test_a_frozen_branch_does_not_change():
    """What was asked at 0 s still says that nothing runs after a job has started."""
    system = tree_of(platform(a=3, b=1), inner={})
    member = members(system)
    frozen = member.freeze()
    system._actual.begin(0.0)
    system._actual.join(system.ledger.announce(0, 0.0), 0, is_reported=False)
    system.decide()
    assert (member.running_jobs, member.free, len(member.planned_schedule(None))) == (1, 3, 1)
    assert (frozen.running_jobs, frozen.free, frozen.planned_schedule(None)) == (0, 4, [])
