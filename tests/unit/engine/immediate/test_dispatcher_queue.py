"""Dispatchers: what they may decide, when they are asked, and what becomes of copies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.engine.immediate.platforms import instance, run

from echelon.engine.immediate.rules import ImmediateRules
from echelon.errors import DeadlockError, InputError, PolicyError
from echelon.policies import Admissible, Wake
from echelon.policies.immediate.contract import Cancel, Dispatch

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Own:
    """A dispatcher made of a function of the view."""

    rule: Callable[[Any], Any]
    name: str = "own"
    dispatches: bool = True

    def decide(self, view):
        return self.rule(view)


def everything_first(view):
    for job in view.waiting:
        yield Dispatch(job, view.fits(job)[0])


def twice(view):
    """Every waiting job at the first two sites."""
    for job in view.waiting:
        yield Dispatch(job, 0)
        yield Dispatch(job, 1)


TWO = ((1, 1.0), (1, 0.5))


def test_the_first_copy_that_ends_is_the_end_and_cancels_the_others():
    """A job with copies at a fast and a slow machine ends with the fast one; the slow core is free then."""
    found = run(instance((0, 60, 1), (60, 10, 1), on=TWO), Own(twice))
    assert found.end_time.tolist() == [60, 70]
    assert found.site.tolist() == [0, 0]
    copies = found.replicas
    assert copies.job.tolist() == [0, 0, 1, 1]
    assert copies.end.tolist() == [60, 60, 70, 70]
    assert copies.site[copies.finished].tolist() == [0, 0]


def test_of_copies_that_end_together_the_lowest_site_counts():
    """Two equal machines end two copies at one instant: one finished, one canceled then."""
    found = run(instance((0, 60, 1), on=((1, 1.0), (1, 1.0))), Own(twice))
    assert found.site.tolist() == [0]
    assert found.replicas.finished.tolist() == [True, False]
    assert found.replicas.end.tolist() == [60, 60]


def test_a_canceled_copy_gives_its_share_back():
    """Two jobs share a core until one of them is canceled there, having gone on elsewhere."""

    def rule(view):
        if view.now == 0:
            yield Dispatch(view.waiting[0], 0)
            yield Dispatch(view.waiting[0], 0)
            yield Dispatch(view.running[0], 1)
            yield Wake(20)
        if view.now == 20:
            yield Cancel(view.running[0], 0)

    found = run(instance((0, 60, 1), (0, 60, 1), on=TWO), Own(rule))
    assert found.end_time.tolist() == [120, 70]
    assert found.start_time.tolist() == [0, 0]
    assert found.replicas.start.tolist() == [0, 0, 0]
    assert found.replicas.end.tolist() == [20, 120, 70]


def test_one_pass_an_instant_sees_all_that_came():
    """Jobs of one instant are shown together, by submit time and position."""
    seen = []

    def rule(view):
        seen.append((view.now, [job.position for job in view.waiting]))
        yield from everything_first(view)

    run(instance((5, 1, 1), (5, 1, 1), (0, 1, 1)), Own(rule))
    assert seen[0] == (0, [2])
    assert (5, [0, 1]) in seen


def test_decisions_that_take_time_dispatch_one_job_each():
    """Three jobs at once leave 2 s apart, the first after 2 s: as under a broker that takes as long."""
    given = instance((0, 100, 1), (0, 100, 1), (0, 100, 1), (50, 100, 1), on=((8, 1.0),))
    rules = ImmediateRules(decision_time=2.0)
    assert run(given, Own(everything_first), rules).start_time.tolist() == [2, 4, 6, 52]


def test_a_job_that_comes_while_others_end_does_not_wait_longer():
    """With an empty queue no decision is in progress: a job's decision begins at its arrival."""
    given = instance((0, 10, 1), (13, 10, 1), on=((8, 1.0),))
    rules = ImmediateRules(decision_time=2.0)
    assert run(given, Own(everything_first), rules).start_time.tolist() == [2, 15]


def test_what_is_known_is_what_is_known_when_the_decision_is_done():
    """A pass shows the time and the machines as they are after the decision time."""
    seen = []

    def rule(view):
        seen.append((view.now, [view.processes(site) for site in (0, 1)]))
        yield from everything_first(view)

    run(instance((0, 3, 1), (0, 100, 1), on=TWO), Own(rule), ImmediateRules(decision_time=4.0))
    assert seen[:2] == [(4, [0, 0]), (8, [0, 0])]


def test_jobs_may_wait_until_a_time_asked_for():
    """A dispatcher that wakes itself dispatches then, though nothing else happens."""

    def rule(view):
        if view.now < 30:
            yield Wake(30)
        else:
            yield from everything_first(view)

    assert run(instance((0, 60, 1)), Own(rule)).start_time.tolist() == [30]


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (lambda view: [Dispatch(view.waiting[0], 7)], "dispatched to 7; expected one of the sites 1 to 1"),
        (lambda view: [Dispatch(view.waiting[0], 0)], "dispatched to 0; expected one of the sites 1 to 1"),
        (lambda view: [Dispatch(view.waiting[0], 1.0)], r"dispatched to 1\.0"),
        (lambda view: [Dispatch("job", 1)], "neither waits nor runs"),
        (lambda view: [Dispatch(view.waiting[0]._replace(processors=1), 0)], "neither waits nor runs"),
        (lambda view: [Dispatch(view.waiting[0], 1)] * 2, "a copy of it runs there"),
        (lambda view: [Cancel(view.waiting[0], 1)], "does not run"),
        (lambda view: [Wake(view.now)], "later time"),
        (lambda view: [Wake(math.nan)], "later time"),
        (lambda view: [42], r"gave 42; expected Dispatch\(job, site\)"),
        (lambda view: 1 / 0, "fails with ZeroDivisionError"),
        (lambda view: 42, "fails with TypeError"),
        (lambda view: iter(lambda: Wake(view.now + 1), None), "more than 10 decisions per job and site"),
    ],
)
def test_what_is_forbidden_is_said_by_name(rule, says):
    """Each forbidden decision is a sentence with the dispatcher, the time and what was expected."""
    with pytest.raises(PolicyError, match=f"policy 'own' at t = 0 s.*({says})"):
        run(instance((0, 60, 2), on=((1, 1.0), (2, 0.5))), Own(rule))


def test_a_copy_can_be_canceled_only_where_it_runs_and_not_the_last():
    """Cancel names a site with a copy of a job that has others."""

    def cancel(site):
        def rule(view):
            for job in view.waiting:
                yield Dispatch(job, 1)
            for job in view.running:
                yield Cancel(job, site)

        return rule

    with pytest.raises(PolicyError, match=r"canceled at 0, but its copies run at \[1\]"):
        run(instance((0, 60, 1), on=TWO), Own(cancel(0)))
    with pytest.raises(PolicyError, match="canceled at site 1, where its last copy runs"):
        run(instance((0, 60, 1), on=TWO), Own(cancel(1)))


def test_jobs_that_are_never_dispatched_are_named():
    """When nothing is left to happen the run ends with the jobs that wait."""
    with pytest.raises(DeadlockError, match=r"'own': 2 jobs can never start.*1 \(1 processes\), 2"):
        run(instance((0, 60, 1), (3, 60, 1)), Own(lambda view: ()))


def test_waking_for_ever_in_vain_is_being_stuck(monkeypatch):
    """A dispatcher that only asks for the next cycle is stopped, here after a thousand cycles."""
    monkeypatch.setattr("echelon.engine.queue.decisions.MOST_IDLE", 1000)
    with pytest.raises(DeadlockError, match="can never start"):
        run(instance((0, 60, 1)), Own(lambda view: [Wake(view.now + 1)]))


@pytest.mark.slow
def test_moving_a_job_for_ever_is_refused():
    """A dispatcher that copies a job, cancels the old copy, and again, makes no progress."""

    def moving(view):
        yield from (Dispatch(job, 0) for job in view.waiting)
        for job in view.running:
            (here,) = view.replicas(job)
            yield Dispatch(job, 1 - here)
            yield Cancel(job, here)
            yield Wake(view.now + 1)

    with pytest.raises(PolicyError, match=r"at t = 1000 s: job 1 is canceled .* 1000 times a job"):
        run(instance((0, 60, 1), on=TWO), Own(moving))


def test_what_goes_wrong_as_a_pass_ends_early_is_told():
    """A pass that ends with its first dispatch closes the dispatcher's generator, whose error is its own."""

    def failing(view):
        try:
            yield from everything_first(view)
        finally:
            raise ValueError("at the end")

    with pytest.raises(PolicyError, match="fails with ValueError: at the end"):
        run(instance((0, 60, 1), (0, 60, 1)), Own(failing), ImmediateRules(decision_time=1.0))


def test_dispatchers_are_given_no_admissible_ranges():
    """Admissibility is for brokers, and saying it to a dispatcher is an error."""
    with pytest.raises(InputError, match="own may choose every machine"):
        run(instance((0, 60, 1)), Own(everything_first), admissible=Admissible(0.5))
