"""Specs of co-allocations, and co-allocations of a user's own."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies.coallocation import (
    CO_ALLOCATIONS,
    NonSaturated,
    Optimal,
    Rule85,
    SpanningProblem,
    co_allocation,
    co_allocation_named,
    format_co_allocation,
    names_co_allocation,
)

OWN = """
from dataclasses import dataclass
from typing import ClassVar
from echelon.policies.coallocation import Span

@dataclass(frozen=True)
class FirstNodes:
    skip: int = 0
    name: ClassVar[str] = "first-nodes"
    def span(self, problem):
        nodes = range(self.skip, self.skip + problem.tasks)
        if nodes.stop > len(problem.cluster):
            return None
        return Span(tuple(nodes), problem.time(list(nodes)), float("nan"), False, 0.0)

class Nameless:
    def span(self, problem):
        return None

ready = FirstNodes(1)
number = 5
"""


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    return str(file)


def test_specs_name_rules():
    """Names, and parameters after colons or in parentheses; times in units; none is none."""
    assert co_allocation("optimal") == Optimal()
    assert co_allocation("rule-85") == Rule85()
    spec = "non-saturated:seconds=2min:links=all:clamp=no:form=full:at-most-longer=1.25"
    rule = NonSaturated(seconds=120, links="all", clamp=False, form="full", at_most_longer=1.25)
    assert co_allocation(spec) == rule
    assert co_allocation("rule-85(share=0.9)") == Rule85(share=0.9)
    assert co_allocation("none") is co_allocation(None) is None
    assert co_allocation(rule) is rule


@pytest.mark.parametrize("kind", CO_ALLOCATIONS)
def test_canonical_specs_are_read_back(kind):
    """What a rule is called names it again."""
    assert co_allocation(format_co_allocation(kind())) == kind()
    changed = kind(clamp=False, links="all", at_most_longer=1.25)
    assert co_allocation(format_co_allocation(changed)) == changed


def test_canonical_specs():
    """A default is not said."""
    assert format_co_allocation(None) == "none"
    assert format_co_allocation(Optimal(form="full", clamp=False)) == "optimal:clamp=no:form=full"


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ("optimum", UnknownNameError, "did you mean 'optimal'"),
        ("optimal:second=3", UnknownNameError, "did you mean 'seconds'"),
        ("optimal:seconds=long", InputError, "must be a time in seconds"),
        ("optimal:form=tiny", InputError, "must be full or reduced|must be reduced or full"),
        ("optimal:", InputError, "single colons"),
        ("none:seconds=3", InputError, "takes no parameters"),
        ("nothing.py:Rule", InputError, "no such file"),
        (5, InputError, "must be a spec or a co-allocation"),
        (Optimal, InputError, "must be a spec or a co-allocation"),
    ],
)
def test_what_is_no_rule(spec, error, says):
    """One sentence with the nearest name or what was expected."""
    with pytest.raises(error, match=says):
        co_allocation(spec)


def test_one_of_ones_own(own):
    """A class with a name and span(problem), with its parameters, or an object that is ready."""
    nodes = np.zeros(3, dtype=int)
    problem = SpanningProblem(2, 0.0, 1.0, 1.0, nodes, np.ones(3), np.ones(1), np.zeros(1))
    assert co_allocation(f"{own}:FirstNodes:skip=1").span(problem).nodes == (1, 2)
    assert co_allocation(f"{own}:ready").span(problem).nodes == (1, 2)
    assert format_co_allocation(co_allocation(f"{own}:ready")) == "first-nodes:skip=1"
    assert names_co_allocation(f"{own}:FirstNodes:skip=1")
    assert not names_co_allocation(f"{own}:number")
    assert not names_co_allocation("optimal")


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("FirstNode", UnknownNameError, "did you mean 'FirstNodes'"),
        ("Nameless", InputError, "must have a name and span"),
        ("number", InputError, "must have a name and span"),
        ("ready:skip=3", InputError, "takes no parameters"),
        ("Nameless:skip=3", InputError, "takes no parameters"),
        ("FirstNodes:leap=3", UnknownNameError, "skip"),
    ],
)
def test_one_of_ones_own_that_is_none(own, name, error, says):
    """What a file holds must be a co-allocation."""
    with pytest.raises(error, match=says):
        co_allocation_named(f"{own}:{name}")
