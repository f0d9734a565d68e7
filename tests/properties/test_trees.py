"""What no run on a tree of sites may break, whatever its shape, its leaves, its brokers and its jobs."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.errors import UnsupportedError
from echelon.metrics import energy
from echelon.model import Platform, Site
from echelon.policies import Conservative, Easy, Policy, Reserve
from echelon.policies import policy as policy_named

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import (
    BROKERS,
    COMPILED,
    KINDS,
    OF_SUMS,
    PROTOCOLS,
    QUEUED,
    Diary,
    Inner,
    cases,
    direct_cases,
    flat_platform,
    leaves_of,
    outcome,
    platform_of,
    resource_of,
    workload_of,
)

SLOW_TO_DRAW = {"suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
check = examples(60, **SLOW_TO_DRAW)
often = examples(70, **SLOW_TO_DRAW)
seldom = examples(3, **SLOW_TO_DRAW)

CYCLES = ("instant", "event")
FIXED = ("fcfs", "shortest-first", "largest-first")
FORESEEN = tuple(
    f"{backfill}{order}"
    for backfill in ("", "first-fit:", "easy:", "conservative:")
    for order in (*FIXED, "random")
)
"""Policies whose schedules can be foreseen: with these a broker of level 4 has an answer."""

BY_THEMSELVES = tuple(
    f"{backfill}{order}" for backfill in ("", "first-fit:", "easy:", "conservative:") for order in FIXED
)
"""Policies that depend on nothing but the jobs of a queue."""


ANY_MACHINE = cases(alone=True, kinds=QUEUED, policies=FORESEEN, cycles=CYCLES) | cases(
    alone=True, kinds=("time-shared",)
)


OTHERS = (
    "plan", "selective", "slack", "relaxed", "easy:reservations=2", "easy:fit=best-fit", "easy:wfp3",
    "first-fit:multifactor",
)  # fmt: skip
"""Policies that brokers cannot foresee."""

PREEMPTIVE = ("round-robin:quantum=3", "srtf", "preemptive-priority:shortest-first")


def replay(case, diary):
    """Yield, after each event, what was told and, by leaf, who waits, who runs and where it runs."""
    waiting = [[] for _ in leaves_of(case.tree)]
    running = [{} for _ in leaves_of(case.tree)]
    kinds = [leaf.kind for leaf in leaves_of(case.tree)]
    for time, what, job, place in diary.events:
        if what == "submitted":
            # Brokers of time-shared machines alone decide after all jobs of the instant have come.
            if place.site is None:
                continue
            waiting[place.site].append(job)
        elif what == "started":
            if job in waiting[place.site]:
                waiting[place.site].remove(job)
            running[place.site][job] = place.nodes
        elif kinds[place.site] == "time-shared":
            # Its first copy may be that at another machine.
            next(here for here in running if job in here).pop(job)
        else:
            assert running[place.site].pop(job) == place.nodes
        yield (time, what, job, place.site), waiting, running


def at_rest(case, diary):
    """Yield (time, waiting, running) by leaf once everything of an instant has happened."""
    for time, events in groupby(snapshots(case, diary), key=lambda told: told[0][0]):
        *_, (_, waiting, running) = events
        yield time, waiting, running


def watched(case, **other):
    """Return the run of a case with everything that an observer was told of it."""
    diary = Diary()
    return case.run(observers=[diary], **other), diary


def free_of(case, leaf, running):
    """Return the processors of a leaf that none of its running jobs hold."""
    return sum(leaf.cores) - sum(case.jobs[job].size for job in running)


@often
@given(cases(cycles=CYCLES))
def test_no_leaf_ever_holds_more_than_it_has(case):
    """After every single event no queue's processors, and no node's cores, are held twice."""
    _, diary = watched(case)
    leaves = leaves_of(case.tree)
    for (_, what, job, site), _, running in replay(case, diary):
        leaf, here = leaves[site], running[site]
        if what == "started" and leaf.kind == "nodes":
            assert sum(here[job].values()) == case.jobs[job].size
            held = sum((Counter(nodes) for nodes in here.values()), Counter())
            assert all(0 <= held[node] <= leaf.cores[node] for node in held)
        if leaf.kind == "time-shared":
            assert case.jobs[job].size <= leaf.cores[0]
        else:
            assert free_of(case, leaf, here) >= 0


@check
@given(cases(kinds=("nodes", "nodes", "count"), cycles=CYCLES))
def test_no_core_is_held_twice(case):
    """Cores are numbered through the whole tree; no two jobs hold one of them at the same time."""
    held = case.run().schedule.holdings
    if held is None:
        return
    spans = sorted(
        (core, held.start[row], held.release[row])
        for row in range(len(held))
        for core in held.cores[held.first_core[row] : held.first_core[row + 1]].tolist()
    )
    for one, other in pairwise(spans):
        assert one[0] != other[0] or one[2] <= other[1]


@often
@given(cases(cycles=CYCLES))
def test_every_job_joins_starts_and_ends_once(case):
    """None joins before it is submitted and those before it have ended, and none starts before it joins."""
    result, diary = watched(case)
    joined, started, ended = diary.of("submitted"), diary.of("started"), diary.of("ended")
    everyone = set(range(len(case.jobs)))
    assert set(joined) == set(started) == set(ended) == everyone
    assert result.schedule.attempts.job.tolist() == sorted(everyone)
    for number, job in enumerate(case.jobs):
        released = [ended[before][0] + delay for before, delay in job.after]
        assert joined[number][0] == max([job.submit, *released])
        assert joined[number][0] <= started[number][0] < ended[number][0]


@check
@given(cases(cycles=CYCLES))
def test_events_alone_tell_the_schedule(case):
    """A chart drawn from the events has every job at its site, on its nodes, from its start to its end."""
    result, diary = watched(case)
    schedule, started, ended = result.schedule, diary.of("started"), diary.of("ended")
    names = schedule.instance.sites.names
    for job in range(len(case.jobs)):
        (start, place), (end, last) = started[job], ended[job]
        assert (start, end, place.site) == (
            schedule.start_time[job],
            schedule.end_time[job],
            schedule.site[job],
        )
        assert (place.site, place.name, place.nodes) == (last.site, names[place.site], last.nodes)
    if schedule.holdings is None:
        return
    platform, held = schedule.instance.sites, schedule.holdings
    first, node_of = platform.first_node, platform.all_nodes.node_of_processor
    in_nodes = [Counter() for _ in case.jobs]
    for row in range(len(held)):
        job = held.job[row]
        in_nodes[job][int(node_of[held.processor[row]] - first[schedule.site[job]])] += int(held.held[row])
    assert [dict(nodes) for nodes in in_nodes] == [
        dict(started[job][1].nodes) for job in range(len(case.jobs))
    ]


@check
@given(cases(cycles=CYCLES))
def test_events_come_in_the_order_of_the_phases(case):
    """Time never goes back; at an instant ends come first, and at a queue joins before starts."""
    _, diary = watched(case)
    leaves = leaves_of(case.tree)
    times = [time for time, *_ in diary.events]
    assert times == sorted(times)
    for _, events in groupby(diary.events, key=lambda event: event[0]):
        told = [(what, place.site) for _, what, _, place in events]
        if case.options["cycles"] == "event":
            told = [(what, site) for what, site in told if what != "started"]
        ends = [what == "ended" for what, _ in told]
        assert ends == sorted(ends, reverse=True)
        for site, leaf in enumerate(leaves):
            here = [what for what, where in told if where == site]
            if leaf.kind != "time-shared":
                assert here == sorted(here, key=["ended", "submitted", "started"].index)


@check
@given(cases(kinds=QUEUED, cycles=CYCLES))
def test_cycles_report_the_queue_and_what_is_free(case):
    """After each cycle a site says how many jobs still wait there and how many processors are free."""
    _, diary = watched(case)
    told = [([], []), *((waiting, running) for _, waiting, running in snapshots(case, diary))]
    for _, waiting, free, place, events in diary.cycles:
        queues, running = told[events]
        leaf = leaves_of(case.tree)[place.site]
        assert waiting == len(queues[place.site])
        assert free == free_of(case, leaf, running[place.site])


def snapshots(case, diary):
    """Yield what `replay` does, each time copied."""
    for told, waiting, running in replay(case, diary):
        yield told, [[*queue] for queue in waiting], [{**jobs} for jobs in running]


@check
@given(cases(kinds=QUEUED, policies=("fcfs", "first-fit", "easy"), cycles=CYCLES))
def test_no_queue_idles_while_its_head_fits(case):
    """In order of arrival the head of a queue at rest does not fit; by first-fit none of its jobs does."""
    _, diary = watched(case)
    joined = {job: time for job, (time, _) in diary.of("submitted").items()}
    for _, waiting, running in at_rest(case, diary):
        for site, leaf in enumerate(leaves_of(case.tree)):
            if not waiting[site]:
                continue
            free = free_of(case, leaf, running[site])
            head = min(waiting[site], key=lambda job: (joined[job], job))
            assert case.jobs[head].size > free
            if case.options["policy"] == "first-fit":
                assert min(case.jobs[job].size for job in waiting[site]) > free


class WatchedEasy:
    """EASY that writes down when a blocked head was first planned to start."""

    name = "watched-easy"

    def __init__(self):
        self.shadow = {}

    def decide(self, view):
        for decision in Easy().decide(view):
            self.note(view)
            yield decision
        self.note(view)

    def note(self, view):
        if view.queue and not view.fits(view.queue[0]):
            head = view.queue[0]
            self.shadow.setdefault(head.position, view.head_start(head).time)


@often
@given(cases(kinds=QUEUED, policies=("easy",), cycles=CYCLES))
def test_easy_keeps_its_promise_at_every_leaf(case):
    """The head of a leaf's queue starts by the shadow time that it had when it became the head."""
    easy = WatchedEasy()
    found = case.run(policy=Policy.of(backfill=easy))
    assert outcome(found) == outcome(case.run())
    for job, shadow in easy.shadow.items():
        assert found.schedule.start_time[job] <= shadow


class Promises:
    """Conservative backfilling that writes down what it promises."""

    name = "promises"

    def __init__(self):
        self.made, self.first = {}, {}

    def decide(self, view):
        for decision in Conservative().decide(view):
            if isinstance(decision, Reserve):
                self.made.setdefault(decision.job.position, []).append(decision.time)
            yield decision
        self.first |= view.first_reservations


@often
@given(cases(kinds=QUEUED, policies=("conservative", "conservative:shortest-first"), cycles=CYCLES))
def test_conservative_keeps_every_promise_at_every_leaf(case):
    """A promise is replaced by none that is later, the job starts at the last, never after the first."""
    promises = Promises()
    policy = Policy.of(policy_named(case.options["policy"]).order, promises)
    found = case.run(policy=policy)
    assert outcome(found) == outcome(case.run())
    start = found.schedule.start_time
    assert sorted(promises.made) == list(range(len(case.jobs)))
    for job, made in promises.made.items():
        assert made == sorted(made, reverse=True)
        assert start[job] == made[-1]
        assert start[job] <= promises.first.get(job, made[0]) == made[0]


@check
@given(cases(cycles=CYCLES))
def test_busy_time_adds_up_to_the_work(case):
    """Of every leaf: its busy processors over time, by their speed, are the areas of its jobs."""
    result, diary = watched(case)
    run = result.schedule.instance.run_time
    busy = [0.0] * len(leaves_of(case.tree))
    work = [0.0] * len(busy)
    before, held = 0.0, [0] * len(busy)
    for time, _, running in at_rest(case, diary):
        busy = [sum_ + use * (time - before) for sum_, use in zip(busy, held, strict=True)]
        held = [
            min(sum(leaf.cores), sum(case.jobs[job].size for job in here)) * float(leaf.speed)
            for leaf, here in zip(leaves_of(case.tree), running, strict=True)
        ]
        before = time
    for job, (_, place) in diary.of("started").items():
        # A time-shared machine is busy with what a job asks of one of speed 1.
        work[place.site] += (
            case.jobs[job].run if leaves_of(case.tree)[place.site].kind == "time-shared" else run[job]
        ) * case.jobs[job].size
    assert busy == pytest.approx(work, rel=1e-9)


def alone(case, result, diary, site):
    """Return the run of a leaf by itself with the jobs that it got, when it got them, and their numbers."""
    got = [job for job, at in enumerate(result.schedule.site) if at == site]
    joined = diary.of("submitted")
    got = sorted(got, key=lambda job: (joined[job][0], job))
    jobs = [replace(case.jobs[job], submit=joined[job][0], after=()) for job in got]
    leaf = leaves_of(case.tree)[site]
    settings = {
        key: name for key, name in case.options.items() if key != "policy" or leaf.kind != "time-shared"
    }
    return (ec.simulate(workload_of(jobs), **settings | by_itself(leaf)) if got else None), got


def by_itself(leaf):
    """Return the settings of a run on a leaf alone."""
    if leaf.kind == "count":
        return {"processors": leaf.cores[0]}
    if leaf.kind == "nodes":
        return {"platform": resource_of(leaf)}
    desk = Platform((Site("desk", resource_of(leaf)),))
    return {"platform": desk, "broker": "first-site", "cycles": "instant"}


ANY_POLICY = cases(policies=(*BY_THEMSELVES, *OTHERS), cycles=CYCLES)


@often
@given(ANY_POLICY | cases(kinds=("count", "count", "time-shared"), policies=PREEMPTIVE, cycles=CYCLES))
def test_a_leaf_does_what_it_would_do_alone(case):
    """Each leaf by itself, with the jobs that it got when it got them, starts them when and where it did."""
    result, diary = watched(case)
    schedule = result.schedule
    for site, leaf in enumerate(leaves_of(case.tree)):
        run, got = alone(case, result, diary, site)
        if run is None:
            continue
        _, start, end, _ = outcome(run)
        tolerance = 1e-12 if leaf.kind == "time-shared" else 0
        assert schedule.start_time[got].tolist() == start
        assert schedule.end_time[got].tolist() == pytest.approx(end, rel=tolerance, abs=0)


@check
@given(cases(policies=("fcfs",), cycles=CYCLES), st.randoms(use_true_random=False))
def test_a_leaf_with_a_policy_of_its_own_does_what_it_would_do_alone(case, rng):
    """Where every leaf has another policy, each by itself under its own starts its jobs when it did."""
    names = platform_of(case.tree).names
    queued = [
        name for name, leaf in zip(names, leaves_of(case.tree), strict=True) if leaf.kind != "time-shared"
    ]
    policies = {name: rng.choice((*BY_THEMSELVES, *OTHERS)) for name in queued}
    if len(names) == 1 or not queued:
        return
    mixed = replace(case, options=case.options | {"policy": {"": "easy", **policies}})
    result, diary = watched(mixed)
    for site, name in enumerate(names):
        if name in policies:
            own = replace(case, options=case.options | {"policy": policies[name]})
            run, got = alone(own, result, diary, site)
            if run is not None:
                _, start, end, _ = outcome(run)
                assert result.schedule.start_time[got].tolist() == start
                assert result.schedule.end_time[got].tolist() == end


@check
@given(cases(kinds=("nodes", "nodes", "count"), policies=BY_THEMSELVES))
def test_energy_is_that_of_the_leaves(case):
    """Nodes draw what they draw alone, and idle until the whole run is over; so do jobs, one by one."""
    result, diary = watched(case)
    schedule, leaves = result.schedule, leaves_of(case.tree)
    if all(leaf.kind == "count" for leaf in leaves):
        return
    found = energy(schedule)
    whole, total = span(schedule), 0.0
    for site, leaf in enumerate(leaves):
        if leaf.kind != "nodes":
            continue
        run, got = alone(case, result, diary, site)
        idle = len(leaf.cores) * (3.0 + 0.25 * 16.0)
        total += idle * (whole - (span(run.schedule) if run else 0.0))
        if run:
            part = energy(run.schedule)
            total += part.total
            assert found.per_job[got].tolist() == pytest.approx(part.per_job.tolist(), rel=1e-12)
    assert found.total == pytest.approx(total, rel=1e-12)
    assert found.total == pytest.approx(np.nansum(found.per_job) + found.idle, rel=1e-12)


def span(schedule):
    """Return the time from the first submission to the last end."""
    return float(schedule.end_time.max() - schedule.instance.submit_time.min())


@check
@given(
    cases(brokers=BROKERS, kinds=QUEUED, policies=FORESEEN, cycles=CYCLES)
    | cases(policies=FORESEEN, cycles=CYCLES)
)
def test_a_seed_means_one_schedule(case):
    """Two runs of one scenario are equal, and observers change nothing."""
    first = case.run()
    assert outcome(first) == outcome(case.run()) == outcome(watched(case)[0])


@check
@given(cases(depth=1, kinds=("count",), brokers=COMPILED, policies=FORESEEN))
def test_engines_agree_on_grids_which_are_trees_of_one_level(case):
    """A flat grid has one schedule: in either engine as a grid, and as a tree with the same broker."""
    grid = as_grid(case)
    reference = case.run(engine="reference", **grid)
    compiled = case.run(engine="compiled", **grid)
    assert (reference.engine, compiled.engine) == ("reference", "compiled")
    assert outcome(reference) == outcome(compiled) == outcome(case.run())


@often
@given(cases(cycles=CYCLES) | cases(depth=1) | cases(depth=1, kinds=("count",)))
def test_the_compiled_engine_runs_what_it_says_or_refuses(case):
    """Whatever the shape, the engine chosen gives the reference engine's schedule, or is that engine."""
    settings = {}
    if case.options["cycles"] == "instant" and not any(isinstance(c, Inner) for c in case.tree.children):
        settings = as_grid(case)
    reference, chosen = case.run(engine="reference", **settings), case.run(**settings)
    assert outcome(chosen) == outcome(reference)
    if chosen.engine == "compiled":
        assert outcome(case.run(engine="compiled", **settings)) == outcome(reference)
    else:
        assert {leaf.kind for leaf in leaves_of(case.tree)} != {"count"} or not settings
        with pytest.raises(UnsupportedError):
            case.run(engine="compiled", **settings)


def as_grid(case):
    """Return the settings of a run on the leaves of a tree of one level, as a platform without a tree."""
    return {
        "platform": flat_platform(case.tree),
        "broker": case.tree.broker,
        "admissible": float(case.tree.admissible),
    }


def with_lone_children(tree, rng):
    """Return the tree with an inner site of one child, under any broker, above each of its sites, or not."""
    if isinstance(tree, Inner):
        tree = replace(tree, children=tuple(with_lone_children(child, rng) for child in tree.children))
    if rng.random() < 0.5:
        return tree
    return Inner(rng.choice(brokers_over(tree)), (tree,), rng.choice([Fraction(1), Fraction(1, 2)]))


def brokers_over(tree, brokers=BROKERS):
    """Return the brokers that may stand above a site: some of their parameters are for queues only."""
    if all(leaf.kind != "time-shared" for leaf in leaves_of(tree)):
        return brokers
    return [spec for spec in brokers if ":" not in spec]


@pytest.mark.parametrize("broker", BROKERS)
def test_names_and_lone_children_decide_nothing(broker):
    """Other last names, in another order, and inner sites of one child, under any broker, change nothing."""

    @seldom
    @given(
        cases(brokers=(broker,), kinds=QUEUED if ":" in broker else KINDS, policies=FORESEEN, cycles=CYCLES),
        st.randoms(use_true_random=False),
    )
    def test(case, rng):
        expected = outcome(case.run())
        other = platform_of(case.tree, renamed=lambda name: f"{'zyxwvut'[int(name[-1]) % 7]} {name}!")
        assert outcome(case.run(platform=other)) == expected
        assert outcome(case.run(tree=with_lone_children(case.tree, rng))) == expected

    test()


def assert_alone_is_the_same(case, rng, *, brokers=BROKERS):
    leaf = case.tree
    brokers = brokers_over(leaf, brokers)
    under = Inner(rng.choice(brokers), (leaf,))
    for _ in range(rng.randint(0, 2)):
        under = Inner(rng.choice(brokers), (under,))
    machine = ec.simulate(workload_of(case.jobs), **case.options | by_itself(leaf))
    tree = replace(case, homes=()).run(tree=under)
    assert outcome(tree) == outcome(machine)
    assert tree.schedule.attempts.start.tolist() == machine.schedule.attempts.start.tolist()
    assert tree.schedule.attempts.end.tolist() == machine.schedule.attempts.end.tolist()


@often
@given(ANY_MACHINE, st.randoms(use_true_random=False))
def test_a_tree_of_one_leaf_is_the_machine(case, rng):
    """Under any chain of brokers a machine, its nodes or a time-shared machine does what it does alone."""
    assert_alone_is_the_same(case, rng)


@often
@given(
    cases(alone=True, kinds=QUEUED, policies=OTHERS, cycles=CYCLES),
    st.randoms(use_true_random=False),
)
def test_any_scheduler_is_the_same_below_a_broker(case, rng):
    """Backfillings that no broker can foresee, and orders that change with time, are untouched, too."""
    assert_alone_is_the_same(case, rng, brokers=OF_SUMS)


@often
@given(
    cases(alone=True, kinds=("count",), policies=PREEMPTIVE, cycles=CYCLES),
    st.randoms(use_true_random=False),
)
def test_preemption_is_the_same_below_a_broker(case, rng):
    """Jobs of counted processors are suspended and resumed below brokers as they are without."""
    assert_alone_is_the_same(case, rng, brokers=OF_SUMS)


@check
@given(
    cases(alone=True, kinds=("count",), policies=BY_THEMSELVES, cycles=CYCLES, estimator="average"),
    st.randoms(use_true_random=False),
)
def test_predictions_are_the_same_below_a_broker(case, rng):
    """Estimators learn from the ends of the jobs below a broker, in their order, as they do without."""
    assert_alone_is_the_same(case, rng, brokers=OF_SUMS)


def in_groups(tree, rng, *, by_size):
    """Return the leaves of a tree of one level in groups, under its broker; `by_size` parts them by size."""
    order = list(range(len(tree.children)))
    if by_size:
        order.sort(key=lambda site: (sum(tree.children[site].cores), site))
    else:
        rng.shuffle(order)
    groups = []
    for site in order:
        if not groups or rng.random() < 0.4:
            groups.append([])
        groups[-1].append(site)
    groups = [sorted(group) for group in groups]
    return Inner(
        tree.broker,
        tuple(Inner(tree.broker, tuple(tree.children[site] for site in group)) for group in groups),
    ), [site for group in groups for site in group]


@often
@given(
    cases(depth=1, brokers=("first-site", "home"), policies=OTHERS + FORESEEN, cycles=CYCLES),
    st.randoms(use_true_random=False),
)
def test_groups_by_size_change_no_choice_that_goes_by_size(case, rng):
    """Sites put into groups of consecutive sizes get the jobs that they got side by side."""
    assert_groups_are_the_same(case, rng, by_size=True)


@often
@given(
    cases(depth=1, brokers=("home",), policies=OTHERS + FORESEEN, cycles=CYCLES),
    st.randoms(use_true_random=False),
)
def test_any_groups_leave_jobs_at_home(case, rng):
    """Jobs whose homes can hold them are at home in whatever groups the sites are put."""
    sizes = [sum(leaf.cores) for leaf in case.tree.children]
    fit = [[site for site, size in enumerate(sizes) if size >= job.size] for job in case.jobs]
    assert_groups_are_the_same(
        replace(case, homes=tuple(rng.choice(sites) for sites in fit)), rng, by_size=False
    )


def assert_groups_are_the_same(case, rng, *, by_size):
    flat = replace(case.tree, admissible=Fraction(1))
    grouped, order = in_groups(flat, rng, by_size=by_size)
    place = {site: number for number, site in enumerate(order)}
    homes = tuple(place.get(home, -1) for home in case.homes)
    found, expected = replace(case, homes=homes).run(tree=grouped).schedule, case.run(tree=flat).schedule
    assert [order[site] for site in found.site] == expected.site.tolist()
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()


@check
@given(direct_cases())
def test_nothing_is_held_twice_under_protocols_and_dispatchers(case):
    """No queue's processors and no node's cores are held twice, while jobs are in transit either."""
    result, diary = watched(case)
    leaves = leaves_of(case.tree)
    for (_, what, _, site), _, running in replay(case, diary):
        if what == "started" and leaves[site].kind != "time-shared":
            assert free_of(case, leaves[site], running[site]) >= 0
    held = result.schedule.holdings
    for core in np.unique(held.cores) if held is not None else ():
        rows = np.repeat(np.arange(len(held)), np.diff(held.first_core))[held.cores == core]
        spans = sorted(zip(held.start[rows].tolist(), held.release[rows].tolist(), strict=True))
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


@often
@given(direct_cases())
def test_every_job_runs_once_under_protocols_and_dispatchers(case):
    """It joins, starts and ends once, and is done in one attempt, whatever copies of it ran elsewhere."""
    result, diary = watched(case)
    joined, started, ended = diary.of("submitted"), diary.of("started"), diary.of("ended")
    attempts, everyone = result.schedule.attempts, [*range(len(case.jobs))]
    assert attempts.job[attempts.finished].tolist() == everyone
    for job in everyone:
        assert joined[job][0] <= started[job][0] < ended[job][0]
        assert started[job][0] == result.schedule.start_time[job]
        assert (ended[job][0], ended[job][1].site) == (
            result.schedule.end_time[job],
            result.schedule.site[job],
        )


@check
@given(cases(kinds=("count",), dependencies=False, estimates=("raise", "exact")), st.sampled_from(PROTOCOLS))
def test_a_protocol_in_a_tree_does_what_kernels_do_alone(case, spec):
    """The jobs that reach a protocol at an inner site run as on a flat grid in the compiled engine."""
    tree = Inner(case.tree.broker, (*leaves_of(case.tree)[:1], Inner(spec, tuple(leaves_of(case.tree)))))
    platform = platform_of(tree)
    case = replace(case, tree=tree, homes=())
    found = case.run(platform=platform, engine="reference").schedule
    there = np.flatnonzero(found.site > 0)
    if not len(there):
        return
    jobs = [case.jobs[job] for job in found.instance.kept[there]]
    alone = Platform(tuple(Site(f"s{k}", leaf.cores[0]) for k, leaf in enumerate(leaves_of(tree)[1:])))
    options = {name: case.options[name] for name in ("estimates", "seed")}
    flat = ec.simulate(workload_of(jobs), platform=alone, broker=spec, engine="compiled", **options)
    assert flat.engine == "compiled"
    assert flat.schedule.start_time.tolist() == found.start_time[there].tolist()
    assert (flat.schedule.site + 1).tolist() == found.site[there].tolist()
    assert (flat.schedule.home_site + 1).tolist() == found.home_site[there].tolist()


class Right:
    """An estimator that learns, and predicts what each job will run."""

    name = "right"

    def __init__(self, case):
        self.times = [job.run for job in case.jobs]

    def memory(self):
        """Return itself: it keeps nothing."""
        return self

    def predict(self, job):
        """Return the run time."""
        return self.times[job.position]

    def learn(self, job, run_time):
        """Learn nothing: it is as predicted, but for rounding where cores are shared."""
        assert run_time == pytest.approx(self.times[job.position], rel=1e-9)


@often
@given(
    cases(brokers=BROKERS, policies=FORESEEN, estimates=("raise",), cycles=CYCLES)
    | direct_cases(policies=FORESEEN, estimates=("raise",))
)
def test_right_predictions_are_exact_plans(case):
    """Policies, brokers, protocols, dispatchers do with right predictions what they do with exact times."""
    assert outcome(case.run(estimator=Right(case))) == outcome(case.run(estimates="exact"))
