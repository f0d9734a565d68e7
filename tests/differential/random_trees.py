"""Random trees of sites with jobs for them, and the platform file that says the same as a tree."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from second_by_second_trees import BROKERS, Inner, Job, Leaf, largest_job

BACKFILLS = ("none", "first-fit", "easy", "conservative")
KINDS = ("count", "nodes", "time-shared")


def random_leaf(rng, kinds=KINDS, backfill=None):
    """Return a leaf of one to twelve processors."""
    kind = rng.choice(kinds)
    if kind == "count":
        return Leaf.count(rng.randint(1, 8), backfill or rng.choice(BACKFILLS))
    if kind == "nodes":
        cores = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        return Leaf.nodes(cores, backfill or rng.choice(BACKFILLS))
    return Leaf.time_shared(rng.randint(1, 6), rng.choice([Fraction(1, 2), Fraction(1), Fraction(2)]))


def random_tree(
    rng,
    *,
    depth=3,
    leaves=None,
    kinds=KINDS,
    brokers=BROKERS,
    backfill=None,
    factors=(Fraction(1),),
    decision_times=(None,),
):
    """Return a tree of 2 to 7 leaves, at most `depth` levels below its root.

    `rng` is a `random.Random`. With `backfill` all leaves that have a queue follow that one. `factors` are
    those of admissibility, `decision_times` those of brokers; one is drawn for each inner site.
    """
    leaves = leaves or rng.randint(2, 7)
    children = []
    while leaves:
        part = rng.randint(1, leaves)
        if depth == 1 or part == 1 or rng.random() < 0.2:
            children += [random_leaf(rng, kinds, backfill)]
            leaves -= 1
            continue
        deeper = {"depth": depth - 1, "leaves": part, "kinds": kinds, "brokers": brokers}
        deeper |= {"backfill": backfill, "factors": factors, "decision_times": decision_times}
        children += [random_tree(rng, **deeper)]
        leaves -= part
    time = decision_times[0] if len(decision_times) == 1 else rng.choice(decision_times)
    return Inner(rng.choice(brokers), tuple(children), rng.choice(factors), time)


def random_jobs(rng, tree, *, most=24, dependencies=True):
    """Return up to `most` jobs, many at once, each of which some leaf can hold."""
    largest, jobs = largest_job(tree), []
    for number in range(rng.randint(1, most)):
        run = rng.randint(1, 12)
        after = ()
        if dependencies and number and rng.random() < 0.15:
            before = rng.sample(range(number), min(number, rng.randint(1, 2)))
            after = tuple((one, rng.choice([0, 0, 3])) for one in sorted(before))
        largest_here = largest if rng.random() < 0.3 else min(largest, 4)
        size = rng.randint(1, largest_here)
        requested = run + rng.choice([0, 0, 1, 5, 20])
        jobs.append(Job(rng.randint(0, 20), run, size, requested, after))
    return sorted_by_submit(jobs)


def sorted_by_submit(jobs):
    """Return the jobs in the order of their submit times, with their dependencies renumbered."""
    order = sorted(range(len(jobs)), key=lambda j: (jobs[j].submit, j))
    place = {old: new for new, old in enumerate(order)}
    return [
        Job(one.submit, one.run, one.size, one.requested, tuple((place[k], delay) for k, delay in one.after))
        for one in (jobs[j] for j in order)
    ]


def paths(tree, above=""):
    """Return (path, site) of all sites, the root's path being empty, in the order of the file."""
    found = [(above, tree)]
    if isinstance(tree, Inner):
        for number, child in enumerate(tree.children, 1):
            name = f"{'site' if isinstance(child, Leaf) else 'group'}-{number}"
            found += paths(child, f"{above}/{name}" if above else name)
    return found


def leaf_paths(tree):
    """Return the paths of the leaves in the order of the file."""
    return [path for path, site in paths(tree) if isinstance(site, Leaf)]


def platform_file(tree, *, says_all=False):
    """Return the text of a platform file that describes the tree.

    Every inner site is a `[[group]]` with its broker and its factor of admissibility, unless the tree is a
    leaf or has leaves only at its root: the broker of such a platform, like all local policies, is an option
    of the run, but if the file `says_all`.
    """
    if isinstance(tree, Leaf):
        return leaf("machine", tree)
    nested = says_all or any(isinstance(child, Inner) for child in tree.children)
    tables = [group(path, site) for path, site in paths(tree) if isinstance(site, Inner) and nested]
    tables += [leaf(path, site) for path, site in paths(tree) if isinstance(site, Leaf)]
    return "\n".join(tables)


def group(path, site):
    lines = ["[[group]]", f'path = "{path}"', f'broker = "{site.broker}"']
    lines += [f"admissible = {float(site.admissible)}"] if site.admissible != 1 else []
    lines += [f"decision_time = {site.decision_time}"] if site.decision_time is not None else []
    return "\n".join(lines) + "\n"


def leaf(path, site):
    lines = ["[[site]]", f'name = "{path}"']
    if site.kind != "nodes":
        lines.append(f"processors = {site.cores[0]}")
    if site.kind == "time-shared":
        lines += ['queue = "none"', f"speed = {float(site.speed)}"]
    if site.kind == "nodes":
        for cores, equal in groupby(site.cores):
            lines += ["", "[[site.node]]", f"count = {len(list(equal))}"]
            lines += [f'processor = {{ cores = {cores}, clock = "1 GHz" }}']
    return "\n".join(lines) + "\n"
