"""Random trees of sites as platforms, runs on them, and what an observer writes down of a run."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

import echelon as ec
from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site, TimeSharedMachine
from echelon.model.machines.inner_site import InnerSite

sys.path.insert(0, str(Path(__file__).parents[1] / "differential"))
from random_trees import BACKFILLS, KINDS, paths, random_jobs, random_leaf, random_tree
from second_by_second_trees import Inner, Job, Leaf, leaves_of

QUEUED = ("count", "nodes")
"""The kinds of leaves at which jobs wait."""

OF_SUMS = (
    "random", "round-robin", "first-site", "home", "ml", "mlp", "mpl", "lbal-s", "first-fit", "max-ar",
    "lbal-t", "lbal-w", "mlb",
)  # fmt: skip
"""The brokers of levels 0 to 3 that any queues have an answer for."""

OF_SCHEDULES = (
    "mct", "mct:of=after", "mct:of=job", "mst", "mwt", "mwwt-s", "mwwt-t", "mwwt-w", "mta", "mwta-s",
    "mwct-w", "tat", "ptt",
)  # fmt: skip
"""The brokers of level 4."""

COMPILED = (*OF_SUMS, *(words for words in OF_SCHEDULES if words not in {"tat", "ptt"}))
"""The brokers that kernels have."""

BROKERS = OF_SUMS + OF_SCHEDULES
ORDERS = ("fcfs", "shortest-first", "largest-first", "wfp3", "random")


@dataclass(frozen=True)
class Case:
    """Jobs on a tree, and the words of its run."""

    tree: Inner | Leaf
    jobs: list[Job]
    options: dict
    homes: tuple[int, ...] = ()

    def run(self, **other):
        """Return the run; keywords replace `tree`, `platform` or words."""
        tree = other.pop("tree", self.tree)
        platform = other.pop("platform", None) or platform_of(tree)
        options = self.options | other
        return ec.simulate(workload_of(self.jobs, self.homes, platform), platform=platform, **options)


@cache
def hardware_of(cores):
    """Return nodes of so many cores each, that draw power as they work and as they idle."""
    nodes = tuple(
        Node((Processor((Core(1e9, dynamic_power=7.0),) * n, static_power=16.0, idle_share=0.25),), power=3.0)
        for n in cores
    )
    return Hardware((Cluster(nodes),))


def resource_of(leaf):
    """Return what a leaf runs its jobs on, as a platform says it."""
    if leaf.kind == "nodes":
        return hardware_of(leaf.cores)
    if leaf.kind == "time-shared":
        return TimeSharedMachine(leaf.cores[0], float(leaf.speed))
    return leaf.cores[0]


def platform_of(tree, *, renamed=lambda name: name):
    """Return the platform of a tree, every inner site with its broker; `renamed` gives a leaf its name."""
    sites, inner = [], []
    for path, site in paths(tree):
        if isinstance(site, Inner):
            inner.append(InnerSite(path, broker=site.broker, admissible=float(site.admissible)))
        else:
            above, _, name = (path or "machine").rpartition("/")
            name = renamed(name)
            sites.append(Site(f"{above}/{name}" if above else name, resource_of(site)))
    return Platform(tuple(sites), inner=tuple(inner))


def flat_platform(tree):
    """Return the platform of a tree whose leaves are right below its root, without a word on brokers."""
    return Platform(tuple(Site(path, resource_of(site)) for path, site in paths(tree)[1:]))


def workload_of(jobs, homes=(), platform=None):
    """Return jobs of the slow program as a workload; `homes` are numbers of sites of `platform`."""
    table = ec.Workload.from_columns(
        submit_time=[job.submit for job in jobs],
        run_time=[job.run for job in jobs],
        requested_time=[job.requested or job.run for job in jobs],
        processors=[job.size for job in jobs],
        partition=[home + 1 for home in homes] if homes else [-1] * len(jobs),
    )
    if homes:
        table = replace(table, names={"partition": platform.names})
    if waits := [(before, j, delay) for j, job in enumerate(jobs) for before, delay in job.after]:
        before, after, delay = zip(*waits, strict=True)
        table = table.with_dependencies(before, after, delay=delay)
    return table


def outcome(result):
    """Return what a run decided: where and when every job ran, on which nodes, to the last bit."""
    schedule = result.schedule
    held = schedule.holdings
    nodes = () if held is None else sorted(zip(held.job, held.processor, held.held, strict=True))
    site = schedule.site if schedule.site is not None else [0] * len(schedule.start_time)
    return list(site), schedule.start_time.tolist(), schedule.end_time.tolist(), [*nodes]


class Diary:
    """An observer that keeps every event: (time, what, position of the job, place)."""

    def __init__(self):
        self.events, self.cycles = [], []

    def submitted(self, time, job, place):
        self.events.append((time, "submitted", job.position, place))

    def started(self, time, job, place):
        self.events.append((time, "started", job.position, place))

    def ended(self, time, job, place):
        self.events.append((time, "ended", job.position, place))

    def decided(self, time, waiting, free, place):
        self.cycles.append((time, waiting, free, place, len(self.events)))

    def of(self, what):
        """Return {position: (time, place)} of one kind of event, which no job has twice."""
        found = [(job, (time, place)) for time, kind, job, place in self.events if kind == what]
        twice = [job for job, times in Counter(job for job, _ in found).items() if times > 1]
        assert not twice, f"{what} twice: {twice}"
        return dict(found)


PROTOCOLS = (
    "common-pool", "stealing:50", "stealing:0:fit=best-fit", "exchange:easy", "exchange:fcfs",
    "exchange:list:takes=always", "common-pool:refresh=7", "exchange:easy:latency=3",
    "stealing:50:latency=2:refresh=5",
)  # fmt: skip
"""Decentralized protocols, some of which know late or send slowly."""

DISPATCHERS = ("wqr", "wqr:replicas=3", "wqr:replicas=1:order=random", "min-min", "max-min", "sufferage")


def under_direct_control(tree, rng, words=PROTOCOLS, dispatchers=DISPATCHERS):
    """Return a tree in which most inner sites of leaves alone have a protocol or a dispatcher."""
    if isinstance(tree, Leaf):
        return tree
    kinds = {"inner" if isinstance(child, Inner) else child.kind for child in tree.children}
    choice = words if kinds <= {*QUEUED} else dispatchers if kinds == {"time-shared"} else ()
    if choice and rng.random() < 0.8:
        return replace(tree, broker=rng.choice(choice), admissible=Fraction(1))
    children = tuple(under_direct_control(child, rng, words, dispatchers) for child in tree.children)
    return replace(tree, children=children)


@st.composite
def direct_cases(draw, **fixed):
    """Return a case of `cases` under protocols and dispatchers, once an instant."""
    case, rng = draw(cases(**fixed)), draw(st.randoms(use_true_random=False))
    tree = under_direct_control(case.tree, rng)
    # Alone at the root one has no local policy beside it, which a run must not name.
    root = tree if tree.broker == case.tree.broker else Inner("ml", (tree,))
    return replace(case, tree=root)


@st.composite
def cases(
    draw,
    *,
    kinds=KINDS,
    depth=3,
    brokers=OF_SUMS,
    policies=None,
    estimates=("raise", "kill", "exact"),
    cycles=("instant",),
    dependencies=True,
    alone=False,
    **fixed,
):
    """Return a strategy for jobs on a random tree, or with `alone` on one machine, and the words of its run.

    `policies` are words; by default any backfilling in any order. Jobs are not cut at their requests where
    some share their cores, whose run times are not their own.
    """
    rng = draw(st.randoms(use_true_random=False))
    if alone:
        tree = random_leaf(rng, kinds, "easy")
    else:
        factors = (Fraction(1), Fraction(1), Fraction(1, 2))
        tree = random_tree(rng, depth=depth, kinds=kinds, brokers=brokers, backfill="easy", factors=factors)
    jobs = random_jobs(rng, tree, dependencies=dependencies)
    # Some requests are too short: jobs are raised or cut.
    jobs = [replace(job, requested=max(1, job.requested - rng.choice([0, 0, 0, 6]))) for job in jobs]
    homes = tuple(rng.randint(-1, len(leaves_of(tree)) - 1) for _ in jobs)
    shares = any(leaf.kind == "time-shared" for leaf in leaves_of(tree))
    queues = any(leaf.kind != "time-shared" for leaf in leaves_of(tree))
    words = rng.choice(policies) if policies else f"{rng.choice(BACKFILLS)}:{rng.choice(ORDERS)}"
    options = {
        "estimates": rng.choice([word for word in estimates if not (shares and word == "kill")]),
        "cycles": rng.choice(cycles),
        "seed": rng.randint(0, 3),
    }
    options |= {"policy": words.replace("none:", "")} if queues else {}
    return Case(tree, jobs, options | fixed, homes)
