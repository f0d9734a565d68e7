"""A rule of every family that has an order as a parameter."""

from dataclasses import dataclass
from typing import ClassVar

from echelon import broker, metric, order, placement
from echelon.execution.time_shared import TimeShared
from echelon.model import LocalChange, LocalUse
from echelon.model.machines.monitoring import Monitoring
from echelon.model.topology.star import Star
from echelon.policies import Order
from echelon.policies.global_queue import Deliver


@order("by-another", source="none")
def by_another(job, view, *, by: Order | None = None):
    """As another order."""
    return by.rule(job, view)


@order("aged", source="none")
def aged(job, view, *, weight: float = 0.5):
    """Weighted submit time."""
    return weight * job.submit_time


@broker("ordered", information=1, source="none")
def site(job, site, view, *, by: Order | None = None):
    """Take the site with the fewest jobs."""
    return view.jobs(site)


@placement("ordered", source="none")
def core(core, job, *, by: Order | None = None):
    """Busy nodes first."""
    return -core.running


@metric("ordered", unit="s", source="none")
def wait(jobs, *, by: Order | None = None):
    """Mean wait, or the length of the order's name."""
    return jobs.wait.mean() if by is None else len(by.name)


def owners(platform, seed, *, by: Order | None = None):
    """One owner at midnight."""
    yield LocalChange(0.0, 0, 0, LocalUse(0.5, 0.1, 0.0))


@dataclass(frozen=True)
class Ordered:
    """A rule that has an order; below is what the rules of each family must have besides."""

    most: int = 2
    by: Order | None = None
    name: ClassVar[str] = "ordered"


class Estimator(Ordered):
    def memory(self):
        return self


class Sharing(Ordered):
    def turn(self, tasks, cores):
        return 1.0


class Memory(Ordered):
    scope = "node"

    def check(self, hardware):
        pass

    def factors(self, loads, part):
        return [1.0 for _ in loads]


class Net(Ordered):
    local = True

    def check(self, hardware):
        pass

    def factors(self, traffic, hardware):
        return [dict.fromkeys(one.tasks, 0.5 if self.by else 1.0) for one in traffic]


class Queue(Ordered):
    def dispatch(self, view):
        for job in sorted(view.queue, key=lambda job: self.by(job, view)):
            sites = [site for site in view.able(job) if not view.waiting(site)]
            if sites:
                yield Deliver(job, sites[0])


class Limit(Ordered):
    def accepts(self, state):
        return state.waiting < self.most


class Criterion(Ordered):
    def meets(self, job, names):
        return True


class Filter(Ordered):
    information = 0

    def passes(self, job, site, view):
        return self.by is None or self.by(job, view) < 50 or site > 0


class Spanning(Ordered):
    def span(self, problem):
        return None


class Length(Ordered):
    mean = 60.0

    def sample(self, rng, n):
        return [self.mean] * n


@dataclass(frozen=True)
class Shared(TimeShared):
    by: Order | None = None


@dataclass(frozen=True)
class Switch(Star):
    ports: int = 4
    by: Order | None = None


@dataclass(frozen=True)
class Watched(Monitoring):
    by: Order | None = None
