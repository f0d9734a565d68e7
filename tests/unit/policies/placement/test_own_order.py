"""Resource orders of one's own: what the rule is shown, and what becomes of a wrong one."""

from __future__ import annotations

import pytest

from echelon import placement
from echelon.errors import InputError, PolicyError
from echelon.model import Cluster, Core, Demand, Hardware, Job, Node, Processor, TaskGroup
from echelon.policies import NodeSearch
from echelon.testing.rooms import FixedRoom

SLOW, FAST = Core(1e9, 2.0, 3.0), Core(2e9, 4.0, 9.0)
MACHINE = Hardware(
    (
        Cluster(
            (
                Node((Processor((SLOW,) * 2, 10.0, 5.0),), 64.0, 100.0),
                Node((Processor((SLOW, FAST), 20.0, 6.0), Processor((SLOW,), 30.0, 7.0)), 128.0, 200.0),
            )
        ),
    )
)
JOB = Job(0, 7, 0.0, 2, 10.0, demand=Demand((TaskGroup(2, 1.0),)))


def test_what_a_rule_sees():
    """A core tells of itself, its processor, its node, and what is idle and runs there."""
    seen = {}

    @placement("look", source="none")
    def look(core, job):
        """By node."""
        seen[core.number] = core
        return core.node

    NodeSearch(order=look).place(JOB, 2, FixedRoom.of(MACHINE, busy=[0, 2]))
    assert {1, 3, 4} <= set(seen)
    core = seen[3]
    assert (core.number, core.processor, core.node) == (3, 1, 1)
    assert (core.speed, core.clock, core.dynamic_power, core.static_power) == (8e9, 2e9, 9.0, 6.0)
    assert (core.memory, core.free_memory, core.memory_bandwidth, core.network_bandwidth) == (
        128.0,
        128.0,
        20.0,
        200.0,
    )
    assert (core.idle_in_processor, core.idle_in_node, core.running, core.asleep) == (1, 2, 1, False)
    with pytest.raises(AttributeError):
        core.speed = 1.0


def test_a_rule_is_called_once_for_equal_cores():
    """Cores of one processor that are equal share a call, unless the rule asks for their numbers."""
    calls = []

    @placement("by-speed", source="none")
    def by_speed(core, job):
        """Fastest first."""
        calls.append(job.job_id)
        return -core.speed

    assert list(NodeSearch(order=by_speed).place(JOB, 2, FixedRoom.of(MACHINE))) == [3, 0]
    assert calls == [7] * 4

    @placement("backwards", source="none")
    def backwards(core, job):
        """By number, the last first."""
        return -core.number

    assert list(NodeSearch(order=backwards).place(JOB, 2, FixedRoom.of(MACHINE))) == [4, 3]


def test_a_rule_stands_in_any_search():
    """Of nodes as full as each other the one of the first core in the rule's order is taken."""

    @placement("last-node", source="none")
    def last_node(core, job):
        """By node, the last first."""
        return -core.node

    job = JOB._replace(demand=Demand((TaskGroup(2, 1.0),), sequential=True))
    room = FixedRoom.of(MACHINE, busy=[4])
    assert list(NodeSearch("first-fit", last_node).place(job, 2, room)) == [2, 3]
    assert list(NodeSearch("best-fit", last_node).place(job, 2, FixedRoom.of(MACHINE))) == [0, 1]


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        (float("nan"), "has the key nan at a core of node 0; expected a finite number"),
        (float("inf"), "has the key inf"),
        ("fast", "makes the placement fail with TypeError"),
        (None, "makes the placement fail with TypeError"),
        ((1, 2), "makes the placement fail with TypeError"),
    ],
)
def test_a_key_that_is_no_number_is_refused(key, problem):
    """The error names the rule and the job."""

    @placement("garbage", source="none")
    def garbage(core, job):
        """Garbage."""
        return key

    with pytest.raises(PolicyError, match="policy 'garbage': job 7") as error:
        NodeSearch(order=garbage).place(JOB, 2, FixedRoom.of(MACHINE))
    assert problem in str(error.value)


def test_a_rule_that_fails_is_told():
    """What went wrong inside the rule is the end of the sentence."""

    @placement("broken", source="none")
    def broken(core, job):
        """Broken."""
        return 1 / 0

    with pytest.raises(PolicyError, match="ZeroDivisionError: division by zero"):
        NodeSearch(order=broken).place(JOB, 2, FixedRoom.of(MACHINE))


def test_a_rule_takes_a_core_and_a_job_and_says_what_it_does():
    """Other parameters and a missing docstring are refused where the rule is made."""
    with pytest.raises(InputError, match=r"mine: a placement takes \(core, job\), got \(core\)"):

        @placement("mine", source="none")
        def one(core):
            """One."""

    with pytest.raises(InputError, match="mine: a placement needs a docstring"):

        @placement("mine", source="none")
        def silent(core, job):
            return 0
