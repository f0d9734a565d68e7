"""check_policy: it passes what is right and names what is wrong."""

from __future__ import annotations

import re

import pytest

from echelon.engine.contract import Scenario
from echelon.errors import InputError, PolicyError, UnknownNameError
from echelon.model import Instance, Workload
from echelon.policies import (
    BACKFILLS,
    PREEMPTIVE,
    Easy,
    NodeBackfill,
    Order,
    Policy,
    Preempt,
    Relaxed,
    Slack,
    Start,
    order,
    policy_named,
    policy_names,
)
from echelon.policies.backfill.first_fit import FirstFit
from echelon.testing import check_policy
from echelon.testing.checks.check_capabilities import check_capabilities
from echelon.testing.strategies import scale_free
from echelon.testing.workloads import CASES, case, crowd

FEWER = [(one.workload, one.processors) for one in (*CASES, crowd(1, 40, processors=7))]
"""All tiny cases and one crowd of 40 jobs in place of three of 100."""

REFERENCE_ONLY = (Slack, Relaxed, NodeBackfill, *PREEMPTIVE)


FEWEST = [
    (one.workload, one.processors)
    for one in (case("unsorted-submits"), case("no-estimates"), case("fractions"))
] + FEWER[-1:]
"""Three tiny cases, of what most rules do not think of, and the crowd."""


def found(checked, name):
    """Return the finding of that name."""
    [finding] = [finding for finding in checked.findings if finding.name == name]
    return finding


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*policy_names(), "easy:reservations=3", "easy:candidates=sjf:fit=best-fit"])
def test_built_in_policies_pass(spec):
    """Every built-in policy passes everything; those with seconds of their own or one engine get notes."""
    checked, named = check_policy(spec, workloads=FEWEST), policy_named(spec)
    assert checked.passed
    noted = {finding.name for finding in checked.findings if not finding.passed}
    alone = isinstance(named.scheduler, REFERENCE_ONLY)
    assert noted <= (set() if scale_free(named) else {"scale"}) | ({"compiled engine"} if alone else set())
    assert ("compiled engine" in noted) is alone
    assert checked.require() is checked


class StartsAll:
    """Starts every job, whether there is room or not."""

    name = "starts-all"

    def decide(self, view):
        return [Start(job) for job in view.queue]


class StartsNoJob:
    """Leaves every job waiting."""

    name = "starts-no-job"

    def decide(self, view):
        return []


@pytest.mark.parametrize(
    ("scheduler", "sentence"),
    [
        (StartsAll, "starts-all.*processors, but .* are free"),
        (StartsNoJob, "can never start"),
    ],
)
def test_a_forbidden_decision_is_a_finding(scheduler, sentence):
    """A run that breaks a rule fails the check of runs, with where and why; nothing further is looked at."""
    checked = check_policy(scheduler)
    assert not checked.passed
    assert [finding.name for finding in checked.findings] == ["keys", "runs"]
    assert found(checked, "keys").passed
    with pytest.raises(PolicyError, match=sentence):
        checked.require()


def test_bad_keys_are_the_orders_fault():
    """A key that is no finite number fails the check of keys, also when it comes late."""
    checked = check_policy(Order("late", lambda job, view: float("inf") if view.now > 50 else 0, "none"))
    assert [(finding.name, finding.passed) for finding in checked.findings] == [("keys", False)]
    assert "expected a finite number" in checked.findings[0].sentence
    assert "more of" in checked.findings[0].sentence


@pytest.mark.slow
def test_a_policy_with_a_memory_is_found():
    """A scheduler that counts its cycles over all runs does not repeat itself."""

    class Moody:
        name = "moody"
        cycles = 0

        def decide(self, view):
            type(self).cycles += 1
            jobs = view.queue if self.cycles % 2 else view.queue[::-1]
            for job in jobs:
                if job.processors <= view.free:
                    yield Start(job)

    checked = check_policy(Moody)
    assert not found(checked, "same seed").passed
    assert "starts at" in found(checked, "same seed").sentence


@pytest.mark.slow
def test_a_policy_that_reads_job_numbers_is_found():
    """Job numbers are names: a rule that orders by them fails."""

    @order("by-number", source="none")
    def by_number(job, view):
        """Job number modulo seven."""
        return job.job_id % 7

    checked = check_policy(by_number, workloads=FEWER)
    assert not found(checked, "job numbers").passed
    assert found(checked, "same seed").passed
    assert not checked.passed


@pytest.mark.slow
def test_seconds_of_ones_own_are_only_noted():
    """A rule with a threshold in seconds passes, with a note that it does not scale."""

    @order("short-before-long", source="none")
    def short_before_long(job, view):
        """Jobs of up to 15 s first."""
        return job.planned_time > 15

    checked = check_policy(short_before_long, workloads=FEWER)
    assert checked.passed
    assert not found(checked, "scale").passed
    assert not found(checked, "scale").required


@pytest.mark.slow
def test_an_order_that_reads_the_view_is_noted():
    """It passes; that the compiled engine cannot run it is a note with the reason."""

    @order("by-wait", source="none")
    def by_wait(job, view):
        """Longest wait first, in seconds."""
        return job.submit_time - view.now

    checked = check_policy(by_wait, workloads=FEWER)
    assert checked.passed
    assert "reads the view" in found(checked, "compiled engine").sentence


def test_workloads_of_ones_own():
    """Given workloads take the place of the built-in ones, under each rule of cycles."""
    table = Workload.from_columns(submit_time=[0, 0], run_time=[3, 4], processors=[1, 2])
    checked = check_policy(FirstFit(), workloads=[(table, 2)])
    assert found(checked, "runs").sentence.endswith("in 3 runs")
    with pytest.raises(InputError, match="processors: must be at least 1"):
        check_policy("easy", workloads=[(table, 0)])


@pytest.mark.slow
def test_the_seed_decides_the_crowds():
    """Equal seeds find the same; a built-in policy passes under another seed."""
    assert check_policy("random", seed=3) == check_policy("random", seed=3)
    assert check_policy(Easy(reservations=2), seed=4).passed


def test_what_is_no_policy():
    """A word that names nothing is an error, not a finding."""
    with pytest.raises(UnknownNameError, match="did you mean 'easy'"):
        check_policy("eesy")


class Declares:
    """First-fit that declares what a test says."""

    name = "declares"

    def decide(self, view):
        for job in view.queue:
            if view.fits(job):
                yield Start(job)


class DeclaresAndPlans(Declares):
    """A plan of the whole queue, which asks for what is free over future time."""

    def decide(self, view):
        profile = view.availability()
        for job in view.queue:
            start = profile.earliest_for(job)
            where = profile.hold(job, start)
            if start <= view.now and view.fits(job):
                yield Start(job, where=where)


class DeclaresAndCounts(Declares):
    """Starts a job behind the head only when it has counted enough cycles in its notebook."""

    def decide(self, view):
        view.notes["cycles"] = view.notes.get("cycles", 0) + 1
        for place, job in enumerate(view.queue):
            if view.fits(job) and (place == 0 or view.notes["cycles"] > 20):
                yield Start(job)


class DeclaresAndPreempts(Declares):
    """Lets the newest job run, once."""

    def decide(self, view):
        for job in view.queue:
            if view.last_start(job) is None and not view.fits(job):
                yield from [Preempt(other.job) for other in view.running]
            if view.fits(job):
                yield Start(job)


class DeclaresAndReads(Declares):
    """Starts a job behind the head only while the next planned end is far."""

    def decide(self, view):
        near = any(running.planned_end < view.now + 100 for running in view.running)
        for job in view.queue[: 1 if near else None]:
            if view.fits(job):
                yield Start(job)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "declared", "sentence"),
    [
        (
            Declares,
            {"overtakes": False},
            "overtakes=False, but lets a job start while an earlier one waits",
        ),
        (DeclaresAndPlans, {"starts_all_that_fit": True}, "but leaves fitting jobs waiting"),
        (DeclaresAndPlans, {"plans": False}, r"plans jobs in availability\(\)"),
        (DeclaresAndPlans, {"looks_ahead": False}, "declares looks_ahead=False, but uses availability"),
        (DeclaresAndReads, {"looks_ahead": False}, "declares looks_ahead=False, but uses planned_end"),
        (DeclaresAndCounts, {"predictable": True}, "declares predictable=True, but .* as predicted"),
        (DeclaresAndPreempts, {"preempts": False}, "declares preempts=False, but preempts jobs"),
        (Declares, {"plans": "perhaps"}, "must be True or False, got 'perhaps'"),
    ],
)
def test_a_false_declaration_is_found(kind, declared, sentence):
    """What a scheduler declares of itself is compared with what it does; a contradiction fails the check."""
    checked = check_policy(type("Declared", (kind,), declared)(), workloads=FEWER)
    finding = found(checked, "capabilities")
    assert not finding.passed
    assert finding.required
    assert re.search(sentence, finding.sentence)


@pytest.mark.parametrize("scheduler", [kind() for kind in (*BACKFILLS, *PREEMPTIVE)], ids=lambda s: s.name)
def test_built_in_declarations_hold(scheduler):
    """Nothing that a built-in scheduler does on a crowd of jobs contradicts what it declares."""
    scenarios = [
        Scenario(
            Instance.of(crowd(seed, 50, processors=19).workload, 19),
            Policy.of(backfill=scheduler),
            cycles=cycles,
        )
        for seed in range(2)
        for cycles in ("instant", "event")
    ]
    assert all(finding.passed for finding in check_capabilities(scenarios))


@pytest.mark.slow
def test_a_true_declaration_passes():
    """First-fit that declares all that first-fit is has nothing against it."""
    declared = {"starts_all_that_fit": True, "looks_ahead": False, "plans": False, "predictable": True}
    checked = check_policy(type("Declared", (Declares,), declared)(), workloads=FEWER)
    assert checked.passed
    assert "predictable=True" in found(checked, "capabilities").sentence


@pytest.mark.slow
def test_preempting_without_a_declaration_is_noted():
    """It keeps the rules on one machine, but is told what to declare for those where it cannot run."""
    checked = check_policy(DeclaresAndPreempts(), workloads=FEWER)
    assert found(checked, "capabilities").passed
    note = found(checked, "preempts")
    assert not note.required
    assert "declare preempts = True" in note.sentence
