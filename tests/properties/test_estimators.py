"""What semantics promise of schedules planned with predictions, under every policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.reference import simulate
from echelon.model import Cluster, Core, Hardware, Instance, Node, Processor
from echelon.policies import Average, Conservative, Exact, NoBackfill, Plan, Policy, Request, estimator_named
from echelon.policies.order import order_named
from echelon.testing.strategies import crowded_instances, orders, reference_backfills
from echelon.testing.strategies import instances as any_instances

BY_SIZE = [order_named(name) for name in ("fcfs", "smallest-first", "largest-first", "random")]

LEARNING = [
    estimator_named(spec)
    for spec in (
        "smith",
        "li:of=linear:most=3",
        "ibl",
        "ibl:radius=0.5:most=4",
        "hybrid",
        "corrected:of=request:window=3:ra=0:spread=9",
        "decisor:of=ibl smith request:most=5",
    )
]

check = examples(80)


@dataclass(frozen=True)
class Factor:
    """Predict the limit times a factor: short ones are corrected again and again."""

    factor: float
    name: str = "factor"

    def memory(self):
        return self

    def predict(self, job):
        return self.factor * job.planned_time

    def learn(self, job, run_time):
        pass


@dataclass(frozen=True)
class Told:
    """Predict what a list says, by position."""

    times: tuple[float | None, ...]
    name: str = "told"

    def memory(self):
        return self

    def predict(self, job):
        return self.times[job.position]

    def learn(self, job, run_time):
        pass


def estimators():
    """Return a strategy for estimators that learn or guess, mostly too short."""
    return (
        st.builds(Average, st.sampled_from((0.0, 0.3, 0.5, 1.0)))
        | st.builds(Factor, st.sampled_from((0.0, 0.01, 0.3, 0.9, 1.0, 5.0)))
        | st.sampled_from(LEARNING)
    )


@st.composite
def with_users(draw, found):
    """Give the jobs of an instance a few users, some of them unknown."""
    old = draw(found)
    users = draw(st.lists(st.sampled_from((-1, 1, 2, 3)), min_size=len(old), max_size=len(old)))
    table = old.workload.with_columns(user=users)
    return Instance.of(table, old.processors, estimates=old.estimates)


def instances():
    """Return a strategy for small instances with users, and for small crowds."""
    return with_users(any_instances()) | crowded_instances(min_jobs=5, max_jobs=40, processors=(2, 3, 5, 8))


def run(instance, policy, estimator, cycles="instant"):
    """Return the schedule of the reference engine."""
    return simulate(Scenario(instance, policy, estimator=estimator, cycles=cycles, seed=1))


@examples(300)
@given(
    instance=instances(),
    order=orders(),
    backfill=reference_backfills(),
    estimator=estimators(),
    cycles=st.sampled_from(CYCLES),
)
def test_every_policy_comes_to_its_end(instance, order, backfill, estimator, cycles):
    """No policy breaks a rule when its plan was wrong, and no processor is used twice."""
    schedule = run(instance, Policy.of(order, backfill), estimator, cycles)
    assert schedule.peak_processors <= instance.processors
    assert (schedule.wait_time >= 0).all()
    assert (schedule.planned_time <= np.maximum(instance.planned_time, 1)).all()
    assert (schedule.planned_time > 0).all()


@check
@given(instance=instances(), order=orders(), backfill=reference_backfills(), cycles=st.sampled_from(CYCLES))
def test_a_prediction_that_is_the_run_time_is_exact(instance, order, backfill, cycles):
    """Told every run time, planning is as with `exact`, and nothing is corrected."""
    assume((instance.run_time == np.floor(instance.run_time)).all())
    policy = Policy.of(order, backfill)
    told = run(instance, policy, Told(tuple(instance.run_time.tolist())), cycles)
    exact = run(instance.with_known_run_times(), policy, Exact(), cycles)
    assert told.start_time.tolist() == exact.start_time.tolist()
    assert told.counts["corrections"] == 0


@check
@given(instance=instances(), order=orders(), backfill=reference_backfills(), cycles=st.sampled_from(CYCLES))
def test_no_prediction_is_the_request(instance, order, backfill, cycles):
    """An estimator that never predicts leaves every schedule as it is."""
    policy = Policy.of(order, backfill)
    silent = run(instance, policy, Told((None,) * len(instance)), cycles)
    assert silent.start_time.tolist() == run(instance, policy, Request(), cycles).start_time.tolist()
    assert silent.counts["corrections"] == 0
    assert silent.planned_time.tolist() == instance.planned_time.tolist()


@check
@given(
    instance=instances(),
    order=orders(),
    backfill=reference_backfills(),
    alpha=st.sampled_from((0.0, 0.25, 0.5, 1.0)),
)
def test_average_equals_brute_force(instance, order, backfill, alpha):
    """Each prediction is what the formula gives over the user's jobs that ended by the submission."""
    schedule = run(instance, Policy.of(order, backfill), Average(alpha))
    end, submit = schedule.end_time, instance.submit_time
    user = instance.workload.user[instance.kept]
    for job in range(len(instance)):
        past = [k for k in range(len(instance)) if end[k] <= submit[job] and user[k] == user[job]]
        expected = instance.planned_time[job]
        if past:
            past.sort(key=lambda k: (end[k], k))
            average = instance.planned_time[past[0]]
            for k in past:
                average = alpha * instance.run_time[k] + (1 - alpha) * average
            expected = min(max(np.ceil(average), 1.0), expected)
        assert schedule.planned_time[job] == expected


@check
@given(instance=instances(), order=st.sampled_from(BY_SIZE), estimator=estimators())
def test_without_plans_predictions_change_nothing(instance, order, estimator):
    """Where neither the order nor anybody who backfills asks for planned times, no start moves."""
    policy = Policy.of(order, NoBackfill())
    predicted, plain = run(instance, policy, estimator), run(instance, policy, Request())
    assert predicted.start_time.tolist() == plain.start_time.tolist()


@check
@given(
    instance=instances(),
    order=orders(),
    backfill=reference_backfills(),
    estimator=estimators(),
    cycles=st.sampled_from(CYCLES),
)
def test_whole_seconds_stay_whole(instance, order, backfill, estimator, cycles):
    """A log in whole seconds gives a schedule in whole seconds, whatever fractions are predicted."""
    times = np.concatenate((instance.submit_time, instance.run_time, instance.planned_time))
    assume((times == np.floor(times)).all())
    start = run(instance, Policy.of(order, backfill), estimator, cycles).start_time
    assert (start == np.floor(start)).all()


@examples(25)
@given(
    instance=crowded_instances(min_jobs=150, max_jobs=300),
    backfill=st.sampled_from((Conservative(), Plan())),
    estimator=estimators(),
)
def test_crowds_keep_within_the_machine(instance, backfill, estimator):
    """The same for hundreds of jobs at once, whose promises are made again again and again."""
    schedule = run(instance, Policy.of(backfill=backfill), estimator)
    assert schedule.peak_processors <= instance.processors
    assert (schedule.wait_time >= 0).all()


@check
@given(instance=instances(), order=orders(), backfill=reference_backfills(), estimator=estimators())
def test_runs_share_no_memory(instance, order, backfill, estimator):
    """A second run knows nothing of the first."""
    policy = Policy.of(order, backfill)
    first, second = run(instance, policy, estimator), run(instance, policy, estimator)
    assert first.start_time.tolist() == second.start_time.tolist()
    assert first.planned_time.tolist() == second.planned_time.tolist()


@dataclass(frozen=True)
class Watcher:
    """Predict half the limit, and note what each job found waiting."""

    seen: dict
    name: str = "watcher"

    def memory(self):
        return self

    def watch_queue(self, waiting_jobs, waiting_work):
        self.seen["now"] = (waiting_jobs, waiting_work)

    def predict(self, job):
        self.seen[job.position] = self.seen.pop("now")
        return job.planned_time / 2

    def learn(self, job, run_time):
        pass


@check
@given(instance=instances(), order=orders(), backfill=reference_backfills())
def test_memories_see_the_queue_that_a_job_joins(instance, order, backfill):
    """Jobs submitted before that have not started yet, and their processors times planned times."""
    seen = {}
    schedule = run(instance, Policy.of(order, backfill), Watcher(seen))
    submit, start = instance.submit_time, schedule.start_time
    area = instance.size * schedule.planned_time
    before = np.argsort(submit, kind="stable")
    for place, job in enumerate(before):
        waiting = [k for k in before[:place] if start[k] >= submit[job]]
        assert seen[job][0] == len(waiting)
        assert np.isclose(seen[job][1], area[waiting].sum(), rtol=1e-9, atol=1e-6)
        assert waiting or seen[job][1] == 0


@check
@given(
    instance=instances(),
    order=orders(),
    backfill=reference_backfills(),
    estimator=estimators(),
    cycles=st.sampled_from(CYCLES),
)
def test_nodes_without_limits_are_corrected_as_the_counted_machine(
    instance, order, backfill, estimator, cycles
):
    """With fixed run times on one node, every start and every end is that of counted processors."""
    n, how = instance.processors, {"policy": Policy.of(order, backfill), "cycles": cycles}
    how |= {"estimates": instance.estimates, "estimator": estimator}
    one_node = Hardware((Cluster((Node((Processor((Core(1e9),) * n),)),)),))
    counted = ec.simulate(instance.workload, processors=n, engine="reference", **how).schedule
    found = ec.simulate(instance.workload, platform=one_node, execution="fixed", **how).schedule
    assert found.start_time.tolist() == counted.start_time.tolist()
    assert found.end_time.tolist() == counted.end_time.tolist()
    assert found.planned_time.tolist() == counted.planned_time.tolist()
