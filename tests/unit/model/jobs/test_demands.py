"""Demands: columns of what tasks ask for, and the records they are made of."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError
from echelon.model import Demand, Demands, TaskGroup, Workload

GROUPS = st.builds(TaskGroup, st.integers(1, 9), st.floats(1, 1e12), st.floats(0, 1e9), st.floats(0, 1e9))
DEMANDS = st.builds(
    Demand,
    st.lists(GROUPS, min_size=1, max_size=3).map(tuple),
    st.booleans(),
    st.integers(0, 4),
    st.integers(0, 4),
    st.floats(0, 1e9),
    st.floats(0, 1),
)
LISTS = st.lists(DEMANDS, max_size=5)


def records(demands: Demands) -> list[Demand]:
    """Return every job's demand."""
    return [demands[place] for place in range(len(demands))]


@examples(60)
@given(wanted=LISTS)
def test_columns_give_back_their_records(wanted):
    """Records become columns and come back; sizes and extremes are those of the records."""
    demands = Demands.of(wanted)
    assert records(demands) == wanted
    assert demands.size.tolist() == [one.tasks for one in wanted]
    assert demands.longest.tolist() == [one.operations for one in wanted]
    assert demands.largest.tolist() == [one.memory for one in wanted]


@examples(60)
@given(parts=st.lists(LISTS, min_size=1, max_size=4), seed=st.integers(0, 9))
def test_joined_and_taken(parts, seed):
    """Joining is appending, taking is choosing, in any order."""
    everything = [one for part in parts for one in part]
    joined = Demands.join([Demands.of(part) for part in parts])
    assert joined == Demands.of(everything)
    order = np.random.default_rng(seed).permutation(len(everything))
    assert records(joined.take(order)) == [everything[place] for place in order]


ONE = Demands.of([Demand((TaskGroup(2, 5.0),))])


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("tasks", 0, "tasks: expected a whole number >= 1"),
        ("operations", 0.0, "operations: expected a finite number > 0"),
        ("operations", np.inf, "operations: expected a finite number > 0"),
        ("memory", np.nan, "memory: expected a finite number >= 0"),
        ("memory_volume", -1.0, "memory_volume: expected a finite number >= 0"),
        ("communication_volume", -1.0, "communication_volume: expected a finite number >= 0"),
        ("compute_share", 1.5, "compute_share: expected a number from 0 to 1"),
        ("nodes", -1, "nodes: expected a whole number >= 0"),
    ],
)
def test_values_out_of_range_are_refused(name, value, expected):
    """The message names the column, what it must be and the first job."""
    with pytest.raises(InputError, match=f"{expected} for the job at position 0, got {value}"):
        replace(ONE, **{name: np.array([value])})


def test_lengths_must_agree():
    """Columns of jobs are equally long, every job has a group, and there is a demand a job."""
    with pytest.raises(InputError, match="must be equally long"):
        replace(ONE, nodes=np.array([0, 0]))
    with pytest.raises(InputError, match="every job needs at least one group"):
        replace(ONE, first_group=np.array([0, 0]))
    with pytest.raises(InputError, match="needs one demand a job, got 1 for 2 jobs"):
        replace(Workload.from_columns(run_time=[1, 2]), demands=ONE)


def test_columns_are_read_only():
    """No column can be written into."""
    assert not any(getattr(ONE, spec.name).flags.writeable for spec in fields(Demands))
