"""Projections of drawn snapshots: both engines agree, work is kept, queues are obeyed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled
from echelon.engine.multicluster.forecasting.queue_prediction import predict_queue
from echelon.execution.time_shared import assigned_shares
from echelon.testing.snapshots import SnapshotJob, random_snapshot, snapshot_of

SEEDS = st.integers(0, 2**32 - 1)
PICTURES = st.builds(
    random_snapshot,
    SEEDS,
    nodes=st.integers(1, 12),
    mpl=st.integers(1, 4),
    running=st.integers(0, 8),
    waiting=st.integers(0, 8),
    crowded=st.booleans(),
    table=st.booleans(),
    by_use=st.booleans(),
    overtake=st.booleans(),
    now=st.sampled_from([0.0, 1e9, -3.7]),
)


@examples(300)
@given(PICTURES, st.booleans())
def test_both_engines_agree_to_the_last_bit(snapshot, to_the_end):
    """The compiled queue prediction is the definition's, in every start and end."""
    for mine, defined in zip(
        predict_queue_compiled(snapshot, to_the_end=to_the_end),
        predict_queue(snapshot, to_the_end=to_the_end),
        strict=True,
    ):
        assert np.array_equal(mine, defined, equal_nan=True)


@pytest.mark.parametrize("overtake", [False, True])
@pytest.mark.parametrize("crowded", [False, True])
def test_both_engines_agree_on_a_large_cluster(overtake, crowded):
    """Also where nodes are chosen among hundreds, and queues are long."""
    snapshot = random_snapshot(
        7, nodes=200, mpl=4, running=60, waiting=30, crowded=crowded, overtake=overtake, now=1e8
    )
    for mine, defined in zip(
        predict_queue_compiled(snapshot, to_the_end=True),
        predict_queue(snapshot, to_the_end=True),
        strict=True,
    ):
        assert np.array_equal(mine, defined, equal_nan=True)


@given(PICTURES)
def test_no_job_is_faster_than_alone_on_dedicated_nodes(snapshot):
    """What is left takes at least its dedicated time; waiting jobs do not start before the moment."""
    start, end = predict_queue_compiled(snapshot, to_the_end=True)
    began = np.where(np.isnan(start), snapshot.now, start)
    least = snapshot.left * (snapshot.compute_time + snapshot.communication_time)
    rounding = 1e-9 * (1 + abs(snapshot.now))
    happened = ~np.isnan(end)
    assert (end[happened] - began[happened] >= least[happened] - rounding).all()
    assert (began >= snapshot.now).all()


@given(PICTURES)
def test_a_queue_is_obeyed(snapshot):
    """Without overtaking nobody starts before one who is ahead of him, and none after one who never does."""
    start = predict_queue_compiled(replace(snapshot, overtake=False), to_the_end=True).start[
        snapshot.running :
    ]
    never = np.isnan(start)
    assert not (never[:-1] & ~never[1:]).any()
    assert (np.diff(start[~never]) >= 0).all()


@given(PICTURES, st.sampled_from([0.25, 2.0, 1024.0]))
def test_all_times_may_be_in_another_unit(snapshot, k):
    """Multiplying every time by k multiplies every start and end by k."""
    scaled = replace(
        snapshot,
        now=snapshot.now * k,
        compute_time=snapshot.compute_time * k,
        communication_time=snapshot.communication_time * k,
    )
    for once, times in zip(
        predict_queue_compiled(snapshot, to_the_end=True),
        predict_queue_compiled(scaled, to_the_end=True),
        strict=True,
    ):
        assert np.array_equal(once * k, times, equal_nan=True)


@given(PICTURES, st.randoms(use_true_random=False))
def test_nodes_have_no_names(snapshot, random):
    """Where no two nodes are alike, numbering them otherwise changes nothing."""
    generator = np.random.default_rng(random.getrandbits(32))
    n_nodes = len(snapshot.power)
    distinct = replace(
        snapshot,
        memory=snapshot.memory.clip(max=1e3) + generator.random(n_nodes),
        link=snapshot.link.clip(max=1e3) + generator.random(n_nodes),
    )
    order = generator.permutation(n_nodes)
    for before, after in zip(
        predict_queue_compiled(distinct, to_the_end=True),
        predict_queue_compiled(renumbered(distinct, order), to_the_end=True),
        strict=True,
    ):
        assert after.tolist() == pytest.approx(before.tolist(), nan_ok=True)


def renumbered(snapshot, order):
    """Return the snapshot whose node k is node order[k] of this one."""
    place = np.argsort(order)
    parts = np.split(snapshot.nodes, snapshot.first_node[1:-1])
    nodes = np.concatenate([np.sort(place[part]) for part in parts]).astype(np.int64)
    columns = ("processors", "power", "memory", "link", "ceiling", "tasks")
    return replace(snapshot, nodes=nodes, **{name: getattr(snapshot, name)[order] for name in columns})


JOBS = st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(0, 12)), min_size=1, max_size=6)


@given(JOBS, SEEDS, st.integers(2, 4))
def test_work_is_conserved(jobs, seed, n_nodes):
    """Of jobs that all run on all nodes, speed is known at all times: it adds up to the whole work."""
    generator = np.random.default_rng(seed)
    power = generator.choice([0.25, 0.5, 1.0], n_nodes)
    link = generator.choice([5.0, 10.0, np.inf], n_nodes)
    mpl = int(generator.integers(1, 4))
    whole = [SnapshotJob(*job[:2], size=n_nodes, bandwidth=job[2]) for job in jobs]
    snapshot = snapshot_of(whole, power=power, processors=2, link=link, mpl=mpl)
    start, end = predict_queue_compiled(snapshot, to_the_end=True)
    instants = np.unique(np.concatenate((start, end)))
    done = np.zeros(len(jobs))
    for begin, stop in pairwise(instants):
        present = np.flatnonzero((start <= begin) & (end >= stop))
        assert len(present) <= mpl
        asked = snapshot.task_bandwidth[present].sum()
        crossing = max(1.0, asked / link.min())
        processing = 1 / (power.min() * min(1.0, 2 / len(present)))
        communication = np.where(snapshot.task_bandwidth > 0, crossing, 1.0) * snapshot.communication_time
        done[present] += (stop - begin) / (snapshot.compute_time * processing + communication)[present]
    assert done == pytest.approx(np.ones(len(jobs)))


@given(st.integers(1, 20), SEEDS, st.floats(0, 1e6), st.floats(0, 1e6))
def test_an_idle_dedicated_cluster(size, seed, compute, communication):
    """No wait, and the dedicated time, wherever the job gets its nodes."""
    snapshot = snapshot_of(
        [SnapshotJob(compute, communication, size=size)], power=np.ones(20), now=seed % 1000
    )
    start, end = predict_queue_compiled(snapshot)
    assert start[0] == snapshot.now
    assert end[0] == snapshot.now + (compute + communication)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=8), st.data())
def test_a_full_dedicated_cluster(left, data):
    """FCFS: the job waits until as many nodes are free as it needs."""
    size = data.draw(st.integers(1, len(left)))
    jobs = [SnapshotJob(float(time), nodes=(k,)) for k, time in enumerate(left)]
    snapshot = snapshot_of([*jobs, SnapshotJob(7.0, size=size)], power=np.ones(len(left)))
    start, end = predict_queue_compiled(snapshot)
    assert (start[-1], end[-1]) == (sorted(left)[size - 1], sorted(left)[size - 1] + 7)


DEMANDS = st.lists(
    st.dictionaries(st.integers(0, 5), st.sampled_from([0.0, 1.0, 7.5, 40.0, 1e3]), max_size=6), max_size=8
)
CAPACITIES = st.lists(st.sampled_from([0.0, 0.1, 10.0, 50.0, np.inf]), min_size=6, max_size=6)


@given(DEMANDS, CAPACITIES)
def test_no_link_carries_more_than_it_can(jobs, capacities):
    """No link is above its capacity after assignment; a job that is scaled down had a link that was."""
    first = np.cumsum([0, *(len(job) for job in jobs)])
    links = np.array([link for job in jobs for link in job], dtype=np.int64)
    demand = np.array([need for job in jobs for need in job.values()])
    capacity = np.array(capacities)
    share = assigned_shares(first, links, demand, capacity)
    assert ((share >= 0) & (share <= 1)).all()
    owner = np.repeat(np.arange(len(jobs)), np.diff(first))
    load = np.bincount(links, demand * share[owner], minlength=6)
    assert (load <= capacity * (1 + 1e-8)).all()
    asked = np.bincount(links, demand, minlength=6)
    for j, job in enumerate(jobs):
        if share[j] < 1:
            assert any(need > 0 and asked[link] > capacity[link] for link, need in job.items())
