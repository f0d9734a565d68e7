"""What preemptive policies refuse: one sentence each."""

from __future__ import annotations

import math

import pytest

from echelon import simulate
from echelon.errors import InfeasibleJobError, InputError, UnknownNameError, UnsupportedError
from echelon.model import Workload
from echelon.policies import PREEMPTIVE, PreemptivePriority, RoundRobin, policy


@pytest.mark.parametrize("kind", PREEMPTIVE)
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"switch": -1}, "switch: must be a time >= 0 in seconds, got -1"),
        ({"switch": math.inf}, "switch: must be a time >= 0 in seconds, got inf"),
        ({"switch": math.nan}, "switch: must be a time >= 0 in seconds, got nan"),
        ({"memory": "lost"}, "memory: must be held or released, got 'lost'"),
        ({"memory_per_processor": 0}, "memory-per-processor: must be > 0, in KB, got 0"),
    ],
)
def test_wrong_parameters(kind, settings, sentence):
    """A number out of its range is told with the policy and the parameter."""
    with pytest.raises(InputError, match=f"{kind.name}, {sentence}"):
        kind(**settings)


def test_wrong_parameters_of_one():
    """So are the parameters that only one of them has."""
    for quantum in (0, -5, math.inf, math.nan):
        with pytest.raises(InputError, match="round-robin, quantum: must be a time > 0 in seconds"):
            RoundRobin(quantum=quantum)
    with pytest.raises(InputError, match="aging: must be a number >= 0, got -1"):
        PreemptivePriority(aging=-1)
    for review in (5, 30, -1, math.inf):
        with pytest.raises(InputError, match="review: must be 0, or longer than a switch of 30 s"):
            PreemptivePriority(switch=30, review=review)


def test_wrong_specs():
    """Words that are no parameter, or no value of it."""
    with pytest.raises(UnknownNameError, match="is named 'quantom'; did you mean 'quantum'"):
        policy("round-robin:quantom=5")
    with pytest.raises(InputError, match=r"must be a time in seconds .*, got 'soon'"):
        policy("srtf:switch=soon")


@pytest.mark.parametrize("kind", PREEMPTIVE)
@pytest.mark.parametrize("memory", ["held", "released"])
def test_a_job_larger_than_the_memory(kind, memory):
    """It could never run: it is named, with what it needs and what there is."""
    table = Workload.from_columns(
        submit_time=[0, 1], run_time=[5, 5], processors=[1, 2], requested_memory=[10, 300]
    )
    with pytest.raises(InfeasibleJobError, match=r"job 2 needs 600 KB on 2 processors, but .* has 400"):
        simulate(table, processors=2, policy=kind(memory=memory, memory_per_processor=200))


@pytest.mark.parametrize("kind", PREEMPTIVE)
def test_the_compiled_engine_says_why_not(kind):
    """Its jobs run to their end."""
    table = Workload.from_columns(submit_time=[0], run_time=[5], processors=[1])
    with pytest.raises(UnsupportedError, match=f"{kind.name}. preempts jobs, and here they run to"):
        simulate(table, processors=1, policy=kind(), engine="compiled")
    assert simulate(table, processors=1, policy=kind()).engine == "reference"
