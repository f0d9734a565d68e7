"""Jobs that wait for others on a multicluster: a rejection is an end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from echelon.engine.reference import simulate
from echelon.model import SharedCluster, Workstation
from echelon.testing.dependent_jobs import with_edges
from echelon.testing.multiclusters import cluster_case

ONE_NODE = SharedCluster((Workstation(),))


def run(jobs, edges, **rules):
    """Return the schedule of these jobs on one node, with edges (predecessor, successor, delay, follows)."""
    scenario = cluster_case(jobs, [ONE_NODE]).scenario(**rules)
    before, after, delay, follows = zip(*edges, strict=True)
    flags = np.zeros(len(jobs), dtype=np.bool_)
    flags[list(after)] = follows
    columns = np.array(before), np.array(after), np.array(delay, dtype=float)
    return simulate(replace(scenario, instance=with_edges(scenario.instance, *columns, flags)))


def test_a_rejection_is_an_end():
    """The second job is rejected after 30 s in queues; those that wait for it go on from there."""
    jobs = [(0, 100, 1), (10, 5, 1), (0, 5, 1), (900, 5, 1)]
    schedule = run(jobs, [(1, 2, 0, False), (1, 3, 60, True)], longest_stay=30)
    log = schedule.instance
    # The third joins at 40, when the second is rejected, and is rejected itself at 70.
    assert [log.label(place) for place in range(len(log))] == ["1", "4"]
    assert log.submit_time.tolist() == [0, 100]
    assert schedule.start_time.tolist() == [0, 100]
    assert sum(drop.count for drop in log.dropped) == 2
    assert log.absent_predecessors == 0


def test_a_chain_through_queues():
    """Each joins the upper queue when the one before has left its nodes."""
    schedule = run([(0, 10, 1), (0, 20, 1), (50, 5, 1)], [(0, 1, 0, False), (1, 2, 3, False)])
    assert schedule.instance.submit_time.tolist() == [0, 10, 50]
    assert schedule.start_time.tolist() == [0, 10, 50]
