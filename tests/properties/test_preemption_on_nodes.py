"""What holds of every preemptive schedule on nodes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.policies import Policy, PreemptivePriority, RoundRobin, ShortestRemainingTimeFirst
from echelon.policies.order.one_formula import fcfs, shortest_first
from echelon.testing.strategies import instances

check = examples(80)
SWITCHES = st.sampled_from((0.0, 0.5, 1.0, 7.0))
QUANTA = st.sampled_from((0.25, 1.0, 3.0, 1000.0))
ONE_CORE = Processor((Core(1e9),))


@st.composite
def schedulers(draw):
    """Return a preemptive policy with any parameters."""
    switch = draw(SWITCHES)
    shared = {"switch": switch, "fill": draw(st.booleans())}
    return draw(
        st.sampled_from(
            (
                ShortestRemainingTimeFirst(**shared),
                PreemptivePriority(order=shortest_first, aging=draw(st.sampled_from((0, 0.1, 1))), **shared),
                PreemptivePriority(order=fcfs, aging=1, review=switch + draw(QUANTA), **shared),
                RoundRobin(quantum=draw(QUANTA), **shared),
            )
        )
    )


def attempts_of(schedule):
    found = schedule.attempts
    return [getattr(found, name).tolist() for name in ("job", "start", "end", "reason")]


@check
@given(
    instance=instances(),
    scheduler=schedulers(),
    passes=st.sampled_from(("instant", "event", "pyss")),
    spread=st.booleans(),
)
def test_nodes_without_limits_are_the_counted_machine(instance, scheduler, passes, spread):
    """Where any cores will do, every start and every attempt is that of a machine of counted processors."""
    n = instance.processors
    nodes = (Node((ONE_CORE,)),) * n if spread else (Node((Processor((Core(1e9),) * n),)),)
    how = {"policy": Policy.of(backfill=scheduler), "estimates": instance.estimates, "passes": passes}
    counted = ec.simulate(instance.workload, processors=n, **how).schedule
    found = ec.simulate(instance.workload, platform=Hardware((Cluster(nodes),)), **how).schedule
    assert attempts_of(found) == attempts_of(counted)
    assert found.start_time.tolist() == counted.start_time.tolist()
    assert found.end_time.tolist() == counted.end_time.tolist()
    assert found.instance.run_time.tolist() == counted.instance.run_time.tolist()
    assert found.wait_time.tolist() == counted.wait_time.tolist()
