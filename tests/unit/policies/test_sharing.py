"""Sharing: specs and settings of how tasks take turns."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.policies.sharing import FairSharing, RoundRobinSharing, format_sharing, sharing

OWN = '''
from dataclasses import dataclass

from echelon.policies.sharing import FairSharing, RoundRobinSharing


class Same(RoundRobinSharing):
    """A subclass of a built-in one."""


@dataclass(frozen=True)
class Copy:
    """Turns of a quantum, declared and not derived.

    Parameters
    ----------
    quantum : float, default 0.1
        In seconds.
    """

    quantum: float = 0.1
    most: int = 4
    name = "copy"

    def turn(self, tasks, cores):
        return self.quantum


@dataclass(frozen=True)
class Latency:
    """Every task has its turn within a latency, as under CFS.

    Parameters
    ----------
    latency : float, default 6
        In seconds.
    """

    latency: float = 6.0
    most: int = 4
    name = "latency"

    def turn(self, tasks, cores):
        return self.latency * cores / tasks


class Slack(FairSharing):
    """All tasks progress at once."""


class Hasty:
    name = "hasty"
    most = 2

    def turn(self, tasks, cores):
        return 0.0


class Broken(Hasty):
    def turn(self, tasks, cores):
        raise ValueError("no idea")


class Lonely(Hasty):
    most = 1


class Wordless:
    def turn(self, tasks, cores):
        return None
'''


@pytest.fixture
def own(tmp_path):
    """Return the path of a file of sharings."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


@pytest.fixture
def ends(tmp_path):
    """Return what runs three jobs of uneven tasks on four cores and says their starts and ends."""
    platform = tmp_path / "small.toml"
    platform.write_text(
        'name = "small"\n[[node]]\nmemory = "8 GB"\n[node.processor]\ncores = 4\nclock = "1 GHz"\n'
    )
    jobs = ec.Workload.from_columns(
        submit_time=[0, 0, 5], run_time=[20, 11, 7], requested_time=[99, 99, 99], processors=[2, 3, 4]
    )
    jobs = ec.change_jobs(jobs, tasks="mpi")

    def run(spec):
        result = ec.simulate(jobs, platform=platform, sharing=spec, policy="none", strict=True)
        return result.jobs.select("start_time", "end_time").rows()

    return run


@pytest.mark.parametrize(
    ("mine", "built_in"),
    [
        ("Same:quantum=0.5", "round-robin:quantum=0.5"),
        ("Copy:quantum=0.5:most=2", "round-robin:quantum=0.5:most=2"),
        ("Slack", "fair"),
        ("Slack(most=2)", "fair:most=2"),
    ],
)
def test_the_engine_asks_for_turns_and_not_for_a_class(own, ends, mine, built_in):
    """A subclass, or a class that says the same, gives the schedule of the built-in one."""
    assert ends(f"{own}:{mine}") == ends(built_in)
    assert ends(built_in) != ends("none")


def test_a_rule_of_ones_own_may_say_other_turns(own, ends):
    """A latency is parted among the tasks of each core: not what any built-in sharing does."""
    short, long = ends(f"{own}:Latency:latency=2"), ends(f"{own}:Latency")
    assert short != long
    assert format_sharing(sharing(f"{own}:Latency:latency=2")) == f"{own}:Latency:latency=2"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Hasty", "turn must return a time of at least 1e-06 s or None, got 0.0"),
        ("Broken", "turn fails with ValueError: no idea"),
        ("Lonely", "must be at least 2, got 1"),
        ("Wordless", r"must have name, most and turn\(tasks, cores\)"),
    ],
)
def test_what_is_wrong_with_ones_own_is_one_sentence(own, ends, name, said):
    """A turn too short, an error inside, too few tasks for a core, or no sharing at all."""
    with pytest.raises(InputError, match=said):
        ends(f"{own}:{name}")


def test_one_that_is_made_is_taken(ends):
    """Python takes a ready rule; one of a class of one's own is checked, too."""

    class Mine(RoundRobinSharing):
        """As built in."""

    assert ends(Mine(0.5)) == ends("round-robin:quantum=0.5")


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("fair", FairSharing()),
        ("cfs:most=8", FairSharing(8)),
        ("round-robin", RoundRobinSharing()),
        ("rr:quantum=2s", RoundRobinSharing(2.0)),
        ("ROUND-ROBIN:quantum=0.5:most=2", RoundRobinSharing(0.5, 2)),
        ("none", None),
    ],
)
def test_specs_and_back(spec, rule):
    """Words are read, aliases and capitals too, and the canonical ones are read back."""
    assert sharing(spec) == rule
    assert sharing(format_sharing(rule)) == rule


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("fare", UnknownNameError, "did you mean 'fair'"),
        ("fair:quantum=1", UnknownNameError, "quantum"),
        ("round-robin:quantum=0", InputError, "finite and at least 1e-06 s, got 0.0"),
        ("round-robin:quantum=1e-300", InputError, "at least 1e-06 s"),
        ("round-robin:quantum=soon", InputError, "must be a time"),
        ("fair:most=1", InputError, "at least 2"),
        ("none:most=2", InputError, "sharing none: takes no parameters, got most"),
    ],
)
def test_wrong_specs_are_refused(spec, error, said):
    """With the nearest name or what is expected."""
    with pytest.raises(error, match=said):
        sharing(spec)


def test_something_else_is_refused():
    """Neither a spec nor a sharing."""
    with pytest.raises(InputError, match="must be a spec or a sharing, got 3"):
        sharing(3)
