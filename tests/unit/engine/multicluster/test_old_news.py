"""Old news on a multicluster: statuses and estimates that are stored, by hand, as the M-CISNE thesis says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.model import Forecast, SharedCluster, SocialContract, Workstation
from echelon.policies import STRATEGIES, Information
from echelon.testing.multiclusters import cluster_case, random_cluster_case

ONE = SharedCluster((Workstation(),))
PAIR = SharedCluster((Workstation(),) * 2, SocialContract(mpl=2))


@dataclass(frozen=True)
class Asked:
    """An estimator that says for the n-th question that a job waits n s; it writes down who is asked when."""

    questions: list

    name: ClassVar[str] = "asked"

    def memory(self):
        return self

    def predict(self, job):
        return job.planned_time

    def learn(self, *ended):
        pass

    def forecaster(self, past):
        return self

    def forecast(self, job, view):
        self.questions.append((view.now, job.position))
        return Forecast(float(len(self.questions)), 10.0)

    def __hash__(self):
        return id(self)


class Looker:
    """A broker that looks at what it knows of the first cluster and writes it down."""

    name = "looker"
    information = Information.SCHEDULES
    grid_state = "actual"

    def __init__(self, look):
        self.look, self.seen = look, []

    def choose(self, job, view):
        self.seen.append((view.now, self.look(job, view)))
        return view.allowed[0]


def watched(case, look, **rules):
    """Return what the broker sees at each choice."""
    looker = Looker(look)
    simulate(case.scenario(broker=looker, **rules))
    return looker.seen


def test_a_status_is_asked_for_at_most_every_so_many_seconds():
    """Jobs at 0, 4, 10 and 13 that stay: by a status of 0 there are none until 10, when there are two."""
    case = cluster_case([(time, 99, 1) for time in (0, 4, 10, 13)], [PAIR])

    def tasks(job, view):
        return view.jobs(0), view.free(0), view.fullest_node(0), len(view.running_at(0))

    assert watched(case, tasks) == [
        (0, (0, 4, 0, 0)), (4, (1, 3, 1, 1)), (10, (2, 2, 1, 2)), (13, (3, 1, 2, 3)),
    ]  # fmt: skip
    assert watched(case, tasks, refresh=10.0) == [
        (0, (0, 4, 0, 0)), (4, (0, 4, 0, 0)), (10, (2, 2, 1, 2)), (13, (2, 2, 1, 2)),
    ]  # fmt: skip


QUEUE_OF_ONE = [(0, 60, 1), (20, 5, 1), (30, 5, 1), (36, 5, 1)]
"""Job 0 holds the only slot until 60; job 1 is the head from 20 on, and asks whenever another job comes."""


def test_an_estimate_is_stored_until_the_next_status():
    """Job 1 would wait 40, 30 and 24 s; by the status of 20, held for 15 s, it is told 40 at 30, too."""
    case = cluster_case(QUEUE_OF_ONE, [ONE])

    def waits(refresh):
        seen = watched(
            case, lambda job, view: (job.position, view.forecast(job, 0).wait),
            upper="b.rs", limit=0, refresh=refresh,
        )  # fmt: skip
        return [(now, wait) for now, (job, wait) in seen if job == 1 and now < 60]

    # The request of job 0 says that it ends at 60.
    assert waits(0.0) == [(20, pytest.approx(40)), (30, pytest.approx(30)), (36, pytest.approx(24))]
    assert waits(15.0) == [(20, pytest.approx(40)), (30, pytest.approx(40)), (36, pytest.approx(24))]


def test_the_estimator_is_not_asked_for_what_is_stored():
    """Of job 1 at 20, 30 and 36; with a status of 15 s not at 30, when the stored answer is given."""
    case = cluster_case(QUEUE_OF_ONE, [ONE])

    def questions(refresh):
        asked = []
        watched(
            case, lambda job, view: view.forecast(job, 0),
            upper="b.rs", limit=0, refresh=refresh, estimator=Asked(asked),
        )  # fmt: skip
        return [now for now, job in asked if job == 1 and now < 60]

    assert questions(0.0) == [20, 30, 36]
    assert questions(15.0) == [20, 36]


def test_a_cluster_that_was_full_is_asked_again_when_it_may_be():
    """Limit 0 by old news: job 2 waits until 116, though the slot is free at 110 and nothing else happens."""
    case = cluster_case([(0, 10, 1), (100, 10, 1), (108, 5, 1)], [ONE])
    assert simulate(case.scenario(limit=0)).start_time.tolist() == [0, 100, 110]
    assert simulate(case.scenario(limit=0, refresh=8.0)).start_time.tolist() == [0, 100, 116]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [one.name for one in STRATEGIES if one.name != "random"])
def test_news_of_every_instant_are_no_old_news(strategy):
    """Where no two jobs come at one instant and none waits above, the least age changes nothing."""
    case = cluster_case([(3 * k + k % 2, 4 + 7 * k % 11, 1 + k % 2) for k in range(14)], [PAIR, PAIR, PAIR])
    chosen = {"broker": f"{strategy}:grid-state=actual"}
    fresh = simulate(case.scenario(**chosen))
    found = simulate(case.scenario(**chosen, refresh=1e-6))
    assert found.start_time.tolist() == fresh.start_time.tolist()
    assert found.site.tolist() == fresh.site.tolist()


@pytest.mark.slow
@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    refresh=st.sampled_from((1e-6, 3.0, 20.0, 1e6)),
    upper=st.sampled_from(("fcfs", "fpfs", "b", "nb", "b.rs", "nb.rs", "pull", "backfilling", "requests")),
    limit=st.sampled_from((None, 0, 1, "stable:predicted")),
    broker=st.sampled_from(("tat", "ptt", "first-fit", "least-mpl", "mct:grid-state=actual")),
)
def test_whatever_is_known_every_job_runs_once(seed, refresh, upper, limit, broker):
    """Old news change choices and nothing else: the same jobs run, none before its submission."""
    case = random_cluster_case(seed, jobs=12, forever=False)
    try:
        plain = simulate(case.scenario(upper=upper, limit=limit, broker="first-fit"))
    except InputError:  # no cluster can hold any of the jobs
        assume(False)
    found = simulate(case.scenario(upper=upper, limit=limit, broker=broker, refresh=refresh))
    assert found.instance.workload.job_id.tolist() == plain.instance.workload.job_id.tolist()
    assert (found.start_time >= found.instance.submit_time).all()
    assert (found.end_time > found.start_time).all()
