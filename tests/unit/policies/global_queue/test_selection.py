"""B, NB and their re-scheduling kin, asked step by step (algorithm 4.4)."""

from __future__ import annotations

import pytest

from echelon.model import Job
from echelon.policies.global_queue import Deliver, global_queue

JOBS = [Job(position, position + 1, 0.0, 1, 10.0) for position in range(4)]


class Hall:
    """An upper queue whose broker chooses as it is told, of clusters of which some are full."""

    def __init__(self, wishes, full=(), jobs=JOBS):
        self.wishes, self.full, self.version = wishes, set(full), 0
        self.jobs, self.notes, self.asked, self.looked = list(jobs), {}, [], []
        self.sites = 1 + max(wishes)

    @property
    def queue(self):
        return tuple(self.jobs)

    def able(self, job):
        return range(self.sites)

    def accepts(self, job, site):
        self.looked.append(site)
        return site not in self.full

    def choose(self, job, sites):
        self.asked.append(job.position)
        wish = self.wishes[job.position]
        return wish if wish in sites else sites[0]

    def passes(self, spec):
        """Return the jobs handed out in one pass, with their clusters."""
        found = []
        for handing in global_queue(spec).dispatch(self):
            assert isinstance(handing, Deliver)
            self.jobs.remove(handing.job)
            found.append((handing.job.position, handing.site))
        return found


@pytest.mark.parametrize("spec", ["b", "b.rs"])
def test_nobody_overtakes_under_b(spec):
    """The second job waits for the cluster chosen for it, and all behind it with it."""
    assert Hall([0, 1, 0, 0], full={1}).passes(spec) == [(0, 0)]


def test_the_shortest_is_the_head_under_sjf():
    """Jobs go by planned time, equal ones by arrival; nobody passes the shortest that no cluster takes."""
    jobs = [job._replace(planned_time=time) for job, time in zip(JOBS, (30.0, 10.0, 20.0, 10.0), strict=True)]
    hall = Hall([0, 1, 0, 0], jobs=jobs)
    assert hall.passes("sjf") == [(1, 1), (3, 0), (2, 0), (0, 0)]
    assert Hall([0, 1, 0, 0], full={0, 1}, jobs=jobs).passes("sjf") == []


@pytest.mark.parametrize("spec", ["nb", "nb.rs"])
def test_others_pass_under_nb(spec):
    """A job whose cluster is full is skipped, and the cluster is not looked at again in this pass."""
    hall = Hall([1, 0, 1, 0], full={1})
    assert hall.passes(spec) == [(0 + 1, 0), (2, 0), (3, 0)]
    assert hall.looked.count(1) == 1
    assert hall.queue == (JOBS[0],)


@pytest.mark.parametrize("spec", ["nb", "nb.rs"])
def test_a_skipped_job_is_not_lost(spec):
    """It comes back in the next pass (line 12 of the algorithm only leaves it out of this one)."""
    hall = Hall([1, 1, 1, 1], full={0, 1})
    assert hall.passes(spec) == []
    hall.full = set()
    assert [position for position, _ in hall.passes(spec)] == [0, 1, 2, 3]


@pytest.mark.parametrize(("spec", "again"), [("b", False), ("nb", False), ("b.rs", True), ("nb.rs", True)])
def test_who_chooses_anew(spec, again):
    """Without RS a job keeps the cluster chosen once; with it, it chooses again if something has changed."""
    hall = Hall([1, 0], full={1, 0}, jobs=JOBS[:1])
    hall.passes(spec)
    hall.wishes, hall.full = [0, 0], {1}
    assert hall.passes(spec) == []
    assert hall.asked == [0]
    hall.version += 1
    assert hall.passes(spec) == ([(0, 0)] if again else [])
    assert hall.asked == ([0, 0] if again else [0])
