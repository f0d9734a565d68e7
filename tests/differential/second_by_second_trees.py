"""Trees of sites, played second by second: brokers over clusters, nodes and time-shared machines.

Written from the printed rules alone, in plain Python; it shares nothing with the engines. All times are exact
fractions. The program visits every whole second and, between them, every instant at which something ends or
is released; at each of them it asks every leaf and every job again. Nothing is remembered that can be found
again: a broker adds up the jobs below a site, a backfilling tries one time after the other.

A tree is a `Leaf` or an `Inner` of trees; `simulate(tree, jobs)` plays it. At an instant

1. END: what ends now leaves, in the order of dispatch; jobs that run on at their planned end are planned
   until they end, and promises at that leaf are void;
2. JOIN: jobs submitted or released now, by their place in the list, go from broker to broker down to a leaf;
   a time-shared machine starts them at once;
3. DECIDE: brokers, outer before inner, send on the jobs for which their decision is complete; then every leaf
   with a queue, in the order of the file, starts what its backfilling starts.

With `cycles="event"` a leaf decides after each END and after each JOIN of its own, and in between if some of
its jobs run on at their planned end.

Some brokers look at a second set of leaves, to which the same jobs come at the same times and where each runs
for its planned time; and some let a copy of a leaf go on by itself, as planned, to see what becomes of it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar


@dataclass(frozen=True)
class Job:
    """`after` lists (place of a job, delay): released at the latest of `submit` and every end + delay.

    It is planned for what it requested, at least its run time unless it `may_run_on`.
    """

    submit: int
    run: int
    size: int
    requested: int = 0
    after: tuple[tuple[int, int], ...] = ()
    may_run_on: bool = False

    @property
    def planned(self):
        return self.requested if self.may_run_on else max(self.run, self.requested)


@dataclass(frozen=True)
class Leaf:
    """A machine of its own: `kind` is ``count``, ``nodes`` or ``time-shared``.

    `cores` are those of each node; a count of processors is one node. `backfill` is none, first-fit, easy or
    conservative, in order of arrival, and means nothing where jobs share their cores, at `speed`.
    """

    kind: str
    cores: tuple[int, ...]
    backfill: str = "easy"
    speed: Fraction = Fraction(1)

    @classmethod
    def count(cls, processors, backfill="easy"):
        return cls("count", (processors,), backfill)

    @classmethod
    def nodes(cls, cores, backfill="easy"):
        return cls("nodes", tuple(cores), backfill)

    @classmethod
    def time_shared(cls, cores, speed=1):
        return cls("time-shared", (cores,), "", Fraction(speed))


@dataclass(frozen=True)
class Inner:
    """A site of sites, whose `broker` chooses among its children; `admissible` is the factor a.

    With a `decision_time`, in seconds, jobs wait here while the broker decides for one after the other.
    """

    broker: str
    children: tuple[Leaf | Inner, ...]
    admissible: Fraction = Fraction(1)
    decision_time: int | None = None


def leaves_of(tree):
    """Return the leaves of a tree in the order of the file."""
    if isinstance(tree, Leaf):
        return [tree]
    return [leaf for child in tree.children for leaf in leaves_of(child)]


def brokers_of(tree):
    """Return the words of all brokers of a tree."""
    if isinstance(tree, Leaf):
        return []
    return [tree.broker, *(words for child in tree.children for words in brokers_of(child))]


def looks_at_plan(words):
    """Return whether a broker believes the planned schedule, not what really happens."""
    return "grid-state=planned" in words


def largest_job(tree):
    """Return the size of the largest job that some leaf can hold."""
    return max(sum(leaf.cores) for leaf in leaves_of(tree))


@dataclass(frozen=True)
class Outcome:
    """What happened: start, end and number of the leaf of each job, and where and when everything was.

    `nodes` has the cores that each job took in each node, `events` (time, what, job, leaf) in order; what is
    end, join or start. `rounding_decides` says that a broker met a tie between unlike children for which a
    program that computes in float64 may find a difference.
    """

    start: list[Fraction]
    end: list[Fraction]
    leaf: list[int]
    nodes: list[dict[int, int]]
    events: list[tuple[Fraction, str, int, int]]
    rounding_decides: bool


def simulate(tree, jobs, cycles="instant"):
    """Return the `Outcome` of `jobs` on `tree`."""
    return Play(tree, list(jobs), cycles).outcome()


@dataclass
class Stay:
    """A running job: where it is, since when; `left` is the work of each process where cores are shared."""

    start: Fraction
    cores: dict[int, int]
    left: Fraction = Fraction(0)


class Queue:
    """A leaf whose jobs wait until its nodes have room."""

    def __init__(self, leaf, jobs):
        self.leaf, self.jobs = leaf, jobs
        self.waiting, self.running, self.promise, self.early = [], {}, {}, False
        self.keys, self.run_on = {}, set()

    def join(self, now, job, key):
        """Let a job wait; `key` is its place in the queue: its release, then its place in the list."""
        self.keys[job] = key
        self.waiting = sorted([*self.waiting, job], key=self.keys.get)
        return []

    def ends(self, job):
        return self.running[job].start + self.jobs[job].run

    def planned_end(self, job):
        return self.ends(job) if job in self.run_on else self.running[job].start + self.jobs[job].planned

    def next_planned_end(self):
        return min(map(self.planned_end, self.running), default=None)

    def correct(self, now):
        """Plan the jobs that run on at their planned end until they end; return whether there are any."""
        late = {job for job in self.running if self.planned_end(job) <= now}
        self.run_on |= late
        if late:
            self.promise.clear()
        return bool(late)

    def next_end(self, now):
        return min([self.ends(job) for job in self.running], default=None)

    def due(self, now):
        return [job for job in self.running if self.ends(job) == now]

    def advance(self, elapsed):
        pass

    def leave(self, now, job):
        self.early = self.early or self.planned_end(job) > now
        del self.running[job]

    def decide(self, now):
        """Return what starts now, in order."""
        before = list(self.running)
        getattr(self, self.leaf.backfill.replace("-", "_"))(now)
        return [job for job in self.running if job not in before]

    def future(self, now, job=None, key=None):
        """Return {job: (start, end)} of all jobs here, and of `job`, if all run as planned from now on."""
        twin = copy.copy(self)
        twin.jobs = [
            one if place in self.run_on else replace(one, run=one.planned)
            for place, one in enumerate(self.jobs)
        ]
        twin.waiting, twin.running = list(self.waiting), dict(self.running)
        twin.promise, twin.keys = dict(self.promise), dict(self.keys)
        if job is not None:
            twin.join(now, job, key)
        found = {one: (stay.start, twin.ends(one)) for one, stay in twin.running.items()}
        while True:
            found |= {one: (now, now + twin.jobs[one].run) for one in twin.decide(now)}
            if not twin.waiting:
                return found
            now = min(t for t in [twin.next_end(now), *(at for at, _ in twin.promise.values())] if t)
            for one in twin.due(now):
                twin.leave(now, one)

    # What is free.

    def claims(self, promised=True):
        """Return (cores in each node, from, to) of all that is held by plan, or promised."""
        held = [(stay.cores, stay.start, self.planned_end(job)) for job, stay in self.running.items()]
        kept = [(cores, at, at + self.jobs[job].planned) for job, (at, cores) in self.promise.items()]
        return held + (kept if promised else [])

    def free_at(self, time, claims):
        return [
            cores - sum(held.get(node, 0) for held, begin, end in claims if begin <= time < end)
            for node, cores in enumerate(self.leaf.cores)
        ]

    def place(self, job, free):
        """Return the cores in each node, the first nodes first, or None if there is too little."""
        missing, taken = self.jobs[job].size, {}
        for node, cores in enumerate(free):
            if missing and cores:
                taken[node] = min(missing, cores)
                missing -= taken[node]
        return None if missing else taken

    def free_now(self):
        """Return what no running job holds; one whose END is still to come at this instant holds its own."""
        held = [stay.cores for stay in self.running.values()]
        return [
            cores - sum(taken.get(node, 0) for taken in held) for node, cores in enumerate(self.leaf.cores)
        ]

    def room_now(self, job):
        return self.place(job, self.free_now())

    def go(self, now, job, cores):
        self.waiting.remove(job)
        self.running[job] = Stay(now, cores)

    # The backfillings.

    def none(self, now):
        while self.waiting and (cores := self.room_now(self.waiting[0])):
            self.go(now, self.waiting[0], cores)

    def first_fit(self, now):
        for job in list(self.waiting):
            if cores := self.room_now(job):
                self.go(now, job, cores)

    def easy(self, now):
        self.none(now)
        if not self.waiting:
            return
        head, *later = self.waiting
        claims = self.claims()
        free = {time: sum(self.free_at(time, claims)) for time in (end for _, _, end in claims)}
        shadow = min(time for time in free if free[time] >= self.jobs[head].size)
        extra = free[shadow] - self.jobs[head].size
        for job in later:
            in_time = now + self.jobs[job].planned <= shadow
            if (cores := self.room_now(job)) and (in_time or self.jobs[job].size <= extra):
                extra -= 0 if in_time else self.jobs[job].size
                self.go(now, job, cores)

    def conservative(self, now):
        if self.early:
            for job in [job for job in self.waiting if job in self.promise]:
                before = self.promise.pop(job)
                found = self.earliest(now, job)
                self.promise[job] = found if found[0] < before[0] else before
        self.early = False
        for job in self.waiting:
            if job not in self.promise:
                self.promise[job] = self.earliest(now, job)
        for job in list(self.waiting):
            at, cores = self.promise[job]
            if at <= now and self.is_free(cores):
                del self.promise[job]
                self.go(now, job, cores)

    def is_free(self, cores):
        free = self.free_now()
        return all(free[node] >= taken for node, taken in cores.items())

    def earliest(self, now, job):
        """Return the first time from which the job has room for its planned time, and where."""
        claims = self.claims()
        for time in sorted({now, *(end for _, _, end in claims if end > now)}):
            until = time + self.jobs[job].planned
            moments = [time, *(begin for _, begin, _ in claims if time < begin < until)]
            least = [min(free) for free in zip(*(self.free_at(m, claims) for m in moments), strict=True)]
            if cores := self.place(job, least):
                return time, cores
        raise AssertionError("a job that fits the machine fits at last")


class Sharing:
    """A leaf where all jobs start at once and all their processes share the cores evenly."""

    promise: ClassVar[dict] = {}

    def __init__(self, leaf, jobs):
        self.leaf, self.jobs = leaf, jobs
        self.waiting, self.running = [], {}

    def join(self, now, job, key):
        self.running[job] = Stay(now, {0: self.jobs[job].size}, Fraction(self.jobs[job].run))
        return [job]

    def rate(self):
        processes = sum(self.jobs[job].size for job in self.running)
        return self.leaf.speed * min(Fraction(1), Fraction(self.leaf.cores[0], processes))

    def next_end(self, now):
        return min([now + stay.left / self.rate() for stay in self.running.values()], default=None)

    def next_planned_end(self):
        return None

    def correct(self, now):
        return False

    def due(self, now):
        return [job for job, stay in self.running.items() if stay.left == 0]

    def advance(self, elapsed):
        for stay in self.running.values():
            stay.left -= self.rate() * elapsed

    def leave(self, now, job):
        del self.running[job]

    def decide(self, now):
        return []


@dataclass(eq=False)
class Site:
    """A site of the tree while it is played: its leaves' states, and what its broker remembers.

    `planned` are its leaves once more, where every job runs as planned. `queue` has the jobs that wait for
    the broker's decision, each with the time when it came; `since` is when it last sent one on.
    """

    tree: Leaf | Inner
    jobs: list[Job]
    below: list[Queue | Sharing]
    planned: list[Queue | Sharing]
    children: list[Site] = field(default_factory=list)
    last: int = -1
    queue: list[tuple[Fraction, int]] = field(default_factory=list)
    since: Fraction = Fraction(0)

    @property
    def processors(self):
        return sum(sum(leaf.leaf.cores) for leaf in self.below)

    @property
    def ready(self):
        """When the decision for the first job that waits for one is complete, or None."""
        return max(self.since, self.queue[0][0]) + self.tree.decision_time if self.queue else None

    def seen(self, words):
        """Return the leaves below as a broker of these words believes them to be."""
        return self.planned if looks_at_plan(words) else self.below

    def add(self, measure, words=""):
        """Return the sum of `measure` over the jobs that wait and run here and below, for brokers, too."""
        there = self.undecided() + [
            job for leaf in self.seen(words) for job in [*leaf.waiting, *leaf.running]
        ]
        return sum(measure(self.jobs[job]) for job in there)

    def undecided(self):
        """Return the jobs that wait for brokers here and below."""
        return [job for _, job in self.queue] + [job for child in self.children for job in child.undecided()]

    def per_processor(self, measure, words):
        return Fraction(self.add(measure, words), self.processors)


def one(job):
    return 1


def size(job):
    return job.size


def planned(job):
    return job.planned


def area(job):
    return job.size * job.planned


def unevenness(site, child, job, measure):
    """Return the variance of the loads per processor of all children if `job` went to `child`."""
    words = site.tree.broker
    loads = [
        Fraction(other.add(measure, words) + (measure(job) if other is child else 0), other.processors)
        for other in site.children
    ]
    mean = sum(loads) / len(loads)
    return sum((load - mean) ** 2 for load in loads) / len(loads)


VALUES = {
    "ml": lambda site, child, job: child.add(one, site.tree.broker),
    "mlp": lambda site, child, job: child.per_processor(one, site.tree.broker),
    "mpl": lambda site, child, job: child.per_processor(size, site.tree.broker),
    "mlb": lambda site, child, job: child.per_processor(area, site.tree.broker),
    "lbal-s": lambda site, child, job: unevenness(site, child, job, size),
    "lbal-t": lambda site, child, job: unevenness(site, child, job, planned),
    "lbal-w": lambda site, child, job: unevenness(site, child, job, area),
}
BROKERS = ("first-site", "round-robin", "first-fit", *VALUES)
OF_PLANS = tuple(
    f"{name}:grid-state={state}"
    for name in ("mct", "mct:of=after", "mct:of=job", "mst", "ml", "mpl", "mlb")
    for state in ("planned", "actual")
)
"""Brokers that look at what is planned; their leaves must have queues."""


def allowed(site, job):
    """Return the children that the job may go to, by (largest job, place in the file)."""
    order = sorted(site.children, key=lambda child: (largest_job(child.tree), site.children.index(child)))
    able = [child for child in order if largest_job(child.tree) >= job.size]
    needed = site.tree.admissible * sum(child.processors for child in able)
    for last in range(1, len(able) + 1):
        if sum(child.processors for child in able[:last]) >= needed:
            return able[:last]
    raise ValueError(f"no site can hold a job of {job.size} processors")


class Play:
    """One run."""

    def __init__(self, tree, jobs, cycles):
        self.jobs, self.cycles = jobs, cycles
        self.by_plan = [replace(job, run=job.planned) for job in jobs]
        self.believes = any(looks_at_plan(words) for words in brokers_of(tree))
        self.leaves, self.planned, self.inner = [], [], []
        self.root = self.grow(tree)
        self.joined, self.start, self.end, self.leaf_of, self.nodes = {}, {}, {}, {}, {}
        self.events, self.rounding_decides = [], False

    def grow(self, tree):
        if isinstance(tree, Leaf):
            kind = Sharing if tree.kind == "time-shared" else Queue
            self.leaves.append(kind(tree, self.jobs))
            if self.believes:
                self.planned.append(kind(tree, self.by_plan))
            return Site(tree, self.jobs, self.leaves[-1:], self.planned[-1:])
        site = Site(tree, self.jobs, [], [])
        self.inner.append(site)
        site.children += [self.grow(child) for child in tree.children]
        site.below += [leaf for child in site.children for leaf in child.below]
        site.planned += [leaf for child in site.children for leaf in child.planned]
        return site

    def outcome(self):
        now = Fraction(0)
        while len(self.end) < len(self.jobs):
            self.let_end(now)
            self.correct(now)
            self.let_join(now)
            self.let_brokers_decide(now)
            for number in range(len(self.leaves)):
                self.decide(now, number)
            later = self.next_instant(now)
            for leaf in [*self.leaves, *self.planned]:
                leaf.advance(later - now)
            now = later
        columns = (self.start, self.end, self.leaf_of, self.nodes)
        lists = [[column[j] for j in range(len(self.jobs))] for column in columns]
        return Outcome(*lists, self.events, self.rounding_decides)

    def decide(self, now, number):
        self.note_starts(now, self.leaves[number], self.leaves[number].decide(now))
        if self.believes:
            self.planned[number].decide(now)

    def next_instant(self, now):
        """Return the next whole second, or an earlier time at which something ends or is released."""
        leaves = [*self.leaves, *self.planned]
        ends = [leaf.next_end(now) for leaf in leaves]
        releases = [self.release(j) for j in range(len(self.jobs))]
        promises = [at for leaf in leaves for at, _ in leaf.promise.values()]
        ready = [site.ready for site in self.inner]
        ends += [leaf.next_planned_end() for leaf in leaves]
        times = [now // 1 + 1, *ends, *releases, *promises, *ready]
        return min(t for t in times if t is not None and t > now)

    def let_end(self, now):
        for leaf in self.planned:
            for job in leaf.due(now):
                leaf.leave(now, job)
                if self.cycles == "event":
                    leaf.decide(now)
        ending = [(job, number) for number, leaf in enumerate(self.leaves) for job in leaf.due(now)]
        dispatched = list(self.start)
        for job, number in sorted(ending, key=lambda pair: dispatched.index(pair[0])):
            self.leaves[number].leave(now, job)
            self.end[job] = now
            self.events.append((now, "end", job, number))
            if self.cycles == "event":
                self.note_starts(now, self.leaves[number], self.leaves[number].decide(now))

    def correct(self, now):
        for leaf in self.leaves:
            if leaf.correct(now) and self.cycles == "event":
                self.note_starts(now, leaf, leaf.decide(now))

    def release(self, j):
        """Return when the job joins, or None while a job before it has not ended."""
        if any(before not in self.end for before, _ in self.jobs[j].after):
            return None
        return max([Fraction(self.jobs[j].submit), *(self.end[k] + delay for k, delay in self.jobs[j].after)])

    def let_join(self, now):
        for j in range(len(self.jobs)):
            if j not in self.joined and self.release(j) == now:
                self.joined[j] = now
                self.enter(now, self.root, j)

    def let_brokers_decide(self, now):
        for site in self.inner:
            while site.queue and site.ready <= now:
                site.since = site.ready
                _, j = site.queue.pop(0)
                self.enter(now, self.choose(now, site, j), j)

    def enter(self, now, site, j):
        """Let a job come to a site: to wait for its broker, or to go on down to a leaf."""
        while site.children:
            if site.tree.decision_time is not None:
                site.queue.append((now, j))
                return
            site = self.choose(now, site, j)
        number = self.leaves.index(site.below[0])
        self.leaf_of[j] = number
        self.events.append((now, "join", j, number))
        self.note_starts(now, self.leaves[number], self.leaves[number].join(now, j, self.key(j)))
        if self.believes:
            self.planned[number].join(now, j, self.key(j))
        if self.cycles == "event":
            self.decide(now, number)

    def key(self, j):
        return self.joined[j], j

    def note_starts(self, now, leaf, started):
        for job in started:
            self.start[job], self.nodes[job] = now, leaf.running[job].cores
            self.events.append((now, "start", job, self.leaf_of[job]))

    def choose(self, now, site, j, *, remember=True):
        """Return the child that the site's broker chooses."""
        job = self.jobs[j]
        able = allowed(site, job)
        if site.tree.broker == "first-site":
            chosen = able[0]
        elif site.tree.broker == "round-robin":
            numbers = sorted(site.children.index(child) for child in able)
            chosen = site.children[next((n for n in numbers if n > site.last), numbers[0])]
        elif site.tree.broker.startswith(("mct", "mst")):
            chosen = min(able, key=lambda child: self.foreseen(now, site.tree.broker, child, j))
        else:
            chosen = self.least(site, able, job)
        if remember:
            site.last = site.children.index(chosen)
        return chosen

    def foreseen(self, now, words, child, j):
        """Return what mct and mst compare: an end or a start in the planned schedules below a child."""
        goes = None
        if words.startswith("mst") or ":of=after" in words or ":of=job" in words:
            site = child
            while site.children:
                site = self.choose(now, site, j, remember=False)
            goes = site.seen(words)[0]
        plan = {}
        for leaf in child.seen(words):
            plan |= leaf.future(now, j, self.key(j)) if leaf is goes else leaf.future(now)
        if words.startswith("mst"):
            return plan[j][0]
        if ":of=job" in words:
            return plan[j][1]
        return max((end for _, end in plan.values()), default=now)

    def least(self, site, able, job):
        words = site.tree.broker
        name = words.partition(":")[0]
        if name == "first-fit":
            roomy = [child for child in able if child.add(size) + job.size <= child.processors]
            if roomy:
                return roomy[0]
            name = "mpl"
        values = [VALUES[name](site, child, job) for child in able]
        best = [child for child, value in zip(able, values, strict=True) if value == min(values)]
        if name.startswith("lbal"):
            loads = {
                (child.processors, child.add(size), child.add(planned), child.add(area)) for child in best
            }
            self.rounding_decides = self.rounding_decides or len(loads) > 1
        return best[0]
