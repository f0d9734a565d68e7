"""What no run on nodes may break, whatever the machine, the jobs, the policy and the models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

import echelon as ec
from echelon.execution import Load, Traffic, execution_named, network_named, speed_factor
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    FrequencyLevel,
    Hardware,
    MemoryCurveV1,
    Node,
    Processor,
    Sleep,
    TaskGroup,
    Workload,
)
from echelon.model.machines.capacity import holds
from echelon.policies import Conservative, Easy

CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
COUNTING = ("fcfs", "first-fit", "easy", "easy:shortest-first", "easy:fit=best-fit", "low-memory")
PLANNING = ("conservative", "plan", "easy:reservations=2", "selective", "slack", "relaxed")
PLACES = (
    "first-fit", "best-fit", "worst-fit", "random", "high-gigaflops", "best-fit:high-cores", "low-power",
    "energy", "high-memory", "worst-fit:random",
)  # fmt: skip
ONE_CORE = Processor((Core(1e9),))


def machine(rng, *, sleepy=True):
    """Return up to four unequal nodes; some of them sleep."""
    levels = (FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.3))[: rng.integers(1, 3)]

    def processor():
        cores = tuple(
            Core(float(rng.choice([1, 2, 3])), dynamic_power=5.0) for _ in range(rng.integers(1, 4))
        )
        bandwidth = float(rng.choice([5e9, 5e10]))
        return Processor(cores, bandwidth, static_power=10, idle_share=0.1, levels=levels, memory_curve=CURVE)

    def node():
        off = Sleep(float(rng.choice([0, 3, 10])), 1.0, float(rng.choice([0, 2, 50])), 20.0)
        return Node(
            tuple(processor() for _ in range(rng.integers(1, 3))),
            memory=float(rng.choice([8, 16, np.inf])),
            network_bandwidth=float(rng.choice([1, 4, np.inf])),
            sleep=off if sleepy and rng.random() < 0.4 else None,
        )

    return Hardware((Cluster(tuple(node() for _ in range(rng.integers(1, 5)))),))


def demand(rng, hardware):
    """Return a demand that the empty machine can hold."""
    while True:
        sequential, tasks = bool(rng.random() < 0.5), int(rng.integers(1, hardware.cores + 1))
        sizes = [tasks] if sequential or rng.random() < 0.6 else [1] * min(tasks, 3)
        groups = tuple(
            TaskGroup(
                size,
                float(rng.integers(1, 40)),
                memory=float(rng.choice([0, 1, 2, 0.1])),
                memory_volume=float(rng.choice([0, 1e10, 1e11])),
            )
            for size in sizes
        )
        spread = {
            "nodes": int(rng.choice([0, 0, 0, 2])),
            "tasks_per_node": int(rng.choice([0, 0, 2])),
            "communication_volume": float(rng.choice([0, 3, 50])),
            "compute_share": float(rng.choice([0, 0.5, 0.9, 1])),
        }
        drawn = Demand(groups, sequential, **({} if sequential else spread))
        if holds(hardware, drawn):
            return drawn


def workload_of(demands, submit, requested):
    """Return jobs with these demands."""
    n = len(demands)
    plain = Workload.from_columns(
        submit_time=submit,
        run_time=[1.0] * n,
        requested_time=requested,
        processors=[d.tasks for d in demands],
    )
    return replace(plain, demands=Demands.of(demands))


@dataclass
class Case:
    """One random run."""

    hardware: Hardware
    jobs: Workload
    choices: dict

    @classmethod
    def drawn(cls, seed, **fixed):
        rng = np.random.default_rng(seed)
        hardware = machine(rng, sleepy=fixed.pop("sleepy", True))
        demands = [demand(rng, hardware) for _ in range(rng.integers(1, 16))]
        longest = np.array([max(group.operations for group in one.groups) for one in demands])
        factor = rng.choice([0.5, 1, 2, 3], len(demands))
        submit = np.sort(rng.integers(0, 40, len(demands))).astype(float)
        jobs = workload_of(demands, submit, np.ceil(longest * factor))
        plans = rng.random() < 0.5
        choices = {
            "policy": str(rng.choice(PLANNING if plans else COUNTING)),
            "place": str(rng.choice(PLACES)),
            "execution": str(rng.choice(["fixed", "speed", "memory-v1", "memory-share"])),
            "network": str(rng.choice(["none", "constant", "proportional"])),
            "sharing": "none" if plans else str(rng.choice(["none", "fair", "round-robin:quantum=0.5"])),
            "governor": str(rng.choice(["highest", "lowest", "capped"])),
            "estimates": str(rng.choice(["raise", "kill", "exact"])),
            "cycles": str(rng.choice(["instant", "event", "pyss"])),
            "seed": seed,
        } | fixed
        if choices["execution"] == "fixed":
            choices["network"] = "none"
        if choices["governor"] == "capped":  # which needs a cap; test_power_cap draws both
            choices["governor"] = "highest"
        return cls(hardware, jobs, choices)

    def run(self):
        return ec.simulate(self.jobs, platform=self.hardware, **self.choices).schedule


def rows_of(schedule, position):
    return np.flatnonzero(schedule.holdings.job == position)


def cores_of(held, row):
    return held.cores[held.first_core[row] : held.first_core[row + 1]].tolist()


def assert_no_core_held_twice(schedule):
    held = schedule.holdings
    spans = sorted(
        (core, held.start[row], held.release[row], held.job[row])
        for row in range(len(held))
        for core in cores_of(held, row)
    )
    for one, other in pairwise(spans):
        assert one[0] != other[0] or one[2] <= other[1], (one, other)


def assert_memory_fits(schedule, hardware):
    held, demands = schedule.holdings, schedule.instance.demands
    node = hardware.node_of_processor[held.processor]
    # Tasks that share a core take their memory each.
    share = np.ones(len(schedule.instance))
    for job in range(len(share)):
        rows = rows_of(schedule, job)
        share[job] = -(-demands[job].tasks // held.held[rows].sum())
    each = demands.largest[held.job] * share[held.job]
    for time in np.unique(held.start):
        there = (held.start <= time) & (time < held.release)
        used = np.bincount(node[there], (each * held.held)[there], minlength=len(hardware.nodes))
        assert (used <= hardware.node_memory * (1 + 1e-12)).all(), time


def assert_jobs_are_whole(schedule, hardware):
    held, instance = schedule.holdings, schedule.instance
    node = hardware.node_of_processor[held.processor]
    for job in range(len(instance)):
        rows, asked = rows_of(schedule, job), instance.demands[job]
        assert held.tasks[rows].sum() == asked.tasks
        assert set(held.start[rows]) == {schedule.start_time[job]}
        assert len(set(held.begin[rows])) == 1 or instance.killed[job]
        assert held.end[rows].max() == held.release[rows].max() == schedule.end_time[job]
        if asked.sequential:
            assert len(set(node[rows])) == 1
            assert (held.release[rows] == held.end[rows]).all()
        else:
            assert set(held.release[rows]) == {schedule.end_time[job]}
            assert_spread(asked, np.bincount(node[rows], held.held[rows]), held.held[rows].sum())


def assert_spread(asked, per_node, cores):
    taken = per_node[per_node > 0]
    if asked.nodes:
        assert len(taken) == min(asked.nodes, cores)
        assert taken.max() - taken.min() <= 1
    elif asked.tasks_per_node:
        assert taken.max() <= asked.tasks_per_node


@pytest.mark.parametrize("block", range(8))
def test_what_is_held_is_there(block):
    """No core is held twice, no memory twice, and jobs are where and when they may be, in any run."""
    for seed in range(4 * block, 4 * block + 4):
        case = Case.drawn(seed)
        schedule = case.run()
        assert (schedule.start_time >= schedule.instance.submit_time).all()
        assert_no_core_held_twice(schedule)
        assert_memory_fits(schedule, case.hardware)
        assert_jobs_are_whole(schedule, case.hardware)


def factors_at(time, schedule, case):
    """Return the speed factor of every holding at `time`, worked out from who holds what then."""
    held, demands, hardware = schedule.holdings, schedule.instance.demands, case.hardware
    memory = execution_named(case.choices["execution"]).memory
    network = network_named(case.choices["network"])
    going = (held.begin <= time) & (time < held.end)
    s_m, s_c = np.ones(len(held)), np.ones(len(held))
    for number in set(held.processor[going].tolist()) if memory is not None else ():
        rows = np.flatnonzero(going & (held.processor == number))
        loads = [Load(float(held.held[row]), float(held.bandwidth[row])) for row in rows]
        s_m[rows] = memory.factors(loads, hardware.processors[number])
    node = hardware.node_of_processor[held.processor]
    talking = {}
    for job in range(len(schedule.instance)) if network is not None else ():
        rows, asked = rows_of(schedule, job), demands[job]
        here = (held.begin[rows] <= time) & (time < held.release[rows])
        if here.all() and not asked.sequential and asked.communication_volume and len(set(node[rows])) > 1:
            tasks = np.bincount(node[rows], held.tasks[rows])
            longest = max(asked.groups[held.group[row]].operations / held.speed[row] for row in rows)
            where = {n: int(count) for n, count in enumerate(tasks) if count}
            talking[job] = Traffic(where, asked.communication_volume, float(longest))
    found = network.factors([*talking.values()], hardware) if talking else []
    for job, by_node in zip(talking, found, strict=True):
        rows = rows_of(schedule, job)
        s_c[rows] = [by_node[n] for n in node[rows].tolist()]
    share = demands.compute_share[held.job]
    return np.where(going, [speed_factor(*three) for three in zip(share, s_m, s_c, strict=True)], 0.0)


@pytest.mark.parametrize("execution", ["speed", "memory-v1", "memory-share"])
def test_work_is_conserved(execution):
    """What a task does at the rates of all instants adds up to its operations, with factors found again."""
    for seed in range(9):
        case = Case.drawn(seed, execution=execution, sharing="none")
        schedule = case.run()
        held, demands = schedule.holdings, schedule.instance.demands
        times = np.unique(np.concatenate((held.begin, held.end, held.release)))
        done = np.zeros(len(held))
        for one, other in pairwise(times):
            done += held.speed * factors_at(one, schedule, case) * (other - one)
        asked = np.array([demands[j].groups[g].operations for j, g in zip(held.job, held.group, strict=True)])
        cut = schedule.instance.killed[held.job]
        assert done[~cut] == pytest.approx(asked[~cut], rel=1e-9, abs=1e-9), seed
        assert (done[cut] <= asked[cut] * (1 + 1e-9)).all(), seed


def flat_jobs(rng, processors):
    n = int(rng.integers(1, 20))
    run = rng.integers(1, 30, n)
    return Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 60, n)),
        run_time=run,
        requested_time=np.maximum(run + rng.integers(-5, 20, n), 1),
        processors=rng.integers(1, processors + 1, n),
    )


@pytest.mark.parametrize("estimates", ["raise", "kill", "exact"])
@pytest.mark.parametrize("policy", [*COUNTING[:5], *PLANNING])
def test_one_node_is_the_flat_machine(policy, estimates):
    """A machine of one node, or of one core a node where nodes are counted, is one of equal processors."""
    rng = np.random.default_rng(len(policy))
    for cycles in ("instant", "event", "pyss") * 2:
        processors = int(rng.integers(2, 9))
        jobs = flat_jobs(rng, processors)
        how = {"policy": policy, "estimates": estimates, "cycles": cycles, "engine": "reference"}
        flat = ec.simulate(jobs, processors=processors, **how).schedule
        one = Hardware((Cluster((Node((Processor((Core(1e9),) * processors),)),)),))
        many = Hardware((Cluster((Node((ONE_CORE,)),) * processors),))
        for hardware in (one, many) if policy in COUNTING else (one,):
            schedule = ec.simulate(jobs, platform=hardware, **how).schedule
            assert schedule.start_time.tolist() == flat.start_time.tolist()
            assert schedule.end_time.tolist() == flat.end_time.tolist()


def test_one_seed_is_one_schedule():
    """The same run again gives the same starts, ends and cores."""
    for seed in range(10):
        case = Case.drawn(seed, place="random")
        one, other = case.run(), case.run()
        assert one.end.tolist() == other.end.tolist()
        assert one.holdings.cores.tolist() == other.holdings.cores.tolist()


@pytest.mark.parametrize("policy", [*COUNTING, "conservative", "plan", "easy:reservations=2", "slack"])
def test_twice_the_times_are_twice_the_starts(policy):
    """Twice the operations, volumes, requests and submission times: the same schedule at half the pace."""
    for seed in range(8):
        case = Case.drawn(
            seed,
            sleepy=False,
            sharing="none",
            network="proportional",
            execution="memory-share",
            policy=policy,
        )
        double = case.jobs.demands
        double = replace(
            double,
            operations=double.operations * 2,
            memory_volume=double.memory_volume * 2,
            communication_volume=double.communication_volume * 2,
        )
        table = Workload.from_columns(
            submit_time=case.jobs.submit_time * 2,
            run_time=case.jobs.run_time * 2,
            requested_time=case.jobs.requested_time * 2,
            processors=case.jobs.processors,
        )
        slow = Case(case.hardware, replace(table, demands=double), case.choices).run()
        schedule = case.run()
        assert slow.start_time.tolist() == (2 * schedule.start_time).tolist()
        assert slow.end_time.tolist() == (2 * schedule.end_time).tolist()


def test_fcfs_never_overtakes():
    """Without backfilling jobs start in the order of their submission."""
    for seed in range(24):
        schedule = Case.drawn(seed, policy="fcfs").run()
        assert (np.diff(schedule.start_time) >= 0).all()


@dataclass(frozen=True)
class Watched:
    """A scheduler that notes what it holds out to the jobs that wait after a pass."""

    inner: object
    told: dict

    name = "watched"
    source = "this test"

    def decide(self, view):
        yield from self.inner.decide(view)
        if isinstance(self.inner, Easy) and view.queue:
            head = view.queue[0]
            self.told.setdefault(head.position, view.head_start(head).time)
        elif isinstance(self.inner, Conservative):
            for position, time in view.reservations.items():
                self.told.setdefault(position, time)


@pytest.mark.parametrize("scheduler", [Easy(), Conservative()], ids=["easy", "conservative"])
def test_nobody_starts_later_than_foretold(scheduler):
    """With fixed run times EASY keeps the head's first shadow time, conservative its first promises."""
    told_in_all = 0
    for seed in range(40):
        told = {}
        case = Case.drawn(
            seed,
            sleepy=False,
            execution="fixed",
            sharing="none",
            cycles="instant",
            policy=Watched(scheduler, told),
        )
        schedule = case.run()
        told_in_all += len(told)
        for position, time in told.items():
            assert schedule.start_time[position] <= time, (seed, position)
    assert told_in_all > 150


def test_lower_levels_take_longer():
    """Jobs alone run longest at the lowest level, and at the capped one in between."""
    for seed in range(10):
        case = Case.drawn(
            seed, sleepy=False, sharing="none", estimates="raise", execution="speed", network="none"
        )
        alone = case.jobs.with_columns(submit_time=np.arange(len(case.jobs)) * 1e4)
        runs = {
            governor: Case(case.hardware, alone, case.choices | {"governor": governor, "power_cap": 1e9})
            .run()
            .instance.run_time
            for governor in ("highest", "capped", "lowest")
        }
        assert (runs["highest"] <= runs["capped"]).all()
        assert (runs["capped"] <= runs["lowest"] * (1 + 1e-12)).all()


def test_nodes_are_off_only_when_idle_long_enough():
    """A node is off from `after` its last job left until the next takes it, which waits for it to wake up."""
    slept = 0
    for seed in range(24):
        case = Case.drawn(seed, execution="speed", cycles="instant")
        schedule, nodes = case.run(), case.hardware.nodes
        held, sleeps = schedule.holdings, schedule.sleeps
        if sleeps is None:
            assert all(node.sleep is None for node in nodes)
            continue
        where = case.hardware.node_of_processor[held.processor]
        for number, node in enumerate(nodes):
            rows = np.flatnonzero(where == number)
            found = [
                (s, w) for n, s, w in zip(sleeps.node, sleeps.start, sleeps.wake, strict=True) if n == number
            ]
            expected = []
            if node.sleep is not None:
                busy = [(held.start[row], held.release[row]) for row in rows]
                expected = gaps(busy, node.sleep.after, schedule)
                slept += len(expected)
            assert np.ravel(found) == pytest.approx(np.ravel(expected)), seed
            for start, wake in found:
                for row in rows[held.start[rows] == wake]:
                    ready = wake + node.sleep.wake_time
                    assert held.begin[row] >= min(ready, held.end[row]), (seed, start)
    assert slept > 20


def gaps(busy, after, schedule):
    """Return when a node with these busy times is off."""
    free_from, found = float(schedule.instance.submit_time.min()), []
    for start, release in sorted(busy):
        if free_from + after <= start:
            found.append((free_from + after, start))
        free_from = max(free_from, release)
    if free_from + after <= schedule.end_time.max():
        found.append((free_from + after, np.inf))
    return found


def end_beside_another(tasks, cores, sharing):
    """Return the end of a job of tasks of 12 s that finds only some cores free, all alike."""
    hardware = Hardware((Cluster((Node((Processor((Core(1.0),) * tasks),)),)),))
    longer = Demand((TaskGroup(tasks - cores, 1e4),), sequential=True)
    job = Demand((TaskGroup(tasks, 12.0),), sequential=True)
    jobs = workload_of([longer, job], [0.0, 0.0], [1e6, 1e6])
    run = ec.simulate(jobs, platform=hardware, sharing=sharing, execution="speed", policy="first-fit")
    assert run.schedule.start_time.tolist() == [0.0, 0.0]
    return run.schedule.end_time[1]


@pytest.mark.parametrize(("tasks", "cores"), [(2, 1), (3, 2), (4, 2), (5, 3), (7, 2)])
def test_fewer_cores_than_tasks_take_longer_in_proportion(tasks, cores):
    """Jobs of t tasks on c equal cores take t / c times as long, nearly so by turns."""
    fair = end_beside_another(tasks, cores, "fair:most=8")
    assert fair == pytest.approx(12 * tasks / cores)
    for quantum in (6.0, 0.25, 0.01):
        turns = end_beside_another(tasks, cores, f"round-robin:quantum={quantum}:most=8")
        # The last one to end began its last turn at most one round of turns late.
        assert fair - 1e-9 <= turns <= fair + quantum * -(-tasks // cores)


def test_memory_contends_with_what_runs():
    """Three tasks that share two cores load the memory as two, fairly or by turns."""
    processor = Processor((Core(1.0),) * 4, memory_bandwidth=2.0)
    hardware = Hardware((Cluster((Node((processor,)),)),))
    # Asking for 1 byte a second each: two alone fit, with the other two there is half for each.
    beside = Demand((TaskGroup(2, 1e4, memory_volume=1e4),), sequential=True)
    job = Demand((TaskGroup(3, 12.0, memory_volume=12.0),), sequential=True)
    jobs = workload_of([beside, job], [0.0, 0.0], [1e6, 1e6])
    for sharing in ("fair", "round-robin:quantum=0.01"):
        run = ec.simulate(
            jobs, platform=hardware, sharing=sharing, execution="memory-share", policy="first-fit"
        )
        assert run.schedule.end_time[1] == pytest.approx(12 * 1.5 * 2, abs=0.05)
