"""Machines written and read again, and files of garbage."""

from __future__ import annotations

import contextlib
import json

from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Platform, Site
from echelon.model.machines.hardware import Cluster, Hardware
from echelon.model.machines.node import (
    Core,
    FrequencyLevel,
    MemoryCurveV1,
    MemoryCurveV2,
    Node,
    PowerCurveV2,
    Processor,
    Sleep,
)
from echelon.model.topology import topology_named
from echelon.platforms import (
    machine_from_dict,
    platform_from_dict,
    read_irmasim_platform,
    read_platform_file,
    write_platform,
)
from echelon.platforms.serialization import machine_to_dict, to_dict

NAME = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(["node-1", "a b", "x"])
ANY = st.floats(allow_nan=False, allow_infinity=False)
DRAW = st.floats(0, 1e12)
SIZE = st.floats(1e-300, 1e300) | st.just(float("inf"))
SHARE = st.floats(0, 1)
CORE = st.builds(Core, st.floats(1, 1e12), st.floats(0.1, 64), DRAW)
LEVELS = st.lists(st.floats(0.01, 1), min_size=1, max_size=3, unique=True).map(
    lambda clocks: tuple(FrequencyLevel(clock, clock**2) for clock in sorted(clocks, reverse=True))
)
SLEEP = st.builds(Sleep, st.floats(0, allow_nan=False), DRAW, DRAW, DRAW)


def several(parts: st.SearchStrategy) -> st.SearchStrategy:
    """Return tuples of parts, some of them equal."""
    runs = st.lists(st.tuples(parts, st.integers(1, 3)), min_size=1, max_size=2)
    return runs.map(lambda groups: tuple(part for part, count in groups for _ in range(count)))


PROCESSOR = st.builds(
    Processor,
    several(CORE),
    SIZE,
    DRAW,
    SHARE,
    LEVELS,
    st.none() | st.builds(MemoryCurveV1, ANY, ANY, ANY, ANY, ANY, ANY),
    NAME,
)
NODE = st.builds(
    Node,
    several(PROCESSOR),
    SIZE,
    SIZE,
    DRAW,
    st.none() | SLEEP,
    st.none() | st.builds(MemoryCurveV2, abb=ANY, daa=ANY),
    st.none() | st.builds(PowerCurveV2, pidle=ANY),
    NAME,
)
TOPOLOGY = st.builds(
    lambda spec, bandwidth: topology_named(spec, bandwidth=bandwidth),
    st.sampled_from(["star", "mesh:4x4x4", "torus:64", "tree:8x16:growth=0.3", "fat-tree:k=8"]),
    SIZE,
)
HARDWARE = st.builds(
    Hardware,
    st.lists(st.builds(Cluster, several(NODE), NAME), min_size=1, max_size=2).map(tuple),
    st.none() | TOPOLOGY,
)
SITES = st.lists(st.integers(1, 9) | HARDWARE, min_size=1, max_size=3).map(
    lambda given: tuple(Site(f"s{k}", one) for k, one in enumerate(given))
)


def _through_json(told: dict) -> dict:
    return json.loads(json.dumps(told, allow_nan=False))


@given(SITES)
def test_a_machine_that_is_written_is_read_back(tmp_path_factory, sites):
    """Any machine comes back from its file, and from run.json, as it was, to the last digit."""
    platform = Platform(sites)
    path = write_platform(platform, tmp_path_factory.getbasetemp() / "machine.toml")
    assert read_platform_file(path) == platform
    assert platform_from_dict(_through_json(to_dict(platform))) == platform
    for machine in platform.node_level.values():
        assert machine_from_dict({**_through_json(machine_to_dict(machine)), "nodes": 3}) == machine


KEYS = st.sampled_from(
    [
        *("name", "site", "cluster", "node", "processor", "core", "cores", "count", "type", "a"),
        *("clock", "memory", "power", "sleep", "levels", "memory_curve", "power_curve", "idle_share"),
        *("library", "core_type", "processor_type", "node_type", "processors", "topology"),
    ]
)
VALUE = st.recursive(
    st.sampled_from(['"a"', '"2 GHz"', "1", "-1", "nan", "inf", "true", '""', "0.5", "1e400", "9" * 400]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda held: f"[{', '.join(held)}]")
        | st.dictionaries(KEYS, inner, max_size=4).map(
            lambda held: "{" + ", ".join(f"{key} = {value}" for key, value in held.items()) + "}"
        )
    ),
    max_leaves=12,
)
HEAD = st.lists(KEYS, min_size=1, max_size=4).map(".".join)
LINE = st.one_of(
    st.tuples(KEYS, VALUE).map(" = ".join),
    HEAD.map("[{}]".format),
    HEAD.map("[[{}]]".format),
    st.text(max_size=8),
)


@given(st.lists(LINE, max_size=12))
def test_garbage_is_refused_in_one_sentence(tmp_path_factory, lines):
    """Whatever a file says, it is read, or refused as what it is: nothing else happens."""
    path = tmp_path_factory.getbasetemp() / "garbage.toml"
    path.write_text("\n".join(lines), errors="replace")
    with contextlib.suppress(InputError):
        assert read_platform_file(path).processors > 0


JSON_KEYS = st.sampled_from(
    [
        *("platform", "node", "processor", "clusters", "nodes", "processors", "type", "number", "id", "x"),
        *("cores", "clock_rate", "memory", "capacity", "b", "abb", "pidle", "platform_file"),
    ]
)
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["x", "", "CPU"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(JSON_KEYS, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def nearly_right(draw: st.DrawFn) -> dict:
    """Return a platform of IRMASim in which some values are anything."""

    def maybe(right: object) -> object:
        return draw(JSON_VALUE) if draw(st.integers(0, 7)) == 0 else right

    processor = {
        "cores": maybe(4),
        "clock_rate": maybe(2.5),
        "static_power": maybe(3),
        "min_power": maybe(0.5),
    }
    node = {"processors": maybe([{"type": maybe("x"), "number": maybe(2)}]), "memory": maybe({"capacity": 3})}
    clusters = maybe([maybe({"id": maybe("c"), "nodes": maybe([{"type": maybe("x")}])})])
    return {
        "platform": maybe({"x": maybe({"model_name": maybe("modelV1"), "clusters": clusters})}),
        "node": maybe({"x": node}),
        "processor": maybe({"x": processor}),
    }


@given(nearly_right() | JSON_VALUE)
def test_garbage_in_json_is_refused_in_one_sentence(tmp_path_factory, held):
    """Whatever a file of IRMASim says, it is read, or refused as what it is: nothing else happens."""
    path = tmp_path_factory.getbasetemp() / "garbage.json"
    path.write_text(json.dumps(held))
    with contextlib.suppress(InputError):
        assert read_irmasim_platform(path).processors > 0
