"""Platform files down to the core: what is read of nodes, types and libraries, and what is wrong."""

from __future__ import annotations

import math
import time

import pytest

from echelon.errors import InputError
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
from echelon.platforms import machine_from_dict, platform_from_dict, platform_named, read_platform_file


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads a platform file of the text given, called m.toml, beside others."""
    monkeypatch.chdir(tmp_path)

    def read(text: str, **others: str):
        for name, content in {"m": text, **others}.items():
            (tmp_path / f"{name}.toml").write_text(content)
        return read_platform_file("m.toml")

    return read


@pytest.fixture
def wrong(read):
    """Return a function that gives the sentences by which a platform file is refused."""

    def wrong(text: str, **others: str) -> list[str]:
        with pytest.raises(InputError) as refused:
            read(text, **others)
        return str(refused.value).removeprefix("m.toml: ").split("; ")

    return wrong


EVERYTHING = """
[core_type.fast]
clock = "3 GHz"
operations_per_cycle = 16
dynamic_power = "6 W"

[processor_type.mixed]
core = [{ type = "fast", count = 2 }, { clock = 1.5e9 }]
memory_bandwidth = "100 GB/s"
static_power = 40
idle_share = 0.25
levels = [{ clock = 1, power = 1 }, { clock = 0.5, power = 0.3 }]
memory_curve = { b = -1.85e-5, c = 32000, da = 1.75, db = 3500, dc = 45000, dd = 3000 }

[node_type.thick]
memory = "256 GB"
network_bandwidth = "10 Gbit/s"
power = "80 W"
sleep = { after = "5 min", power = 8, wake_time = "30 s", wake_power = 100 }
memory_curve = { abb = -92.1, bbb = 1 }
power_curve = { pidle = 1, p01 = 1.37 }
processor = [{ type = "mixed", count = 2 }, { cores = 2, clock = "2 GHz" }]

[[site]]
name = "here"
topology = "torus: 2x2"
link_bandwidth = "1 GB/s"
[[site.cluster]]
name = "one"
[[site.cluster.node]]
type = "thick"
count = 3
[[site.cluster]]
[[site.cluster.node]]
type = "thick"
memory = "1 TB"
"""


def test_everything_a_machine_may_say(read):
    """Each field is read into the part it is of, in base units; equal nodes are one object."""
    fast, slow, plain = Core(3e9, 16, 6), Core(1.5e9), Core(2e9)
    mixed = Processor(
        (fast, fast, slow),
        100e9,
        40,
        0.25,
        (FrequencyLevel(1, 1), FrequencyLevel(0.5, 0.3)),
        MemoryCurveV1(-1.85e-5, 32000, 1.75, 3500, 45000, 3000),
        "mixed",
    )
    thick = Node(
        (mixed, mixed, Processor((plain, plain))),
        256e9,
        1.25e9,
        80,
        Sleep(300, 8, 30, 100),
        MemoryCurveV2(abb=-92.1, bbb=1),
        PowerCurveV2(pidle=1, p01=1.37),
        "thick",
    )
    platform = read(EVERYTHING)
    found = platform.hardware
    assert found.clusters[0] == Cluster((thick,) * 3, "one")
    assert found.nodes[0] is found.nodes[2]
    assert (found.nodes[3].memory, found.nodes[3].name, found.clusters[1].name) == (
        1e12,
        "thick",
        "cluster-2",
    )
    assert found.topology == topology_named("torus:2x2", bandwidth=1e9)
    assert (found.name, platform.sites[0].processors, found.cores) == ("here", 32, 32)


NODE = '[[node]]\nprocessor = { cores = 4, clock = "2 GHz" }\n'


@pytest.mark.parametrize(
    "text",
    [
        NODE,
        '[[cluster]]\nname = "cluster"\n[[cluster.node]]\n[[cluster.node.processor]]\ncores = 4\nclock = 2e9',
        f'[[site]]\nname = "m"\n{NODE.replace("[[node]]", "[[site.node]]")}',
        'node = { type = "x" }\nnode_type.x.processor.type = "y"\nprocessor_type.y.cores = 4\n'
        'processor_type.y.clock = "2000 MHz"\n[processor_type.z]\ntype = "y"',
        'library = "t.toml"\n[[node]]\nprocessor.core = { type = "c", count = 4 }',
    ],
    ids=["node at the top", "cluster at the top", "site without clusters", "dotted keys", "library"],
)
def test_short_ways_to_write_one_node(read, text):
    """Nodes may stand at the top, without a cluster, one without brackets, and types in another file."""
    found = read(text, t='[core_type.c]\nclock = "2 GHz"\n').hardware
    assert found.core_speed.tolist() == [2e9] * 4
    assert (found.name, found.clusters[0].name, len(found.nodes)) == ("m", "cluster", 1)
    assert (found.nodes[0].memory, found.nodes[0].sleep) == (math.inf, None)


def test_types_of_types_and_own_keys(read):
    """A type of a type, and a part of a type, have its values but for their own; groups replace cores."""
    found = read(
        '[processor_type.a]\ncores = 4\nclock = "1 GHz"\nstatic_power = 9\n'
        '[processor_type.b]\ntype = "a"\nclock = "2 GHz"\n'
        '[[node]]\nprocessor = [{ type = "b", cores = 2 }, { type = "a", core = { clock = 5 } }]\n'
    ).hardware
    assert [one.name for one in found.processors] == ["b", "a"]
    assert [one.static_power for one in found.processors] == [9, 9]
    assert found.core_speed.tolist() == [2e9, 2e9, 5]


def test_libraries_of_libraries(read):
    """A file's own type comes first, then those of its libraries in order; a library sees its own."""
    found = read(
        'library = ["a.toml", "b.toml"]\n[core_type.x]\nclock = 1\n'
        '[[node]]\nprocessor.core = [{ type = "x" }, { type = "y" }, { type = "z" }]',
        a='library = "b.toml"\n[core_type.y]\nclock = 2\n[core_type.x]\nclock = 7',
        b="[core_type.y]\nclock = 3\n[core_type.x]\nclock = 4\n"
        '[core_type.z]\ntype = "x"\noperations_per_cycle = 2',
    )
    assert found.hardware.core_speed.tolist() == [1, 2, 8]


def test_sites_with_and_without_nodes(read):
    """A site of nodes has its cores as processors, beside one that says how many it has."""
    found = read(
        f'[[site]]\nname = "b"\n{NODE.replace("[[node]]", "[[site.node]]")}'
        "[site.power]\nsite_idle = 1\nboard_idle = 1\ncore_idle = 1\ncore_working = 1\nefficiency = 1\n"
        '[[site]]\nname = "a"\nprocessors = 2\n'
    )
    assert [(site.name, site.processors, isinstance(site.resource, int)) for site in found.sites] == [
        ("b", 4, False),
        ("a", 2, True),
    ]
    assert found.hardware is None
    assert found.sites[0].power.efficiency == 1


def test_all_errors_at_once(wrong):
    """Wrong figures of every part, unknown keys and types are told together, by line, in people's numbers."""
    assert wrong(
        '[core_type.c]\nclock = "2 GB"\ncolck = 1\n'
        "[node_type.n]\nmemory = -1\nsleep.afterwards = 3\nprocessor = { cores = 0, clock = nan }\n"
        '[[site]]\nname = "s"\nprocessors = 4\n'
        "[[site.cluster]]\n[[site.cluster.node]]\ntype = 'm'\ncount = 1.5\n"
        "[[site.cluster.node]]\n[[site.cluster]]\nnode = 3\n"
    ) == [
        "line 2, core_type.c.clock: got '2 GB', expected a number > 0 of Hz or a text such as \"2.4 GHz\"",
        "line 3, core_type.c: unknown key 'colck' (got 1), did you mean 'clock'?",
        'line 5, node_type.n.memory: got -1, expected a number > 0 of B or a text such as "64 GB"',
        "line 6, node_type.n.sleep: unknown key 'afterwards' (got 3), did you mean 'after'?",
        "line 7, node_type.n.processor.cores: got 0, expected a whole number from 1 to 16777216",
        "line 7, node_type.n.processor.clock: got nan, "
        'expected a number > 0 of Hz or a text such as "2.4 GHz"',
        "line 10, site 1, processors: got both processors and nodes, whose cores are the processors: leave "
        "out one of the two",
        "line 13, site 1, cluster 1, node 1, type: no node_type is named 'm', known are n",
        "line 14, site 1, cluster 1, node 1, count: got 1.5, expected a whole number from 1 to 16777216",
        "line 15, site 1, cluster 1, node 2, processor: is missing, expected one or more tables of a "
        "processor's type, or cores and clock",
        "line 17, site 1, cluster 2, node: got 3, expected one or more tables of a node's type or keys",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[[node]]\nprocessor.cores = 4",
            "line 2, node 1, processor.clock: is missing, expected a number > 0",
        ),
        (
            "[[node]]\nprocessor.clock = 4",
            "line 2, node 1, processor.cores: is missing, expected a whole number",
        ),
        ("[[node]]\nprocessor.core.count = 4", "line 2, node 1, processor.core.clock: is missing, expected"),
        (
            "[[node]]\nprocessor = { cores = 4, clock = 1, core = { clock = 1 } }",
            "line 2, node 1, processor: got `core` tables and cores, clock, expected one of them",
        ),
        ("[[node]]\nprocessor = []", "line 2, node 1, processor: got none, expected one or more tables"),
        (
            f"{NODE}[[cluster]]\n",
            "line 1, node: got [[cluster]] and [[node]] tables, expected the nodes within",
        ),
        ("node = []", "line 1, node: got none, expected one or more tables of a node's type or keys"),
        ("cluster = [3]", "line 1, cluster 1: got 3, expected one or more tables with nodes"),
        (f'{NODE}[[site]]\nname = "a"', "line 1: unknown key 'node'"),
        (f"{NODE}idle_share = 1", "line 3, node 1: unknown key 'idle_share' (got 1), known are name, memory"),
        (
            '[node_type.a]\ntype = "b"\n[node_type.b]\ntype = "a"\n[[node]]\ntype = "a"',
            "line 2, node_type.a.type: has itself as its type: 'a' is of type 'b' is of type 'a'",
        ),
        (f"{NODE}core_type = 3", "line 3, node 1: unknown key 'core_type'"),
        (f"core_type = 3\n{NODE}", "line 1, core_type: got 3, expected tables [core_type.NAME]"),
        (f"core_type.x = 3\n{NODE}", "line 1, core_type.x: got 3, expected a table [core_type.x]"),
        (
            "[[node]]\nprocessor = { cores = 1, clock = 1, "
            "levels = [{ clock = 0.5, power = 1 }, { clock = 1, power = 1 }] }",
            "line 2, node 1, processor: processor, levels: must be one or more, the fastest first",
        ),
        (
            "[[node]]\nprocessor = { cores = 1, clock = 1, memory_curve = { b = 1 } }",
            "line 2, node 1, processor.memory_curve.c: is missing, expected a number",
        ),
        (
            "[[node]]\ncount = 16777216\nprocessor = { cores = 2, clock = 1 }",
            "cluster: has 33554432 cores, expected at most 16777216",
        ),
        (
            "[[node]]\nprocessor = { cores = 16777216, clock = 1, count = 16777216 }",
            "line 2, node 1, processor: has 281474976710656 cores, expected at most 16777216",
        ),
        (
            f"library = 3\n{NODE}",
            "line 1, library: got 3, expected a TOML file, or a list of TOML files, with types",
        ),
        (
            f'topology = "tours:2"\n{NODE}',
            "line 1, topology: no topology is named 'tours', did you mean 'torus'?",
        ),
        (f'topology = "torus:x"\n{NODE}', "line 1, topology: must be torus:XxYxZ"),
        (
            f"link_bandwidth = 1\n{NODE}",
            "line 1, link_bandwidth: got a bandwidth of links without a topology",
        ),
        (f'topology = "mesh:1"\n{NODE}{NODE}', "machine 'm', topology: joins 1 nodes, but there are 2"),
        (
            '[[site]]\nname = "a"\nprocessors = 3\ntopology = "star"',
            "line 4, site 1, topology: got a topology, but the site has no nodes",
        ),
        (f'library = ["", 4]\n{NODE}', "line 1, library: got '', expected a TOML file, or a list"),
        (f'library = "none.toml"\n{NODE}', "line 1, library: none.toml: no such file, expected a TOML file"),
        (f'library = "l.toml"\n{NODE}', "in l.toml: line 1: unknown key 'x' (got 3), known are name"),
        (
            f'library = "a.toml"\n{NODE}',
            "in a.toml: line 1, library: got 'm.toml', but a library must not read itself in turn: "
            "m.toml reads a.toml reads m.toml",
        ),
    ],
)
def test_what_is_no_machine(wrong, text, said):
    """What is missing, too much, of its own type, too large or no library is told, with its line."""
    found = wrong(text, l="x = 3", a='library = "m.toml"')
    assert any(sentence.startswith(said) for sentence in found), found


def test_a_wrong_type_is_told_once(wrong):
    """However many nodes are of a type that is wrong, and in whatever library, it is told once."""
    text = 'library = ["l.toml", "k.toml"]\n[[node]]\ntype = "x"\n[[node]]\ntype = "x"\ncount = 9\n'
    assert wrong(text, l="[node_type.x]\nmemory = 0\n", k='library = "l.toml"') == [
        'in l.toml: line 2, node_type.x.memory: got 0, expected a number > 0 of B or a text such as "64 GB"'
    ]


def test_presets_of_machines():
    """Sizes, clocks, bandwidth and the power of eight busy cores are those their sources state."""
    a, b, large = (platform_named(name).hardware for name in ("irmasim-a", "irmasim-b", "large-2000"))
    assert isinstance(a, Hardware)
    assert (len(a.clusters), len(a.nodes), len(a.processors), a.cores) == (1, 2, 4, 16)
    assert set(a.core_speed) == {2e9}
    busy = sum(a.core_power[:8]) + 2 * a.processors[0].static_power
    assert busy + sum(one.idle_share * one.static_power for one in a.processors[2:]) == 905
    assert (len(b.nodes), len(b.processors), b.cores) == (30, 120, 480)
    assert sorted(set(b.core_speed)) == [2.4e9, 2.8e9, 3.2e9, 3.6e9, 4e9, 4.4e9]
    assert set(a.node_bandwidth) == set(b.node_bandwidth) == {125e6}
    assert (len(large.nodes), large.cores, set(large.node_cores)) == (2000, 100_000, {50})
    assert "Invented" in large.source


def test_a_large_machine_is_read_at_once():
    """2,000 nodes of 50 cores take well under a second of processor time: equal nodes are one object."""
    start = time.thread_time()
    machine = platform_named("large-2000").hardware
    assert time.thread_time() - start < 0.5
    assert len(machine.nodes) == 2000
    assert {id(node) for node in machine.nodes} == {id(machine.nodes[0])}


@pytest.mark.parametrize("told", [{}, {"sites": 3}, {"sites": [{"name": "a", "cluster": 3}]}, {"sites": [4]}])
def test_what_no_run_tells(told):
    """What is no platform in run.json is refused as that."""
    with pytest.raises(InputError, match=r"^platform: "):
        platform_from_dict(told)


@pytest.mark.parametrize(
    "told", [{}, {"cluster": None}, {"cluster": 3}, {"cluster": [{"node": {"type": "x"}}]}]
)
def test_what_tells_no_machine(told):
    """What is no machine in run.json is refused as that."""
    with pytest.raises(InputError, match=r"^hardware: "):
        machine_from_dict(told)


def test_long_lists_of_names_are_cut(wrong):
    """Of a thousand types no more than some are told."""
    types = "".join(f"[core_type.c{k}]\nclock = 1\n" for k in range(1000))
    (said,) = wrong(f'{types}[[node]]\nprocessor.core.type = "xyz"')
    assert said.endswith("c22, c23 and 976 more")


@pytest.mark.parametrize("spec", ["\0.toml", "\0.json", "a\0b.json:x"])
def test_what_is_no_path(spec):
    """A path that can be none is refused as any other file that is not there."""
    with pytest.raises(InputError, match="is not a path"):
        platform_named(spec)


@pytest.mark.slow
def test_depths_that_no_file_has(wrong, tmp_path):
    """Types of types, libraries of libraries and brackets without end are refused, not followed."""
    types = "".join(f'[core_type.c{k}]\ntype = "c{k + 1}"\n' for k in range(2000))
    assert wrong(f"{types}{NODE}") == [
        "is nested too deep: brackets, types of types, or libraries of libraries"
    ]
    others = {f"l{k}": f'library = "l{k + 1}.toml"' for k in range(500)}
    assert wrong(f'library = "l0.toml"\n{NODE}', **others)[0].startswith("is nested too deep")
    brackets = wrong(f"node = {'[' * 300}{']' * 300}")[0]
    assert brackets.startswith(("is nested too deep", "line 1", "is not TOML"))
    for depth in (900, 960, 990, 5000):
        (tmp_path / "p.json").write_text(f'{{"platform": {"[" * depth}{"]" * depth}}}')
        with pytest.raises(InputError, match=r"nested too deep|got \[\[|is not JSON"):
            platform_named("p.json")


@pytest.mark.slow
def test_of_very_many_mistakes_the_first_are_told_and_the_number(tmp_path):
    """A file of nothing but mistakes is told in a message that can be read; a huge key does not fill it."""
    file = tmp_path / "wrong.toml"
    file.write_text("[[node]]\nbad = 1\n" * 2000 + f"{'k' * 100_000} = 2\n")
    with pytest.raises(InputError) as caught:
        read_platform_file(file)
    told = str(caught.value).split("; ")
    assert len(told) == 51
    assert told[0].startswith(f"{file}: line 2, node 1: unknown key")
    assert told[-1].startswith("and ")
    assert len(str(caught.value)) < 10_000
