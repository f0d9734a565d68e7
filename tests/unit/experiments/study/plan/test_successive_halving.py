"""Successive halving, with outcomes made up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.experiments.study.plan.point import Point
from echelon.experiments.study.plan.successive_halving import SuccessiveHalving, rounds_possible
from echelon.experiments.study.run.outcome import Outcome


def points(count: int, group: str = "a") -> tuple[Point, ...]:
    return tuple(
        Point({"workload": f"lublin:{group}", "policy": f"p{k}", "first": 90}, {"policy": f"p{k}"})
        for k in range(count)
    )


def contest(groups: int = 1, count: int = 9, seeds: int = 9, **told) -> SuccessiveHalving:
    made = tuple(points(count, f"g{k}") for k in range(groups))
    given = {"measure": "mean_wait", "goal": "min", "eta": 3.0, "rounds": 3} | told
    return SuccessiveHalving(made, tuple(range(seeds)), **given)


def outcome(case, value: float | None, ending: str = "done") -> Outcome:
    return Outcome(case, "", ending, {"mean_wait": value})


def worth(case) -> float:
    """Return a measure by which the last policy is the best; seeds make noise, the same for all."""
    return 100.0 - int(case.settings["policy"][1:]) + 0.01 * case.settings["seed"]


def group_of(case) -> str:
    """Return the group of a case, of a model whose jobs each seed draws again."""
    return case.settings["workload"].split(":")[1]


def run(search: SuccessiveHalving, value=worth) -> list[list[Outcome]]:
    """Return the outcomes of each batch of cases."""
    cases, batches, all_of = search.first(), [], []
    while cases:
        batches.append([outcome(case, value(case)) for case in cases])
        all_of += batches[-1]
        cases = search.next(all_of)
    return batches


def test_one_in_three_goes_on_with_three_times_the_seeds():
    """Nine points with one seed, three with three, one with nine; nothing is run twice."""
    batches = run(contest())
    assert [len(batch) for batch in batches] == [9, 6, 6]
    assert [{o.case.settings["policy"] for o in batch} for batch in batches[1:]] == [
        {"p6", "p7", "p8"},
        {"p8"},
    ]
    assert {o.case.settings["seed"] for o in batches[1]} == {1, 2}
    assert contest().size == 21
    specs = [o.case.spec for batch in batches for o in batch]
    assert len(set(specs)) == len(specs)


def test_the_best_are_known_at_the_end():
    """What is left is told, best first; before the end of a round all of it."""
    search = contest(rounds=2)
    batches = run(search)
    assert [p.labels["policy"] for p in search.left(batches[0] + batches[1])[0]] == ["p8"]
    assert [p.labels["policy"] for p in search.left(batches[0])[0]] == ["p8", "p7", "p6"]
    assert len(search.left(batches[0][:-1])[0]) == 9


def test_winners_are_told_when_all_rounds_are_run():
    """The best of each group, with its mean and its runs in the last round; not before its end."""
    search = contest()
    batches = run(search)
    outcomes = [one for batch in batches for one in batch]
    (best,) = search.winners(outcomes)
    assert best.point.labels["policy"] == "p8"
    shown = [one.metrics[search.measure] for one in outcomes if one.case.settings["policy"] == "p8"]
    assert (best.mean, best.runs) == (pytest.approx(sum(shown) / len(shown)), 9)
    assert search.winners(outcomes[:-1]) == ()


def test_groups_do_not_meet():
    """Each group has a contest of its own, however bad all of its points are."""
    search = contest(groups=2, rounds=2)
    batches = run(search, lambda case: worth(case) + (1000 if group_of(case) == "g1" else 0))
    assert [len(batch) for batch in batches] == [2 * 3 * 9, 2 * 3 * 6]
    assert {group_of(o.case) for o in batches[1]} == {"g0", "g1"}


def test_jobs_as_the_resource():
    """Each round has three times the jobs, all seeds, and the last one all jobs."""
    search = contest(seeds=2, resource="jobs")
    batches = run(search)
    assert [{o.case.settings["first"] for o in batch} for batch in batches] == [{10}, {30}, {90}]
    assert [len(batch) for batch in batches] == [18, 6, 2]
    assert search.size == 26


def log_contest(policies: int = 9, **told) -> SuccessiveHalving:
    """Return a contest on a log, whose jobs are the same under every seed."""
    made = tuple(
        Point({"workload": "a.swf", "policy": f"p{k}", "first": 90}, {"policy": f"p{k}"})
        for k in range(policies)
    )
    given = {"measure": "mean_wait", "goal": "min", "eta": 3.0, "rounds": 2} | told
    return SuccessiveHalving((made,), tuple(range(9)), **given)


def test_a_point_without_chance_is_run_once_in_a_contest():
    """Of nine on a log chance enters the last two: these alone are run with more seeds, and one wins."""
    search = log_contest()
    cases, found = search.first(), []
    while cases:
        found += [replace(outcome(c, worth(c)), chance=c.settings["policy"] in ("p7", "p8")) for c in cases]
        cases = search.next(found)
    runs = Counter(one.case.settings["policy"] for one in found)
    # Round 0 has three seeds; p6 goes on with its one run, p7 and p8 with all nine seeds.
    assert runs == {**{f"p{k}": 1 for k in range(7)}, "p7": 9, "p8": 9}
    (best,) = search.winners(found)
    assert (best.point.labels["policy"], best.runs) == ("p8", 9)


def test_a_goal_may_be_high():
    """With the goal max the greatest mean goes on."""
    batches = run(contest(goal="max"))
    assert {o.case.settings["policy"] for o in batches[2]} == {"p0"}


def test_ties_failures_and_no_numbers():
    """Ties go to the first; failed runs and missing measures come last."""
    search = contest(count=3, seeds=3, rounds=2)
    first = search.first()
    tie = [outcome(case, 5.0) for case in first]
    assert {case.settings["policy"] for case in search.next(tie)} == {"p0"}
    broken = [outcome(first[0], 5.0, "failed"), outcome(first[1], None), outcome(first[2], 7.0)]
    assert {case.settings["policy"] for case in search.next(broken)} == {"p2"}
    nan = [outcome(first[0], float("nan")), outcome(first[1], 5.0), outcome(first[2], 7.0)]
    assert {case.settings["policy"] for case in search.next(nan)} == {"p1"}


@pytest.mark.slow
@given(st.randoms(use_true_random=False), st.integers(0, 21))
@examples(30)
def test_an_interrupted_contest_goes_on_as_if_it_had_not_been(random, cut):
    """Whatever outcomes are there, in whatever order, the rest is the same."""
    search = contest()
    whole = [one for batch in run(search) for one in batch]
    known = whole[:cut]
    random.shuffle(known)
    while cases := search.next(known):
        known += [outcome(case, worth(case)) for case in cases]
    assert {o.case.spec for o in known} == {o.case.spec for o in whole}


@pytest.mark.parametrize(
    ("count", "whole", "eta", "rounds"),
    [(9, 9, 3, 3), (9, 2, 3, 1), (8, 8, 2, 4), (1, 9, 3, 1), (10, 81, 3, 3)],
)
def test_rounds_that_bring_something_new(count, whole, eta, rounds):
    """Until one point is left, or the first round would have less than one of the resource."""
    assert rounds_possible(count, whole, eta) == rounds


@pytest.mark.slow
@given(st.integers(1, 60), st.integers(1, 40), st.floats(1.1, 10), st.integers(1, 5))
@examples(40)
def test_its_size_is_what_it_runs(count, seeds, eta, rounds):
    """The size told beforehand is the number of cases in the end."""
    search = contest(
        count=count, seeds=seeds, eta=eta, rounds=min(rounds, rounds_possible(count, seeds, eta))
    )
    assert sum(map(len, run(search))) == search.size
