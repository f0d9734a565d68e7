"""The parts of a node: what may be said of them and what is refused."""

from __future__ import annotations

import math

import pytest

from echelon.errors import InputError
from echelon.model import Core, FrequencyLevel, MemoryCurveV1, Node, Processor, Sleep

CORE = Core(2e9)
PROCESSOR = Processor((CORE, CORE))


def test_a_core_does_operations_by_clock_and_cycle():
    """Speed is their product."""
    assert Core(2.5e9, 4).speed == 1e10


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Core(0), r"core, clock: must be a finite number above 0, got 0"),
        (lambda: Core(math.nan), "clock"),
        (lambda: Core("2 GHz"), "got '2 GHz'"),
        (lambda: Core(True), "got True"),
        (lambda: Core(1e9, dynamic_power=-1), "dynamic_power: must be a finite number >= 0, got -1"),
        (lambda: FrequencyLevel(1.2, 1), "clock: must be at most 1, got 1.2"),
        (lambda: FrequencyLevel(0.5, 0), "power: must be a finite number above 0"),
        (lambda: MemoryCurveV1(math.inf, 0, 0, 0, 0, 0), "must be a finite number, got inf"),
        (lambda: Sleep(wake_time=math.inf), "wake_time"),
        (lambda: Sleep(after=-1), "after: must be a number >= 0, got -1"),
        (lambda: Processor(()), "needs at least one core, got none"),
        (lambda: Processor((CORE,), memory_bandwidth=0), "memory_bandwidth: must be a number above 0"),
        (lambda: Processor((CORE,), idle_share=1.5), "idle_share: must be at most 1, got 1.5"),
        (lambda: Processor((CORE,), levels=()), "levels: must be one or more, the fastest first"),
        (lambda: Processor((CORE,), levels=(FrequencyLevel(0.5, 1), FrequencyLevel(1, 1))), "fastest first"),
        (lambda: Node(()), "needs at least one processor, got none"),
        (lambda: Node((PROCESSOR,), memory=-1, name="thin"), "node 'thin', memory: must be a number above 0"),
        (lambda: Node((PROCESSOR,), power=math.inf), "power: must be a finite number >= 0, got inf"),
    ],
)
def test_what_is_out_of_range_is_refused(make, said):
    """With the part, the figure, what was got and what is expected."""
    with pytest.raises(InputError, match=said):
        make()


def test_what_may_be_without_limit():
    """Bandwidths and memory, and how long an idle node waits; a node counts the cores of all processors."""
    node = Node((PROCESSOR, PROCESSOR), sleep=Sleep())
    assert node.memory == node.network_bandwidth == PROCESSOR.memory_bandwidth == math.inf
    assert node.sleep is not None
    assert node.sleep.after == math.inf
    assert node.cores == 4
