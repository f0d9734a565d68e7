"""What holds of every preemptive schedule on nodes."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import IN_FULL, examples
from echelon.execution import Load, execution_named, speed_factor
from echelon.metrics.columns.measured_schedule import Measured
from echelon.model import Cluster, Core, EndReason, Hardware, Node, Processor
from echelon.policies import Policy, PreemptivePriority, RoundRobin, ShortestRemainingTimeFirst
from echelon.policies.order.one_formula import fcfs, shortest_first
from echelon.testing.strategies import instances, workloads

sys.path.insert(0, str(Path(__file__).parent))
from test_nodes import Case, assert_no_core_held_twice
from test_preemption import takes_turns

check = examples(100)
SWITCHES = st.sampled_from((0.0, 0.5, 1.0, 7.0))
ONE_CORE = Processor((Core(1e9),))


@st.composite
def schedulers(draw, quanta=(1.0, 3.0, 10.0, 1000.0)):
    """Return a preemptive policy with any parameters."""
    switch, quantum = draw(SWITCHES), draw(st.sampled_from(quanta))
    shared = {"switch": switch, "fill": draw(st.booleans())}
    return draw(
        st.sampled_from(
            (
                ShortestRemainingTimeFirst(**shared),
                PreemptivePriority(order=shortest_first, aging=draw(st.sampled_from((0, 0.1, 1))), **shared),
                PreemptivePriority(order=fcfs, aging=1, review=switch + quantum, **shared),
                RoundRobin(quantum=quantum, **shared),
            )
        )
    )


def attempts_of(schedule):
    found = schedule.attempts
    return [getattr(found, name).tolist() for name in ("job", "start", "end", "reason")]


@check
@given(
    case=st.tuples(instances(max_jobs=11), schedulers()).filter(takes_turns),
    cycles=st.sampled_from(("instant", "event", "pyss")),
    spread=st.booleans(),
)
def test_nodes_without_limits_are_the_counted_machine(case, cycles, spread):
    """Where any cores will do, every start and every attempt is that of a machine of counted processors."""
    instance, scheduler = case
    n = instance.processors
    nodes = (Node((ONE_CORE,)),) * n if spread else (Node((Processor((Core(1e9),) * n),)),)
    how = {"policy": Policy.of(backfill=scheduler), "estimates": instance.estimates, "cycles": cycles}
    counted = ec.simulate(instance.workload, processors=n, **how).schedule
    found = ec.simulate(instance.workload, platform=Hardware((Cluster(nodes),)), **how).schedule
    assert attempts_of(found) == attempts_of(counted)
    assert found.start_time.tolist() == counted.start_time.tolist()
    assert found.end_time.tolist() == counted.end_time.tolist()
    assert found.instance.run_time.tolist() == counted.instance.run_time.tolist()
    assert found.wait_time.tolist() == counted.wait_time.tolist()


def tree_file(sizes, nodes):
    """Return a platform file of sites of these sizes; of those in `nodes` every core is a node."""
    lines = []
    for number, size in enumerate(sizes):
        lines += ["[[site]]", f'name = "site-{number}"']
        if number in nodes:
            lines += ["[[site.node]]", f"count = {size}", 'processor = { cores = 1, clock = "1 GHz" }']
        else:
            lines.append(f"processors = {size}")
    return "\n".join(lines)


@examples(12)
@given(
    sizes=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    jobs=workloads(max_jobs=10, max_processors=4),
    scheduler=schedulers(quanta=(20.0, 1000.0)),
    how=st.fixed_dictionaries(
        {
            "estimates": st.sampled_from(("raise", "kill", "exact")),
            "broker": st.sampled_from(("mpl", "mlp", "random")),
        }
    ),
)
def test_leaves_of_nodes_are_leaves_of_processors(tmp_path_factory, sizes, jobs, scheduler, how):
    """Under a broker, too, a site of nodes suspends and resumes as one of counted processors."""
    sizes[0] = 4
    policy, found = Policy.of(backfill=scheduler), []
    for nodes in ((), range(0, len(sizes), 2), range(len(sizes))):
        path = tmp_path_factory.mktemp("tree") / "sites.toml"
        path.write_text(tree_file(sizes, nodes))
        found.append(ec.simulate(jobs, platform=path, policy=policy, **how).schedule)
    for other in found[1:]:
        assert attempts_of(other) == attempts_of(found[0])
        assert other.site.tolist() == found[0].site.tolist()


PREEMPTIVE = (
    "srtf",
    "srtf:switch=2",
    "gang:quantum=3",
    "gang:quantum=3:switch=1:fill=no",
    "preemptive-priority:order=f3",
)


def random_case(seed):
    rng = np.random.default_rng([seed, 7])
    others = {"policy": str(rng.choice(PREEMPTIVE)), "sharing": "none", "network": "none"}
    others |= {
        "sequential": str(rng.choice(["one-node", "straddle"])),
        "release": str(rng.choice(["by-kind", "gang"])),
    }
    return Case.drawn(seed, **others)


@pytest.mark.parametrize("block", range(6))
def test_what_suspended_jobs_hold(block):
    """No core and no memory is held twice, holdings are the attempts, and run times add up, in any run."""
    suspended = 0
    for seed in range(7 * block, 7 * block + 7):
        case = random_case(seed)
        schedule = case.run()
        held, attempts, demands = schedule.holdings, schedule.attempts, schedule.instance.demands
        assert_no_core_held_twice(schedule)
        node = case.hardware.node_of_processor[held.processor]
        for time in np.unique(held.start):
            there = (held.start <= time) & (time < held.release)
            used = np.bincount(
                node[there], (demands.largest[held.job] * held.held)[there], len(case.hardware.nodes)
            )
            assert (used <= case.hardware.node_memory * (1 + 1e-12)).all(), seed
        spans = set(zip(attempts.job.tolist(), attempts.start.tolist(), strict=True))
        assert set(zip(held.job.tolist(), held.start.tolist(), strict=True)) == spans
        ends = dict(zip(spans_of(attempts), attempts.end.tolist(), strict=True))
        for row, span in enumerate(spans_of(held)):
            assert held.release[row] <= ends[span]
        assert attempts.last_end().tolist() == schedule.end_time.tolist()
        assert set(attempts.job[attempts.ended_by(EndReason.KILLED)]) == set(
            np.flatnonzero(schedule.instance.killed)
        )
        switched = schedule.held_time - schedule.instance.run_time
        charge = (
            2 if "switch=2" in case.choices["policy"] else 1 if "switch=1" in case.choices["policy"] else 0
        )
        assert (switched >= -1e-9).all()
        assert (switched <= charge * attempts.counts() + 1e-9).all()
        parts = schedule.response_time + schedule.suspended_time + schedule.held_time
        turnaround = schedule.end_time - schedule.instance.submit_time
        assert turnaround == pytest.approx(parts, abs=1e-9)
        suspended += len(attempts) - len(schedule.instance)
    assert suspended


def spans_of(rows):
    return list(zip(rows.job.tolist(), rows.start.tolist(), strict=True))


@pytest.mark.parametrize("execution", ["fixed", "speed", "memory-share"])
def test_work_is_conserved_over_attempts(execution):
    """What the tasks of a job do in all its attempts adds up to its operations, at rates found again."""
    for seed in range(300 if IN_FULL else 16):
        case = random_case(seed)
        case.choices |= {"execution": execution, "estimates": "raise"}
        schedule = case.run()
        held, demands = schedule.holdings, schedule.instance.demands
        times = np.unique(np.concatenate((held.begin, held.end)))
        done = np.zeros(len(held))
        for one, other in pairwise(times):
            done += held.speed * memory_factors(one, schedule, case) * (other - one)
        asked = [
            sum(group.tasks * group.operations for group in demands[job].groups)
            for job in range(len(demands))
        ]
        if execution == "fixed":
            asked = [demands[job].tasks * schedule.instance.run_time[job] for job in range(len(demands))]
            if schedule.sleeps is not None:
                # Waking up is part of what these ran.
                continue
        found = np.bincount(held.job, weights=done * held.tasks, minlength=len(demands))
        assert found == pytest.approx(np.array(asked), rel=1e-9), seed


def memory_factors(time, schedule, case):
    held = schedule.holdings
    going, factors = (held.begin <= time) & (time < held.end), np.ones(len(held))
    memory = execution_named(case.choices["execution"]).memory
    for number in set(held.processor[going].tolist()) if memory is not None else ():
        rows = np.flatnonzero(going & (held.processor == number))
        loads = [Load(float(held.held[row]), float(held.bandwidth[row])) for row in rows]
        factors[rows] = memory.factors(loads, case.hardware.processors[number])
    share = schedule.instance.demands.compute_share[held.job]
    both = [speed_factor(*three) for three in zip(share, factors, np.ones(len(held)), strict=True)]
    return np.where(going, both, 0.0)


def test_nothing_is_drawn_while_suspended():
    """Two jobs of one core each in turn: idle power all the time, dynamic power while somebody holds it."""
    core = Core(1e9, dynamic_power=7.0)
    hardware = Hardware((Cluster((Node((Processor((core,), static_power=10.0),)),)),))
    jobs = ec.Workload.from_columns(submit_time=[0, 1, 30], run_time=[8, 3, 2], processors=[1, 1, 1])
    schedule = ec.simulate(jobs, platform=hardware, policy="srtf:switch=1").schedule
    assert attempts_of(schedule)[:3] == [[0, 0, 1, 2], [0.0, 5.0, 1.0, 30.0], [1.0, 14.0, 5.0, 33.0]]
    measured = Measured(schedule)
    assert measured.energy.total == 10.0 * 33 + 7.0 * (1 + 9 + 4 + 3)
    assert measured.mean_size.tolist() == [1, 1, 1]
    assert measured.speed_factor.tolist() == [1.0, 1.0, 1.0]
    assert schedule.instance.run_time.tolist() == [8, 3, 2]
    assert schedule.wait_time.tolist() == [4, 0, 0]
