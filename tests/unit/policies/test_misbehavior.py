"""What a user's code may do wrong beyond deciding wrongly."""

from __future__ import annotations

import sys

import pytest

from echelon import Workload, order, simulate
from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.errors import PolicyError
from echelon.model import Instance
from echelon.policies import Reserve, policy

TWO = Workload.from_columns(submit_time=[0, 0], run_time=[5, 5], processors=[2, 2], requested_time=[5, 5])


@order("leaves", source="none")
def leaves(job, view):
    """Leaves the program."""
    sys.exit(7)


class Endless:
    """Promises the same start again and again."""

    name = "endless"

    def decide(self, view):
        """Never stop."""
        while True:
            yield Reserve(view.queue[0], view.now + 10)


def test_leaving_the_program_is_the_policys_error():
    """sys.exit in an order ends neither the run nor the program without a word."""
    with pytest.raises(PolicyError, match="SystemExit: 7"):
        simulate(TWO, policy=leaves, processors=2)


def test_decisions_without_end_are_the_policys_error():
    """A pass that never ends is stopped and named."""
    with pytest.raises(PolicyError, match="must end"):
        simulate(TWO, policy=Endless(), processors=2)


def test_without_libraries_the_reference_engine_runs(monkeypatch):
    """Without libraries of kernels the compiled engine says so, and `auto` goes on in Python."""
    monkeypatch.setattr("echelon.engine.compiled.shapes.why_not", lambda name: f"no library of {name!r}")
    scenario = Scenario(Instance.of(TWO, 2), policy("easy"))
    assert compiled.supports(scenario) == "no library of 'machine'"
    assert simulate(TWO, policy="easy", processors=2).engine == "reference"


def test_sizes_and_seeds_are_whole_numbers():
    """A fraction, a text or a truth value for a count is refused with its name."""
    for wrong in (2.5, "100", True, 0, 2**31):
        with pytest.raises(ValueError, match="processors"):
            simulate(TWO, policy="easy", processors=wrong)
    for wrong in (1.5, "1", True, -1):
        with pytest.raises(ValueError, match="seed"):
            simulate(TWO, policy="easy", processors=2, seed=wrong)
