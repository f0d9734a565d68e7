"""The reference engine of sites without a broker: time, transfers, publications, refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.engine.tree.views.protocol_view import published_times
from echelon.errors import DeadlockError, InputError, PolicyError
from echelon.model import Instance, Platform, Workload
from echelon.policies import Exact, StartAt, broker_of, policy


class Own:
    """An arrangement of the user's own, made of a function."""

    name = "own"
    latency = refresh = 0.0

    def __init__(self, decide, homes=None):
        self.decide = decide
        self._homes = homes

    def homes(self, sizes, size, submitted):
        """Return what was given, else the smallest site that can hold each job."""
        return np.searchsorted(sizes, size) if self._homes is None else self._homes


def run(broker, *rows, sizes=(4, 8), observers=(), progress=None):
    """Return the schedule of jobs given as (submit, run, processors)."""
    submit, run_time, size = zip(*rows, strict=True)
    table = Workload.from_columns(
        submit_time=submit, run_time=run_time, processors=size, requested_time=run_time
    )
    instance = Instance.of(table, Platform.of_sizes(sizes))
    scenario = Scenario(
        instance, policy("fcfs"), system_model=tree_of_sites(broker_of(broker)), observers=observers
    )
    return simulate(scenario, progress)


def result(*arguments, **keywords):
    """Return (start, site) of each job."""
    schedule = run(*arguments, **keywords)
    return list(zip(schedule.start_time.tolist(), schedule.site.tolist(), strict=True))


def test_a_transfer_takes_its_latency():
    """A job taken away from home starts later, and the processors are held meanwhile."""
    jobs = ((0, 100, 4), (0, 10, 4), (1, 10, 8), (2, 1, 5))
    assert result("common-pool:latency=5", *jobs) == [(0, 0), (5, 1), (15, 1), (25, 1)]


@pytest.mark.parametrize("spec", ["common-pool", "stealing:50", "exchange:list"])
def test_a_publication_lets_others_know(spec):
    """Site 2, idle, learns of the job that waits at site 1 at the next multiple of 60 s, and takes it."""
    jobs = ((0, 100, 4), (1, 10, 4))
    assert result(f"{spec}:refresh=60", *jobs) == [(0, 0), (60, 1)]
    assert result(f"{spec}:refresh=60:latency=5", *jobs) == [(0, 0), (65, 1)]


@pytest.mark.parametrize("spec", ["common-pool", "stealing:50", "exchange:list"])
def test_a_job_submitted_at_a_publication_is_in_it(spec):
    """Publications come after the SUBMITs of their instant."""
    assert result(f"{spec}:refresh=60", (0, 100, 4), (60, 10, 4)) == [(0, 0), (60, 1)]


def test_a_site_always_knows_its_own():
    """Before the publication the home takes the job as soon as it can."""
    assert result("common-pool:refresh=60", (0, 30, 4), (1, 10, 4)) == [(0, 0), (30, 0)]


def test_a_publication_of_what_no_longer_waits_makes_no_pass():
    """Two ENDs and two SUBMITs make four cycles; at 60 there is nothing to tell."""
    assert run("common-pool:refresh=60", (0, 100, 4), (1, 10, 5)).counts["passes"] == 4
    assert run("common-pool:refresh=60", (0, 100, 4), (1, 10, 4)).counts["passes"] == 5


def test_times_of_publication():
    """The first multiple from the submission on; at once without a period or with one of no length."""
    submit = np.array([0.0, 1.0, 59.5, 60.0, 60.5])
    assert published_times(submit, 60.0).tolist() == [0, 60, 60, 60, 120]
    assert published_times(submit, 0.0).tolist() == submit.tolist()
    assert published_times(submit, 1e-300).tolist() == submit.tolist()
    tenths = np.arange(1000) * 0.1
    assert (published_times(tenths, 0.1) >= tenths).all()
    assert (np.diff(published_times(tenths, 0.3)) >= 0).all()


def test_homes_and_sites():
    """The schedule says where each job ran and where it counts as submitted; stealing knows by size."""
    schedule = run("stealing:50", (0, 100, 4), (0, 10, 4), (0, 10, 5))
    assert schedule.home_site.tolist() == [0, 0, 1]
    assert schedule.site.tolist() == [0, 1, 1]


class Diary:
    """Notes what it hears."""

    def __init__(self):
        self.lines = []

    def submitted(self, time, job, place):
        """Note a submission."""
        self.lines.append((time, "submit", job.position))

    def started(self, time, job, place):
        """Note a start."""
        self.lines.append((time, "start", job.position))

    def ended(self, time, job, place):
        """Note an end."""
        self.lines.append((time, "end", job.position))

    def decided(self, time, waiting, free, place):
        """Note a pass."""
        self.lines.append((time, waiting, free))


def test_observers_hear_all_in_order_of_time():
    """A job on its way counts as started when it arrives; its processors are gone before."""
    diary = Diary()
    run("common-pool:latency=5", (0, 20, 4), (0, 10, 4), observers=[diary])
    assert diary.lines == [
        (0, "submit", 0),
        (0, "submit", 1),
        (0, "start", 0),
        (0, 0, 4),
        (5, "start", 1),
        (15, "end", 1),
        (15, 0, 8),
        (20, "end", 0),
        (20, 0, 12),
    ]


def test_progress_is_told():
    """Now and then the number of jobs that have ended is told."""
    heard = []
    run("common-pool", *((t, 1, 1) for t in range(0, 2000, 2)), progress=lambda *said: heard.append(said))
    assert heard[0] == (256, 1000)


def taking(job=0, site=0):
    """Return a rule that starts `job` (a position, or anything) at `site`."""
    return lambda view: [StartAt(view.queue[job] if isinstance(job, int) else job, site)]


@pytest.mark.parametrize(
    ("decide", "reason"),
    [
        (lambda view: [view.queue[0]], r"gave Job\(.*expected StartAt"),
        (taking(job="me"), "'me' was started, but is not waiting"),
        (lambda view: [StartAt(view.queue[0]._replace(processors=1), 0)], "is not waiting"),
        (lambda view: 2 * [StartAt(view.queue[0], 0)], "job 1 was started, but is not waiting"),
        (taking(site=2), "at site 2; sites are 0 to 1"),
        (taking(site=True), "at site True; sites are 0 to 1"),
        (taking(site=0.0), "at site 0.0; sites are 0 to 1"),
        (taking(job=1), "job 2 was started on 6 processors, but 4 of site 0 are free"),
        (lambda view: [1 / 0], "fails with ZeroDivisionError"),
    ],
)
def test_refused_decisions(decide, reason):
    """What the rules forbid is the arrangement's error, with time, job and rule."""
    with pytest.raises(PolicyError, match=reason):
        run(Own(decide), (0, 10, 3), (0, 10, 6))


def test_a_site_may_not_take_what_it_does_not_know():
    """Before the publication a job is its home's alone."""
    own = Own(taking(site=1))
    own.refresh = 60.0
    with pytest.raises(PolicyError, match="at site 1, which first knows of it at 60 s"):
        run(own, (1, 10, 3))


def test_a_view_holds_what_was_started():
    """After each decision the view shows processors, running jobs and queue as they are."""

    def decide(view):
        for job in view.queue:
            before = view.free(1)
            yield StartAt(job, 1)
            assert view.free(1) == before - job.processors
            assert job not in view.queue
            assert [one.job for one in view.running(1)][-1] == job
        assert view.shadow(1, 8) == (20, 0)

    def later(view):
        return decide(view) if view.arrived else []

    assert result(Own(later), (0, 10, 3), (0, 20, 5)) == [(0, 1), (0, 1)]


def test_stuck():
    """Jobs that can never start are listed."""
    with pytest.raises(DeadlockError, match=re.escape("'own': 2 jobs can never start")):
        run(Own(lambda view: []), (0, 10, 3), (0, 10, 6))


@pytest.mark.parametrize("homes", [[0], [0, 2], [-1, 0], [0.0, 1.0], "here"])
def test_refused_homes(homes):
    """Each job has one home among the sites."""
    with pytest.raises(InputError, match="own, homes: must give each of 2 jobs a site from 0 to 1"):
        run(Own(lambda view: [], homes=homes), (0, 10, 3), (0, 10, 6))


def test_homes_that_fail():
    """What goes wrong inside the method is said in one sentence."""
    own = Own(lambda view: [])
    own.homes = lambda sizes, size, submitted: 1 // 0
    with pytest.raises(InputError, match="own, homes: fails with ZeroDivisionError"):
        run(own, (0, 10, 3))


@pytest.mark.parametrize("parameter", ["latency", "refresh"])
@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), "soon", None])
def test_refused_costs(parameter, seconds):
    """What communication costs is a time."""
    own = Own(lambda view: [])
    setattr(own, parameter, seconds)
    with pytest.raises(InputError, match=f"own, {parameter}: must be seconds >= 0"):
        run(own, (0, 10, 3))


@dataclass(frozen=True)
class Told:
    """An estimator that predicts what it is told by position."""

    times: tuple[float, ...]
    name: str = "told"

    def memory(self):
        return self

    def predict(self, job):
        return self.times[job.position]

    def learn(self, job, run_time):
        assert run_time == 10 + 7 * job.position % 41


@pytest.mark.parametrize("spec", ["exchange", "exchange:latency=5", "common-pool", "stealing:latency=3"])
def test_protocols_plan_with_predictions(spec):
    """Right ones are exact times; with others jobs outlive their plans. No kernel does this."""
    jobs = [(2 * k, 10 + 7 * k % 41, 1 + 5 * k % 8) for k in range(60)]
    submit, run_time, size = zip(*jobs, strict=True)
    table = Workload.from_columns(
        submit_time=submit, run_time=run_time, processors=size, requested_time=[500] * 60
    )
    given = Instance.of(table, Platform.of_sizes((8, 8, 12)))
    model = tree_of_sites(broker_of(spec))
    found, short = (
        simulate(Scenario(given, policy("fcfs"), system_model=model, estimator=Told(tuple(times))))
        for times in (run_time, [1 + k % 3 for k in range(60)])
    )
    known = Scenario(given.with_known_run_times(), policy("fcfs"), system_model=model, estimator=Exact())
    assert found.start_time.tolist() == simulate(known).start_time.tolist()
    assert found.counts["corrections"] == 0
    assert short.counts["corrections"] >= 59
    told = supports(Scenario(given, policy("fcfs"), system_model=model, estimator=Told(run_time)))
    assert told == "the estimator 'told' learns during the run"
