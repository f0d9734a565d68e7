"""Runs on multiclusters as histories see them, made without an engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from echelon.model import (
    Application,
    Applications,
    Forecasts,
    Instance,
    Platform,
    Schedule,
    SharedCluster,
    Site,
    SocialContract,
    TaskPlaces,
    Workload,
    Workstation,
)
from servers import postgres_schema


def run_of(jobs, *, nodes=(2, 3), mpl=2, applications=None, forecasts=(), name="lab", **columns):
    """Return a schedule of jobs given as (submit, joined, start, end, site, its nodes) on shared clusters."""
    clusters = [SharedCluster((Workstation(),) * count, SocialContract(mpl=mpl)) for count in nodes]
    platform = Platform(tuple(Site(f"c{k}", c) for k, c in enumerate(clusters)), name)
    submit, joined, start, end, site, where = (list(part) for part in zip(*jobs, strict=True))
    workload = Workload.from_columns(
        submit_time=np.array(submit, dtype=float),
        run_time=columns.pop("run_time", np.arange(1.0, len(jobs) + 1)),
        processors=[len(held) for held in where],
        **columns,
    )
    if applications is not None:
        object.__setattr__(workload, "applications", Applications.of(applications))
    instance = Instance.of(workload, platform)
    rows = [(k, site[k], node) for k, held in enumerate(where) for node in held]
    places = TaskPlaces(*(np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)))
    return Schedule(
        instance,
        np.array(start, dtype=float),
        site=np.array(site),
        end=np.array(end, dtype=float),
        places=places,
        delivered=np.array(joined, dtype=float),
        forecasts=forecasts,
    )


@st.composite
def runs(draw, times=None):
    """Draw a run of 1 to 9 jobs on two clusters; small whole times, so that much happens at one instant."""
    moments = st.integers(0, 6) if times is None else times
    jobs, applications, columns = [], [], {"user": [], "queue": [], "executable": []}
    for _ in range(draw(st.integers(1, 9))):
        submit, joined, start = sorted(draw(st.tuples(moments, moments, moments)))
        end = start + draw(st.floats(0.5, 1e6) if times is not None else st.integers(1, 5))
        site = draw(st.integers(0, 1))
        where = sorted(draw(st.sets(st.integers(0, site + 1), min_size=1, max_size=site + 2)))
        jobs.append((submit, joined, start, end, site, where))
        share = draw(st.sampled_from([0.0, 0.25, 1.0]))
        applications.append(Application(draw(st.sampled_from(["", "is", "mg'; --", "é"])), share))
        for column in columns.values():
            column.append(draw(st.sampled_from([-1, 0, 1, 2])))
    n = len(jobs)
    said = Forecasts("sdpn", *(np.array([draw(_FORECASTS) for _ in range(n)]) for _ in range(3)))
    return run_of(jobs, applications=applications, forecasts=(said,), **columns)


_FORECASTS = st.one_of(st.just(float("nan")), st.floats(0, 1e9))


@pytest.fixture(scope="session")
def make_run():
    """Return what makes a run from rows of jobs."""
    return run_of


@pytest.fixture(scope="session")
def any_run():
    """Return what draws runs: whole times unless others are given."""
    return runs


@pytest.fixture(scope="session")
def three_jobs():
    """Return three jobs on a cluster of two nodes that hold two tasks each, the third in both.

    ::

        node 1        . . . c c c
                      . . b b b .
        node 0        a a a c c c
        t             0 1 2 3 4 5 6
    """
    jobs = [(0, 0, 0, 3, 0, [0]), (1, 1, 2, 5, 0, [1]), (2, 2, 3, 6, 0, [0, 1])]
    return run_of(jobs)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    """Return where a history can be: a file, and a place on a real server."""
    if request.param == "sqlite":
        yield str(tmp_path / "history.db")
        return
    with postgres_schema("history") as url:
        yield url
