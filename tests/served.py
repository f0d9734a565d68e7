"""A service's core between a store in memory and clusters that say what a test lets them say."""

from __future__ import annotations

import math

from echelon.backends.contract import Accepted, Description, EndRecord, Evidence, Outcome, OwnJob, Snapshot
from echelon.service.core import ServiceCore
from echelon.service.messages import (
    Answered,
    Arrived,
    CancelJob,
    FindEvidence,
    Found,
    Looked,
    Moded,
    RevokeClaims,
    Revoked,
    SubmitJob,
    Wished,
)
from echelon.service.records import (
    AttemptRecord,
    ClusterRecord,
    DecisionRecord,
    Event,
    JobRecord,
    JobSpec,
    JobState,
    OpenRecords,
)
from echelon.service.rules import ClusterRules, Rules
from fake_controllers import FakeControllers

PATIENCE = 8.0
DONE = EndRecord(Outcome.COMPLETED, exit_code=0, started_at=3.0, ended_at=5.0)


class AcceptedRule:
    """A core at time `now`, in seconds; every call is a step, committed, whose actions are in `actions`."""

    def __init__(self, *names, has_claims=True, **rules):
        of_clusters = {key: rules.pop(key) for key in ("on_lost", "unsettled") if key in rules}
        clusters = tuple(ClusterRules(name, **of_clusters) for name in names or ("alpha",))
        self.rules = Rules(clusters, **rules)
        self.descriptions = {one.name: Description(8, has_claims, PATIENCE) for one in clusters}
        self.now = 0.0
        self.jobs, self.attempts, self.clusters, self.events, self.decisions = {}, {}, {}, [], []
        self.restart()
        for one in clusters:
            self.look(one.name)

    def restart(self):
        """Kill the service; begin again with what was committed."""
        jobs = tuple(one for one in self.jobs.values() if not one.state.is_final)
        attempts = tuple(one for _, one in sorted(self.attempts.items()))
        open_records = OpenRecords(jobs, attempts, frozenset(), tuple(self.clusters.values()))
        self.core = ServiceCore(
            self.rules, open_records, self.descriptions, self.now, controllers=self._controllers
        )
        self.actions = ()

    def _controllers(self, *values):
        self.controllers = FakeControllers(*values)
        return self.controllers

    def step(self, *observations):
        """Take a step; return the actions."""
        made = self.core.step(self.now, observations)
        for one in made.changes:
            match one:
                case JobRecord():
                    self.jobs[one.id] = one
                case AttemptRecord():
                    self.attempts[one.job, one.number] = one
                case ClusterRecord():
                    self.clusters[one.name] = one
                case DecisionRecord():
                    self.decisions.append(one)
                case Event():
                    self.events.append(one)
        self.actions = made.actions
        return self.actions

    def after(self, seconds):
        """Let time pass; return self."""
        self.now += seconds
        return self

    def arrive(self, number=1, *, is_held=False, **spec):
        """Let a job arrive; return its id."""
        state = JobState.HELD if is_held else JobState.QUEUED
        wanted = "hold" if is_held else "run"
        spec = JobSpec(("true",), is_held=is_held, **spec)
        job = JobRecord(f"{number:032x}", number, "ada", spec, self.now, state=state, wanted=wanted)
        self.jobs[job.id] = job
        self.step(Arrived((job,)))
        return job.id

    def accepted(self, number=1, native_id="1", **spec):
        """Let a job arrive and be accepted; return its id."""
        job = self.arrive(number, **spec)
        self.answer(job, Accepted(native_id))
        return job

    def running(self, number=1, native_id="1", **spec):
        """Let a job arrive, be accepted and run; return its id."""
        job = self.accepted(number, native_id, **spec)
        self.after(1).look(self.jobs[job].cluster, self.own(job, "running", native_id))
        return job

    def answer(self, job, answer):
        """Answer the last submission of a job."""
        return self.step(Answered(job, self.jobs[job].attempt, answer))

    def own(self, job, state="waiting", native_id="1", **more):
        """Return a job as its cluster lists it."""
        return OwnJob(self.jobs[job].tag, native_id, state, **more)

    def look(self, name="alpha", *own, began_at=None, is_complete=True, **more):
        """Look at a cluster."""
        began_at = self.now if began_at is None else began_at
        return self.step(Looked(name, Snapshot(began_at, is_complete, 8, own, **more)))

    def found(self, name="alpha", records=None, claimed=(), tags=None, *, is_complete=True, began_at=None):
        """Find evidence of jobs: ends by their ids, and ids of those that have their claims."""
        records = {self.jobs[job].tag: record for job, record in (records or {}).items()}
        claims = frozenset(self.jobs[job].tag for job in claimed)
        tags = tuple(job.tag for job in self.jobs.values()) if tags is None else tags
        began_at = self.now if began_at is None else began_at
        return self.step(Found(name, tags, Evidence(began_at, is_complete, records, claims)))

    def revoked(self, job, is_ours, name="alpha"):
        """Answer a revocation; None: it is not known whose the claim is."""
        tag = self.jobs[job].tag
        return self.step(Revoked(name, (tag,), () if is_ours is None else ((tag, is_ours),)))

    def wish(self, job, wanted):
        """Let the owner of a job want something."""
        return self.step(Wished(job, wanted))

    def drain(self, name="alpha", mode="drained"):
        """Let an operator drain a cluster, or open it."""
        return self.step(Moded(name, mode))

    def state(self, job):
        """Return the state of a job, as a word."""
        return str(self.jobs[job].state)

    def attempt(self, job):
        """Return the state of its last attempt, as a word."""
        return str(self.attempts[job, self.jobs[job].attempt].state)

    def submissions(self):
        """Return cluster and tag of each submission of the last step."""
        return [(one.cluster, one.submission.tag) for one in self.actions if isinstance(one, SubmitJob)]

    def cancellations(self):
        """Return tag and number of each cancellation of the last step."""
        return [(one.tag, one.native_id) for one in self.actions if isinstance(one, CancelJob)]

    def asked(self):
        """Return the tags whose evidence the last step asks for."""
        return [tag for one in self.actions if isinstance(one, FindEvidence) for tag in one.tags]

    def revocations(self):
        """Return the tags whose claims the last step takes."""
        return [tag for one in self.actions if isinstance(one, RevokeClaims) for tag in one.tags]

    def told(self, what):
        """Return what controllers were told of this kind."""
        return [call[1:] for call in self.controllers.calls if call[0] == what]

    def miss_twice(self, name="alpha", *own):
        """Let two complete looks miss what they do not list; the last one has asked for evidence."""
        self.after(PATIENCE + 1).look(name, *own)
        return self.after(5).look(name, *own)

    def reason(self, job):
        """Return why a job is in its state."""
        return self.jobs[job].reason


FOREVER = math.inf
