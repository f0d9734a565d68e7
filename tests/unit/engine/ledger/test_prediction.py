"""Planning with predictions: when they are made, how they are corrected, and what becomes of reservations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from echelon.engine import compiled
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.ledger.prediction import CORRECTIONS, Predictions
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError, PolicyError
from echelon.model import Instance, Platform, Workload
from echelon.policies import Average, Exact, Information, Policy, Request, broker_named, policy


@dataclass(frozen=True)
class Always:
    """Predict the same for every job."""

    seconds: object
    name: str = "always"

    def memory(self):
        return self

    def predict(self, job):
        return self.seconds

    def learn(self, job, run_time):
        pass


def jobs(*rows, processors=4, estimates="raise"):
    """Return an instance of jobs given as (submit, run, processors, request, user)."""
    submit, run, size, request, user = zip(*rows, strict=True)
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=request, user=user
    )
    return Instance.of(table, processors, estimates=estimates)


def starts(instance, spec, estimator, cycles="instant"):
    """Return the starts in the reference engine."""
    scenario = Scenario(instance, policy(spec), estimator=estimator, cycles=cycles)
    return simulate(scenario).start_time.tolist()


@pytest.mark.parametrize("cycles", CYCLES)
def test_a_prediction_lets_a_job_backfill(cycles):
    """User 1's first job took 10 s of 1000; so the next, too, can backfill before the head of user 2.

    4 |  222
    3 |  222
    2 |11222     at 20 job 2 holds 3 until 120, job 3 (4 processors) waits until then,
    1 |112224    and job 4, predicted to run 10 s in place of 1000, overtakes it.
    """
    instance = jobs((0, 10, 1, 10, 1), (20, 100, 3, 100, 2), (21, 50, 4, 50, 2), (22, 10, 1, 1000, 1))
    assert starts(instance, "easy", Average(1), cycles) == [0, 20, 120, 22]
    scenario = Scenario(instance, policy("easy"))
    assert simulate(scenario).start_time.tolist() == [0, 20, 120, 170]


def test_predictions_count_ends_of_the_same_instant():
    """A job submitted at the second another ends knows of its run time."""
    instance = jobs((0, 10, 1, 100, 1), (10, 5, 1, 100, 1), (14, 5, 1, 100, 1))
    schedule = simulate(Scenario(instance, policy("fcfs"), estimator=Average(1)))
    assert schedule.predicted_time.tolist() == [100, 10, 10]
    assert schedule.planned_time is schedule.predicted_time


def test_a_prediction_stays_between_a_second_and_the_limit():
    """In whole seconds, rounded up; below 1 s raised, above what --estimates plans with cut."""
    instance = jobs((0, 10, 1, 100, 1), (0, 0.5, 1, 0.5, 1))
    for seconds, planned in (
        (1e9, [100, 0.5]),
        (0, [1, 0.5]),
        (-5, [1, 0.5]),
        (30, [30, 0.5]),
        (29.01, [30, 0.5]),
    ):
        schedule = simulate(Scenario(instance, policy("fcfs"), estimator=Always(seconds)))
        assert schedule.predicted_time.tolist() == planned


class Ends:
    """FCFS that writes down when the first running job is planned to end, at each pass."""

    name = "ends"

    def __init__(self):
        self.seen = []

    def decide(self, view):
        self.seen += [(view.now, running.planned_end) for running in view.running]
        yield from policy("fcfs").scheduler.decide(view)


@pytest.mark.parametrize("cycles", CYCLES)
def test_corrections_by_hand(cycles):
    """Planned for 100 s, job 1 is given 1, 5, 15 more minutes, and then no more than its request."""
    instance = jobs((0, 1700, 4, 1800, 1), (50, 10, 4, 10, 1))
    watch = Ends()
    scenario = Scenario(instance, Policy.of(backfill=watch), estimator=Always(100), cycles=cycles)
    schedule = simulate(scenario)
    assert watch.seen == [(50, 100), (100, 160), (160, 460), (460, 1360), (1360, 1800)]
    assert schedule.start_time.tolist() == [0, 1700]
    assert schedule.counts["corrections"] == 4


def test_no_correction_at_the_end_itself():
    """A job that ends just when it is planned to is not corrected; the end counts first."""
    instance = jobs((0, 100, 4, 100, 1), (0, 160, 4, 1000, 1))
    schedule = simulate(Scenario(instance, policy("fcfs"), estimator=Always(100)))
    assert schedule.counts["corrections"] == 1
    assert schedule.start_time.tolist() == [0, 100]


def test_corrections_end():
    """However long a job runs, 12 corrections lead to its limit; what rounding hides is skipped."""
    instance = jobs((0, 10**9, 1, 10**9, 1))
    predictions = Predictions(Scenario(instance, policy("fcfs"), estimator=Always(1)))
    predictions.plan_submission(instance.jobs()[0])
    end, ends = 1.0, []
    while end < 10**9:
        end = predictions.correct(0, 0.0, end)
        ends.append(end)
    assert len(ends) == len(CORRECTIONS) + 1
    assert ends[-1] == 10**9
    assert ends[-2] == 1 + sum(CORRECTIONS)
    late = Predictions(Scenario(instance, policy("fcfs"), estimator=Always(1)))
    late.plan_submission(instance.jobs()[0])
    assert late.correct(0, 1e18, 1e18) > 1e18


def test_easy_delays_a_head_when_its_plan_was_wrong():
    """The guarantee holds only as planned: job 4 is predicted to end long before the head's turn at 56."""
    instance = jobs((0, 5, 1, 5, 3), (6, 50, 2, 50, 1), (7, 100, 4, 100, 2), (8, 200, 2, 300, 3))
    assert starts(instance, "easy", Request()) == [0, 6, 56, 156]
    assert starts(instance, "easy", Average(1)) == [0, 6, 208, 8]


@pytest.mark.parametrize("cycles", CYCLES)
def test_conservative_reserves_again_after_a_correction(cycles):
    """A reservation from too short a plan is withdrawn at the correction and made again in queue order.

    Job 2 had a reservation at 10 and job 3 then at 20. At 10 job 1 runs on, as planned until 70: job 2 gets
    70, job 3 fits before and starts. Job 1 ends at 65, so job 2 is moved forward.
    """
    instance = jobs((0, 65, 3, 100, 1), (1, 10, 4, 10, 1), (2, 8, 1, 20, 1))
    assert starts(instance, "conservative", Always(10), cycles) == [0, 65, 10]


def test_shortest_first_sorts_by_prediction():
    """The queue is in the order of planned times, and those are predictions."""
    instance = jobs((0, 10, 4, 10, 1), (10, 100, 4, 100, 2), (11, 50, 4, 50, 2), (12, 10, 4, 1000, 1))
    assert starts(instance, "shortest-first", Average(1)) == [0, 10, 120, 110]
    assert simulate(Scenario(instance, policy("shortest-first"))).start_time.tolist() == [0, 10, 110, 160]


def test_backfilling_candidates_are_sorted_by_prediction():
    """Of two jobs behind the head that need the same processor, the one predicted shorter goes first."""
    instance = jobs(
        (0, 10, 1, 10, 1), (20, 99, 3, 99, 2), (21, 9, 4, 9, 2), (22, 50, 1, 50, 2), (22, 10, 1, 1000, 1)
    )
    assert starts(instance, "easy(candidates=shortest-first)", Average(1)) == [0, 20, 119, 32, 22]
    assert starts(instance, "easy", Average(1)) == [0, 20, 119, 22, 72]


def test_an_order_that_reads_the_view_is_sorted_at_every_pass(tmp_path):
    """Aging orders see the predicted time, too."""
    file = tmp_path / "aging.py"
    file.write_text(
        "from echelon import order\n\n"
        "@order('aging', source='none')\n"
        "def aging(job, view):\n"
        "    'Planned time less the wait, in seconds.'\n"
        "    return job.planned_time - (view.now - job.submit_time)\n"
    )
    instance = jobs((0, 10, 4, 10, 1), (10, 100, 4, 100, 2), (11, 50, 4, 50, 2), (12, 10, 4, 1000, 1))
    assert starts(instance, f"{file}:aging", Average(1)) == [0, 10, 120, 110]


@pytest.mark.parametrize(
    ("seconds", "said"), [("soon", "expected a finite number"), (float("nan"), "nan"), (float("inf"), "inf")]
)
def test_a_prediction_that_is_no_number(seconds, said):
    """An estimator that says nonsense is named, with the job."""
    instance = jobs((0, 10, 1, 100, 1))
    with pytest.raises(PolicyError, match=f"estimator always.*job 1 is predicted to run .*{said}"):
        simulate(Scenario(instance, policy("fcfs"), estimator=Always(seconds)))


class Broken:
    """An estimator that fails at one call."""

    name = "broken"

    def __init__(self, call):
        self.call = call

    def memory(self):
        return self

    def predict(self, job):
        return 1 / (self.call != "predict")

    def learn(self, job, run_time):
        return 1 / (self.call != "learn")


@pytest.mark.parametrize(("call", "time"), [("predict", "t = 3 s"), ("learn", "t = 13 s")])
def test_an_estimator_that_fails(call, time):
    """What goes wrong in it is its own error, with the time."""
    instance = jobs((3, 10, 1, 100, 1))
    with pytest.raises(PolicyError, match=rf"estimator broken.*{time}.*{call}\(job.*ZeroDivisionError"):
        simulate(Scenario(instance, policy("fcfs"), estimator=Broken(call)))


def test_an_estimator_without_a_memory():
    """One whose memory() fails is refused in one sentence, too."""

    class Forgetful(Broken):
        def memory(self):
            raise RuntimeError("forgot")

    with pytest.raises(InputError, match=r"estimator broken: memory\(\) fails with RuntimeError: forgot"):
        simulate(Scenario(jobs((3, 10, 1, 100, 1)), policy("fcfs"), estimator=Forgetful("memory")))


def test_exact_needs_an_instance_that_knows():
    """`exact` cannot be asked of an instance that plans with requests."""
    instance = jobs((0, 10, 1, 100, 1))
    with pytest.raises(InputError, match="with_known_run_times"):
        Scenario(instance, policy("fcfs"), estimator=Exact())
    known = instance.with_known_run_times()
    assert Scenario(known, policy("fcfs"), estimator=Exact()).instance.planned_time.tolist() == [10]


def test_exact_with_kill_plans_with_the_time_after_the_cut():
    """Cut at its request, a job is known to run that long."""
    instance = jobs((0, 200, 1, 100, 1), (0, 50, 1, 100, 1), estimates="kill").with_known_run_times()
    assert instance.planned_time.tolist() == [100, 50]
    assert instance.killed.tolist() == [True, False]


def test_the_compiled_engine_says_why_not():
    """Learning is for the reference engine; request and exact are for both."""
    instance = jobs((0, 10, 1, 100, 1))
    reason = compiled.supports(Scenario(instance, policy("easy"), estimator=Average()))
    assert reason == "the estimator 'average' learns during the run"
    known = Scenario(instance.with_known_run_times(), policy("easy"), estimator=Exact())
    assert compiled.supports(known) is None


@dataclass(frozen=True)
class Told(Always):
    """Predict what it is told by position."""

    def predict(self, job):
        return self.seconds[job.position]


@pytest.mark.parametrize("local", ["fcfs", "easy", "conservative", "plan:shortest-first"])
@pytest.mark.parametrize("broker", ["mct:grid-state=actual", "mst:grid-state=actual", "tat", "mct"])
def test_planned_schedules_of_sites_are_by_predictions(broker, local):
    """With predictions that are right, brokers that ask when a job would start choose as with exact times."""
    rows = [(3 * k, 20 + 7 * k % 50, 1 + k % 4, 500, 1) for k in range(40)]
    instance = jobs(*rows, processors=Platform.of_sizes([4, 6, 8]))
    model = tree_of_sites(broker_named(broker))
    told = Scenario(instance, policy(local), system_model=model, estimator=Told(instance.run_time.tolist()))
    known = Scenario(instance.with_known_run_times(), policy(local), system_model=model, estimator=Exact())
    found, expected = simulate(told), simulate(known)
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.site.tolist() == expected.site.tolist()


def test_planned_schedules_follow_corrections():
    """A job predicted to run 10 s of 200 is planned to end at 10, then at 70, then at its limit, 250.

    One that comes meanwhile would start then, for the 5 s that it is predicted to run.
    """
    instance = jobs(
        *((0, 200, 4, 250, 1), (5, 1, 4, 5, 1), (20, 1, 4, 5, 1), (90, 1, 4, 5, 1)),
        processors=Platform.of_sizes([4, 4]),
    )
    seen = []

    class Asks:
        name, information, grid_state = "asks", Information.SCHEDULES, "actual"

        def choose(self, job, view):
            seen.append(view.schedule(0, job)[-1][1:])
            return min(1, job.position)

    model = tree_of_sites(Asks())
    simulate(Scenario(instance, policy("easy"), system_model=model, estimator=Told([10, 5, 5, 5])))
    assert seen == [(0, 10), (10, 15), (70, 75), (250, 255)]


def test_a_belief_in_allocation_is_in_predictions():
    """A job predicted to run 10 s of 100 is over at 20 for a broker that believes its plan.

    One that knows what runs sends the next job to the other site.
    """
    instance = jobs((0, 100, 4, 500, 1), (20, 5, 4, 50, 1), processors=Platform.of_sizes([4, 4]))
    for state, site in (("planned", 0), ("actual", 1)):
        model = tree_of_sites(broker_named(f"mpl:grid-state={state}"))
        found = simulate(Scenario(instance, policy("easy"), system_model=model, estimator=Told([10, 5])))
        assert found.site.tolist() == [0, site]
