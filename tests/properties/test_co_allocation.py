"""Co-allocation: program, dynamic program and thresholds find what trying every set of nodes finds."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.policies.coallocation import (
    DynamicProgram,
    FirstFeasible,
    Heuristic,
    LowCommunication,
    NonSaturated,
    Optimal,
    Reading,
    Rule85,
    SpanningProblem,
    Threshold,
)

READINGS = st.builds(Reading, links=st.sampled_from(["used", "all"]), clamp=st.booleans())
FORMS = ("full", "reduced")


@st.composite
def problems(draw, clusters=4, nodes=3, tasks=None):
    """Draw a job and some clusters: saturated, infinite, empty ones, jobs without computing or traffic."""
    sizes = draw(st.lists(st.integers(0, nodes), min_size=1, max_size=clusters))
    count = sum(sizes)
    column = {"min_size": len(sizes), "max_size": len(sizes)}
    powers = st.lists(st.sampled_from([1.0, 0.75, 0.5, 0.3, 0.1, 0.0]), min_size=count, max_size=count)
    links = st.lists(st.sampled_from([30.0, 50.0, 100.0, math.inf]), **column)
    return SpanningProblem(
        tasks=tasks or draw(st.integers(1, count + 1)),
        bandwidth=draw(st.sampled_from([0.0, 5.0, 20.0, 40.0])),
        compute_time=draw(st.sampled_from([0.0, 1.0, 100.0])),
        communication_time=draw(st.sampled_from([0.0, 1.0, 100.0])),
        cluster=np.repeat(np.arange(len(sizes)), sizes),
        power=np.array(draw(powers)),
        link=np.array(draw(links)),
        consumed=np.array(draw(st.lists(st.sampled_from([0.0, 10.0, 40.0, 120.0]), **column))),
    )


def least_time(problem, reading, limit):
    """Return the least T^e of all sets of nodes with SC <= limit, or None."""
    times = []
    for chosen in combinations(range(len(problem.cluster)), problem.tasks):
        nodes = np.array(chosen)
        computing, crossing = problem.slowdowns(nodes, reading)
        if crossing <= limit and computing < math.inf:
            times.append(problem.time(nodes, reading))
    return min(times, default=None)


def check(span, rule, problem, expected):
    """Hold an exact rule's answer against the least time there is, or None."""
    if expected is None:
        assert span is None
        return
    assert span is not None
    assert len(set(span.nodes)) == problem.tasks
    assert list(span.nodes) == sorted(span.nodes)
    nodes = np.array(span.nodes)
    assert span.time == problem.time(nodes, rule.reading)
    assert problem.slowdowns(nodes, rule.reading)[1] <= rule.limit
    assert span.time == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert span.proved
    assert span.gap < 1e-7
    assert span.found_by == rule.name


@pytest.mark.parametrize("saturated", [True, False])
@pytest.mark.parametrize("kind", [Threshold, DynamicProgram])
@examples(150)
@given(problem=problems(), reading=READINGS)
def test_thresholds_and_dynamic_program_equal_enumeration(kind, saturated, problem, reading):
    """Both exact rules find the least T^e of all sets of nodes, with and without constraint 4.19."""
    rule = kind(links=reading.links, clamp=reading.clamp, non_saturated=not saturated)
    check(rule.span(problem), rule, problem, least_time(problem, reading, rule.limit))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [Optimal, NonSaturated])
@examples(60)
@given(problem=problems(), reading=READINGS)
def test_programs_equal_enumeration(kind, form, problem, reading):
    """The binary program in its full and its reduced form has the least T^e of all sets of nodes."""
    pytest.importorskip("highspy", reason="highspy solves the programs")
    rule = kind(links=reading.links, clamp=reading.clamp, form=form)
    check(rule.span(problem), rule, problem, least_time(problem, reading, rule.limit))


@pytest.mark.parametrize("kind", [Optimal, NonSaturated])
@examples(25)
@given(problem=problems(clusters=7, nodes=6), reading=READINGS)
def test_programs_and_other_exact_rules_agree_on_larger_problems(kind, problem, reading):
    """Two forms of the program, dynamic program and thresholds: one optimum where enumeration is too much."""
    pytest.importorskip("highspy", reason="highspy solves the programs")
    settings = {"links": reading.links, "clamp": reading.clamp}
    others = {"non_saturated": kind is NonSaturated, **settings}
    rules = [kind(form=form, **settings) for form in FORMS]
    rules += [Threshold(**others), DynamicProgram(**others)]
    spans = [rule.span(problem) for rule in rules]
    times = [None if span is None else span.time for span in spans]
    for span, rule in zip(spans, rules, strict=True):
        check(span, rule, problem, times[-1])


@pytest.mark.parametrize("form", FORMS)
@examples(60)
@given(problem=problems(), reading=READINGS)
def test_first_feasible_finds_an_answer_whenever_there_is_one(form, problem, reading):
    """Its SC is at most 1, its time at least the optimum's; None exactly if every answer saturates a link."""
    pytest.importorskip("highspy", reason="highspy solves the programs")
    span = FirstFeasible(form=form, links=reading.links, clamp=reading.clamp).span(problem)
    expected = least_time(problem, reading, 1.0)
    assert (span is None) == (expected is None)
    if span is not None:
        assert len(set(span.nodes)) == problem.tasks
        assert problem.slowdowns(np.array(span.nodes), reading)[1] <= 1
        assert span.time >= expected - 1e-9
        assert span.proved


@examples(200)
@given(problem=problems(), reading=READINGS, step=st.sampled_from([0.0, 0.1, 1.0]), saturated=st.booleans())
def test_heuristic_keeps_its_promise(problem, reading, step, saturated):
    """Its T^e is at most 1 + step times the least, within its own gap, and it answers whenever it can."""
    rule = Heuristic(step=step, links=reading.links, clamp=reading.clamp, non_saturated=not saturated)
    span, expected = rule.span(problem), least_time(problem, reading, rule.limit)
    assert (span is None) == (expected is None)
    if span is not None:
        assert problem.slowdowns(np.array(span.nodes), reading)[1] <= rule.limit
        assert expected - 1e-9 <= span.time <= expected * (1 + step) + 1e-9
        assert math.isnan(span.gap) or span.time <= expected * (1 + span.gap) + 1e-9


@examples(100)
@given(problem=problems(clusters=6, nodes=5), reading=READINGS)
def test_an_answer_without_saturation_takes_no_less_time(problem, reading):
    """Constraint 4.19 only takes answers away."""
    settings = {"links": reading.links, "clamp": reading.clamp}
    free = Threshold(**settings).span(problem)
    bound = Threshold(non_saturated=True, **settings).span(problem)
    assert (free is None) == ((problem.power > 0).sum() < problem.tasks)
    if bound is not None:
        assert bound.time >= free.time


@examples(100)
@given(problem=problems(), factor=st.sampled_from([1.0, 1.25, 2.0, 4.0]))
def test_a_limit_on_the_time_refuses_what_is_longer(problem, factor):
    """With at-most-longer, an exact rule answers exactly if some nodes are fast enough."""
    rule = Threshold(at_most_longer=factor)
    span, least = rule.span(problem), least_time(problem, Reading(), math.inf)
    dedicated = problem.compute_time + problem.communication_time
    assert (span is not None) == (least is not None and least <= factor * dedicated * (1 + 1e-9))


@pytest.mark.parametrize("form", FORMS)
@examples(40)
@given(problem=problems(), factor=st.sampled_from([1.0, 1.25, 2.0]))
def test_the_first_feasible_looks_for_one_that_is_short_enough(form, problem, factor):
    """The limit is a row of the program, so that a long first answer does not hide a short one."""
    pytest.importorskip("highspy", reason="highspy solves the programs")
    span = FirstFeasible(form=form, at_most_longer=factor).span(problem)
    least = least_time(problem, Reading(), 1.0)
    dedicated = problem.compute_time + problem.communication_time
    assert (span is not None) == (least is not None and least <= factor * dedicated * (1 + 1e-9))


@examples(100)
@given(problem=problems(clusters=5, nodes=6))
def test_literature_rules_take_as_many_nodes_as_tasks(problem):
    """Rule-85 puts its share into one cluster; low-communication crosses no link that is too narrow."""
    for rule in (Rule85(), Rule85(share=0.5), LowCommunication(), LowCommunication(most=0.5)):
        span = rule.span(problem)
        if span is None:
            continue
        assert len(set(span.nodes)) == problem.tasks
        counts = np.bincount(problem.cluster[list(span.nodes)], minlength=len(problem.link))
        if isinstance(rule, Rule85):
            assert counts.max() >= rule.share * problem.tasks - 1e-9
        elif counts.max() < problem.tasks:
            assert (problem.bandwidth <= rule.most * problem.link[counts > 0]).all()
