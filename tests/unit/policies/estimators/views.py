"""A cluster made by hand, for tests of forecasters."""

from __future__ import annotations

from dataclasses import dataclass, field

from echelon.model import Experience, Forecast, Job


def job(position=0, user=1, queue=1, **more):
    """Return a job of which only names, nodes and the dedicated time matter."""
    given = {"processors": 1, "planned_time": 100.0, "executable": 1, **more}
    return Job(position, position + 1, 0.0, user=user, queue=queue, **given)


def ended(user="1", queue="1", application="1", nodes=1, **more):
    """Return a job that has ended."""
    given = {"waiting_jobs": 0, "waiting_work": 0.0, "mpl": 1, "wait": 0.0, "run": 10.0, **more}
    return Experience(user, queue, application, nodes, **given)


@dataclass
class Line:
    """A cluster whose jobs run one after the other, each beside `tasks` - 1 others.

    `simulate` takes them in turn with the slowdown it is given; without one all run twice as long.
    """

    tasks: int = 1
    waiting: tuple = ()
    dedicated: float = 10.0
    now: float = 0.0
    site: int = 0
    nodes: int = 4
    mpl: int = 4
    asked: list = field(default_factory=list)

    @property
    def waiting_work(self):
        return sum(one.processors * self.dedicated for one in self.waiting)

    def dedicated_time(self, job):
        return self.dedicated

    def mpl_of(self, job):
        return self.tasks

    def simulate(self, job, slowdown=None):
        self.asked.append(slowdown)
        if job.processors > self.nodes:
            return None
        runs = [
            self.dedicated * (2.0 if slowdown is None else slowdown(one, self.tasks))
            for one in (*self.waiting, job)
        ]
        return Forecast(sum(runs[:-1]), runs[-1])
