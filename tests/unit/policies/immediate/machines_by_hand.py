"""A view of machines without queues made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from echelon.model import Job


def job(position=0, *, planned=10.0, submit=0.0, size=1, application=1):
    """Return a job as policies see it."""
    return Job(position, position + 1, submit, size, planned, planned, executable=application)


@dataclass
class Machines:
    """What a metascheduler is told of machines, and what it has had dispatched."""

    speeds: tuple = (1.0, 1.0)
    sizes: tuple = ()
    loads: tuple = ()
    estimated: tuple = ()
    cpu_times: tuple = ()
    numbers: tuple = (0.0,)
    now: float = 0.0
    waiting: list = field(default_factory=list)
    placed: dict = field(default_factory=dict)
    work: list = field(default_factory=list)
    table: dict = field(default_factory=dict)

    def __post_init__(self):
        self.sizes = self.sizes or (1,) * len(self.speeds)
        self.work = self.work or [0.0] * len(self.speeds)

    machines_change = False

    @property
    def in_service(self):
        return self.sizes

    @property
    def allowed(self):
        return range(len(self.speeds))

    def load(self, site):
        return self.loads[site]

    def estimated_load(self, site):
        return self.estimated[site]

    def cpu_time(self, job, site):
        return self.cpu_times[site]

    def uniform(self, job, turn):
        return self.numbers[(job.position + turn) % len(self.numbers)]

    def execution_time(self, job, site):
        return self.table.get(job.position, {}).get(site, job.planned_time / self.speeds[site])

    def ready_time(self, site):
        return self.now + self.work[site]

    def processes(self, site):
        return sum(job.processors for job, sites in self.placed.values() if site in sites)

    def fits(self, job):
        return [site for site, cores in enumerate(self.sizes) if job.processors <= cores]

    def replicas(self, job):
        return self.placed.get(job.position, (job, []))[1]

    @property
    def running(self):
        return [job for job, _ in self.placed.values()]

    def run(self, rule):
        """Apply what `rule` decides in one pass; return the dispatches as (job_id, site), and the rest."""
        decisions = []
        for decision in rule.decide(self):
            decisions.append(decision)
            if hasattr(decision, "site"):
                self.put(decision.job, decision.site)
        return [(d.job.job_id, d.site) if hasattr(d, "site") else d for d in decisions]

    def put(self, job, site):
        """Have `job` run at `site`."""
        self.waiting = [other for other in self.waiting if other.position != job.position]
        self.placed.setdefault(job.position, (job, []))[1].append(site)
        self.work[site] += self.execution_time(job, site) * job.processors / self.sizes[site]
