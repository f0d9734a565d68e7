"""The core of the service over clusters that fail: no job is lost, and none is executed twice."""

from __future__ import annotations

import re

import hypothesis.strategies as st
from hypothesis import Phase, note
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from budgets import examples
from echelon.backends.contract import Description, Outcome
from echelon.service.core.controllers.controllers import Controllers
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
    AttemptState,
    ClusterRecord,
    Event,
    JobRecord,
    JobSpec,
    JobState,
    OpenRecords,
)
from echelon.service.rules import ClusterRules, Rules
from fake_controllers import FakeControllers
from properties.service_world import PATIENCE, World

GRACE, SETTLE, LOOK_EVERY = 30.0, 6.0, 5.0
MOST_JOBS = 5


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

    def read_open_records(self):
        jobs = [one for one in self.jobs.values() if not one.state.is_final]
        ids = {one.id for one in jobs}
        attempts = [one for _, one in sorted(self.attempts.items()) if one.job in ids]
        ended = {one for job in jobs for one in job.spec.after if one not in ids}
        return OpenRecords(tuple(jobs), tuple(attempts), frozenset(ended), tuple(self.clusters.values()))


ANSWERS = ["accepted"] * 4 + ["arrived", "delayed", "delayed", "ghost", "lost", "refused"]
"""How a submission goes: what answers, and what really happens."""
LOOKS = ["complete"] * 4 + ["incomplete", "blank"]
"""What a look is."""


def shortened(text):
    """Return a line of a trace without what is the same in all."""
    text = re.sub(r"spec=JobSpec\(.*?options=\(\)\), ", "", text)
    text = re.sub(r"submission=Submission\(.*?options=\(\)\)", "", text)
    text = re.sub(r"\w+=(None|\(\)|''|0|frozenset\(\)|\{\})(, |(?=\)))", "", text)
    return re.sub(r"\b(job|id|tag)='(ech-)?0*", r"\1='", text).replace("<", "").replace(">", "")


class ServiceMachine(RuleBasedStateMachine):
    """A service, killed at any moment, above clusters that do as they like."""

    deciding = FakeControllers

    @initialize(
        claims=st.sampled_from([[True], [True], [False], [True, True], [True, False], [False, True, True]]),
        on_lost=st.sampled_from([20.0, 1e9]),
        retries=st.lists(st.integers(0, 1), max_size=3),
        launch_retries=st.integers(0, 2),
    )
    def begin(self, claims, on_lost, retries, launch_retries):
        self.world = World(claims)
        clusters = tuple(
            ClusterRules(name, on_lost=on_lost, unsettled=3, look_every=LOOK_EVERY)
            for name in self.world.sites
        )
        self.rules = Rules(clusters, settle=SETTLE, grace=GRACE, launch_retries=launch_retries)
        self.store = Store()
        self.canceled, self.trace = set(), []
        # Complete looks, when the last one began that the service has taken in, and its evidence, by tag.
        self.good, self.shown, self.evidence = [], dict.fromkeys(self.world.sites, 0.0), {}
        # Tags of which the last evidence was incomplete.
        self.unread = set()
        self.was_blank = dict.fromkeys(self.world.sites, False)
        self.start()
        for name in self.world.sites:
            self.look_at(name)
        for one in retries:
            self.submit(one, follows=False, is_held=False)

    def start(self):
        """Start the service by what the store has.

        A look that it had not taken in is lost: after a blank one that it has, it is shown a good one first.
        """
        for name, site in self.world.sites.items():
            site.is_blank = self.was_blank[name]
        descriptions = {
            name: Description(8, site.has_claims, PATIENCE) for name, site in self.world.sites.items()
        }
        self.core = ServiceCore(
            self.rules,
            self.store.read_open_records(),
            descriptions,
            self.world.now,
            controllers=self.deciding,
        )
        self.inbox, self.actions = [], {name: [] for name in self.world.sites}

    def copies(self, *states):
        return [
            (site, one) for site in self.world.sites.values() for one in site.copies if one.state in states
        ]

    def running(self, *, has_begun):
        return [(site, one) for site, one in self.copies("running") if (one.run is not None) == has_begun]

    def busy(self):
        return [name for name, actions in self.actions.items() if actions]

    def site(self, data):
        return self.world.sites[data.draw(st.sampled_from(sorted(self.world.sites)))]

    # The service and its users.

    @precondition(lambda self: len(self.store.jobs) < MOST_JOBS)
    @rule(retries=st.integers(0, 1), follows=st.booleans(), is_held=st.booleans())
    def submit(self, retries, follows, is_held):
        number, ids = len(self.store.jobs) + 1, list(self.store.jobs)
        spec = JobSpec(("true",), retries=retries, after=tuple(ids[-1:]) if follows else (), is_held=is_held)
        state, wanted = (JobState.HELD, "hold") if is_held else (JobState.QUEUED, "run")
        job = JobRecord(f"{number:032x}", number, "ada", spec, self.world.now, state=state, wanted=wanted)
        self.store.jobs[job.id] = job
        self.inbox.append(Arrived((job,)))

    @precondition(lambda self: self.store.jobs)
    @rule(data=st.data(), wanted=st.sampled_from(["cancel", "hold", "hold", "run"]))
    def wish(self, data, wanted):
        self.wish_for(data.draw(st.sampled_from(sorted(self.store.jobs))), wanted)

    def wish_for(self, job, wanted):
        self.canceled |= {job} if wanted == "cancel" else set()
        self.inbox.append(Wished(job, wanted))

    @precondition(lambda self: self.store.jobs and self.deciding is FakeControllers)
    @rule(data=st.data())
    def recall(self, data):
        """Let the controllers have a job back."""
        self.controllers.recall(data.draw(st.sampled_from(sorted(self.store.jobs))))

    @property
    def controllers(self):
        return self.core.controllers

    @rule(data=st.data(), mode=st.sampled_from(["open", "drained"]))
    def drain(self, data, mode):
        self.inbox.append(Moded(self.site(data).name, mode))

    @precondition(lambda self: self.inbox)
    @rule(count=st.integers(1, 5))
    def step(self, count):
        """Take a step: its changes are committed, its actions are handed out."""
        taken, self.inbox = self.inbox[:count], self.inbox[count:]
        made = self.core.step(self.world.now, taken)
        self.trace.append((self.world.now, taken, made))
        self.witness(taken)
        self.store.commit(made.changes)
        for action in made.actions:
            self.actions[action.cluster].append(action)
            if isinstance(action, SubmitJob):
                self.may_submit(action)

    def witness(self, taken):
        """Note what the service has been shown for certain."""
        for one in taken:
            if isinstance(one, Looked) and one.snapshot.is_complete:
                self.was_blank[one.cluster] = (one.cluster, one.snapshot) not in self.good
                if not self.was_blank[one.cluster]:
                    self.shown[one.cluster] = max(one.snapshot.began_at, self.shown[one.cluster])
            elif isinstance(one, Found) and one.evidence.is_complete:
                self.evidence |= {(one.cluster, tag): one.evidence.began_at for tag in one.tags}
                self.unread -= {*one.tags}
            elif isinstance(one, Found):
                self.unread |= {*one.tags}

    def may_submit(self, action):
        """Check that what is submitted again is not there, can not arrive any more, and has not run."""
        site, tag = self.world.sites[action.cluster], action.submission.tag
        shown = self.shown[site.name]
        there = [one for one in site.copies if one.tag == tag and one.state != "ended" and one.is_listed]
        assert not [one for one in there if one.accepted_at < shown], "a look has shown it since"
        assert not [one for one in site.arriving if one[1] == tag and not one[2]], "it may arrive yet"
        earlier = self.store.attempts.get((action.job, action.attempt - 1))
        if (
            earlier is None
            or earlier.state is not AttemptState.ABSENT
            or f"ech-{earlier.job}-{earlier.run}" != tag
        ):
            return
        began = self.evidence.get((site.name, tag))
        assert began is not None, "nobody has looked for its claim"
        assert not [run for run in self.world.runs if run.tag == tag and run.began < began], "it has run"

    @precondition(lambda self: self.busy())
    @rule(data=st.data(), how=st.sampled_from(ANSWERS), is_good=st.booleans())
    def act(self, data, how, is_good):
        """Let one cluster carry out the next action."""
        self.carry_out(data.draw(st.sampled_from(self.busy())), how, is_good)

    def carry_out(self, name, how="accepted", is_good=True):
        site, action = self.world.sites[name], self.actions[name].pop(0)
        self.trace.append((self.world.now, action, how, is_good))
        match action:
            case SubmitJob(_, job, attempt, submission):
                assert self.store.attempts[job, attempt].cluster == name, "the intent is committed"
                self.inbox.append(Answered(job, attempt, site.submit(submission.tag, how)))
            case CancelJob(_, tag, native_id):
                site.cancel(tag, native_id)
            case FindEvidence(_, tags):
                self.inbox.append(Found(name, tags, site.evidence(tags, is_good)))
            case RevokeClaims(_, tags):
                self.inbox.append(Revoked(name, tags, tuple(site.revoke(tags, is_good).items())))
            case LookAgain():
                self.look_at(name, "complete" if is_good else "incomplete")

    @rule(
        data=st.data(),
        looks=st.lists(st.sampled_from(LOOKS), min_size=1, max_size=4),
        hows=st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3),
        is_good=st.sampled_from([True, True, False]),
        seconds=st.sampled_from([0.0, 1.0, 5.0, 5.0, 12.0]),
    )
    def work(self, data, looks, hows, is_good, seconds):
        """Let the service work for a while, and its clusters begin jobs meanwhile."""
        for turn, look in enumerate(looks):
            self.deliver()
            for name in self.busy():
                while self.actions[name]:
                    self.carry_out(name, hows[turn % len(hows)], is_good)
                    if self.copies("waiting") and data.draw(st.booleans()):
                        self.start_job(data, claims=True)
            self.deliver()
            self.world.advance(seconds)
            for name in self.world.sites:
                self.look_at(name, look)
        self.deliver()

    def deliver(self):
        while self.inbox:
            self.step(5)

    @rule(data=st.data(), kind=st.sampled_from(LOOKS))
    def look(self, data, kind):
        self.look_at(self.site(data).name, kind)

    def look_at(self, name, kind="complete"):
        site = self.world.sites[name]
        snapshot = site.look(kind)
        if snapshot.is_complete and not site.is_blank:
            self.good.append((name, snapshot))
        self.inbox.append(Looked(name, snapshot))

    @rule()
    def kill_service(self):
        self.trace.append("killed")
        self.start()

    @rule(seconds=st.sampled_from([1.0, 3.0, 7.0, 12.0, 31.0]))
    def pass_time(self, seconds):
        self.world.advance(seconds)

    # The clusters.

    def chosen(self, data, copies, what):
        site, one = data.draw(st.sampled_from(copies))
        self.trace.append((self.world.now, what, site.name, one.tag, one.native_id))
        return site, one

    @precondition(lambda self: self.copies("waiting"))
    @rule(data=st.data(), claims=st.booleans())
    def start_job(self, data, claims):
        site, one = self.chosen(data, self.copies("waiting"), "start")
        site.start(one)
        if claims:
            site.begin(one)

    @precondition(lambda self: self.running(has_begun=False))
    @rule(data=st.data())
    def begin_payload(self, data):
        site, one = self.chosen(data, self.running(has_begun=False), "begin")
        site.begin(one)

    @precondition(lambda self: self.running(has_begun=True))
    @rule(data=st.data(), code=st.sampled_from([0, 0, 3, 75]), is_late=st.booleans())
    def finish(self, data, code, is_late):
        site, one = self.chosen(data, self.running(has_begun=True), f"finish with {code}")
        site.finish(one, code, is_late=is_late)

    @precondition(lambda self: self.copies("waiting", "running"))
    @rule(
        data=st.data(),
        outcome=st.sampled_from([Outcome.CANCELED, Outcome.TIMED_OUT, Outcome.INTERRUPTED]),
        has_record=st.booleans(),
    )
    def end_by_cluster(self, data, outcome, has_record):
        site, one = self.chosen(data, self.copies("waiting", "running"), outcome)
        if outcome is not Outcome.TIMED_OUT or one.run is not None:
            site.kill(one, outcome, has_record=has_record and outcome is not Outcome.INTERRUPTED)

    @precondition(lambda self: self.running(has_begun=False))
    @rule(data=st.data(), has_record=st.booleans())
    def fail_before_start(self, data, has_record):
        site, one = self.chosen(data, self.running(has_begun=False), "fails to start")
        if site.has_claims and one.tag not in site.exits and one.tag not in site.claims:
            site.fail_before_start(one, has_record=has_record)

    @precondition(lambda self: self.copies("running"))
    @rule(data=st.data())
    def requeue(self, data):
        site, one = self.chosen(data, self.copies("running"), "requeue")
        if one.is_listed and site.has_claims:
            site.requeue(one)

    @rule(data=st.data())
    def crash_controller(self, data):
        site = self.site(data)
        self.trace.append((self.world.now, "crash of", site.name))
        site.crash()

    @rule(data=st.data())
    def switch(self, data):
        site = self.site(data)
        site.switch(is_up=not site.is_up)

    @precondition(lambda self: self.copies("ended"))
    @rule(data=st.data())
    def purge(self, data):
        site = self.site(data)
        if site.has_claims:
            site.purge()

    # What must hold.

    @invariant()
    def none_is_executed_twice(self):
        tags = [run.tag for run in self.world.runs]
        assert len(tags) == len(set(tags)), "one run was executed twice"
        for job in self.store.jobs.values():
            runs = [tag for tag in tags if tag.startswith(f"ech-{job.id}-")]
            assert len(runs) <= 1 + job.spec.retries, "executed more often than its owner allows"

    def teardown(self):
        """Let faults stop, and see what becomes of all jobs."""
        if not hasattr(self, "world"):
            return
        try:
            self.come_to_an_end()
        except BaseException:
            for one in [*self.trace, *self.store.jobs.values(), *self.world.runs]:
                note(shortened(str(one)))
            raise

    def come_to_an_end(self):
        for site in self.world.sites.values():
            site.switch(is_up=True)
            self.inbox.append(Moded(site.name, "open"))
        for job in self.store.jobs:
            self.wish_for(job, "run")
        for _ in range(60):
            self.turn()
            if all(job.state.is_final for job in self.store.jobs.values()):
                break
        for job in self.store.jobs.values():
            self.agrees(job, [run for run in self.world.runs if run.tag.startswith(f"ech-{job.id}-")])
        for _ in range(3):
            self.turn()
            self.none_is_executed_twice()
        assert all(run.end is not None for run in self.world.runs)

    def turn(self):
        """Let five seconds pass in which nothing fails."""
        self.deliver()
        for name, actions in self.actions.items():
            while actions:
                self.carry_out(name)
        self.deliver()
        self.world.advance(LOOK_EVERY)
        for site in self.world.sites.values():
            for one in [*site.copies]:
                if one.state == "waiting":
                    site.start(one)
                elif one.state == "running" and one.run is None:
                    site.begin(one)
                elif one.state == "running":
                    site.finish(one, 0)
            self.look_at(site.name)

    def failed_starts(self, job):
        """Return how many attempts of a job are known to have failed before it started."""
        attempts = [one for (name, _), one in self.store.attempts.items() if name == job.id]
        return sum(one.state is AttemptState.UNSTARTED for one in attempts)

    def interrupted_at(self, job):
        """Return the clusters at which attempts of a job have ended."""
        attempts = [one for (name, _), one in self.store.attempts.items() if name == job.id]
        return {one.cluster for one in attempts if one.state is AttemptState.ENDED}

    def agrees(self, job, runs):
        """Compare a job's final state with what really happened."""
        # What was interrupted may end otherwise before it runs again.
        is_last = runs and (runs[-1].tag == job.tag or job.state is JobState.INTERRUPTED)
        end = runs[-1].end if is_last else None
        match job.state:
            case JobState.COMPLETED:
                assert end == 0
            case JobState.FAILED if not runs:
                # Where claims could not be read for too long, the cluster's own word has to do.
                is_known = "before its program started" in job.reason
                assert self.failed_starts(job) == self.rules.launch_retries + 1 or not is_known
            case JobState.FAILED:
                # A signal alone does not say whose it was, where the cluster's own word has been purged.
                # Where records could not be read for too long, that word has to do; it has no exit code.
                assert end != 0
                is_unread = job.tag in self.unread and job.exit_code is None and job.signal is None
                is_stopped = job.signal == 15 and end in ("canceled", "timed out")
                assert job.exit_code == end or is_stopped or is_unread
            case JobState.TIMED_OUT:
                assert end == "timed out"
            case JobState.INTERRUPTED:
                # Without claims nobody knows whether a job on a lost node had begun.
                is_known = all(self.world.sites[one].has_claims for one in self.interrupted_at(job))
                assert end in ("interrupted", "lost", "timed out", "canceled") or not (runs or is_known)
            case JobState.CANCELED:
                # An operator may cancel what waits again after its node was lost.
                assert end in (None, "canceled", "lost") or (
                    job.id in self.canceled and not isinstance(end, int)
                )
                assert not any(one.end is None for one in runs)
            case JobState.REJECTED:
                assert not runs
            case _:
                raise AssertionError(f"not final: {job}")


TestServiceCore = ServiceMachine.TestCase
# To make a failure smaller would take minutes; its trace says all.
TestServiceCore.settings = examples(500, stateful_step_count=50, phases=[Phase.generate])


class DecidedMachine(ServiceMachine):
    """The same with a broker."""

    deciding = Controllers


TestDecided = DecidedMachine.TestCase
TestDecided.settings = examples(60, stateful_step_count=50, phases=[Phase.generate])
