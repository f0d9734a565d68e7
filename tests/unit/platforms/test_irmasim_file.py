"""IRMASim's platform files: what is read of them, from which files, and what is wrong with them."""

from __future__ import annotations

import json
import math

import pytest

import echelon
from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.node import Core, MemoryCurveV1, MemoryCurveV2, Node, PowerCurveV2, Processor
from echelon.platforms import platform_named, read_irmasim_platform, write_platform

CURVE = {"b": -1e-5, "c": 30000, "da": 1.5, "db": 3000, "dc": 40000, "dd": 2000}
QUAD = {
    **{"uarch": "x", "id": "q", "type": "CPU", "cores": 4, "clock_rate": 2, "dpflops_per_cycle": 4},
    **{"mem_bw": 25.6, "llc_size": 8, "power": 100, "static_power": 50, "dynamic_power": 10},
    "min_power": 0.1,
    **CURVE,
}
ONE = {"processors": [{"type": "old"}]}
LINKS = {"type": "InfiniBand QDR", "latency": "0us"}


def content(**groups):
    """Return a file of two clusters of two types of nodes of model V1, with some groups replaced."""
    return {
        "platform": {
            "here": {
                "id": "here",
                "model_name": "modelV1",
                "clusters": [
                    {"id": "left", "nodes": [{"type": "n.1", "number": 2}], "local_links": LINKS},
                    {"nodes": [{"type": "n2"}, {"type": "n.1", "id": "last"}]},
                ],
                "global_links": LINKS,
            }
        },
        "node": {
            "n.1": {
                "id": "n",
                "processors": [{"type": "quad", "number": 2}, {"type": "old"}],
                "memory": {"type": "DDR3-1600", "capacity": 32},
                "comm_bw": 125e6,
            },
            "n2": {"processors": [{"type": "old", "number": 1}], "comm_vol": 500},
        },
        "processor": {"quad": QUAD, "old": {"cores": 1, "clock_rate": 0.5, "pa": 3, "pb": 2}},
        **groups,
    }


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Return a function that writes files of these contents, called x.json, into a folder it goes to."""
    monkeypatch.chdir(tmp_path)

    def put(**files: object) -> None:
        for name, held in files.items():
            (tmp_path / f"{name}.json").write_text(held if isinstance(held, str) else json.dumps(held))

    return put


@pytest.fixture
def wrong(put):
    """Return a function that gives the sentences by which p.json is refused."""

    def wrong(held: object, **others: object) -> list[str]:
        put(p=held, **others)
        with pytest.raises(InputError) as refused:
            read_irmasim_platform("p.json")
        return str(refused.value).removeprefix("p.json: ").split("; ")

    return wrong


def test_a_platform_of_model_v1(put):
    """Clocks are in GHz, memory in GB, bandwidths in GB/s and B/s; older keys of power are read."""
    put(p=content())
    platform = platform_named("p.json")
    found = platform.hardware
    core = Core(2e9, 4, 10)
    quad = Processor((core,) * 4, 25.6e9, 50, 0.1, memory_curve=MemoryCurveV1(**CURVE), name="quad")
    old = Processor((Core(0.5e9, 1, 2),), static_power=3, idle_share=0.05, name="old")
    first = Node((quad, quad, old), 32e9, 125e6, name="n.1")
    second = Node((old,), network_bandwidth=500, name="n2")
    assert [cluster.nodes for cluster in found.clusters] == [(first, first), (second, first)]
    assert [cluster.name for cluster in found.clusters] == ["left", "cluster1"]
    assert found.nodes[0] is found.nodes[1] is found.nodes[3]
    assert (platform.name, platform.processors, found.name) == ("here", 28, "here")
    assert platform.source == (
        "IRMASim platform 'here' of p.json (modelV1); ignored: cluster.local_links, memory.type, "
        "platform.global_links, processor.llc_size, processor.power, processor.type, processor.uarch"
    )


V2 = {"abb": -92.1, "bbb": 1, "ccb": 1, "cca": -0.004}
POWER = {"pidle": 1, "p00": 2, "p01": 1.4}


@pytest.mark.parametrize(
    ("nodes", "processors"),
    [
        ({"n": {"id": "n", "cores": 4, "clock_rate": 1.7, "dpflops_per_cycle": 1, **V2, **POWER}}, {}),
        ({"n": {"processors": [{"type": "q"}]}}, {"q": {"cores": 4, "clock_rate": 1.7, **V2, **POWER}}),
    ],
    ids=["cores of the node", "the only processor"],
)
def test_a_platform_of_model_v2(put, nodes, processors):
    """Coefficients of contention and power are the node's, wherever they stand; those not given are 0."""
    named = {"v": {"model_name": "modelV2", "clusters": [{"nodes": [{"type": "n"}]}]}}
    put(p={"platform": named, "node": nodes, "processor": processors})
    platform = platform_named("p.json")
    (node,) = platform.hardware.nodes
    assert node.memory_curve == MemoryCurveV2(**V2)
    assert node.power_curve == PowerCurveV2(**POWER)
    assert (len(node.processors), node.cores, platform.hardware.core_speed[0]) == (1, 4, 1.7e9)
    assert ("dpflops" in platform.source) == ("cores" in nodes["n"])


def test_coefficients_of_several_processors_are_left(put):
    """Coefficients of model V2 are of a node: those of several processors in one are read and not used."""
    processor = {"q": {"cores": 4, "clock_rate": 1.7, **V2}}
    put(
        p=content(
            node={"n.1": {"processors": [{"type": "q", "number": 2}]}, "n2": {"processors": [{"type": "q"}]}},
            processor=processor,
        )
    )
    platform = platform_named("p.json")
    assert [node.memory_curve is None for node in platform.hardware.nodes] == [True, True, False, True]
    assert "processor.abb" in platform.source


def test_one_of_several_platforms(put):
    """A suffix chooses; without one all names are told, and a name that is none gets the nearest."""
    two = {"a": {"clusters": [{"nodes": [{"type": "n2"}]}]}, "b c": content()["platform"]["here"]}
    put(p=content(platform=two))
    assert platform_named("p.json:a").processors == 1
    assert echelon.read_platform("p.json:b c").processors == 28
    with pytest.raises(InputError, match=r"p\.json: defines a, b c: choose one as p\.json:NAME"):
        platform_named("p.json")
    with pytest.raises(UnknownNameError, match=r"no platform in p\.json is named 'aa'; did you mean 'a'"):
        platform_named("p.json:aa")


def test_libraries_beside_the_file(put):
    """Types are looked for in the files of a library beside it; its own come first; _doc is no type."""
    library = content()
    put(
        p={"platform": library["platform"], "processor": {"old": {"cores": 3, "clock_rate": 1}}},
        node_types={"_doc": {"0": "what is what"}, **library["node"]},
        processor_types={**library["processor"], "never used": {"Q1": "what IRMASim left"}},
    )
    assert platform_named("p.json").processors == 3 * (8 + 3) + 3


def test_options_of_a_run(put, tmp_path):
    """Options name the platform, its file and the folder of its library, from their own folder on."""
    (tmp_path / "lib").mkdir()
    whole = content()
    put(
        options={
            "platform_name": "here",
            "platform_file": "q.json",
            "platform_library_path": "lib",
            "seed": 3,
        },
        only={"platform_name": "there", "platform_library_path": "lib"},
        q={"platform": {**whole["platform"], "other": {}}, "node": whole["node"]},
        **{"lib/processor_types": whole["processor"]},
        **{"lib/node_types": {"n2": {"processors": []}}},
        **{"lib/platforms": {"there": {"clusters": [{"nodes": [{"type": "n3"}]}]}}},
    )
    assert platform_named("options.json").processors == 28
    with pytest.raises(InputError, match=r"only.json: in platforms.json: there.clusters\[0\].nodes\[0\]"):
        platform_named("only.json")
    with pytest.raises(UnknownNameError):
        platform_named("lib/platforms.json:here")


def test_clusters_of_one_name_are_numbered(put):
    """A number of clusters with an id of their own, and two of one id, are told apart."""
    nodes = [{"type": "n2"}]
    clusters = [{"id": "c", "number": 2, "nodes": nodes}, {"nodes": nodes}, {"id": "c", "nodes": nodes}]
    put(p=content(platform={"x": {"clusters": clusters}}))
    found = platform_named("p.json").hardware
    assert [cluster.name for cluster in found.clusters] == ["c0", "c1", "cluster2", "c2"]


def test_all_errors_at_once(wrong):
    """Figures of any wrong kind, unknown types and what is missing are told together, each with its path."""
    wrong_figures = {"cores": True, "clock_rate": -2, "b": 1, "min_power": 1.5, "pa": math.inf}
    held = content(
        node={
            "n.1": {
                "processors": [{"type": "qaud", "number": -1}, {"number": 2}],
                "memory": {"capacity": math.nan},
                "comm_bw": "125 MB/s",
            },
            "n2": {"processors": [{"type": "old"}]},
        },
        processor={
            "quad": QUAD,
            "old": wrong_figures,
        },
    )
    held["platform"]["here"]["model_name"] = "modelV3"
    held["platform"]["here"]["clusters"] += [3, {"nodes": {}}, {"id": 4, "nodes": [{"type": "n3"}]}]
    assert sorted(wrong(held)) == sorted(
        [
            "platform.here.model_name: got 'modelV3', expected one of modelV1, modelV1_1, modelV2",
            "platform.here.clusters[2]: got 3, expected a list of clusters, each with its nodes",
            "platform.here.clusters[3].nodes: got {}, expected a list of nodes, each with its type",
            "platform.here.clusters[4].id: got 4, expected text in quotes",
            "platform.here.clusters[4].nodes[0].type: no node type is named 'n3', known are n.1, n2",
            'node."n.1".memory.capacity: got nan, expected a number > 0 of GB',
            "node.\"n.1\".comm_bw: got '125 MB/s', expected a number > 0",
            'node."n.1".processors[0].number: got -1, expected a whole number from 1 to 16777216',
            "node.\"n.1\".processors[0].type: no processor type is named 'qaud', did you mean 'quad'?",
            'node."n.1".processors[1].type: is missing, expected a name in quotes',
            "processor.old.cores: got True, expected a whole number from 1 to 16777216",
            "processor.old.clock_rate: got -2, expected a number > 0 of GHz",
            "processor.old.min_power: got 1.5, expected a number from 0 to 1",
            "processor.old.pa: got inf, expected a number >= 0",
            *(f"processor.old.{key}: is missing, expected a number" for key in ("c", "da", "db", "dc", "dd")),
        ]
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("{", "p.json, line 1: is not JSON: Expecting property name"),
        ("[" * 100_000, "is not JSON: "),
        ("9" * 5000, "is not JSON: "),
        ("[]", "got [], expected a platform of IRMASim, an object with platform, node and processor"),
        ({}, "defines no platform, expected a platform of IRMASim"),
        ({"jobs": []}, "unknown key 'jobs' (got []), known are platform, network, node, processor"),
        ({"platform": 3}, "platform: got 3, expected an object, each platform by its name"),
        ({"platform": {"x": 3}}, "platform.x: got 3, expected an object, a platform"),
        ({"platform": {"x": {}}}, "platform.x.clusters: got none, expected a list of clusters"),
        (content(node={"n.1": 3}), 'node."n.1": got 3, expected an object, a node'),
        (content(node={"n.1": {"memory": 3}, "n2": {}}), "node.n2.processors: got none, expected a list of"),
        (content(node={"n.1": {"memory": 3}, "n2": {}}), 'node."n.1".memory: got 3, expected an object with'),
        (
            content(node={"n.1": {"processors": [{"type": "quad", "number": 2**24}]}, "n2": ONE}),
            'node."n.1".processors: has 67108864 cores, expected at most 16777216',
        ),
        (
            content(node={"n.1": {"processors": [{"type": "quad", "number": 2**22}]}, "n2": ONE}),
            "platform.here.clusters: has 50331649 cores, expected at most 16777216",
        ),
        (
            {"platform_file": "p.json"},
            "platform_file: p.json has options again, expected a platform of IRMASim",
        ),
        ({"platform_library_path": "no"}, "platform_library_path: got 'no', no such folder"),
        ({"platform_name": 3}, "platform_name: got 3, expected text in quotes"),
    ],
)
def test_what_is_no_platform(wrong, held, said):
    """What is not JSON, no platform, too large or leads nowhere is told as that."""
    found = wrong(held)
    assert any(sentence.startswith(said) for sentence in found), found


def test_a_file_that_is_not_there(put):
    """A file that the user or the options name, and that is not there, is told by its name."""
    put(o={"platform_file": "q.json"})
    with pytest.raises(InputError, match=r"^p\.json: no such file, expected a platform of IRMASim"):
        read_irmasim_platform("p.json")
    with pytest.raises(InputError, match=r"^q\.json: no such file"):
        read_irmasim_platform("o.json")


def test_what_is_read_can_be_written_in_our_format(put, tmp_path):
    """A platform of IRMASim comes back from our own file as it was."""
    put(p=content())
    platform = echelon.read_platform(tmp_path / "p.json")
    assert echelon.read_platform(write_platform(platform, tmp_path / "p.toml")) == platform
