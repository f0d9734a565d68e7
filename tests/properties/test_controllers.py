"""The controllers of a service over simulated clusters give the schedules of simulations."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.live import messages as engine
from echelon.engine.live.simulated_clusters import SimulatedClusters, Submissions
from echelon.engine.reference import simulate
from echelon.engine.tree.queues.membership import drop_misplaced
from echelon.errors import InputError, PolicyError
from echelon.experiments.scenario import scenario_of
from echelon.model import Platform, Site
from echelon.service.core.controllers.choices import Assign, Recall, Reject
from echelon.service.core.controllers.controllers import Controllers
from echelon.service.records import JobRecord, JobSpec
from echelon.service.rules import ClusterRules, Rules

sys.path.insert(0, str(Path(__file__).parent))
from test_live import FORESEEN, OTHERS, decisions
from trees_of_sites import BROKERS, OF_SUMS, cases, leaves_of, workload_of

often = examples(40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

NO_SUMS = (
    "first-site", "ml:grid-state=actual", "mlp:grid-state=actual", "lbal-s:grid-state=actual", "first-fit",
    "max-ar", "mct:grid-state=actual", "mct:of=job:grid-state=actual", "mst:grid-state=actual", "tat",
)  # fmt: skip
"""Brokers that count and simulate the jobs that are there: nothing is lost with those that have ended."""
UNCHANGING = tuple(
    f"{fill}{order}" for fill in ("", "first-fit:", "easy:") for order in ("fcfs", "largest-first")
)
"""Policies whose queues are in an order that neither time nor chance changes."""

ANY = st.tuples(cases(kinds=("count",), depth=1, policies=FORESEEN), st.sampled_from(BROKERS)) | st.tuples(
    cases(kinds=("count",), depth=1, policies=OTHERS), st.sampled_from(OF_SUMS)
)
QUEUES = st.fixed_dictionaries(
    {
        "global_queue": st.sampled_from(
            ("fcfs", "sjf", "fpfs", "b", "nb", "b.rs", "nb.rs", "pull", "backfilling")
        ),
        "queue_limit": st.sampled_from(("1", "2", "held:3", "stable")),
    },
    optional={
        "longest_stay": st.sampled_from((5.0, 15.0)),
        "decision_time": st.just(3.0),
        "refresh": st.just(5.0),
        "site_filter": st.just("not-running:same"),
    },
)


def scenario_in(case, broker, **other):
    """Return the scenario of a case, all of whose clusters are right below the root, and its simulation."""
    sites = tuple(Site(f"site-{place}", leaf.cores[0]) for place, leaf in enumerate(leaves_of(case.tree), 1))
    # A job of a service follows others as soon as they have ended.
    jobs = [replace(job, after=tuple((one, 0) for one, _ in job.after)) for job in case.jobs]
    try:
        scenario = scenario_of(
            workload_of(jobs), platform=Platform(sites), broker=broker, **(case.options | other)
        )
        scenario = drop_misplaced(scenario, scenario.system_model.controllers, scenario.system_model.rules)
        return scenario, simulate(scenario)
    except (InputError, PolicyError):
        assume(False)


def controllers_of(scenario, case, broker, words, **other):
    """Return controllers with the rules of a scenario, which know none of its jobs."""
    sites = scenario.instance.sites.sites
    clusters = tuple(ClusterRules(site.name, policy=case.options["policy"]) for site in sites)
    rules = Rules(clusters, broker=broker, seed=case.options["seed"], **words)
    return Controllers(rules, {site.name: site.processors for site in sites}, 0.0, **other)


def records_of(scenario):
    """Return the jobs of a scenario as records, by position."""
    instance = scenario.instance
    before = instance.dependencies
    return [
        JobRecord(
            f"{position:032x}",
            position + 1,
            "someone",
            JobSpec(
                command=("true",),
                processors=int(instance.size[position]),
                time_limit=float(instance.planned_time[position]),
                after=() if before is None else tuple(f"{one:032x}" for one in before.of(position).tolist()),
            ),
            float(instance.submit_time[position]),
        )
        for position in range(len(instance))
    ]


class Drive:
    """Controllers above simulated clusters, which share nothing but names."""

    def __init__(self, scenario, controllers):
        self.clusters, self.controllers = SimulatedClusters(replace(scenario, observers=())), controllers
        self.names = scenario.instance.sites.names
        self.jobs = scenario.instance.jobs()
        # Jobs are submitted when they are; what follows others waits here, not there.
        self.submissions = Submissions(replace(scenario.instance, dependencies=None))
        self.records, self.choices = records_of(scenario), []

    def tell(self, reports):
        """Note what clusters report."""
        for one in reports:
            where = f"{one.position:032x}" if hasattr(one, "position") else "", self.names[one.site]
            match one:
                case engine.Started(_, _, switch):
                    self.controllers.started(*where, self.now, switch)
                case engine.Suspended():
                    self.controllers.suspended(*where)
                case engine.Ended():
                    self.controllers.ended(*where, None)
                case engine.Reserved(_, starts):
                    self.controllers.reserved(where[1], [(f"{job:032x}", time) for job, time in starts])

    def decide(self):
        """Let the controllers decide, and carry that out."""
        for choice in self.controllers.decide(self.now):
            self.choices.append(choice)
            job = self.jobs[int(choice.job, 16)]
            match choice:
                case Assign(_, cluster):
                    effect = engine.Submit(
                        job._replace(submit_time=self.released(job)), self.names.index(cluster)
                    )
                case Recall(_, cluster):
                    effect = engine.Recall(job, self.names.index(cluster))
                case Reject(_, why):
                    effect = engine.Reject(job, why)
            self.clusters.carry_out([effect])

    def released(self, job):
        """Return when a job has joined: when it was submitted, or those that it follows had ended."""
        return self.joined.setdefault(job.position, job.submit_time)

    def run(self):
        """Return the schedule."""
        self.joined, self.ends = {}, {}
        while True:
            times = self.submissions.next_time, self.controllers.next_time(), self.clusters.next_time()
            if (now := min(times)) == math.inf:
                return self.clusters.schedule()
            self.now = now
            reports = self.clusters.begin(now)
            self.tell(reports)
            for one in reports:
                self.ends[one.position] = now
            if submitted := self.submissions.take(now):
                arriving = [self.records[position] for position in submitted]
                self.controllers.arrive(now, arriving, frozenset(f"{one:032x}" for one in self.ends))
            for job, record in zip(self.jobs, self.records, strict=True):
                before = [int(one, 16) for one in record.spec.after]
                if before and job.position not in self.joined and all(one in self.ends for one in before):
                    self.joined[job.position] = max(job.submit_time, now)
            self.decide()
            while self.controllers.waits:
                self.tell(self.clusters.decide())
                self.decide()
            self.clusters.settle()


@often
@given(ANY)
def test_brokers_decide_as_in_a_simulation(drawn):
    """Jobs that become known by their ids, one by one, are sent where and when the simulation sends them."""
    scenario, simulated = scenario_in(*drawn)
    drive = Drive(scenario, controllers_of(scenario, *drawn, {}))
    assert decisions(drive.run()) == decisions(simulated)
    assigned = [one for one in drive.choices if isinstance(one, Assign)]
    assert all(one.decision.chosen == one.cluster and one.decision.why for one in assigned)


@often
@given(ANY, QUEUES)
def test_global_queues_decide_as_in_a_simulation(drawn, words):
    """Every global queue that a service accepts does so, too, with limits, stays and old news."""
    # A job that its queue rejects frees those that follow it in a step of its own.
    drawn = replace(drawn[0], jobs=[replace(job, after=()) for job in drawn[0].jobs]), drawn[1]
    scenario, simulated = scenario_in(*drawn, **words)
    drive = Drive(scenario, controllers_of(scenario, *drawn, words))
    assert decisions(drive.run()) == decisions(simulated)


@often
@given(
    cases(kinds=("count",), depth=1, policies=UNCHANGING, dependencies=False),
    st.sampled_from(NO_SUMS),
    st.sampled_from(({}, {"global_queue": "fcfs", "queue_limit": "1"}, {"global_queue": "nb"})),
    st.integers(0, 3),
)
def test_engines_that_begin_again_decide_the_same(case, broker, words, most):
    """Where nothing depends on ended jobs, the schedule is the same if the engine forgets them often."""
    scenario, simulated = scenario_in(case, broker, **words)
    drive = Drive(scenario, controllers_of(scenario, case, broker, words, most_ended=most))
    assert decisions(drive.run()) == decisions(simulated)
