"""The core of the service over clusters that fail: no job is lost, and none is executed twice."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import note
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from budgets import examples
from echelon.backends.contract import Description, Outcome
from echelon.service.core.service_core import ServiceCore
from echelon.service.messages import (
    Answered,
    Arrived,
    CancelJob,
    FindEvidence,
    Found,
    LookAgain,
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
    Event,
    JobRecord,
    JobSpec,
    JobState,
    OpenBooks,
)
from echelon.service.rules import ClusterRules, Rules
from fake_controllers import FakeControllers
from properties.service_world import PATIENCE, World

GRACE, SETTLE, LOOK_EVERY = 30.0, 6.0, 5.0


class Store:
    """What the service has committed."""

    def __init__(self):
        self.jobs, self.attempts, self.clusters, self.events = {}, {}, {}, []

    def commit(self, changes):
        for one in changes:
            match one:
                case JobRecord():
                    assert one.version == self.jobs[one.id].version + 1
                    assert not self.jobs[one.id].state.is_final
                    self.jobs[one.id] = one
                case AttemptRecord():
                    self.attempts[one.job, one.number] = one
                case ClusterRecord():
                    self.clusters[one.name] = one
                case Event():
                    assert one.reason.endswith((".", "?")) or one.kind != "job", one
                    self.events.append(one)

    def open_books(self):
        jobs = [one for one in self.jobs.values() if not one.state.is_final]
        ids = {one.id for one in jobs}
        attempts = [one for _, one in sorted(self.attempts.items()) if one.job in ids]
        ended = {one for job in jobs for one in job.spec.after if one not in ids}
        return OpenBooks(tuple(jobs), tuple(attempts), frozenset(ended), tuple(self.clusters.values()))


class ServiceMachine(RuleBasedStateMachine):
    """A service, killed at any moment, above clusters that do as they like."""

    @initialize(claims=st.lists(st.booleans(), min_size=1, max_size=3), on_lost=st.sampled_from([20.0, 1e9]))
    def begin(self, claims, on_lost):
        self.world = World(claims)
        clusters = tuple(
            ClusterRules(name, on_lost=on_lost, unsettled=3, look_every=LOOK_EVERY)
            for name in self.world.sites
        )
        self.rules = Rules(clusters, settle=SETTLE, grace=GRACE)
        self.store = Store()
        self.canceled = set()
        self.start()

    def start(self):
        """Start the service by what the store has."""
        descriptions = {
            name: Description(8, site.has_claims, PATIENCE) for name, site in self.world.sites.items()
        }
        self.core = ServiceCore(
            self.rules, self.store.open_books(), descriptions, self.world.now, controllers=FakeControllers
        )
        self.inbox, self.actions = [], {name: [] for name in self.world.sites}

    def site(self, data):
        return self.world.sites[data.draw(st.sampled_from(sorted(self.world.sites)))]

    def copy(self, data, *states):
        """Draw a copy in one of these states, None if there is none."""
        copies = [
            (site, one) for site in self.world.sites.values() for one in site.copies if one.state in states
        ]
        return data.draw(st.sampled_from(copies)) if copies else (None, None)

    # The service and its users.

    @rule(retries=st.integers(0, 1), follows=st.booleans(), is_held=st.booleans())
    def submit(self, retries, follows, is_held):
        number = len(self.store.jobs) + 1
        if number > 6:
            return
        ids = list(self.store.jobs)
        spec = JobSpec(("true",), retries=retries, after=tuple(ids[-1:]) if follows else (), is_held=is_held)
        state, wanted = (JobState.HELD, "hold") if is_held else (JobState.QUEUED, "run")
        job = JobRecord(f"{number:032x}", number, "ada", spec, self.world.now, state=state, wanted=wanted)
        self.store.jobs[job.id] = job
        self.inbox.append(Arrived((job,)))

    @rule(data=st.data(), wanted=st.sampled_from(["cancel", "hold", "run"]))
    def wish(self, data, wanted):
        if self.store.jobs:
            job = data.draw(st.sampled_from(sorted(self.store.jobs)))
            self.wish_for(job, wanted)

    def wish_for(self, job, wanted):
        self.canceled |= {job} if wanted == "cancel" else set()
        self.inbox.append(Wished(job, wanted))

    @rule(data=st.data())
    def recall(self, data):
        if self.store.jobs:
            self.core._controllers.recall(data.draw(st.sampled_from(sorted(self.store.jobs))))

    @rule(data=st.data(), mode=st.sampled_from(["open", "drained"]))
    def drain(self, data, mode):
        self.inbox.append(Moded(self.site(data).name, mode))

    @rule(count=st.integers(1, 10))
    def step(self, count):
        """Take a step: its changes are committed, its actions are handed out."""
        taken, self.inbox = self.inbox[:count], self.inbox[count:]
        made = self.core.step(self.world.now, taken)
        note(f"step({self.world.now}, {taken})\n  -> {made}")
        self.store.commit(made.changes)
        for action in made.actions:
            self.actions[action.cluster].append(action)

    @rule(
        data=st.data(),
        how=st.sampled_from(
            ["accepted", "accepted", "accepted", "arrived", "delayed", "ghost", "lost", "refused"]
        ),
        is_good=st.booleans(),
    )
    def act(self, data, how, is_good):
        """Let one cluster carry out the next action."""
        busy = [name for name, actions in self.actions.items() if actions]
        if busy:
            self.carry_out(data.draw(st.sampled_from(busy)), how, is_good)

    def carry_out(self, name, how="accepted", is_good=True):
        site, action = self.world.sites[name], self.actions[name].pop(0)
        match action:
            case SubmitJob(_, job, attempt, submission):
                intent = self.store.attempts[job, attempt]
                assert intent.cluster == name, "the intent is committed"
                self.inbox.append(Answered(job, attempt, site.submit(submission.tag, how)))
            case CancelJob(_, tag, native_id):
                site.cancel(tag, native_id)
            case FindEvidence(_, tags):
                self.inbox.append(Found(name, tags, site.evidence(tags, is_good)))
            case RevokeClaims(_, tags):
                self.inbox.append(Revoked(name, tags, tuple(site.revoke(tags, is_good).items())))
            case LookAgain():
                self.inbox.append(Looked(name, site.look(is_good)))

    @rule(data=st.data(), is_complete=st.sampled_from([True, True, True, False]))
    def look(self, data, is_complete):
        site = self.site(data)
        self.inbox.append(Looked(site.name, site.look(is_complete)))

    @rule()
    def kill_service(self):
        self.start()

    @rule(seconds=st.sampled_from([0.0, 1.0, 3.0, 7.0, 12.0, 31.0]))
    def pass_time(self, seconds):
        self.world.advance(seconds)

    # The clusters.

    @rule(data=st.data())
    def start_job(self, data):
        site, one = self.copy(data, "waiting")
        if one is not None:
            site.start(one)

    @rule(data=st.data())
    def begin_payload(self, data):
        site, one = self.copy(data, "running")
        if one is not None and one.run is None:
            site.begin(one)

    @rule(data=st.data(), code=st.sampled_from([0, 0, 3, 75]), is_late=st.booleans())
    def finish(self, data, code, is_late):
        site, one = self.copy(data, "running")
        if one is not None and one.run is not None:
            site.finish(one, code, is_late=is_late)

    @rule(
        data=st.data(),
        outcome=st.sampled_from([Outcome.CANCELED, Outcome.TIMED_OUT, Outcome.INTERRUPTED]),
        has_record=st.booleans(),
    )
    def end_by_cluster(self, data, outcome, has_record):
        site, one = self.copy(data, "waiting", "running")
        if one is None or (outcome is Outcome.TIMED_OUT and one.run is None):
            return
        site.kill(one, outcome, has_record=has_record and outcome is not Outcome.INTERRUPTED)

    @rule(data=st.data())
    def requeue(self, data):
        site, one = self.copy(data, "running")
        if one is not None and one.is_listed and site.has_claims:
            site.requeue(one)

    @rule(data=st.data())
    def crash_controller(self, data):
        self.site(data).crash()

    @rule(data=st.data(), is_up=st.booleans())
    def switch(self, data, is_up):
        self.site(data).is_up = is_up

    @rule(data=st.data())
    def purge(self, data):
        site = self.site(data)
        if site.has_claims:
            site.purge()

    # What must hold.

    @invariant()
    def none_is_executed_twice(self):
        if not hasattr(self, "world"):
            return
        tags = [run.tag for run in self.world.runs]
        assert len(tags) == len(set(tags)), "one run was executed twice"
        for job in self.store.jobs.values():
            runs = [tag for tag in tags if tag.startswith(f"ech-{job.id}-")]
            assert len(runs) <= 1 + job.spec.retries, "executed more often than its owner allows"

    def teardown(self):
        if not hasattr(self, "world"):
            return
        for site in self.world.sites.values():
            site.is_up = True
            self.inbox.append(Moded(site.name, "open"))
        for job in self.store.jobs:
            self.wish_for(job, "run")
        for _ in range(60):
            self.turn()
            if all(job.state.is_final for job in self.store.jobs.values()):
                break
        for job in self.store.jobs.values():
            self.agrees(job)
        for _ in range(3):
            self.turn()
            self.none_is_executed_twice()
        assert all(run.end is not None for run in self.world.runs)

    def turn(self):
        """Let five seconds pass in which nothing fails."""
        while self.inbox:
            self.step(10)
        for name, actions in self.actions.items():
            while actions:
                self.carry_out(name)
        while self.inbox:
            self.step(10)
        self.world.advance(LOOK_EVERY)
        for site in self.world.sites.values():
            for one in [*site.copies]:
                if one.state == "waiting":
                    site.start(one)
                elif one.state == "running" and one.run is None:
                    site.begin(one)
                elif one.state == "running":
                    site.finish(one, 0)
            self.inbox.append(Looked(site.name, site.look(True)))

    def agrees(self, job):
        """Compare a job's final state with what really happened."""
        runs = [run for run in self.world.runs if run.tag.startswith(f"ech-{job.id}-")]
        end = runs[-1].end if runs else None
        note(f"{job}\n  {runs}")
        match job.state:
            case JobState.COMPLETED:
                assert end == 0
            case JobState.FAILED:
                assert job.exit_code == end if isinstance(end, int) else end == "canceled"
                assert end != 0
            case JobState.TIMED_OUT:
                assert end == "timed out"
            case JobState.INTERRUPTED:
                assert end in ("interrupted", "lost", "timed out", "canceled")
            case JobState.CANCELED:
                assert end in (None, "canceled") or (job.id in self.canceled and not isinstance(end, int))
                assert not any(one.end is None for one in runs)
            case JobState.REJECTED:
                assert not runs
            case _:
                raise AssertionError(f"not final: {job}")


TestServiceCore = ServiceMachine.TestCase
TestServiceCore.settings = examples(150, stateful_step_count=60)
