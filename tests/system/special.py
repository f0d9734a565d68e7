"""What must hold of the runs of some rows of the matrix: reservations, power, slowdowns, copies, cuts."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from echelon.metrics import energy
from echelon.model import SharedCluster, TimeSharedMachine
from echelon.policies import Conservative, Easy, Policy, Reserve
from system.invariants import TINY, integral, peak, steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from system.invariants import Attempt, Run


class WatchedEasy:
    """EASY that writes down when a blocked head was first planned to start."""

    name = "watched-easy"
    predictable = True

    def __init__(self) -> None:
        self.reserved: dict[int, float] = {}

    def decide(self, view):
        """Decide as EASY does."""
        for decision in Easy().decide(view):
            self.note(view)
            yield decision
        self.note(view)

    def note(self, view) -> None:
        """Keep the shadow time of a head that has just become one."""
        if view.queue and not view.fits(view.queue[0]):
            head = view.queue[0]
            self.reserved.setdefault(head.job_id - 1, view.head_start(head).time)


class WatchedConservative:
    """Conservative backfilling that writes down what it first reserved for each job."""

    name = "watched-conservative"
    predictable = True

    def __init__(self) -> None:
        self.reserved: dict[int, float] = {}

    def decide(self, view):
        """Decide as conservative backfilling does."""
        for decision in Conservative().decide(view):
            if isinstance(decision, Reserve):
                self.reserved.setdefault(decision.job.job_id - 1, decision.time)
            yield decision


WATCHED = {"easy": WatchedEasy, "conservative": WatchedConservative}
"""By the policy's words, what makes reservations and keeps a list of them."""


def reservations_are_kept(run: Run, again: Callable[..., Run]) -> None:
    """Assert that no job starts after its first reservation, in the run made again with these written down.

    Nodes that may hold several tasks reserve nothing: those run slower beside each other than planned.
    """
    watched = WATCHED[run.options["policy"]]()
    told = again(policy=Policy.of(backfill=watched))
    assert told.schedule.start_time.tolist() == run.schedule.start_time.tolist()
    assert watched.reserved
    for one in run.attempts:
        resource = run.resources[one.site]
        if not isinstance(resource, SharedCluster) or resource.contract.mpl == 1:
            assert one.start <= watched.reserved.get(one.number, math.inf)


def power_of_nodes(run: Run) -> list[list[tuple[float, float, float]]]:
    """Return what each node draws over time, in W, from what is held in it and when it is off."""
    begin, end = float(run.schedule.instance.submit_time.min()), float(run.schedule.end_time.max())
    rows, off = defaultdict(list), defaultdict(list)
    for row in run.rows:
        rows[int(run.hardware.node_of_processor[row["processor"]])].append(row)
    if run.schedule.sleeps is not None:
        told = run.schedule.sleeps
        for node, start, wake in zip(
            told.node.tolist(), told.start.tolist(), told.wake.tolist(), strict=True
        ):
            off[node].append((start, wake, wake + run.hardware.nodes[node].sleep.wake_time))
    found = []
    for number, node in enumerate(run.hardware.nodes):
        first = int(run.hardware.first_processor[number])
        times = {begin, end}
        times |= {t for row in rows[number] for t in (row["start"], row["release"])}
        times |= {t for spell in off[number] for t in spell if math.isfinite(t)}
        ordered = sorted(time for time in times if begin <= time <= end)
        found.append(
            [
                (since, to, drawn(node, first, rows[number], off[number], since))
                for since, to in pairwise(ordered)
            ]
        )
    return found


def drawn(node, first: int, rows: list[dict], off: list[tuple[float, float, float]], now: float) -> float:
    """Return what a node draws just after `now`, in W."""
    for start, wake, awake in off:
        if start <= now < wake:
            return node.sleep.power
        if wake <= now < awake:
            return node.sleep.wake_power
    total = node.power
    for number, processor in enumerate(node.processors):
        mine = [
            row for row in rows if row["processor"] == first + number and row["start"] <= now < row["release"]
        ]
        total += processor.static_power * (1.0 if mine else processor.idle_share)
        for row in mine:
            share = processor.levels[row["level"]].power
            total += share * len(row["cores"]) * processor.cores[0].dynamic_power
    return total


def energy_adds_up(run: Run) -> None:
    """Assert that the energy is the integral of what nodes draw, and that of all jobs and of idling."""
    found = energy(run.schedule)
    for node, power in enumerate(power_of_nodes(run)):
        assert found.per_node[node] == pytest.approx(integral(power, -math.inf, math.inf), rel=TINY)
    assert found.total == pytest.approx(found.per_node.sum(), rel=TINY)
    assert found.total == pytest.approx(found.per_job.sum() + found.idle, rel=TINY)
    assert run.result.metrics["energy"] == pytest.approx(found.total, rel=TINY)


def the_cap_holds(run: Run) -> None:
    """Assert that the nodes of no site ever draw more than its cap."""
    assert most_power(run) <= run.options["power_cap"] * (1 + TINY)


def the_cap_matters(run: Run) -> None:
    """Assert that at some time some nodes come near their cap."""
    assert most_power(run) > 0.8 * run.options["power_cap"]


def most_power(run: Run) -> float:
    """Return the most that the nodes of one site draw together, in W."""
    nodes = power_of_nodes(run)
    platform = run.schedule.instance.platform
    bounds = [0, len(nodes)] if platform is None else platform.first_node.tolist()
    highest = 0.0
    for first, last in pairwise(bounds):
        spans = [span for power in nodes[first:last] for span in power]
        highest = max(highest, peak(spans))
    return highest


def nodes_sleep(run: Run) -> None:
    """Nodes are switched off, nothing is held in them then, and tasks begin once a node is awake."""
    told, node_of = run.schedule.sleeps, run.hardware.node_of_processor.tolist()
    spells = list(zip(told.node.tolist(), told.start.tolist(), told.wake.tolist(), strict=True))
    assert spells
    for node, off, wake in spells:
        awake = wake + run.hardware.nodes[node].sleep.wake_time
        for row in run.rows:
            if node_of[row["processor"]] == node:
                assert row["release"] <= off or row["start"] >= wake
                assert row["start"] != wake or row["begin"] >= awake


def slowdowns_on_nodes(run: Run) -> list[float]:
    """Return for how many times its run time each job held its cores of some nodes."""
    held = {row["job"] for row in run.rows}
    return [(one.end - one.start) / one.job.run for one in run.attempts if one.number in held]


def no_job_is_faster(run: Run) -> None:
    """No job took less time than alone."""
    assert min(slowdowns_on_nodes(run), default=1.0) >= 1 - TINY


def some_job_is_slowed(run: Run) -> None:
    """Assert that some job took longer than alone."""
    assert max(slowdowns_on_nodes(run)) > 1 + TINY


def communication_is_slowed_by_the_factor(run: Run) -> None:
    """Communication, a fifth of the time, runs at 0.7 of its speed at worst."""
    assert max(slowdowns_on_nodes(run), default=1.0) <= (0.8 + 0.2 / 0.7) * (1 + TINY)


def owners_slow_jobs(run: Run) -> None:
    """Jobs in shared nodes never run faster than alone, some slower, while owners were at work there."""
    slow = [
        (one.end - one.start) / one.job.run
        for one in run.attempts
        if isinstance(run.resources[one.site], SharedCluster)
    ]
    assert min(slow) >= 1 - TINY
    assert max(slow) > 1 + TINY
    delays = run.schedule.owner_delays
    assert delays.active_time.sum() > 0
    assert (delays.delayed_time >= delays.active_time * (1 - TINY)).all()


def some_job_spans_clusters(run: Run) -> None:
    """Assert that some job has tasks in several clusters, all of which start and end with it."""
    places = run.schedule.places
    sites = defaultdict(set)
    for job, site in zip(places.job.tolist(), places.site.tolist(), strict=True):
        sites[job].add(site)
    assert any(len(found) > 1 for found in sites.values())


def some_job_is_suspended(run: Run) -> None:
    """Assert that some job is suspended; attempts of a job never overlap."""
    assert any(one.reason == "preempted" for one in run.attempts)
    for number in run.kept:
        mine = [one for one in run.attempts if one.number == number]
        assert all(one.end <= other.start for one, other in pairwise(mine))


def some_job_is_cut(run: Run) -> None:
    """Assert that some job is killed at its request."""
    assert any(one.reason == "killed" for one in run.attempts)


def some_job_overruns(run: Run) -> None:
    """Assert that requests are planned with as they are, and that some job runs to its end beyond its own."""
    planned = dict(zip(run.kept, run.schedule.planned_time.tolist(), strict=True))
    assert all(time == run.jobs[job].requested for job, time in planned.items())
    assert any(
        one.reason == "completed" and one.end - one.start > planned[one.number] for one in run.attempts
    )


def some_job_waits_for_others(run: Run) -> None:
    """Assert that some job is submitted later than the log says, as soon as those before it have ended."""
    submitted = run.schedule.instance.submit_time.tolist()
    assert any(time > run.jobs[job].submit for time, job in zip(submitted, run.kept, strict=True))


def some_job_has_copies(run: Run) -> None:
    """Assert that some job runs as copies at different sites; when one completes, the others end."""
    by_job: dict[int, list[Attempt]] = defaultdict(list)
    for one in run.attempts:
        by_job[one.number].append(one)
    assert any(len(mine) > 1 for mine in by_job.values())
    for mine in by_job.values():
        (winner,) = [one for one in mine if one.reason == "completed"]
        assert len({one.site for one in mine}) == len(mine)
        for one in mine:
            assert one is winner or (one.reason == "canceled" and one.end == winner.end)


def some_job_is_rejected(run: Run) -> None:
    """Assert that some job is rejected, and no other waits for longer than it may."""
    assert any(drop.is_rejected for drop in run.schedule.instance.dropped)
    longest = run.options["longest_stay"]
    for one in run.attempts:
        assert one.start - one.job.submit <= longest


def something_is_predicted(run: Run) -> None:
    """Assert that what jobs are planned with differs from the larger of request and run time."""
    planned = run.schedule.planned_time.tolist()
    limit = [max(run.jobs[job].requested, run.jobs[job].run) for job in run.kept]
    assert planned != limit


def averages_are_of_what_has_ended(run: Run) -> None:
    """Assert that jobs are planned with the mean of their user's last run and the average before it.

    What a run was is how long it took, on time-shared machines how long it would have taken alone. Clusters
    of shared nodes average the runs there, and plan with that when a job comes.
    """
    last = {one.number: one for one in run.attempts}
    shared = {site for site, _, _ in run.at(SharedCluster)}
    desks = {site for site, _, _ in run.at(TimeSharedMachine)}
    planned = dict(zip(run.kept, run.schedule.planned_time.tolist(), strict=True))
    submitted = {number: told[0][0] for number, told in run.diary.of("submitted").items()}
    ended = [(time, number) for time, what, number, _ in run.diary.events if what == "ended"]

    def average(user: int, now: float, first: dict[int, float], sites: set[int]) -> float | None:
        found = None
        for time, number in ended:
            one = last[number]
            if time <= now and one.job.user == user and one.site in sites:
                took = one.job.run if one.site in desks else one.end - one.start
                found = (took + (first[number] if found is None else found)) / 2
        return found

    everywhere = set(range(len(run.resources)))
    limit = {number: max(run.jobs[number].requested, run.jobs[number].run) for number in run.kept}
    for number in run.kept:
        job, said = run.jobs[number], float(limit[number])
        found = average(job.user, submitted[number], limit, everywhere)
        if found is not None and shared != everywhere:
            said = min(max(1.0, math.ceil(found)), said)
        if last[number].site in shared:
            delivered = float(run.schedule.delivered[run.kept.index(number)])
            found = average(job.user, delivered, planned, shared)
            said = said if found is None else max(1.0, found)
        assert planned[number] == pytest.approx(said, rel=TINY)
    something_is_predicted(run)


def waiting_jobs_are_few(run: Run) -> None:
    """No more jobs than the limit ever wait at a site below the global queue."""
    limit, waits = run.options["queue_limit"], defaultdict(list)
    delivered = dict(zip(run.kept, run.schedule.delivered.tolist(), strict=True))
    for one in run.attempts:
        waits[one.site].append((delivered[one.number], one.start, 1))
    for spans in waits.values():
        assert max((n for since, to, n in steps(spans) if to > since), default=0) <= limit
