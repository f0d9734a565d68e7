"""Intervals in which jobs share nodes are what a look at every pair finds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from echelon import Workload, simulate
from echelon.history import experiences_of
from echelon.history.shared_nodes import most_tasks_at_start, sharing_of
from echelon.history.stays import Stays
from echelon.model import Platform, SharedCluster, Site, SocialContract, Workstation


def rows_of(sharing):
    columns = (sharing.first, sharing.second, sharing.site, sharing.node, sharing.start, sharing.end)
    return [tuple(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def looked_up(schedule):
    """Return every pair of tasks of one node that were there at once, and every task by itself."""
    places, start, end = schedule.places, schedule.start_time, schedule.end_time
    tasks = list(zip(places.job.tolist(), places.site.tolist(), places.node.tolist(), strict=True))
    when = {job: (start[job], schedule.delivered[job], job) for job, *_ in tasks}
    return {
        (a, b, *here, max(start[a], start[b]), min(end[a], end[b]))
        for a, *here in tasks
        for b, *there in tasks
        if here == there and when[a] <= when[b] and max(start[a], start[b]) < min(end[a], end[b])
    }


@given(data=st.data())
def test_intervals_are_what_a_look_at_every_pair_finds(any_run, data):
    """Each pair of jobs that held a node at once has one interval there, and each job one of its own."""
    schedule = data.draw(any_run())
    found = rows_of(sharing_of(schedule.places, Stays.of(schedule)))
    assert len(found) == len(set(found))
    assert set(found) == looked_up(schedule)


def test_three_jobs_share_two_nodes(three_jobs):
    """The third comes to node 0 as the first leaves it, and to node 1 beside the second until that ends."""
    assert sorted(rows_of(sharing_of(three_jobs.places, Stays.of(three_jobs)))) == [
        (0, 0, 0, 0, 0, 3),
        (1, 1, 0, 1, 2, 5),
        (1, 2, 0, 1, 3, 5),
        (2, 2, 0, 0, 3, 6),
        (2, 2, 0, 1, 3, 6),
    ]


def test_jobs_that_meet_again_after_a_suspension_are_one_pair():
    """A pair and node has one row, from when they first met to when they last parted."""
    lab = SharedCluster((Workstation(),), contract=SocialContract(mpl=2))
    jobs = Workload.from_columns(
        submit_time=[0, 0, 4], run_time=[10, 20, 1], requested_time=[10, 20, 1], processors=[1, 1, 1]
    )
    schedule = simulate(jobs, platform=Platform((Site("lab", lab),)), policy="srtf").schedule
    assert schedule.attempts.start.tolist() == [0, 0, 6, 4]
    stays = Stays.of(schedule)
    found = sharing_of(schedule.places, stays)
    rows = zip(*(getattr(found, name).tolist() for name in ("first", "second", "start", "end")), strict=True)
    # The second job waits from 4 s to 6 s, while the third is beside the first.
    assert sorted(rows) == [(0, 0, 0, 20), (0, 1, 0, 20), (0, 2, 4, 6), (1, 1, 0, 31), (2, 2, 4, 6)]
    assert most_tasks_at_start(schedule.places, stays).tolist() == [1, 2, 2]
    taught = experiences_of(replace(schedule, experiences=None))
    assert [one.run for one in taught] == [one.run for one in schedule.experiences] == [20, 29, 2]
