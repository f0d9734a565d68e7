"""Co-allocation worked by hand, its edge cases, and the rules of the literature."""

from __future__ import annotations

import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError, MissingExtraError, UnknownNameError
from echelon.policies.coallocation import (
    CO_ALLOCATIONS,
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
    program,
)
from echelon.policies.coallocation.program import Solved
from echelon.policies.coallocation.registry import co_allocation_named

EXACT = (Threshold, DynamicProgram, Optimal, NonSaturated)


def problem(sizes, **given):
    """Return a problem with clusters of so many equal nodes, links of 100 and a job of 4 tasks."""
    values = {
        "tasks": 4,
        "bandwidth": 30.0,
        "compute_time": 60.0,
        "communication_time": 40.0,
        "cluster": np.repeat(np.arange(len(sizes)), sizes),
        "power": np.ones(sum(sizes)),
        "link": np.full(len(sizes), 100.0),
        "consumed": np.zeros(len(sizes)),
    }
    return SpanningProblem(**{**values, **given})


@pytest.fixture(autouse=True)
def solver():
    pytest.importorskip("highspy", reason="highspy solves the programs")


def test_traffic_between_clusters():
    """Equation 4.14: 4 tasks of 30 halved between two clusters send 40 over each link, whole ones nothing."""
    assert problem([4, 4]).traffic(2) == 40
    assert problem([4, 4]).traffic(1) == problem([4, 4]).traffic(3) == 30
    assert problem([4, 4]).traffic(0) == problem([4, 4]).traffic(4) == 0
    assert problem([1], tasks=1).traffic(1) == 0


def test_slowdowns_of_nodes():
    """SP is 1 / the least power taken, SC the worst link used; readings differ on idle and unused links."""
    one = problem([2, 2, 2], power=np.array([1, 0.5, 1, 1, 0.1, 0.1]), consumed=np.array([80.0, 0, 150]))
    nodes = np.array([0, 1, 2, 3])
    assert one.slowdowns(nodes) == (2, 1.2)
    assert one.slowdowns(nodes, Reading("all")) == (2, 1.5)
    idle = replace(one, consumed=np.zeros(3))
    assert idle.slowdowns(nodes) == (2, 1)
    assert idle.slowdowns(nodes, Reading(clamp=False)) == (2, 0.4)
    assert idle.time(nodes, Reading(clamp=False)) == 60 * 2 + 40 * 0.4


@pytest.mark.parametrize("kind", EXACT)
def test_the_best_nodes_of_two_clusters(kind):
    """Three tasks beside one: the fast nodes of two clusters, neither the slow one nor the narrow link."""
    given = problem(
        [3, 2, 3],
        power=np.array([1, 1, 1, 1, 0.9, 1, 1, 1]),
        link=np.array([100.0, 100, 20]),
    )
    span = kind().span(given)
    assert span.nodes == (0, 1, 2, 3)
    assert (span.time, span.gap, span.proved) == (100, 0, True)


@pytest.mark.parametrize("kind", CO_ALLOCATIONS)
def test_edges(kind):
    """No node, too few, one task, every node, and a job that needs no link at all."""
    rule = kind()
    assert rule.span(problem([0])) is None
    assert rule.span(problem([2, 1])) is None
    assert len(rule.span(problem([0, 1, 2], tasks=1)).nodes) == 1
    assert rule.span(problem([4])).nodes == (0, 1, 2, 3)
    silent = problem([4, 1, 1], tasks=6, bandwidth=0.0)
    if kind is not Rule85:
        assert rule.span(silent).nodes == tuple(range(6))
    assert rule.span(replace(silent, tasks=4)).time == 100


@pytest.mark.parametrize("kind", [*EXACT, FirstFeasible, Heuristic])
def test_saturated_and_infinite_links(kind):
    """A link in use above its capacity is left alone if others suffice; infinite links cost nothing."""
    busy = problem([2, 2, 2], consumed=np.array([0, 200.0, 0]))
    assert kind().span(busy).nodes == (0, 1, 4, 5)
    endless = problem([2, 2], link=np.full(2, math.inf), bandwidth=1e12)
    assert kind().span(endless).time == 100


@pytest.mark.parametrize("kind", [NonSaturated, FirstFeasible])
@pytest.mark.parametrize("form", ["full", "reduced"])
def test_no_answer_without_saturation(kind, form):
    """Where each answer saturates a link there is none, and the optimum without the constraint is slower."""
    narrow = problem([2, 2], link=np.full(2, 20.0))
    assert kind(form=form).span(narrow) is None
    assert Threshold(non_saturated=True).span(narrow) is None
    assert DynamicProgram(non_saturated=True).span(narrow) is None
    assert Heuristic(non_saturated=True).span(narrow) is None
    assert Optimal(form=form).span(narrow).time == pytest.approx(60 + 40 * 2)


@pytest.mark.parametrize("form", ["full", "reduced"])
def test_time_is_over_before_any_answer(form, monkeypatch):
    """Then the heuristic answers, marked, with the gap that is proved of it; or None if there are none."""
    monkeypatch.setattr(program, "solve", lambda _, seconds: Solved(None, -math.inf, over=False))
    given = problem([3, 3], power=np.array([1, 1, 0.5, 1, 1, 0.5]), link=np.full(2, 32.0))
    span = Optimal(form=form).span(given)
    assert (span.found_by, span.proved, span.nodes) == ("heuristic", False, (0, 1, 3, 4))
    assert 0 <= span.gap <= 0.02 + 1e-9
    assert NonSaturated(form=form).span(replace(given, link=np.full(2, 20.0))) is None


@pytest.mark.parametrize("form", ["full", "reduced"])
def test_time_is_over_with_an_answer(form, monkeypatch):
    """The best so far is taken; its gap is to what the solver has proved."""
    real = program.solve

    def stopped(given, seconds):
        return real(given, seconds)._replace(bound=1.0, over=False)

    monkeypatch.setattr(program, "solve", stopped)
    given = problem([3, 3], power=np.full(6, 0.5), link=np.full(2, 20.0))
    span = Optimal(form=form).span(given)
    assert (span.found_by, span.proved) == ("optimal", False)
    assert span.gap == pytest.approx(span.time / 160 - 1)


def test_a_real_time_limit_always_ends_with_an_answer():
    """A limit that nobody can keep: an answer all the same, never worse than the heuristic promises."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(40), 8)
    given = problem(
        [8] * 40,
        tasks=160,
        cluster=cluster,
        power=rng.uniform(0.2, 1, 320),
        bandwidth=40.0,
        consumed=rng.uniform(0, 50, 40),
    )
    best = Threshold().span(given)
    span = Optimal(form="full", seconds=1e-6).span(given)
    assert best.time * (1 - 1e-9) <= span.time <= best.time * (1 + span.gap) * (1 + 1e-9)
    assert not span.proved or span.gap < 1e-7


@pytest.mark.parametrize("kind", CO_ALLOCATIONS)
def test_a_node_without_power_takes_no_task(kind):
    """Its owner takes all of it; a job that needs it does not start, and nobody divides by 0."""
    power = np.array([0, 1, 1, 1, 1, 0])
    assert kind().span(problem([6], power=power)).nodes == (1, 2, 3, 4)
    assert kind().span(problem([6], power=power, tasks=5)) is None
    idle = problem([6], power=power, compute_time=0.0)
    assert idle.time(np.array([0, 1])) == 40
    assert problem([6], power=power).time(np.array([0, 1])) == math.inf


def test_rule_85():
    """17 of 20 tasks in one cluster are enough, 16 are not; the rest goes to as few clusters as possible."""
    span = Rule85().span(problem([1, 17, 2, 3], tasks=20))
    assert span.nodes == (*range(1, 18), *range(20, 23))
    assert Rule85().span(problem([16, 16], tasks=20)) is None
    assert Rule85(share=0.8).span(problem([16, 16], tasks=20)) is not None
    assert span.proved, "no link saturates, and all nodes are of full power: nothing is better"
    slower = Rule85().span(problem([17, 3], tasks=20, link=np.full(2, 20.0)))
    assert (slower.proved, slower.gap) == (False, pytest.approx(slower.time / 100 - 1))


def test_low_communication():
    """The best nodes anywhere, if a task asks for a quarter of each link at most; else in one cluster."""
    power = np.array([0.5, 1, 1, 0.7, 0.9, 1])
    given = problem([3, 3], power=power, bandwidth=25.0)
    assert LowCommunication().span(given).nodes == (1, 2, 4, 5)
    assert LowCommunication().span(replace(given, bandwidth=26.0)) is None
    assert LowCommunication(most=0.26).span(replace(given, bandwidth=26.0)).nodes == (1, 2, 4, 5)
    assert LowCommunication().span(replace(given, bandwidth=90.0, tasks=3)).nodes == (3, 4, 5)


def test_at_most_longer():
    """Ernemann's limit: 25 % longer is taken, more is refused."""
    given = problem([2, 2], power=np.full(4, 0.8), communication_time=0.0)
    for kind in CO_ALLOCATIONS:
        if kind in (Rule85, LowCommunication):
            continue
        assert kind(at_most_longer=1.25).span(given) is not None
        assert kind(at_most_longer=1.24).span(given) is None


@pytest.mark.parametrize(
    ("kind", "given", "error", "says"),
    [
        (Optimal, {"links": "some"}, UnknownNameError, "reading of links"),
        (Optimal, {"form": "small"}, UnknownNameError, "form of optimal"),
        (Optimal, {"seconds": 0.0}, InputError, "seconds: must be above 0 s"),
        (Optimal, {"at_most_longer": 0.5}, InputError, "at-most-longer: must be a factor >= 1"),
        (Heuristic, {"step": -0.1}, InputError, "step: must be a share >= 0"),
        (Rule85, {"share": 0.0}, InputError, "share: must be a share above 0"),
        (LowCommunication, {"most": math.nan}, InputError, "most: must be a share above 0"),
    ],
)
def test_wrong_parameters(kind, given, error, says):
    """Each figure out of its range is refused with its name and what was expected."""
    with pytest.raises(error, match=says):
        kind(**given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tasks": 0}, "tasks: must be >= 1"),
        ({"bandwidth": -1.0}, "bandwidth: must be finite"),
        ({"compute_time": math.nan}, "compute_time: must be finite"),
        ({"power": np.full(4, -0.1)}, "power of each node"),
        ({"power": np.ones(3)}, "one length"),
        ({"link": np.array([0.0, 1])}, "links must be above 0"),
        ({"consumed": np.array([math.inf, 1])}, "consumed"),
        ({"cluster": np.array([1, 0, 0, 1])}, "ascend"),
        ({"cluster": np.array([0, 1, 1, 2])}, "ascend"),
    ],
)
def test_a_problem_that_is_none(given, says):
    """A figure out of its range, and columns that do not fit together, are refused."""
    with pytest.raises(InputError, match=says):
        problem([2, 2], **given)


def test_a_missing_solver_is_named(monkeypatch):
    """Without highspy the sentence says what to install, and which rule needs none."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(MissingExtraError, match=r"\[exact\].*threshold"):
        Optimal().span(problem([2, 2]))


@pytest.mark.parametrize("spec", ["heuristic", "threshold", "dp", "low-communication"])
@pytest.mark.parametrize("talks", [0.0, 5.0])
def test_links_of_next_to_nothing(spec, talks):
    """Saturation beyond all numbers warns of nothing; without anything to send it does not matter."""
    problem = SpanningProblem(
        12, 1e300, 10.0, talks, np.repeat(np.arange(3), 5), np.full(15, 0.5), np.full(3, 1e-300), np.zeros(3)
    )
    span = co_allocation_named(spec).span(problem)
    assert span is None or span.time == (20.0 if not talks else np.inf)
