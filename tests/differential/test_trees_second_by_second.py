"""Both engines against the program that plays trees of sites second by second, on random small cases."""

from __future__ import annotations

import os
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import echelon as ec

sys.path.insert(0, str(Path(__file__).parent))
from random_trees import BACKFILLS, KINDS, platform_file, random_jobs, random_leaf, random_tree
from second_by_second_trees import Inner, leaves_of, simulate

SEEDS = 400 if os.environ.get("HYPOTHESIS_PROFILE") == "explore" else 40
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
        "requested_time": [job.planned for job in jobs],
        "processors": [job.size for job in jobs],
    }
    waits = [(before, j, delay) for j, job in enumerate(jobs) for before, delay in job.after]
    table = ec.Workload.from_columns(**columns)
    if not waits:
        return table
    before, after, delay = zip(*waits, strict=True)
    return table.with_dependencies(before, after, delay=delay)


def run(tree, jobs, backfill, engine, folder):
    """Return Echelon's run of the same jobs on the same platform, through a platform file."""
    file = folder / "tree.toml"
    file.write_text(platform_file(tree))
    leaves = leaves_of(tree)
    options = {"engine": engine}
    if any(leaf.kind != "time-shared" for leaf in leaves):
        options["policy"] = backfill
    if any(leaf.kind == "time-shared" for leaf in leaves):
        options["decision_time"] = 0
    if isinstance(tree, Inner) and all(child in leaves for child in tree.children):
        # Elsewhere the file names a broker for each inner site.
        options |= {"broker": tree.broker, "admissible": float(tree.admissible)}
    return ec.simulate(workload(jobs), platform=str(file), **options)


def cores_in_nodes(result, leaf):
    """Return how many cores each job took in each node of the only machine."""
    node_of = [node for node, cores in enumerate(leaf.cores) for _ in range(cores)]
    found = []
    for words in result.jobs["cores"].to_list():
        ranges = [[int(end) for end in part.split("-")] for part in words.split()]
        nodes = [node_of[core] for part in ranges for core in range(part[0], part[-1] + 1)]
        found.append({node: nodes.count(node) for node in nodes})
    return found


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("shape", SHAPES)
def test_runs_are_what_a_person_would_play(shape, engine, tmp_path):
    """Start, end and leaf of every job, and its cores in each node, are those of the slow program."""
    for seed in range(SEEDS):
        rng = random.Random(f"{shape} {seed}")
        backfill = BACKFILLS[seed % len(BACKFILLS)]
        tree = SHAPES[shape](rng, backfill)
        jobs = random_jobs(rng, tree)
        expected = simulate(tree, jobs)
        if expected.rounding_decides:
            continue
        result = run(tree, jobs, backfill, engine, tmp_path)
        schedule = result.schedule
        if isinstance(tree, Inner):
            assert schedule.site.tolist() == expected.leaf, seed
        for found, times in ((schedule.start_time, expected.start), (schedule.end_time, expected.end)):
            exact = [float(time) for time in times]
            if any(leaf.kind == "time-shared" for leaf in leaves_of(tree)):
                assert found.tolist() == pytest.approx(exact, rel=1e-12), seed
            else:
                assert found.tolist() == exact, seed
        if shape == "nodes":
            assert cores_in_nodes(result, tree) == expected.nodes, seed
