"""The controllers of a service: jobs by ids over clusters that decide elsewhere."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from echelon.backends.contract import OtherJob
from echelon.errors import InputError, PolicyError
from echelon.service.core.controllers.choices import Assign, Recall, Reject, Stop
from echelon.service.core.controllers.controllers import Controllers
from echelon.service.core.controllers.lessons import Lesson
from echelon.service.records import ForecastRecord, JobRecord, JobSpec
from echelon.service.rules import ClusterRules, Rules

NOW = 1_700_000_000.25


def job(name, processors=1, limit=100.0, owner="ann", **spec):
    """Return a job of this id."""
    asked = JobSpec(command=(f"/bin/{owner}",), processors=processors, time_limit=limit, **spec)
    return JobRecord(name, 1, owner, asked, NOW)


def controllers(sizes=(8, 16), broker="tat", policy="easy", **rules):
    """Return controllers of clusters called a, b ... of these sizes."""
    names = "abcdefgh"[: len(sizes)]
    clusters = tuple(ClusterRules(name, policy=policy) for name in names)
    more = {name: rules.pop(name) for name in ("epoch", "most_ended") if name in rules}
    sizes = dict(zip(names, sizes, strict=True))
    return Controllers(Rules(clusters, broker=broker, **rules), sizes, NOW, **more)


def assigned(choices):
    """Return where jobs are sent, by id."""
    return {one.job: one.cluster for one in choices if isinstance(one, Assign)}


def why_not(choice):
    """Return why each cluster could not be chosen, by name."""
    return {one.cluster: one.why_not for one in choice.decision.candidates}


def test_a_decision_says_what_each_cluster_was_forecast():
    """A decision has every cluster with its forecast, and one sentence with the rule and its numbers."""
    core = controllers()
    core.arrive(NOW, [job("1", 16, 300.0)])
    core.decide(NOW)
    core.started("1", "b", NOW)
    core.looked("b", NOW - 4)
    core.arrive(NOW + 10, [job("2", 8, 50.0)])
    (choice,) = core.decide(NOW + 10)
    first, second = choice.decision.candidates
    assert (first.cluster, first.wait_time, first.run_time, first.free, first.waiting) == (
        "a",
        0.0,
        50.0,
        8,
        0,
    )
    assert (second.cluster, second.wait_time, second.free, second.age) == ("b", 290.0, 0, 14.0)
    assert choice.decision.why == "tat chose a: it would end there in 50 s; b in 340 s"
    assert (choice.forecast.wait_time, choice.forecast.run_time) == (0.0, 50.0)
    assert (choice.decision.broker, choice.decision.chosen, choice.decision.at) == ("tat", "a", NOW + 10)


def test_reasons_against_clusters():
    """Each cluster that could not be chosen has its reason: too small, not asked for, drained, refusal."""
    core = controllers((4, 8, 8, 8))
    core.closed("c", "drained")
    core.arrive(NOW, [job("1", 6, clusters=("a", "b", "c"))])
    (choice,) = core.decide(NOW)
    assert why_not(choice) == {
        "a": "has 4 processors, needs 6", "b": "", "c": "drained", "d": "not among the clusters asked for",
    }  # fmt: skip
    core.refused("1", "b", "Invalid account")
    assert core.decide(NOW + 1) == []
    core.opened("c")
    (choice,) = core.decide(NOW + 2)
    assert choice.cluster == "c"
    assert why_not(choice)["b"] == "refused it: Invalid account"
    assert choice.decision.number == 2


def test_the_limit_of_a_queue_is_a_reason():
    """A cluster whose queue is full by the limit of the global queue says so."""
    core = controllers((2, 2), broker="first-site", global_queue="fcfs", queue_limit="1")
    core.arrive(NOW, [job(str(place), 2) for place in range(3)])
    choices = core.decide(NOW)
    assert assigned(choices) == {"0": "a", "1": "b"}
    assert why_not(choices[1]) == {"a": "limit of its queue", "b": ""}
    assert choices[0].decision.why.startswith("fcfs with first-site chose a")


def test_a_job_that_no_cluster_will_run_is_rejected():
    """A job too large everywhere, or refused everywhere, is rejected with all reasons."""
    core = controllers((4, 8))
    core.arrive(NOW, [job("1", 9), job("2", 6)])
    choices = core.decide(NOW)
    assert choices[0] == Reject(
        "1", "no cluster will ever run it (a: has 4 processors, needs 9; b: has 8 processors, needs 9)"
    )
    core.refused("2", "b", "no such partition")
    assert core.decide(NOW + 1) == [Reject("2", "no such partition")]


def test_one_cluster_alone_works():
    """A service of one cluster sends all jobs there, and says that it is the only one."""
    core = controllers((4,))
    core.arrive(NOW, [job("1"), job("2", clusters=("a",)), job("3", clusters=("elsewhere",))])
    choices = core.decide(NOW)
    assert assigned(choices) == {"1": "a", "2": "a"}
    assert choices[0] == Reject("3", "no cluster will ever run it (a: not among the clusters asked for)")
    assert choices[1].decision.why == "tat chose a, the only cluster"


def test_jobs_follow_others_by_their_ids():
    """A job comes when all that it follows have ended for good, not when one is held and comes back."""
    core = controllers((8,))
    core.arrive(NOW, [job("1"), job("2"), job("3", after=("1", "2", "0"))], ended=frozenset({"0"}))
    assert assigned(core.decide(NOW)).keys() == {"1", "2"}
    core.started("1", "a", NOW)
    core.hold("2")
    core.ended("1", "a", None)
    assert assigned(core.decide(NOW + 5)) == {}
    core.arrive(NOW + 6, [job("2")])
    assert assigned(core.decide(NOW + 6)) == {"2": "a"}
    core.started("2", "a", NOW + 6)
    core.returned("2", "a")
    assert assigned(core.decide(NOW + 7)) == {"2": "a"}
    core.cancel("2")
    choices = core.decide(NOW + 8)
    assert assigned(choices) == {"3": "a"}


def test_followers_of_a_held_job_come_when_it_is_canceled():
    """A job that is held is not known to the controllers, but those that follow it wait for it."""
    core = controllers((8,))
    core.arrive(NOW, [job("2", after=("1",))])
    assert assigned(core.decide(NOW)) == {}
    core.cancel("1")
    assert assigned(core.decide(NOW + 1)) == {"2": "a"}
    core.cancel("never known")
    assert assigned(core.decide(NOW + 2)) == {}


def test_followers_of_a_rejected_job_come_at_once():
    """When a job is rejected, those that follow it are due at the same time."""
    core = controllers((4, 8))
    core.arrive(NOW, [job("1", 6), job("2", after=("1",))])
    core.decide(NOW)
    core.refused("1", "b", "no")
    assert core.next_time() == NOW
    assert core.decide(NOW) == [Reject("1", "no")]
    assert core.next_time() == NOW
    assert assigned(core.decide(NOW)).keys() == {"2"}
    assert core.next_time() == math.inf


def test_cancel_of_jobs_everywhere():
    """A canceled job leaves its queue; one that runs is to be stopped, and stays until it ends."""
    core = controllers((2,), global_queue="fcfs", queue_limit="1")
    core.arrive(NOW, [job(str(place), 2) for place in range(4)])
    assert assigned(core.decide(NOW)) == {"0": "a"}
    core.started("0", "a", NOW)
    assert assigned(core.decide(NOW)) == {"1": "a"}
    for name in "210":
        core.cancel(name)
    choices = core.decide(NOW + 1)
    assert [one for one in choices if not isinstance(one, Assign)] == [Recall("1", "a"), Stop("0", "a")]
    assert assigned(choices) == {"3": "a"}
    ((running, waiting),) = core.outlook(NOW + 1).values()
    assert (running.job, running.is_running, waiting.job) == ("0", True, "3")


def test_a_job_that_comes_back_may_go_anywhere():
    """A job taken back from a cluster is decided on again, and may go there again."""
    core = controllers((4, 4))
    core.arrive(NOW, [job("1", 4)])
    assert assigned(core.decide(NOW)) == {"1": "a"}
    core.closed("a", "unreachable")
    core.returned("1", "a")
    (choice,) = core.decide(NOW + 900)
    assert (choice.cluster, choice.decision.number, why_not(choice)["a"]) == ("b", 2, "unreachable")
    core.returned("1", "b")
    core.closed("b")
    core.opened("a")
    assert assigned(core.decide(NOW + 901)) == {"1": "a"}


def test_restored_controllers_know_what_was_where():
    """After a restart queued jobs are decided in order, and what waits and runs at clusters counts there."""
    core = controllers((4, 4), broker="tat")
    core.restore(
        NOW,
        [job("5", 4, after=("1", "9")), job("6", 4)],
        [(job("1", 4), "a", NOW - 60), (job("2", 4), "a", None), (job("3", 4), "b", NOW - 10)],
        frozenset({"9"}),
    )
    (choice,) = core.decide(NOW)
    assert (choice.job, choice.cluster) == ("6", "b")
    assert [one.wait_time for one in choice.decision.candidates] == [140.0, 90.0]
    core.ended("1", "a", 60.0)
    core.refused("2", "a", "forgotten")
    assert assigned(core.decide(NOW + 1)).keys() == {"2", "5"}
    core.cancel("3")
    assert core.decide(NOW + 2) == [Stop("3", "b")]


def test_a_restored_job_that_waits_can_leave():
    """Jobs that no controller has sent to their cluster are canceled, taken back and ended as others."""
    core = controllers((4, 4), global_queue="fcfs")
    core.restore(NOW, [], [(job(name, 4), "a", None) for name in "123"])
    core.decide(NOW)
    core.cancel("1")
    assert core.decide(NOW + 1) == [Recall("1", "a")]
    core.returned("2", "a")
    assert assigned(core.decide(NOW + 2)) == {"2": "b"}
    core.ended("3", "a", None)
    core.decide(NOW + 3)
    assert core.outlook(NOW + 3)["a"] == []


def other(native_id, processors=1, state="waiting", limit=50.0, started=None):
    """Return a job of others."""
    return OtherJob(native_id, state, processors, limit, NOW - 100, started)


def test_jobs_of_others_are_a_load():
    """Jobs of others wait, run and end as looks list them, without names, and count in forecasts."""
    core = controllers((4, 4), default_time_limit=1000.0)
    core.others("a", [other("7", 4, "running", started=NOW - 30), other("8", 4)])
    core.others("b", [other("1", 4, "running", limit=None, started=NOW - 30)])
    core.arrive(NOW, [job("1", 4)])
    (choice,) = core.decide(NOW)
    assert [one.wait_time for one in choice.decision.candidates] == [70.0, 970.0]
    plan = core.outlook(NOW)["a"]
    assert [(one.job, one.is_running, one.end - NOW) for one in plan] == [
        ("", True, 20.0), ("", False, 70.0), ("1", False, 170.0),
    ]  # fmt: skip
    core.others("a", [other("8", 4, "running", started=NOW + 1)])
    core.others("b", [])
    core.decide(NOW + 1)
    assert [one.end - NOW for one in core.outlook(NOW + 1)["a"]] == [51.0, 151.0]
    assert core.outlook(NOW + 1)["b"] == []
    core.others("a", [other("8", 4)])
    core.decide(NOW + 2)
    assert [one.is_running for one in core.outlook(NOW + 2)["a"]] == [False, False]


def test_jobs_of_others_with_the_same_id_are_told_apart_by_what_they_ask():
    """A number that a cluster gives to another job is another job."""
    core = controllers((4,))
    core.others("a", [other("7", 4)])
    core.decide(NOW)
    core.others("a", [other("7", 2, limit=10.0), other("9", 400)])
    core.decide(NOW + 1)
    assert [(one.processors, one.end - one.start) for one in core.outlook(NOW + 1)["a"]] == [
        (2, 10.0),
        (4, 50.0),
    ]


def test_a_forecast_changes_nothing():
    """A forecast has the candidates that a decision would have, and leaves the next decision as it was."""
    plain, asked = controllers(), controllers()
    for core in (plain, asked):
        core.arrive(NOW, [job("1", 8, 300.0), job("2", 16, 30.0)])
        core.decide(NOW)
        core.started("1", "a", NOW)
        core.started("2", "b", NOW)
        core.decide(NOW)
    # Job 2 runs beyond its planned end: what is planned for it then is not kept.
    later = NOW + 40
    seen = asked.forecast(later, JobSpec(processors=9, time_limit=20.0))
    assert [one.why_not for one in seen] == ["has 8 processors, needs 9", ""]
    asked.forecast(later, JobSpec(processors=1, clusters=("a",)))
    asked.outlook(later)
    later += 30
    for core in (plain, asked):
        core.arrive(later, [job("3", 8, 10.0)])
    assert asked.decide(later) == plain.decide(later)
    assert asked.forecast(later, JobSpec()) == asked.forecast(later, JobSpec())


@pytest.mark.parametrize(
    ("specs", "chosen"),
    [
        ({"broker": "tat"}, "b"),
        ({"broker": "ml", "global_queue": "fcfs"}, "b"),
        ({"broker": "first-site"}, "a"),
        ({"broker": "random"}, ""),
        ({"broker": "tat", "refresh": 5.0}, ""),
    ],
)
def test_what_would_be_chosen_is_what_is_chosen(specs, chosen):
    """The cluster said of a forecast is that of the decision, if neither chance nor old news decide."""
    core = controllers((8, 8), **specs)
    core.arrive(NOW, [job("1", 8, clusters=("a",))])
    core.decide(NOW)
    asked = JobSpec(processors=4, time_limit=10.0)
    assert core.choice(NOW + 1, asked) == chosen
    assert core.choice(NOW + 1, replace(asked, clusters=("a",))) == (chosen and "a")
    assert core.choice(NOW + 1, replace(asked, processors=9)) == ""
    core.arrive(NOW + 1, [job("2", 4, 10.0)])
    (choice,) = core.decide(NOW + 1)
    assert chosen in ("", choice.cluster)
    core.closed("a")
    core.closed("b")
    core.decide(NOW + 2)
    assert core.choice(NOW + 2, asked) == ""


def test_a_recalled_job_that_stays_is_a_load_again():
    """A job that cannot be removed from its cluster any more counts there, and may start."""
    core = controllers((4, 4))
    core.arrive(NOW, [job("1", 4)])
    core.decide(NOW)
    core.cancel("1")
    assert core.decide(NOW + 1) == [Recall("1", "a")]
    core.stayed("1", "a")
    core.started("1", "a", NOW + 1)
    core.stayed("1", "a")
    core.decide(NOW + 2)
    (running,) = core.outlook(NOW + 2)["a"]
    assert (running.job, running.is_running, running.start) == ("1", True, NOW + 1)
    core.ended("1", "a", 5.0)
    core.decide(NOW + 3)
    assert core.outlook(NOW + 3)["a"] == []


def test_planned_times_are_learned():
    """Jobs are planned with what an estimator has learned of those of their owner, here or before."""
    core = controllers((8, 8), estimator="average:alpha=1")
    core.teach([Lesson("ann", "x", 4, 500.0, 33.0)])
    core.arrive(NOW, [job("1"), job("2", owner="bob")])
    choices = core.decide(NOW)
    assert [one.forecast.run_time for one in choices] == [33.0, 100.0]
    for name, cluster, run in (("1", "a", 20.5), ("2", assigned(choices)["2"], 200.0)):
        core.started(name, cluster, NOW)
        core.ended(name, cluster, run)
    core.arrive(NOW + 200, [job("3"), job("4", owner="bob")])
    choices = core.decide(NOW + 200)
    # A prediction is rounded up, and never more than the limit.
    assert [one.forecast.run_time for one in choices] == [21.0, 100.0]
    assert core.forecast(NOW + 200, JobSpec(time_limit=100.0), "ann")[0].run_time == 21.0
    assert {one.forecast.estimator for one in choices} == {"average:alpha=1"}


def test_forecasts_have_intervals_after_twenty_errors():
    """The interval of a wait follows from the errors of earlier forecasts of the same estimator."""
    core = controllers((1,))
    said = ForecastRecord("0", 1, NOW, "request", wait_time=90.0)
    for wait in range(19):
        core.note_actual(said, 10.0 * wait)
    core.note_actual(replace(said, estimator="ibl"), 0.0)
    core.note_actual(replace(said, wait_time=None), 0.0)
    core.arrive(NOW, [job("1")])
    (choice,) = core.decide(NOW)
    assert choice.forecast.earliest is None
    core.note_actual(said, 190.0)
    core.started("1", "a", NOW)
    core.arrive(NOW, [job("2")])
    (choice,) = core.decide(NOW)
    # Of 20 errors the second and the nineteenth: (10 + 10) / 100 and (180 + 10) / 100, of 100 s + 10 s.
    assert choice.forecast.wait_time == 100.0
    assert (choice.forecast.earliest, choice.forecast.latest) == pytest.approx((12.0, 199.0))


def test_many_jobs_at_once_have_one_forecast_each():
    """Of many jobs decided at one step each has the forecast of its cluster; only the first ask all."""
    core = controllers((4, 4), broker="round-robin")
    core.arrive(NOW, [job(str(place), 4, 10.0) for place in range(40)])
    choices = core.decide(NOW)
    assert [one.forecast.wait_time for one in choices] == [10.0 * (place // 2) for place in range(40)]
    assert None not in [one.wait_time for one in choices[0].decision.candidates]
    assert [one.wait_time is None for one in choices[-1].decision.candidates] == [True, False]


def test_processors_in_service_and_reserved_starts_count():
    """Forecasts know how many processors a cluster has at present, and what it has reserved."""
    core = controllers((8, 8), policy="conservative")
    core.resized("a", 4)
    core.resized("a", 4)
    core.arrive(NOW, [job("1", 8, clusters=("a",)), job("2", 4, clusters=("a",))])
    core.decide(NOW)
    core.reserved("a", [("2", NOW + 500), ("unknown", NOW)])
    core.decide(NOW + 1)
    plan = {one.job: one for one in core.outlook(NOW + 1)["a"]}
    assert plan["1"].start == math.inf
    assert core.forecast(NOW + 1, JobSpec(processors=8, time_limit=5.0))[0].wait_time is None


def test_queues_that_cannot_be_foreseen_have_no_forecasts():
    """A policy whose decisions cannot be simulated ahead gives decisions without forecasts, and no plan."""
    core = controllers((4, 4), broker="round-robin", policy="wfp3")
    core.arrive(NOW, [job("1", 4)])
    (choice,) = core.decide(NOW)
    assert choice.forecast.wait_time is None
    load = "has 4 processors free and 0 jobs wait"
    assert choice.decision.why == f"round-robin chose a: a {load}; b {load}"
    core.started("1", "a", NOW)
    core.arrive(NOW, [job("2", 4, clusters=("a",))])
    core.decide(NOW)
    assert [one.job for one in core.outlook(NOW)["a"]] == ["1"]


def test_times_are_exact_and_never_wake_too_early():
    """The time of the next step is not before it is due, though Unix times are coarser."""
    core = controllers((1,), decision_time=1 / 3)
    core.arrive(NOW, [job("1")])
    assert core.decide(NOW) == []
    due = core.next_time()
    assert due == pytest.approx(NOW + 1 / 3)
    assert assigned(core.decide(due)) == {"1": "a"}


def test_a_clock_that_goes_back_is_no_error():
    """A decision at an earlier time than the last one is made at the last one's."""
    core = controllers((1,))
    core.arrive(NOW + 10, [job("1")])
    core.decide(NOW + 10)
    core.arrive(NOW, [job("2")])
    assert assigned(core.decide(NOW)) == {"2": "a"}


def test_notes_of_unknown_jobs_change_nothing():
    """What is noted of jobs that are not known, or are elsewhere, or twice, changes nothing."""
    core, plain = controllers((4, 4)), controllers((4, 4))
    for one in (core, plain):
        one.arrive(NOW, [job("1", 4)])
        one.decide(NOW)
        one.started("1", "a", NOW)
    core.started("1", "b", NOW)
    core.started("1", "a", NOW + 1)
    core.arrive(NOW, [job("1", 4)])
    for name, cluster in (("9", "a"), ("1", "b")):
        core.ended(name, cluster, 1.0)
        core.refused(name, cluster, "no")
        core.returned(name, cluster)
        core.suspended(name, cluster)
    core.refused("1", "a", "it runs")
    core.cancel("9")
    core.hold("9")
    core.opened("a")
    assert core.decide(NOW) == plain.decide(NOW) == []
    assert core.outlook(NOW + 5) == plain.outlook(NOW + 5)
    core.ended("1", "a", 3.0)
    core.ended("1", "a", 3.0)
    core.decide(NOW + 6)
    assert core.outlook(NOW + 6)["a"] == []


def test_an_engine_that_begins_again_keeps_what_is_known():
    """An engine that forgets ended jobs keeps closed clusters, sizes, refusals and orders of queues."""
    cores = controllers((4, 4, 4), most_ended=math.inf), controllers((4, 4, 4), most_ended=0)
    said = []
    for core in cores:
        core.closed("c", "drained")
        core.resized("b", 2)
        core.others("a", [other("5", 2, "running", started=NOW - 5)])
        core.arrive(NOW, [job(str(place), 4, 10.0 + place) for place in range(3)])
        core.decide(NOW)
        core.refused("1", "a", "no")
        core.decide(NOW + 1)
        for name in "02":
            core.cancel(name)
        core.decide(NOW + 2)
        core.arrive(NOW + 3, [job("3", 2)])
        said.append((core.decide(NOW + 3), core.outlook(NOW + 4), core.forecast(NOW + 4, JobSpec())))
        core.opened("c")
        said[-1] += (core.decide(NOW + 5),)
    assert said[0] == said[1]
    assert assigned(said[0][-1]) == {}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"global_queue": "requests"}, "copies of one job to several clusters"),
        ({"broker": "stealing"}, "only brokers and global queues decide in steps"),
        ({"estimator": "exact"}, "knows run times before"),
        ({"longest_stay": 5.0}, "longest"),
    ],
)
def test_rules_that_cannot_be_served_are_refused(rules, said):
    """Rules that a service cannot decide by are refused at once, in one sentence."""
    with pytest.raises(InputError, match=said):
        controllers(**rules)


def test_a_rule_that_sends_copies_is_refused(tmp_path):
    """A global queue of a user's own that sends a job to several clusters is told that this is not served."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from echelon.policies.global_queue import Copy\n\n\nclass Twice:\n    name = 'twice'\n\n"
        "    def dispatch(self, view):\n        for job in view.queue:\n            yield Copy(job, (0, 1))\n"
    )
    core = controllers((4, 4), global_queue=f"{mine}:Twice")
    core.arrive(NOW, [job("1")])
    with pytest.raises(PolicyError, match="was sent to several clusters at once"):
        core.decide(NOW)
