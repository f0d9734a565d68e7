"""Both engines against the program that plays trees of sites second by second, on random small cases."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import echelon as ec
from budgets import IN_FULL

sys.path.insert(0, str(Path(__file__).parent))
from random_trees import BACKFILLS, KINDS, platform_file, random_jobs, random_leaf, random_tree
from second_by_second_trees import BROKERS, OF_PLANS, Inner, leaves_of, simulate

SEEDS = 400 if IN_FULL else 22
FACTORS = (Fraction(1), Fraction(3, 4), Fraction(1, 2))


def flat(*kinds):
    """Return what draws a broker over sites of these kinds."""
    return lambda rng, backfill: random_tree(rng, depth=1, kinds=kinds, backfill=backfill, factors=FACTORS)


def nested(*kinds):
    """Return what draws brokers over brokers over sites of these kinds."""
    return lambda rng, backfill: random_tree(rng, depth=3, kinds=kinds, backfill=backfill, factors=FACTORS)


def alone(kind):
    """Return what draws one machine."""
    return lambda rng, backfill: random_leaf(rng, (kind,), backfill)


SHAPES = {
    "machine": alone("count"),
    "nodes": alone("nodes"),
    "grid": flat("count"),
    "time-shared": flat("time-shared"),
    "grid of nodes": flat("nodes"),
    "mixed grid": flat(*KINDS),
    "grid of grids": nested("count"),
    "tree": nested(*KINDS),
}


def workload(jobs):
    """Return the jobs of the slow program as Echelon's."""
    columns = {
        "submit_time": [job.submit for job in jobs],
        "run_time": [job.run for job in jobs],
        "requested_time": [job.requested or job.run for job in jobs],
        "processors": [job.size for job in jobs],
    }
    waits = [(before, j, delay) for j, job in enumerate(jobs) for before, delay in job.after]
    table = ec.Workload.from_columns(**columns)
    if not waits:
        return table
    before, after, delay = zip(*waits, strict=True)
    return table.with_dependencies(before, after, delay=delay)


def run(tree, jobs, backfill, engine, folder, *, says_all=False, **options):
    """Return Echelon's run of the same jobs on the same platform, through a platform file."""
    file = folder / "tree.toml"
    file.write_text(platform_file(tree, says_all=says_all))
    leaves = leaves_of(tree)
    options["engine"] = engine
    if any(leaf.kind != "time-shared" for leaf in leaves):
        options["policy"] = backfill
    if not says_all and isinstance(tree, Inner) and all(child in leaves for child in tree.children):
        # Elsewhere the file names a broker for each inner site.
        options |= {"broker": tree.broker, "admissible": float(tree.admissible)}
    return ec.simulate(workload(jobs), platform=str(file), **options)


def cores_in_nodes(schedule):
    """Return how many cores each job took in each node of its site, of those at sites with nodes."""
    held, hardware = schedule.holdings, schedule.instance.node_level.hardware
    node_of = hardware.node_of_processor[held.processor]
    if schedule.site is not None:
        node_of = node_of - schedule.instance.sites.first_node[schedule.site[held.job]]
    found = {}
    for job, node, cores in zip(held.job.tolist(), node_of.tolist(), held.held.tolist(), strict=True):
        found.setdefault(job, {}).setdefault(node, 0)
        found[job][node] += cores
    return found


def assert_as_played(tree, expected, result, seed):
    """Start, end, leaf and cores in each node of every job are those of the slow program."""
    schedule, leaves = result.schedule, leaves_of(tree)
    if isinstance(tree, Inner):
        assert schedule.site.tolist() == expected.leaf, seed
    for found, times in ((schedule.start_time, expected.start), (schedule.end_time, expected.end)):
        exact = [float(time) for time in times]
        if any(leaf.kind == "time-shared" for leaf in leaves):
            assert found.tolist() == pytest.approx(exact, rel=1e-12), seed
        else:
            assert found.tolist() == exact, seed
    if any(leaf.kind == "nodes" for leaf in leaves):
        there = {
            j: cores for j, cores in enumerate(expected.nodes) if leaves[expected.leaf[j]].kind == "nodes"
        }
        assert cores_in_nodes(schedule) == there, seed


@pytest.mark.parametrize("shape", SHAPES)
def test_runs_are_what_a_person_would_play(shape, tmp_path):
    """Both engines do what the slow program does, on any shape, under any backfilling."""
    for seed in range(SEEDS):
        rng = random.Random(f"{shape} {seed}")
        backfill = BACKFILLS[seed % len(BACKFILLS)]
        tree = SHAPES[shape](rng, backfill)
        jobs = random_jobs(rng, tree)
        expected = simulate(tree, jobs)
        if expected.rounding_decides:
            continue
        chosen = run(tree, jobs, backfill, "auto", tmp_path)
        assert_as_played(tree, expected, chosen, seed)
        if chosen.engine != "reference":
            assert_as_played(tree, expected, run(tree, jobs, backfill, "reference", tmp_path), seed)


QUEUED = ("count", "nodes")
OTHERS = {
    "brokers that foresee": {"kinds": QUEUED, "brokers": OF_PLANS},
    "brokers that foresee, beside others": {"kinds": QUEUED, "brokers": (*OF_PLANS, *BROKERS)},
    "brokers that take time": {"decision_times": (None, 0, 1, 2, 5)},
    "brokers that take time and foresee": {
        "kinds": QUEUED, "brokers": OF_PLANS, "decision_times": (None, 1, 2)
    },
    "a cycle after each event": {"cycles": "event"},
    "a cycle after each event, foreseen": {"cycles": "event", "kinds": QUEUED, "brokers": OF_PLANS},
}  # fmt: skip


@pytest.mark.parametrize("spec", OTHERS)
def test_what_brokers_see_and_take_is_what_a_person_would_play(spec, tmp_path):
    """Planned schedules, decisions that take time and cycles after each event, under any estimates."""
    for seed in range(SEEDS):
        rng = random.Random(f"{spec} {seed}")
        shape = dict(OTHERS[spec])
        cycles = shape.pop("cycles", "instant")
        backfill, depth = BACKFILLS[seed % len(BACKFILLS)], rng.choice([1, 2, 3])
        tree = random_tree(rng, depth=depth, backfill=backfill, factors=FACTORS, **shape)
        drawn = [
            replace(job, requested=max(1, job.requested - rng.choice([0, 0, 7])))
            for job in random_jobs(rng, tree)
        ]
        jobs, estimates = under_estimates(rng, tree, drawn)
        expected = simulate(tree, jobs, cycles)
        if expected.rounding_decides:
            continue
        options = {"says_all": True, "cycles": cycles, "estimates": estimates}
        assert_as_played(tree, expected, run(tree, drawn, backfill, "auto", tmp_path, **options), seed)


def under_estimates(rng, tree, drawn):
    """Return the jobs as they run and are planned under some `--estimates`, and their name."""
    shares = any(leaf.kind == "time-shared" for leaf in leaves_of(tree))
    estimates = rng.choice(["raise", "exact", "request"] if shares else ["raise", "kill", "exact", "request"])
    if estimates == "exact":
        return [replace(job, requested=job.run) for job in drawn], estimates
    if estimates == "request":
        return [replace(job, may_run_on=True) for job in drawn], estimates
    if estimates == "kill":
        return [replace(job, run=min(job.run, job.requested)) for job in drawn], estimates
    return drawn, estimates


@pytest.mark.parametrize("shape", SHAPES)
def test_jobs_that_run_on_are_planned_again(shape, tmp_path):
    """Under `--estimates request` on any shape, with one cycle for an instant or one for each event."""
    for seed in range(SEEDS):
        rng = random.Random(f"{shape} runs on {seed}")
        backfill, cycles = BACKFILLS[seed % len(BACKFILLS)], rng.choice(["instant", "event"])
        tree = SHAPES[shape](rng, backfill)
        jobs = [
            replace(job, requested=max(1, job.run + rng.choice([-9, -4, -1, 0, 6])), may_run_on=True)
            for job in random_jobs(rng, tree)
        ]
        if all(leaf.kind == "time-shared" for leaf in leaves_of(tree)):
            cycles = "instant"
        expected = simulate(tree, jobs, cycles)
        if expected.rounding_decides:
            continue
        options = {"cycles": cycles, "estimates": "request"}
        assert_as_played(tree, expected, run(tree, jobs, backfill, "auto", tmp_path, **options), seed)
