"""Streams that are asked for are recorded, those of each run in the run's own record."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.experiments import manifest
from echelon.model.streams import record_streams, stream


def test_streams_asked_for_are_recorded_by_purpose():
    """Streams of one purpose, one a job, have one name; an outer block records what an inner one does."""
    with record_streams() as outer:
        stream(1, "order")
        with record_streams() as inner:
            stream(1, "placement/17")
            stream(1, "placement/18")
            stream(1, "execution/noise")
    stream(1, "later")
    assert inner == {"placement", "execution/noise"}
    assert outer == {"order", "placement", "execution/noise"}


def test_recording_changes_no_number():
    """The numbers of a stream are the same whether streams are recorded or not."""
    alone = stream(3, "order").random(4).tolist()
    with record_streams():
        assert stream(3, "order").random(4).tolist() == alone


@pytest.fixture(scope="module")
def log():
    """Return forty jobs that queue on ten processors."""
    count = range(40)
    return ec.Workload.from_columns(
        submit_time=[7 * k for k in count],
        run_time=[50 + 13 * (k % 5) for k in count],
        requested_time=[90 + 13 * (k % 5) for k in count],
        processors=[1 + k % 6 for k in count],
        user=[1 + k % 3 for k in count],
    )


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("rules", "drawn"),
    [
        ({"policy": "easy:shortest-first", "processors": 10}, ()),
        ({"policy": "random", "processors": 10}, ("order",)),
        ({"platform": [6, 10], "broker": "mpl"}, ()),
        ({"platform": [6, 10], "broker": "random"}, ("broker",)),
        ({"platform": [6, 10], "broker": "random", "policy": "random"}, ("broker", "order")),
    ],
)
def test_a_run_records_the_streams_that_it_drew(log, engine, rules, drawn):
    """Both engines record the streams of rules that draw, and none where no rule does."""
    result = ec.simulate(log, engine=engine, **rules)
    assert result.random_streams == drawn
    assert manifest(result)["random_streams"] == list(drawn)


@pytest.mark.parametrize(
    ("broker", "monitoring", "drawn"),
    [
        ("wall-time", "linear:phase=zero", ()),
        ("lottery", "linear:phase=zero", ("lottery",)),
        ("wall-time", "linear", ("monitoring",)),
    ],
)
def test_machines_without_queues_record_lottery_and_phases(broker, monitoring, drawn):
    """A lottery draws, a broker by estimated times does not; monitors draw if their phases are random."""
    jobs = ec.read_workload("sinapad:jobs=60:seed=1")
    result = ec.simulate(jobs, platform="sinapad-rh", broker=broker, monitoring=monitoring)
    assert result.random_streams == drawn


@pytest.mark.parametrize(("place", "drawn"), [("first-fit", ()), ("random", ("placement",))])
def test_a_random_placement_is_recorded_under_one_name(place, drawn):
    """Each job has a stream of its own, of one purpose."""
    jobs = ec.read_workload("lublin:jobs=20:processors=16:seed=1")
    assert ec.simulate(jobs, platform="irmasim-a", place=place).random_streams == drawn


@pytest.mark.parametrize(
    ("rules", "drawn"),
    [
        ({}, set()),
        ({"local_users": "xwin:share=0.5"}, {"local-users", "local-users/kinds"}),
        ({"execution": "time-shared:noise=0.1"}, {"execution/noise"}),
    ],
)
def test_owners_and_noise_of_a_multicluster_are_recorded(rules, drawn):
    """Possible owners of a node are drawn, and so are the run times that noise changes."""
    jobs = ec.read_workload("nas:jobs=12:seed=1")
    streams = set(ec.simulate(jobs, platform="cisne-16", **rules).random_streams)
    assert streams >= drawn
    assert bool(streams) == bool(drawn)
