"""HEOM by hand, and the fast experience base against its definition."""

from __future__ import annotations

import math
import random
from statistics import median
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.model import Experience
from echelon.policies.estimators.heom import NODE_STATE, QUEUE_STATE, distance, nearest, widths_of
from echelon.policies.estimators.instances import Instances

BASE = Experience("ann", "day", "is", 4, 2, 100.0, 1, wait=10, run=50)
WIDTHS = {"nodes": 8.0, "waiting_work": 200.0, "waiting_jobs": 4.0}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, 0.0),
        ({"user": "bob"}, 1.0),
        ({"user": ""}, 1.0),
        ({"user": "bob", "queue": "night"}, math.sqrt(2)),
        ({"user": "bob", "queue": "", "application": "mg"}, math.sqrt(3)),
        ({"nodes": 8}, 0.5),
        ({"nodes": 20}, 2.0),
        ({"waiting_work": 0.0, "nodes": 8}, math.sqrt(0.5)),
        ({"waiting_jobs": -1}, 1.0),
        ({"mpl": 3, "wait": 0.0, "run": 1.0}, 0.0),
    ],
)
def test_distances_by_hand(changed, expected):
    """Equal 0, a name that differs or anything unknown 1, numbers by their ranges, squares added up."""
    assert distance(BASE, BASE._replace(**changed), WIDTHS) == pytest.approx(expected, abs=1e-15)
    assert distance(BASE._replace(**changed), BASE, WIDTHS) == pytest.approx(expected, abs=1e-15)


def test_what_both_do_not_know():
    """Two unknown users are 1 apart; numbers that differ though all experiences agree are 1 apart, too."""
    unknown = BASE._replace(user="")
    assert distance(unknown, unknown, WIDTHS) == 1
    assert distance(BASE, BASE._replace(nodes=5), {"nodes": 0.0}) == 1
    assert distance(BASE, BASE, {"nodes": 0.0}) == 0


def test_ranges_leave_out_what_is_unknown():
    """The range is that of the known values; of none it is 0."""
    base = [BASE._replace(waiting_jobs=jobs) for jobs in (-1, 3, 9)]
    assert widths_of(base, ("waiting_jobs", "nodes")) == {"waiting_jobs": 6, "nodes": 0}
    assert widths_of([], ("nodes",)) == {"nodes": 0.0}


def test_the_nearest_by_hand():
    """Ties are averaged, the newest are kept if they are too many, and a radius takes in those behind."""
    base = [BASE._replace(nodes=n, run=run) for n, run in ((2, 10.0), (6, 20.0), (10, 40.0), (6, 80.0))]
    case = BASE._replace(nodes=4)
    for radius, most, runs in (
        (0.0, None, [80.0, 20.0, 10.0]),
        (0.0, 1, [80.0]),
        (0.49, None, [80.0, 20.0, 10.0]),
        (0.5, None, [80.0, 20.0, 10.0, 40.0]),
        (0.5, 3, [80.0, 20.0, 10.0]),
    ):
        assert [one.run for one in nearest(base, case, ("nodes",), radius=radius, most=most)] == runs
        fast = filled(base, ("nodes",), radius, most)
        assert fast.recall(case).run == math.fsum(runs) / len(runs)


def filled(base, numeric, radius, most):
    """Return the fast experience base of `base`."""
    fast = Instances(numeric, radius=radius, most=most)
    for one in base:
        fast.add(one)
    return fast


names = st.sampled_from(("", "a", "b", "c"))
experiences = st.builds(
    Experience,
    names,
    names | st.just("q"),
    names,
    st.integers(1, 9),
    st.integers(-1, 3),
    st.sampled_from((-1.0, 0.0, 0.1, 0.3, 7.0, 1e9)),
    st.integers(1, 3),
    st.floats(0, 1e6),
    st.floats(0, 1e6),
)


@pytest.mark.slow
@examples(600)
@given(
    base=st.lists(experiences, max_size=30),
    case=experiences,
    numeric=st.sampled_from((QUEUE_STATE, NODE_STATE, ("nodes",))),
    limits=st.tuples(st.sampled_from((0.0, 0.0, 0.2, 0.5, 1.0, 3.0)), st.sampled_from((None, None, 1, 2, 5))),
    same=st.booleans(),
)
def test_the_fast_base_is_the_definition(base, case, numeric, limits, same):
    """To the last bit, with unknown values, ties, radii and limits, after each experience."""
    radius, most = limits
    if same:
        base = [one._replace(user="", queue="q") for one in base]
        case = case._replace(user="", queue="q")
    fast = Instances(numeric, radius=radius, most=most)
    assert fast.recall(case) is None
    for known in range(1, len(base) + 1):
        fast.add(base[known - 1])
        found = nearest(base[:known], case, numeric, radius=radius, most=most)
        assert fast.recall(case) == (
            math.fsum(one.wait for one in found) / len(found),
            math.fsum(one.run for one in found) / len(found),
        )


@pytest.mark.slow
def test_fifty_thousand_experiences():
    """Among 50,000 different ones a job like none that has ended is answered in 5 ms of processor time."""
    draw = random.Random(1)
    fast = Instances(QUEUE_STATE)
    for _ in range(50_000):
        fast.add(_drawn(draw))
    seconds = []
    for _ in range(21):
        case = _drawn(draw)
        began = thread_time()
        fast.recall(case)
        seconds.append(thread_time() - began)
    assert median(seconds) < 0.005


def _drawn(draw):
    user, queue, application = draw.randrange(500), draw.randrange(8), draw.randrange(2000)
    state = draw.randrange(1, 129), draw.randrange(400), draw.random() * 1e7, 1
    return Experience(f"u{user}", f"q{queue}", f"a{application}", *state, draw.random(), draw.random())
