"""A core follows what is reported, whatever that is, and says what is to be done."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from echelon import Platform, Site, Workload
from echelon.engine.live import (
    Canceled,
    Closed,
    Core,
    Ended,
    Joined,
    Opened,
    Recall,
    Refused,
    Reject,
    Requeued,
    Reserved,
    Resized,
    Started,
    Stop,
    Submit,
    Submitted,
)
from echelon.errors import InputError
from echelon.experiments.scenario import scenario_of
from echelon.model.schedules.kept_jobs import without


def scenario_with(*sizes, planned=9, after=(), **settings):
    """Return jobs of these sizes on two clusters of four processors; `after` are pairs (before, after)."""
    table = Workload.from_columns(
        submit_time=[0] * len(sizes),
        run_time=[5] * len(sizes),
        requested_time=[planned] * len(sizes),
        processors=list(sizes),
    )
    if after:
        before, then = zip(*after, strict=True)
        table = table.with_dependencies(before, then)
    settings = {"broker": "first-fit", "policy": "easy"} | settings
    settings = {name: value for name, value in settings.items() if value is not None}
    return scenario_of(table, platform=Platform((Site("a", 4), Site("b", 4))), **settings)


def told(effects):
    """Return what each effect is, of which job, and where."""
    return [(type(one).__name__, one.job.position, getattr(one, "site", None)) for one in effects]


def test_a_step_into_the_past_is_refused():
    """A step before the last one says both times."""
    core = Core(scenario_with(2))
    core.step(10.0, [])
    with pytest.raises(InputError, match="now: is 9 s, but the last step was at 10 s"):
        core.step(9.0, [])


def test_jobs_that_others_submitted_count():
    """A job that joined a cluster directly holds what the broker would else have chosen."""
    core = Core(scenario_with(4, 4))
    core.step(0.0, [Joined(0, 0)])
    core.step(0.0, [Started(0, 0)])
    assert told(core.step(1.0, [Submitted(1)])) == [("Submit", 1, 1)]


def test_a_job_that_ends_without_having_run_leaves():
    """A cluster that has lost a waiting job is as if it had never had it."""
    core = Core(scenario_with(4, 4, broker="ml"))
    assert told(core.step(0.0, [Submitted(0)])) == [("Submit", 0, 0)]
    assert core.step(1.0, [Ended(0, 0)]) == []
    assert told(core.step(2.0, [Submitted(1)])) == [("Submit", 1, 0)]


def test_a_refused_job_goes_elsewhere_and_then_nowhere():
    """Each refusal leaves one cluster fewer; the last one is the reason of the rejection."""
    core = Core(scenario_with(1))
    core.step(0.0, [Submitted(0)])
    assert told(core.step(1.0, [Refused(0, 0, "no such account")])) == [("Submit", 0, 1)]
    (rejected,) = core.step(2.0, [Refused(0, 1, "too long")])
    assert isinstance(rejected, Reject)
    assert rejected.why == "too long"


def test_a_job_waits_while_no_cluster_is_open():
    """A job submitted while all clusters are closed is sent when the first one opens."""
    core = Core(scenario_with(1))
    core.step(0.0, [Closed(0), Closed(1)])
    assert core.step(1.0, [Submitted(0)]) == []
    assert told(core.step(7.0, [Opened(1)])) == [("Submit", 0, 1)]


def test_a_canceled_job_leaves_wherever_it_is():
    """One that waits at a cluster is recalled, one that runs is stopped, one that nothing takes just goes."""
    core = Core(scenario_with(4, 4, 4))
    core.step(0.0, [Submitted(0), Submitted(1)])
    core.step(0.0, [Started(0, 0)])
    effects = core.step(1.0, [Canceled(0), Canceled(1)])
    assert [type(one) for one in effects] == [Stop, Recall]
    core.step(2.0, [Closed(0), Closed(1), Submitted(2)])
    assert core.step(3.0, [Canceled(2)]) == []
    assert core.step(4.0, [Opened(0)]) == []


def test_a_job_waits_for_those_before_it():
    """A job that waits for another joins when that has ended, or is not wanted any more."""
    core = Core(scenario_with(1, 1, 1, after=[(0, 1), (1, 2)]))
    assert told(core.step(0.0, [Submitted(0), Submitted(1), Submitted(2)])) == [("Submit", 0, 0)]
    core.step(0.0, [Started(0, 0)])
    assert told(core.step(4.0, [Ended(0, 0)])) == [("Submit", 1, 0)]
    effects = core.step(5.0, [Canceled(1)])
    assert told(effects) == [("Recall", 1, 0), ("Submit", 2, 0)]


def test_what_a_cluster_starts_has_room():
    """A job that a cluster starts beyond its processors holds them all the same, until it ends."""
    core = Core(scenario_with(4, 4, 4, broker="first-fit"))
    core.step(0.0, [Joined(0, 0), Joined(1, 0)])
    core.step(0.0, [Started(0, 0), Started(1, 0)])
    assert told(core.step(1.0, [Submitted(2)])) == [("Submit", 2, 1)]
    core.step(2.0, [Ended(0, 0), Ended(1, 0), Ended(2, 1)])


def test_forecasts_know_what_has_changed():
    """Nodes that are down, late starts and jobs that run on count when a broker compares completion times."""
    core = Core(scenario_with(4, 4, 4, 2, 4, broker="mct", planned=100))
    core.step(0.0, [Submitted(0)])
    # It began half a minute ago, so the first cluster is free first.
    core.step(30.0, [Started(0, 0, at=10.0), Joined(1, 1)])
    core.step(30.0, [Started(1, 1)])
    assert told(core.step(40.0, [Submitted(2)])) == [("Submit", 2, 0)]
    # With two processors left, the first cluster cannot hold the next one at all.
    core.step(41.0, [Resized(0, 2)])
    assert told(core.step(42.0, [Submitted(4)])) == [("Submit", 4, 1)]
    # Both jobs run on beyond their planned ends; nothing is planned for the past.
    assert told(core.step(500.0, [Submitted(3)]))[0][:2] == ("Submit", 3)


def test_a_requeued_job_waits_again():
    """A job that a cluster has requeued holds nothing, and starts there again."""
    core = Core(scenario_with(4, 4))
    core.step(0.0, [Submitted(0)])
    core.step(0.0, [Started(0, 0)])
    core.step(3.0, [Requeued(0, 0)])
    core.step(9.0, [Started(0, 0)])
    assert core.step(14.0, [Ended(0, 0)]) == []


def test_steps_without_reports_are_known_before():
    """A core with slow decisions says when the next one is complete, and decides then."""
    core = Core(scenario_with(1, decision_time=3))
    assert core.next_time() == math.inf
    assert core.step(2.0, [Submitted(0)]) == []
    assert core.next_time() == 5.0
    assert told(core.step(5.0, [])) == [("Submit", 0, 0)]


def test_jobs_become_known():
    """A core takes in jobs with their dependencies after it has decided on others."""
    scenario = scenario_with(1, 1, 1, after=[(0, 2)])
    core = Core(replace(scenario, instance=without(scenario.instance, {"later": [1, 2]})))
    core.step(0.0, [Submitted(0)])
    core.grow(scenario)
    assert told(core.step(1.0, [Submitted(1), Submitted(2)])) == [("Submit", 1, 0)]
    core.step(2.0, [Started(0, 0)])
    assert told(core.step(3.0, [Ended(0, 0)])) == [("Submit", 2, 0)]


def test_equal_reports_give_equal_effects():
    """Two cores that are told the same want the same."""
    steps = [
        (0.0, [Submitted(0), Submitted(1)]),
        (1.0, [Refused(0, 0)]),
        (2.0, [Closed(1)]),
        (9.0, [Submitted(2)]),
    ]
    one, other = (Core(scenario_with(1, 2, 3, broker="random", seed=5)) for _ in range(2))
    for now, reports in steps:
        assert one.step(now, reports) == other.step(now, reports)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"broker": "common-pool", "policy": None}, "only brokers and global queues decide in steps"),
        ({"estimates": "request"}, "run times beyond their requests"),
        ({"estimator": "average"}, "learns during the run"),
        ({"cycles": "event"}, "cycles are once an instant"),
        ({"maintenance": "100/10"}, "changes of machines are reported"),
    ],
)
def test_what_cannot_be_driven_is_refused(settings, why):
    """A scenario whose controllers work in simulations only is refused with the reason."""
    with pytest.raises(InputError, match=why):
        Core(scenario_with(1, **settings))


def test_effects_name_jobs_and_clusters():
    """What is to be done carries the job with its planned time, for whoever submits it."""
    (effect,) = Core(scenario_with(3, planned=77)).step(0.0, [Submitted(0)])
    assert isinstance(effect, Submit)
    assert (effect.job.processors, effect.job.planned_time, effect.site) == (3, 77.0, 0)


def test_a_refusal_that_comes_too_late_changes_nothing():
    """A cluster that refuses a copy of a job that has started elsewhere has no part in it any more."""
    core = Core(scenario_with(1, global_queue="requests", queue_limit=1))
    assert told(core.step(0.0, [Submitted(0)])) == [("Submit", 0, 0), ("Submit", 0, 1)]
    assert told(core.step(0.0, [Started(0, 0), Refused(0, 1)])) == [("Recall", 0, 1)]
    assert core.step(1.0, [Refused(0, 1)]) == []
    assert core.step(5.0, [Ended(0, 0)]) == []


def test_a_job_may_be_kept_from_clusters():
    """A job goes to no cluster that it may never go to; if no other can hold it, it is rejected."""
    core = Core(scenario_with(4, 4, broker="first-site"))
    (one,) = core.step(0.0, [Submitted(0, never=(0,))])
    assert told([one]) == [("Submit", 0, 1)]
    (none,) = core.step(1.0, [Submitted(1, never=(0, 1))])
    assert isinstance(none, Reject)
    assert none.why == "no cluster that it may go to can hold it"


def test_reservations_without_room_do_not_count():
    """A cluster may reserve what there is no room for as far as is known: that alone is left out."""
    core = Core(scenario_with(4, 4, 4, broker="first-site", policy="conservative"))
    core.step(0.0, [Submitted(position) for position in range(3)])
    core.step(0.0, [Started(0, 0)])
    core.step(1.0, [Reserved(0, ((1, 5.0), (2, 20.0)))])
    assert core.clusters[0].cluster.reservations == {2: 20.0}


def test_what_is_asked_at_a_later_time_changes_nothing():
    """Forecasts from a later time see late jobs end within a minute of it, and leave no trace."""
    core = Core(scenario_with(4, 4, 2))
    core.step(0.0, [Submitted(0), Submitted(1)])
    core.step(0.0, [Started(0, 0), Started(1, 1)])
    job = core._ledger.jobs[2]
    with core.at(50.0) as clusters:
        assert clusters[0].forecast(job).wait == 60.0
        assert [one.end for one in clusters[0].planned_schedule(None)] == [110.0]
    with core.at(8.0) as clusters:
        assert clusters[0].forecast(job).wait == 1.0
    assert [one.end for one in core.clusters[0].running_schedule()] == [9.0]


def test_a_job_that_joined_directly_leaves_like_any_other():
    """What no controller has sent to a cluster can be withdrawn from there, and is no job of a controller."""
    for settings in ({}, {"global_queue": "fcfs"}):
        core = Core(scenario_with(4, 4, **settings))
        core.step(0.0, [Joined(0, 0), Joined(1, 0)])
        assert told(core.step(1.0, [Canceled(0)])) == [("Recall", 0, 0)]
        assert core.step(2.0, [Ended(1, 0)]) == []
        assert not core.clusters[0].waiting
