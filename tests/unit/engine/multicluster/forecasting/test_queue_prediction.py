"""Projections of small clusters, worked by hand, in both engines."""

import math

import numpy as np
import pytest

from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled
from echelon.engine.multicluster.forecasting.queue_prediction import predict_queue
from echelon.testing.snapshots import SnapshotJob, snapshot_of

NEVER = (math.nan, math.nan)


def projected(*jobs, **cluster):
    """Return (start, end) of each job, all simulated to the end, as both engines say."""
    snapshot = snapshot_of(jobs, **cluster)
    start, end = predict_queue(snapshot, to_the_end=True)
    for defined, compiled in zip(
        (start, end), predict_queue_compiled(snapshot, to_the_end=True), strict=True
    ):
        assert np.array_equal(defined, compiled, equal_nan=True)
    return list(zip(start.tolist(), end.tolist(), strict=True))


def run(*nodes, compute, **further):
    """Return a running job; running jobs have no start in a queue prediction."""
    return SnapshotJob(compute, nodes=nodes, **further)


def ended(end):
    """Return what is expected of a running job."""
    return pytest.approx((math.nan, end), nan_ok=True)


def test_an_idle_cluster_takes_the_job_at_once():
    """No wait, and the dedicated time."""
    assert projected(SnapshotJob(30.0, 10.0, size=2), power=[1, 1], now=5.0) == [(5.0, 45.0)]


def test_a_full_cluster_makes_the_job_wait():
    """FCFS on dedicated nodes: it starts when enough nodes are free, not when the first is."""
    jobs = run(0, compute=10), run(1, compute=25, left=0.8), SnapshotJob(5.0, size=2)
    assert projected(*jobs, power=[1, 1]) == [ended(10), ended(20), (20, 25)]


def test_the_slowest_node_sets_the_pace():
    """Powers 1 and 0.5: SP = 2 for T^p only."""
    assert projected(SnapshotJob(10.0, 10.0, size=2), power=[1, 0.5]) == [(0, 30)]


def test_tasks_in_one_node_share_it_until_one_ends():
    """Two jobs of 10 and 20 s in one node: at half speed until 20, then the other has 10 s left alone."""
    assert projected(SnapshotJob(10.0), SnapshotJob(20.0), power=[1], mpl=2) == [(0, 20), (0, 30)]


def test_two_processors_carry_two_tasks():
    """No task waits for a processor while there are enough."""
    jobs = SnapshotJob(10.0), SnapshotJob(20.0)
    assert projected(*jobs, power=[1], processors=2, mpl=2) == [(0, 10), (0, 20)]


def test_the_interval_is_split_in_proportion():
    """T^p = T^c = 10 beside a job of 15 s: SP = 2, T = 30; after 30 s all is done, the other is done too."""
    both = SnapshotJob(10.0, 10.0), SnapshotJob(15.0)
    assert projected(*both, power=[1], mpl=2) == [(0, 30), (0, 30)]
    # Beside 10 s: at 20 a third is left of both parts, which takes 20/3 s alone.
    (_, end), other = projected(SnapshotJob(10.0, 10.0), SnapshotJob(10.0), power=[1], mpl=2)
    assert other == (0, 20)
    assert end == pytest.approx(20 + 20 / 3)


def test_a_saturated_link_slows_communication_down():
    """80 and 40 on links of 100: SC = 1.2; when the smaller job ends, the other has all it asks for."""
    jobs = (
        SnapshotJob(0.0, 50.0, size=2, bandwidth=80.0),
        SnapshotJob(0.0, 20.0, size=2, bandwidth=40.0),
    )
    ends = projected(*jobs, power=[1, 1], processors=2, link=100, mpl=2)
    assert ends == [pytest.approx((0, 24 + 30)), pytest.approx((0, 24))]


def test_a_table_stands_for_the_model():
    """Slowdown by the most tasks in one node: power and links do not matter."""
    jobs = run(0, 1, compute=5, communication=5), SnapshotJob(10.0)
    table = [[1.0, 2.0], [1.0, 4.0]]
    # Fewest tasks first: the second job gets node 2, alone.
    assert projected(*jobs, power=[0.5] * 3, mpl=2, slowdown=table) == [ended(10), (0, 10)]
    # In node 0: 20 s for the first job; of the second a half is left then, which takes 5 s alone.
    assert projected(*jobs, power=[0.5] * 2, mpl=2, slowdown=table) == [ended(20), (0, 25)]


def test_the_first_that_does_not_fit_blocks_or_not():
    """A large job blocks a small one behind it, unless jobs may overtake."""
    jobs = run(0, compute=10), SnapshotJob(5.0, size=2), SnapshotJob(3.0)
    assert projected(*jobs, power=[1, 1]) == [ended(10), (10, 15), (15, 18)]
    assert projected(*jobs, power=[1, 1], overtake=True) == [ended(10), (10, 15), (0, 3)]


def test_memory_and_bandwidth_keep_a_job_waiting():
    """A node with a place for one task more may lack memory, or the contract's bandwidth, until an END."""
    first = run(0, 1, compute=10, memory=60.0, bandwidth=60.0)
    cluster = {"power": [1, 1], "processors": 2, "mpl": 2}
    assert projected(first, SnapshotJob(5.0, memory=50.0), memory=40, **cluster) == [ended(10), (10, 15)]
    assert projected(first, SnapshotJob(5.0, memory=40.0), memory=40, **cluster) == [ended(10), (0, 5)]
    jobs = first, SnapshotJob(5.0, size=2, bandwidth=50.0)
    assert projected(*jobs, ceiling=100, **cluster) == [ended(10), (10, 15)]
    assert projected(*jobs, ceiling=110, **cluster) == [ended(10), (0, 5)]


def test_ends_at_one_instant_free_all_nodes_first():
    """Two jobs end at 10, by rounding not quite: the waiting job needs both their nodes."""
    jobs = run(0, compute=30.0, left=1 / 3), run(1, compute=100 / 7, left=0.7), SnapshotJob(1.0, size=2)
    assert projected(*jobs, power=[1, 1])[2] == pytest.approx((10, 11))
    assert len({end for _, end in projected(*jobs, power=[1, 1])[:2]}) == 1


def test_what_never_happens():
    """No processor, too many nodes, or a place behind such a job: never; a job without work needs none."""
    assert projected(SnapshotJob(1.0), power=[1], processors=0) == [pytest.approx(NEVER, nan_ok=True)]
    jobs = SnapshotJob(1.0, size=3), SnapshotJob(1.0)
    assert projected(*jobs, power=[1, 1])[1] == pytest.approx(NEVER, nan_ok=True)
    assert projected(*jobs, power=[1, 1], overtake=True)[1] == (0, 1)
    stuck = run(0, compute=1.0), run(1, compute=0.0), run(1, compute=9.0, left=0.0)
    ends = [end for _, end in projected(*stuck, power=[1, 1], processors=0, mpl=2)]
    assert ends == pytest.approx([math.nan, 0, 0], nan_ok=True)


def test_no_job_at_all():
    """An empty snapshot has an empty queue prediction."""
    assert projected(power=[1, 1]) == []


def test_it_stops_when_it_has_the_answer():
    """The last job is asked about; what ends after it need not be known."""
    snapshot = snapshot_of([run(0, compute=100), SnapshotJob(5.0)], power=[1, 1])
    for any_engine in (predict_queue, predict_queue_compiled):
        assert any_engine(snapshot).end.tolist() == pytest.approx([math.nan, 5.0], nan_ok=True)
        assert any_engine(snapshot, to_the_end=True).end.tolist() == [100.0, 5.0]


def test_the_picture_stays_as_it_is():
    """The simulation works on copies."""
    snapshot = snapshot_of(
        [run(0, compute=10, memory=1.0), SnapshotJob(5.0, memory=1.0)], power=[1], memory=5
    )
    before = [np.copy(column) for column in (snapshot.tasks, snapshot.memory, snapshot.left)]
    predict_queue(snapshot)
    predict_queue_compiled(snapshot)
    after = [snapshot.tasks, snapshot.memory, snapshot.left]
    assert all(np.array_equal(old, new) for old, new in zip(before, after, strict=True))
