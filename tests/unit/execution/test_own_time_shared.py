"""A user's own execution on shared nodes."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.execution import format_time_shared, time_shared_of
from echelon.experiments.settings.values.value_reader import execution

OWN = '''
from dataclasses import dataclass

from echelon.execution import TimeShared


class Same(TimeShared):
    """As built in."""


@dataclass(frozen=True)
class Thrashing(TimeShared):
    """Memory beyond the node's slows down by a power.

    Parameters
    ----------
    steep : float, default 2
        The exponent.
    """

    steep: float = 2.0

    def memory_slowdown(self, beyond):
        return 1 + self.paging * beyond**self.steep

    def message_slowdown(self, tasks):
        return tasks**self.interference


class Backward(TimeShared):
    def message_slowdown(self, tasks):
        return 0.5


class Broken(TimeShared):
    def memory_slowdown(self, beyond):
        raise ValueError("no idea")


class Other:
    name = "other"
'''


@pytest.fixture
def own(tmp_path):
    """Return the path of a file of executions."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


@pytest.fixture
def starts():
    """Return what runs jobs of programs on a cluster of workstations and says their starts and ends."""
    jobs = ec.generate("nas", 20, seed=2)

    def run(spec):
        result = ec.simulate(jobs, platform="cisne-16", execution=spec, seed=1)
        return result.jobs.select("start_time", "end_time").rows()

    return run


@pytest.mark.slow
def test_a_rule_that_derives_from_the_built_in_one_runs_as_it(own, starts):
    """A subclass with the same settings gives the same schedule; other slowdowns another one."""
    assert starts(f"{own}:Same:interference=0.5") == starts("time-shared:interference=0.5")
    assert starts(f"{own}:Thrashing:interference=0.5") != starts("time-shared:interference=0.5")


def test_its_parameters_are_read_and_said(own):
    """Those of the built-in one and its own; a ready one is said by its class."""
    made = time_shared_of(f"{own}:Thrashing:steep=3:paging=1")
    assert made.memory_slowdown(2.0) == 9.0
    assert (made.paging, made.noise) == (1.0, 0.0)
    assert format_time_shared(made) == f"{own}:Thrashing:steep=3:paging=1"
    assert time_shared_of(made) is made
    assert repr(execution(f"{own}:Thrashing")) == repr(time_shared_of(f"{own}:Thrashing"))
    with pytest.raises(UnknownNameError, match="did you mean 'steep'"):
        time_shared_of(f"{own}:Thrashing:steeep=3")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Backward", "message_slowdown must return a finite number >= 1, got 0.5"),
        ("Broken", "memory_slowdown fails with ValueError: no idea"),
        ("Other", "must derive from TimeShared; got Other"),
    ],
)
def test_what_is_wrong_is_one_sentence(own, starts, name, said):
    """A job cannot run faster beside others; errors inside are the rule's; a class must be one of these."""
    with pytest.raises(InputError, match=said):
        starts(f"{own}:{name}")
