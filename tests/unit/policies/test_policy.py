"""Specs of policies, and what they give."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies import (
    BACKFILLS,
    ORDERS,
    Conservative,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Policy,
    policy,
    policy_named,
    policy_names,
    split_policies,
)
from echelon.policies.order.one_formula import fcfs, shortest_first, smallest_area_first


@pytest.mark.parametrize(
    ("spec", "order", "scheduler"),
    [
        ("fcfs", "fcfs", NoBackfill()),
        ("shortest-first", "shortest-first", NoBackfill()),
        ("none", "fcfs", NoBackfill()),
        ("none:largest-first", "largest-first", NoBackfill()),
        ("easy", "fcfs", Easy()),
        ("first-fit", "fcfs", FirstFit()),
        ("conservative", "fcfs", Conservative()),
        ("plan", "fcfs", Plan()),
        ("easy:shortest-first", "shortest-first", Easy()),
        (" easy : shortest-first ", "shortest-first", Easy()),
        ("easy:reservations=2", "fcfs", Easy(reservations=2)),
        ("easy:random:reservations=3", "random", Easy(reservations=3)),
        ("easy:candidates=saf:fit=best-fit", "fcfs", Easy(1, smallest_area_first, "best-fit")),
        ("easy(candidates=shortest-first, fit=best-fit)", "fcfs", Easy(1, shortest_first, "best-fit")),
        ("easy(sjf)", "shortest-first", Easy()),
        ("easy()", "fcfs", Easy()),
        ("easy(reservations=2):largest-first", "largest-first", Easy(reservations=2)),
        # Aliases of the field.
        ("fifo", "fcfs", NoBackfill()),
        ("sjf", "shortest-first", NoBackfill()),
        ("ljf", "longest-first", NoBackfill()),
        ("saf", "smallest-area-first", NoBackfill()),
        ("fpfs", "fcfs", FirstFit()),
        ("aggressive", "fcfs", FirstFit()),
        ("cons:sjf", "shortest-first", Conservative()),
    ],
)
def test_specs(spec, order, scheduler):
    """Each form of a spec gives its order and its backfilling."""
    found = policy_named(spec)
    assert (found.order.name, found.scheduler) == (order, scheduler)


@pytest.mark.parametrize("backfill", [*(kind() for kind in BACKFILLS), Easy(3, shortest_first, "best-fit")])
def test_the_name_of_a_policy_is_its_specs(backfill):
    """Read back, a policy's name gives the same policy, whatever its order."""
    made = [Policy.of(order, backfill) for order in ORDERS]
    assert [policy_named(one.name) for one in made] == made


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("esy", UnknownNameError, "no policy is named 'esy'; did you mean 'easy'"),
        ("easy:sjff", UnknownNameError, "no order is named 'sjff'; did you mean 'sjf'"),
        ("easy:fcfs:fcfs", InputError, "order fcfs: takes key=value only, got fcfs"),
        ("easy:reservation=2", UnknownNameError, "no parameter of easy is named 'reservation'; did you mean"),
        ("easy:candidates=nobody", UnknownNameError, "no order is named 'nobody'"),
        ("easy:reservations=two", InputError, "easy, reservations: must be a whole number, got 'two'"),
        ("easy:reservations=-1", InputError, "easy, reservations: must be at least 1, got -1"),
        ("easy:reservations=0", InputError, "easy, reservations: must be at least 1, got 0"),
        ("easy:fit=tight", InputError, "easy, fit: must be first-fit or best-fit, got 'tight'"),
        ("easy:wfp3:foo=1", InputError, "^order wfp3: takes no parameters, got foo$"),
        (
            "easy:wfp3:reservation=2",
            UnknownNameError,
            "no parameter of easy is named 'reservation'; did you mean",
        ),
        ("easy:foo=1", UnknownNameError, "no parameter of easy is named 'foo'; known are"),
        ("none:wfp3:foo=1", InputError, "^order wfp3: takes no parameters, got foo$"),
        ("plan:reservations=2", InputError, "policy plan: takes no parameters, got reservations"),
        ("fcfs:reservations=2", InputError, "order fcfs: takes no parameters, got reservations"),
        ("easy:fit=best-fit:fit=first-fit", InputError, "fit is set twice"),
        ("easy:sjf:half-life=2", InputError, "^order sjf: takes no parameters, got half-life$"),
        ("", InputError, "must be parts joined by single colons"),
        ("easy:", InputError, "must be parts joined by single colons"),
        ("easy(fit=best-fit,)", InputError, "must be parts joined by single colons"),
        ("easy::fcfs", InputError, "must be parts joined by single colons"),
    ],
)
def test_wrong_specs(spec, error, message):
    """Each wrong form is refused in one sentence that says what is wrong with it."""
    with pytest.raises(error, match=message):
        policy_named(spec)


def test_every_word_names_a_policy():
    """All names that are listed are specs, alone."""
    spec = policy_names()
    assert {"fcfs", "sjf", "easy", "fpfs", "conservative", "plan", "none"} <= set(spec)
    assert spec == sorted(spec)
    assert all(isinstance(policy_named(word), Policy) for word in spec)


def test_no_word_has_two_meanings():
    """Names and aliases of all orders are different."""
    spec = [word for order in ORDERS for word in (order.name, *order.aliases)]
    assert len(spec) == len(set(spec))


def test_policy_of_anything():
    """Words, an order, a backfilling, a scheduler's class and a policy itself all give a policy."""

    class Own:
        name = "own"

        def decide(self, view):
            return []

    assert policy("easy") == Policy.of(fcfs, Easy()) == policy(Easy()) == policy(policy("easy"))
    assert policy(shortest_first) == Policy.of(shortest_first)
    assert isinstance(policy(Own).scheduler, Own)
    assert policy(Own()).name == "own"


@pytest.mark.parametrize("given", [None, 7, ["easy"], object(), Policy])
def test_what_is_no_policy(given):
    """Anything else is refused."""
    with pytest.raises(InputError, match="policy: must be a spec, an order or a scheduler, got"):
        policy(given)


def test_split_policies():
    """Commas part policies, but not inside parentheses; empty entries are refused."""
    assert split_policies("fcfs, easy(candidates=sjf, fit=best-fit):saf,plan") == [
        "fcfs",
        "easy(candidates=sjf, fit=best-fit):saf",
        "plan",
    ]
    for spec in ("", "easy,", ",easy", "easy,,plan"):
        with pytest.raises(InputError, match="policies: must be names joined by single commas"):
            split_policies(spec)


@pytest.mark.parametrize("rule", [*ORDERS, *(kind() for kind in BACKFILLS)], ids=lambda rule: rule.name)
def test_every_rule_has_its_source(rule):
    """Each built-in rule has a kebab-case name and says where it comes from."""
    assert rule.name == rule.name.lower().replace("_", "-").replace(" ", "-")
    assert len(rule.source) > 10
