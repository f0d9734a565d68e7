"""Schedules on machines that change, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from echelon.model import (
    Attempts,
    EndReason,
    Instance,
    JobStatus,
    NumberedHoldings,
    Outages,
    Schedule,
    Workload,
)

ALWAYS = -np.inf
FINAL = {
    EndReason.COMPLETED: JobStatus.COMPLETED,
    EndReason.KILLED: JobStatus.KILLED,
    EndReason.FAILED: JobStatus.FAILED_NODE,
    EndReason.STOPPED: JobStatus.CANCELED_RUNNING,
    EndReason.EVICTED: JobStatus.EVICTED,
    EndReason.REQUEUED: JobStatus.CANCELED_WAITING,
}


def changed(jobs, pieces, *, processors, outages=(), reservations=(), platform=None, **columns):
    """Return a schedule from jobs (submit, run, size) and pieces.

    A piece is (job, start, end, reason, nodes), or has work and overhead, too. Outages are rows (start, end,
    nodes, kind), on one machine; further columns are of the workload.
    """
    submit, run, size = (np.array(column, dtype=np.float64) for column in zip(*jobs, strict=True))
    workload = Workload.from_columns(
        name="changed", submit_time=submit, run_time=run, processors=size.astype(int), requested_time=run
    )
    if columns:
        told = {name: np.array(values, dtype=np.float64) for name, values in columns.items()}
        workload = replace(workload, accounting=told)
    instance = Instance.of(workload, platform or processors)
    job = np.array([piece[0] for piece in pieces])
    start, end = (np.array([piece[at] for piece in pieces], dtype=np.float64) for at in (1, 2))
    told = len(pieces[0]) > 5
    further = (
        [np.array([piece[at] for piece in pieces], dtype=np.float64) for at in (5, 6)] if told else [None] * 2
    )
    reason = np.array([piece[3] for piece in pieces], dtype=np.int8)
    attempts = Attempts(
        len(jobs), job, np.full(len(job), -1), start, end, reason, work=further[0], overhead=further[1]
    )
    nodes = [piece[4] for piece in pieces]
    held = NumberedHoldings.by_job(
        len(jobs), job, np.full(len(job), -1), start, end,
        np.array([len(one) for one in nodes]), np.concatenate(nodes).astype(np.int64),
    )  # fmt: skip
    last = np.flatnonzero(np.diff(job, append=-1))
    status = np.array([FINAL[EndReason(code)] for code in reason[last].tolist()], dtype=np.int8)
    return Schedule(
        instance,
        attempts.first_start(),
        recorded=attempts,
        status=status,
        numbered=held,
        outages=Outages.of((*row, ALWAYS, 0) for row in outages),
        reservations=tuple(reservations),
    )


def f1():
    """Return a job of 100 s on both of two nodes; the second is down from 40 to 60 s, and it begins again."""
    from echelon.model import OutageKind

    pieces = (
        (0, 0, 40, EndReason.REQUEUED, (0, 1), 0, 0),
        (0, 60, 160, EndReason.COMPLETED, (0, 1), 100, 0),
    )
    return changed([(0, 100, 2)], pieces, processors=2, outages=[(40, 60, (1,), OutageKind.FAIL)])


def f2():
    """Return the same with checkpoints of 5 s after each 30 s of work, and restarts of 10 s."""
    from echelon.model import OutageKind

    pieces = (
        (0, 0, 40, EndReason.REQUEUED, (0, 1), 30, 5),
        (0, 60, 150, EndReason.COMPLETED, (0, 1), 70, 20),
    )
    return changed([(0, 100, 2)], pieces, processors=2, outages=[(40, 60, (1,), OutageKind.FAIL)])


def drained():
    """Return two nodes of which the second is drained from 10 to 200 s; jobs of 100, 20 and 20 s."""
    from echelon.model import OutageKind

    pieces = (
        (0, 0, 100, EndReason.COMPLETED, (0, 1)),
        (1, 100, 120, EndReason.COMPLETED, (0,)),
        (2, 200, 220, EndReason.COMPLETED, (0, 1)),
    )
    jobs = [(0, 100, 2), (10, 20, 1), (10, 20, 2)]
    return changed(jobs, pieces, processors=2, outages=[(10, 200, (1,), OutageKind.DRAIN)])


def maintained():
    """Return four nodes that are all maintained from 100 to 200 s, as EASY fills them before."""
    from echelon.model import OutageKind

    pieces = (
        (0, 0, 60, EndReason.COMPLETED, (0, 1)),
        (1, 200, 250, EndReason.COMPLETED, (0, 1, 2, 3)),
        (2, 2, 12, EndReason.COMPLETED, (2, 3)),
    )
    jobs = [(0, 60, 2), (1, 50, 4), (2, 10, 2)]
    down = [(100, 200, (0, 1, 2, 3), OutageKind.MAINTENANCE)]
    return changed(jobs, pieces, processors=4, outages=down)


def reserved():
    """Return four nodes of which three are reserved from 50 to 100 s for the last of three jobs."""
    from echelon.model import Reservation

    pieces = (
        (0, 100, 160, EndReason.COMPLETED, (0, 1)),
        (1, 0, 50, EndReason.COMPLETED, (0, 1, 2)),
        (2, 50, 80, EndReason.COMPLETED, (0, 1, 2)),
    )
    jobs = [(0, 60, 2), (0, 50, 3), (10, 30, 3)]
    return changed(jobs, pieces, processors=4, reservations=[Reservation("A", 50, 100, (0, 1, 2))])


def listed(jobs, *, processors, outages=(), reservations=(), **columns):
    """Return what first-fit does: a job takes the lowest nodes that are up, free and not closed.

    Failures kill jobs, which wait again in their place; drains and maintenance let no job start on their
    nodes, and reservations none at all, but who runs there goes on.
    """
    from echelon.model import OutageKind

    times = {job[0] for job in jobs} | {time for row in outages for time in row[:2]}
    times |= {time for one in reservations for time in (one.start, one.end)}
    waiting, running, pieces = [], {}, []
    while times and (waiting or running or any(job[0] >= min(times) for job in jobs)):
        now = min(times)
        times.discard(now)
        for job, (start, end, nodes) in list(running.items()):
            if end == now:
                pieces.append((job, start, now, EndReason.COMPLETED, nodes, now - start, 0))
                del running[job]
        for begin, _, down, kind in outages:
            if begin == now and kind == OutageKind.FAIL:
                for job, (start, _, nodes) in list(running.items()):
                    if set(nodes) & set(down):
                        pieces.append((job, start, now, EndReason.REQUEUED, nodes, 0, 0))
                        del running[job]
                        waiting.append(job)
        waiting = sorted({*waiting, *(place for place, job in enumerate(jobs) if job[0] == now)})
        closed = {node for begin, end, nodes, _ in outages if begin <= now < end for node in nodes}
        closed |= {node for one in reservations if one.start <= now < one.end for node in one.nodes}
        for job in list(waiting):
            taken = {node for _, _, nodes in running.values() for node in nodes}
            free = [node for node in range(processors) if node not in taken and node not in closed]
            _, run, size = jobs[job]
            if size <= len(free):
                running[job] = (now, now + run, tuple(free[:size]))
                times.add(now + run)
                waiting.remove(job)
    pieces = [piece for piece in pieces if piece[2] > piece[1] or piece[3] != EndReason.REQUEUED]
    rows = sorted(pieces, key=lambda piece: piece[:2])
    return changed(jobs, rows, processors=processors, outages=outages, reservations=reservations, **columns)


def on_nodes():
    """Return two nodes of two cores; a job on all loses one from 40 to 60 s, and begins again."""
    from echelon.model import (
        Cluster,
        Core,
        Demand,
        Demands,
        Hardware,
        Holdings,
        Node,
        OutageKind,
        Processor,
        TaskGroup,
    )

    node = Node((Processor((Core(1e9), Core(1e9))),))
    hardware = Hardware((Cluster((node, node)),), name="two")
    plain = f1()
    workload = replace(
        plain.instance.workload,
        columns={**plain.instance.workload.columns, "processors": np.array([4])},
        demands=Demands.of((Demand((TaskGroup(4, 1e11),)),)),
    )
    start, end = np.array([0.0, 0.0, 60.0, 60.0]), np.array([40.0, 40.0, 160.0, 160.0])
    zeros = np.zeros(4, dtype=np.int64)
    held = Holdings(
        job=zeros,
        group=zeros,
        processor=np.array([0, 1, 0, 1]),
        tasks=zeros + 2,
        first_core=np.arange(0, 9, 2),
        cores=np.array([0, 1, 2, 3] * 2),
        start=start,
        begin=start,
        end=end,
        release=end,
        level=zeros,
        speed=np.full(4, 1e9),
        bandwidth=np.zeros(4),
    )
    outages = Outages.of([(40, 60, (1,), OutageKind.FAIL, ALWAYS, 0)])
    instance = Instance.of(workload, hardware)
    return replace(plain, instance=instance, holdings=held, numbered=None, outages=outages)


def on_sites():
    """Return sites of two and of three processors; a job that loses one in the second begins again there."""
    from echelon.model import OutageKind, Platform, Reservation, Site

    platform = Platform((Site("a", 2), Site("b", 3)), "two")
    plain = f1()
    instance = Instance.of(plain.instance.workload, platform)
    site = np.array([1, 1])
    return replace(
        plain,
        instance=instance,
        site=np.array([1]),
        home_site=None,
        recorded=replace(plain.recorded, site=site),
        numbered=replace(plain.numbered, site=site),
        outages=Outages.of([(40, 60, (1,), OutageKind.FAIL, ALWAYS, 1)]),
        reservations=(Reservation("r", 60, 100, (0, 2), site=1),),
    )


def result_of(schedule):
    """Return a schedule as the result of a run under EASY."""
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.system_model import NodeLevelMachine, OneMachine, tree_of_sites
    from echelon.execution import execution_of
    from echelon.experiments import Result
    from echelon.policies import broker_named, policy
    from echelon.policies.placement import placement_of

    instance, model = schedule.instance, OneMachine()
    if instance.platform is not None:
        model = tree_of_sites(broker_named("mct"))
    elif instance.hardware is not None:
        model = NodeLevelMachine(NodeRules(placement_of("first-fit"), execution_of("fixed")))
    return Result(Scenario(instance, policy("easy"), system_model=model), schedule, "reference", 0.1)
