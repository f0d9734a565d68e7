"""What runs have: of each kind of system, of several kinds side by side, and by their tables."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from tests.unit.metrics.changed_machines import changed, f1, reserved
from tests.unit.model.schedules.mixed import mixed_platform, mixed_schedule

import echelon as ec
from echelon.errors import InputError
from echelon.model import NO_OUTAGES, EndReason, Platform
from echelon.model.schedules.features import (
    NOTHING,
    Feature,
    change_features,
    every_site_has,
    features_of,
    features_of_tables,
    recorded_features,
    sites_with,
    there,
)


def test_one_machine_has_processors_to_itself():
    """A run on counted processors has a queue for them, and nothing else."""
    result = ec.simulate("lublin:jobs=20,processors=8", policy="easy")
    assert features_of(result.schedule) == Feature.QUEUES
    assert NOTHING in features_of(result.schedule)


def test_nodes_have_cores_and_power(small_cluster):
    """Of nodes it is known which cores tasks held, and what these drew if the hardware says it."""
    found = features_of(small_cluster.schedule)
    assert Feature.CORES | Feature.NODES in found
    assert not found & (Feature.SITES | Feature.PLACES | Feature.BESIDE)
    assert (Feature.POWER in found) == ("energy" in small_cluster.metrics)


def test_shared_nodes_have_places(shared_run):
    """Tasks in nodes that have owners run beside others, behind a queue of the whole."""
    found = features_of(shared_run)
    assert Feature.SITES | Feature.PLACES | Feature.NODES | Feature.BESIDE | Feature.FORECASTS in found
    assert not found & (Feature.CORES | Feature.TIME_SHARING | Feature.COPIES)


@pytest.mark.parametrize("copies", [False, True])
def test_sites_of_all_kinds_have_what_each_has(copies):
    """Side by side, kinds of sites take nothing from each other; copies are there if jobs had some."""
    found = features_of(mixed_schedule(copies=copies))
    parts = (
        Feature.SITES,
        Feature.QUEUES,
        Feature.TIME_SHARING,
        Feature.CORES,
        Feature.PLACES,
        Feature.POWER,
    )
    assert all(part in found for part in parts)
    assert (Feature.COPIES in found) is copies


def test_each_site_has_its_own():
    """Jobs have processors to themselves but on the time-shared machine; nodes of the lab have owners."""
    platform = mixed_platform()
    assert sites_with(platform, Feature.QUEUES).tolist() == [True, True, False, True]
    assert sites_with(platform, Feature.TIME_SHARING).tolist() == [False, False, True, False]
    assert sites_with(platform, Feature.PLACES).tolist() == [False, False, False, True]
    assert not every_site_has(platform, Feature.QUEUES)
    assert every_site_has(Platform.of_sizes([2, 4]), Feature.QUEUES)


def test_tables_say_what_a_run_has():
    """A table of holdings says nothing without nodes, copies nothing without sites that the run told."""

    class Tables:
        holdings = nodes = replicas = pl.DataFrame({"row": [0]})

    def of(tables, **known):
        given = {"platform": None, "stated": False, "columns": ()} | known
        return features_of_tables(tables, **given)

    tables = Tables()
    assert of(tables) == Feature.QUEUES | Feature.CORES | Feature.NODES
    grid = Platform.of_sizes([2, 4])
    assert Feature.COPIES not in of(tables, platform=grid)
    assert Feature.COPIES in of(tables, platform=grid, stated=True)
    assert Feature.DELIVERY in of(tables, columns=("delivered_time",))
    assert Feature.CPU_TIME not in of(tables, columns=("cpu_time",))
    assert Feature.CPU_TIME in of(tables, columns=("cpu_time",), platform=mixed_platform(), stated=True)
    tables.nodes = None
    assert not of(tables) & (Feature.CORES | Feature.NODES)


def test_an_empty_record_is_none():
    """A schedule whose estimators forecast nothing has an empty tuple, which is no record."""

    class Run:
        forecasts = ()

    assert recorded_features(Run()) is NOTHING


def test_who_does_not_ask_is_told():
    """A part that is not there is refused in a sentence, one that is there is returned."""
    assert there("part") == "part"
    with pytest.raises(InputError, match="asks a run for its power; ask its features first"):
        there(None, "its power")


def test_what_changed_is_a_feature():
    """Outages and reservations come with attempts; deadlines and due times are those of the log."""
    every = (f1(), reserved(), changed([(0, 10, 1)], [(0, 0, 10, EndReason.COMPLETED, (0,))], processors=1))
    down, kept, canceled = (change_features(schedule) for schedule in every)
    assert down == Feature.OUTAGES | Feature.ATTEMPTS
    assert kept == Feature.RESERVATIONS | Feature.ATTEMPTS
    assert canceled == Feature.ATTEMPTS
    still = replace(f1(), status=None, recorded=None, numbered=None, outages=NO_OUTAGES)
    assert change_features(still) is NOTHING
    due = changed(
        [(0, 10, 1)], [(0, 0, 10, EndReason.COMPLETED, (0,))], processors=1, due_time=[20], deadline=[-1]
    )
    assert Feature.DUE_TIMES in features_of(due)


def test_tables_say_what_changed():
    """A table of outages or a column of restarts is enough."""

    class Tables:
        outages = pl.DataFrame({"node": [0]})
        attempts = reservations = None

    found = features_of_tables(Tables(), platform=None, stated=False, columns=("restarts", "due_time"))
    assert found == Feature.QUEUES | Feature.OUTAGES | Feature.ATTEMPTS | Feature.DUE_TIMES
