"""Jobs in several clusters, by hand: which nodes, how fast, what they do to others, what is left of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.engine.reference import simulate
from echelon.execution.time_shared import TimeShared
from echelon.model import AWAY, Application, LocalChange, LocalUse, SharedCluster, SocialContract, Workstation
from echelon.policies.coallocation import co_allocation
from echelon.testing.multiclusters import cluster_case

CHATTY = Application("chatty", compute_share=0.5, bandwidth=30)


def pair(*, mpl=1, link=20.0, traffic=0.0):
    """Return two clusters of two nodes each, with a link of `link` bytes a second."""
    node = Workstation(processors=mpl)
    return [SharedCluster((node,) * 2, SocialContract(mpl), link=link, link_traffic=traffic)] * 2


def run(jobs, clusters, *, spec="heuristic", application=CHATTY, changes=(), **rules):
    """Return the schedule of these jobs, which may span."""
    case = cluster_case(jobs, clusters, applications=[application] * len(jobs), changes=changes)
    return simulate(case.scenario(co_allocation=co_allocation(spec), **rules))


@pytest.mark.parametrize("spec", ["optimal", "heuristic", "rule-85:share=0.5"])
@pytest.mark.parametrize(
    ("link", "traffic", "end"), [(40, 0, 10), (20, 0, 15), (10, 0, 25), (40, 20, 15), (float("inf"), 0, 10)]
)
def test_what_crosses_the_links(spec, link, traffic, end):
    """Four tasks, two here and two there, send 2 x 2 / 3 x 30 = 40 over each link (equation 4.14)."""
    found = run([(0, 10, 4)], pair(link=link, traffic=traffic), spec=spec)
    assert (found.start_time.tolist(), found.end.tolist()) == ([0], [end])
    assert found.places.site.tolist() == [0, 0, 1, 1]
    assert found.places.node.tolist() == [0, 1, 0, 1]


def test_jobs_share_the_links_between_clusters():
    """Two such jobs want 80 of 60: both communicate a third longer, and faster again when one has ended."""
    found = run([(0, 12, 4), (0, 6, 4)], pair(mpl=2, link=60))
    # 6 + 6 x 4/3 = 14 and 3 + 3 x 4/3 = 7; at 7 the first has half of its work left, at full speed 6 s.
    assert found.end.tolist() == [13, 7]


def test_a_job_in_one_cluster_does_not_mind():
    """The links to other clusters are not its own."""
    found = run([(0, 12, 4), (0, 12, 4), (1, 6, 2)], pair(mpl=3, link=60))
    assert found.end.tolist() == [14, 14, 7]


def test_nodes_come_back_when_it_ends():
    """Jobs that wait in the clusters start at its end, on its nodes; the virtual cluster is gone."""
    found = run([(0, 10, 4), (1, 5, 2), (1, 5, 2), (17, 10, 4)], pair(), broker="round-robin")
    assert found.start_time.tolist() == [0, 15, 15, 20]
    assert found.end.tolist() == [15, 20, 20, 35]


def test_the_global_queue_goes_first():
    """It hands out before clusters decide: a job of several takes nodes that others wait for."""
    found = run([(0, 10, 4), (1, 5, 2), (2, 10, 4)], pair())
    assert found.start_time.tolist() == [0, 30, 15]


def test_an_owner_slows_down_all_of_it():
    """An owner in one cluster holds up the tasks in the other."""
    changes = [LocalChange(4, 1, 0, LocalUse(cpu=0.5)), LocalChange(8, 1, 0, AWAY)]
    quiet = Application("quiet")
    assert run([(0, 10, 4)], pair(), application=quiet, changes=changes).end.tolist() == [12]


@pytest.mark.parametrize(
    ("rules", "start"),
    [({}, 10), ({"two_phase": True}, 1), ({"two_phase": True, "spec": "rule-85"}, 10)],
)
def test_two_phases(rules, start):
    """A job of two nodes waits in a cluster while one node is free in each: the second phase takes them.

    Not under the 85 % rule, which finds no answer: then nothing changes.
    """
    found = run([(0, 10, 1), (0, 10, 1), (1, 6, 2)], pair(link=100), broker="round-robin", **rules)
    assert found.start_time.tolist() == [0, 0, start]
    assert found.end.tolist() == [10, 10, start + 6]
    assert found.delivered.tolist() == [0, 0, 1]
    assert found.places.site[found.places.job == 2].tolist() == ([0, 1] if start == 1 else [0, 0])


def test_a_cluster_where_it_only_waited_does_not_decide_at_its_end():
    """Job 3 waits in the first cluster, runs in the two others, and ends there at 7: these decide."""
    decided = []

    class Hearer:
        submitted = started = ended = lambda self, time, job, place: None

        def decided(self, time, waiting, free, place):
            decided.append((time, place.site))

    jobs = [(0, 30, 2), (0, 10, 1), (0, 10, 1), (1, 6, 2)]
    case = cluster_case(jobs, [*pair(link=100), pair(link=100)[0]], applications=[CHATTY] * 4)
    found = simulate(
        replace(
            case.scenario(co_allocation=co_allocation("heuristic"), broker="round-robin", two_phase=True),
            observers=[Hearer()],
        )
    )
    assert found.end.tolist() == [30, 10, 10, 7]
    assert [site for time, site in decided if time == 7] == [1, 2]


def test_the_second_phase_takes_a_job_out_of_its_queue():
    """The jobs behind it in the cluster move up."""
    jobs = [(0, 10, 1), (0, 10, 1), (1, 6, 2), (2, 3, 1)]
    found = run(jobs, pair(link=100), broker="round-robin", two_phase=True)
    assert found.start_time.tolist() == [0, 0, 1, 7]


def test_what_no_rule_ever_spans_is_left_out():
    """Four tasks on clusters of two nodes: 85 % of them are never in one."""
    found = run([(0, 10, 4), (0, 10, 1)], pair(), spec="rule-85")
    assert found.instance.kept.tolist() == [1]
    assert "rule-85" in found.instance.dropped[-1].reason


def test_interference_is_that_of_its_fullest_node():
    """One of its four nodes holds another job: all communication waits for that node's reader."""
    found = run(
        [(0, 8, 4), (0, 100, 1)], pair(mpl=2, link=1000), application=Application("half", compute_share=0.5),
        execution=TimeShared(interference=0.5),
    )  # fmt: skip
    assert found.end.tolist()[0] == 10
