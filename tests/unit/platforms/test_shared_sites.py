"""Shared nodes in platform files: what is read, what is refused, what is written, and the presets."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.experiments.systems.grid import machine_of
from echelon.model import Platform, SharedCluster, Site, SocialContract, Workload, Workstation
from echelon.platforms import platform_from_dict, platform_named, read_platform, write_platform
from echelon.platforms.serialization import to_dict

LAB = '[[site]]\nname = "lab"\ncontract = { mpl = 4 }\n[[site.node]]\ncount = 3\n'
TWO = LAB.replace('"lab"', '"lab"\ncount = 2')


def test_all_that_a_site_of_shared_nodes_may_say(read):
    """Nodes, contract, link and software are read in their units; the site's size is its task slots."""
    found = read(
        '[[site]]\nname = "lab"\nlink = "100 Mbit/s"\nlink_traffic = "1 MB/s"\nsoftware = ["mpi", "linux"]\n'
        "[site.contract]\nmpl = 3\nmemory = 0.5\nbandwidth = 1.5\ncpu = 0.25\n"
        '[[site.node]]\ncount = 2\nname = "new"\nmemory = "1 GB"\nbandwidth = "1 Gbit/s"\n'
        "[[site.node]]\npower = 0.5\nprocessors = 2\n"
    )
    new = Workstation(memory=1e9, bandwidth=125e6, name="new")
    shared = SharedCluster(
        (new, new, Workstation(0.5, 2)),
        SocialContract(3, 0.5, 1.5, 0.25),
        link=12.5e6,
        link_traffic=1e6,
        software=frozenset({"mpi", "linux"}),
    )
    assert found.sites == (Site("lab", shared),)
    assert (found.is_shared, found.processors, found.largest_job()) == (True, 9, 3)


def test_what_is_not_said_is_as_by_default(read):
    """A site with an empty contract has whole nodes, one task each, and links without limit."""
    (site,) = read('[[site]]\nname = "a"\n[site.contract]\n[[site.node]]\n').sites
    assert site.resource == SharedCluster((Workstation(),))


def test_any_word_of_shared_nodes_makes_them_shared(read):
    """A link or software alone tells that nodes belong to someone, without a contract."""
    for word in ("link = 5", "software = 'mpi'", "link_traffic = 0"):
        assert read(f'[[site]]\nname = "a"\n{word}\n[[site.node]]\n').is_shared


def test_types_of_nodes_are_shared_by_sites_and_libraries(read, tmp_path):
    """A workstation_type has values that a node may change, and may stand in a library."""
    (tmp_path / "types.toml").write_text('[workstation_type.piv]\nmemory = "1 GB"\npower = 0.5\n')
    found = read(
        'library = "types.toml"\n[workstation_type.big]\ntype = "piv"\nmemory = "4 GB"\n'
        f'{LAB}type = "piv"\n[[site.node]]\ntype = "big"\npower = 1\n'
    )
    (shared,) = found.clusters
    assert shared.nodes[0] is shared.nodes[2]
    assert shared.nodes[2:] == (
        Workstation(0.5, memory=1e9, name="piv"),
        Workstation(1, memory=4e9, name="big"),
    )


def test_sites_are_counted_and_a_file_may_be_one_cluster(read):
    """A count makes sites named after the table; nodes at the top of a file are its only site's."""
    found = read('[[site]]\nname = "lab"\ncount = 3\ncontract = {}\n[[site.node]]\ncount = 2\n')
    assert found.names == ("lab-1", "lab-2", "lab-3")
    assert found.sites[0].resource is found.sites[2].resource
    alone = read('name = "one"\ncontract = { mpl = 2 }\n[[node]]\ncount = 5\n')
    assert (alone.names, alone.processors) == (("one",), 10)


def test_all_mistakes_at_once(wrong):
    """Each has its line, its site, what was got and what is expected."""
    assert wrong(
        '[[site]]\nname = "a"\nlink = "1 GB"\nlink_traffic = -1\nsoftware = [1]\nspeed = 3\n'
        "[site.contract]\nmpl = 0\nmemory = 1.5\ncpu = 0\nmbl = 1\nbandwidth = inf\n"
        "[[site.node]]\ncount = 0\npower = 2\nprocessors = 1.5\nmemory = 'much'\nclock = 3\n"
        "[[site]]\nname = 'b'\nprocessors = 0\n"
    ) == [
        "line 3, site 1, link: got '1 GB', expected a number > 0 of B/s or a text such as \"125 MB/s\"",
        'line 4, site 1, link_traffic: got -1, expected a number >= 0 of B/s or a text such as "125 MB/s"',
        "line 5, site 1, software: got [1], expected a list of names in quotes",
        "line 6, site 1: unknown key 'speed' (got 3), known are name, count, power, node, contract, link, "
        "link_traffic, software, ptt_weight, policy",
        "line 8, site 1, contract.mpl: got 0, expected a whole number from 1 to 16777216",
        "line 9, site 1, contract.memory: got 1.5, expected a number > 0 and <= 1",
        "line 10, site 1, contract.cpu: got 0, expected a number > 0 and <= 1",
        "line 11, site 1, contract: unknown key 'mbl' (got 1), did you mean 'mpl'?",
        "line 12, site 1, contract.bandwidth: got inf, expected a number > 0",
        "line 14, site 1, node 1, count: got 0, expected a whole number from 1 to 16777216",
        "line 15, site 1, node 1, power: got 2, expected a number > 0 and <= 1",
        "line 16, site 1, node 1, processors: got 1.5, expected a whole number from 1 to 16777216",
        "line 17, site 1, node 1, memory: got 'much', expected a number > 0 of B or a text such as \"64 GB\"",
        "line 18, site 1, node 1: unknown key 'clock' (got 3), known are name, power, processors, memory, "
        "bandwidth, type, count",
        "line 21, site 2, processors: got 0, expected a whole number from 1 to 2147483647",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[site]]\nname = "a"\ncontract = 3\n[[site.node]]\n', "contract: got 3, expected a table of mpl"),
        ('[[site]]\nname = "a"\ncontract = {}\n', "node: got none, expected one or more tables"),
        ("[[site]]\ncontract = {}\n[[site.node]]\n", "name: is missing"),
        (f"{LAB}[[site.node]]\ntype = 'x'\n", "no workstation_type is named 'x'"),
        (f"link = 5\n{LAB}", "unknown key 'link'"),
        (
            LAB.replace("contract", "link = 1\nlink_traffic = 2\ncontract"),
            "below the capacity of the link, got 2",
        ),
        (LAB.replace("count = 3", "count = 16777216"), "may hold 67108864 tasks at once"),
        (TWO + LAB.replace("lab", "lab-2"), "two sites 'lab-2' by counting"),
        (LAB + LAB, "got 'lab', as site 1 (line 2) is named"),
        (TWO.replace("= 2", "= 300").replace("= 3\n", "= 2000000\n"), "all sites together"),
    ],
)
def test_what_else_is_refused(wrong, text, said):
    """Parts that are missing or contradict each other are told, and where."""
    assert [sentence for sentence in wrong(text) if said in sentence]


def test_the_same_in_json(read, wrong, tmp_path):
    """A JSON file says the same as TOML, with places as paths; IRMASim's files are still told apart."""
    text = json.dumps({"site": [{"name": "lab", "contract": {"mpl": 4}, "node": [{"count": 3}]}]})
    assert read(text, "desk.json") == read(LAB)
    assert wrong('{"site": [{"name": "lab", "contract": {"mpl": 0}, "node": {}}]}', "desk.json") == [
        "site[0].contract.mpl: got 0, expected a whole number from 1 to 16777216"
    ]
    assert read('{"sites": [{"name": "a", "processors": 4}], "processors": 4}', "other.json").sizes == [4]
    assert "defines no platform" in wrong("{}", "none.json")[0]


numbers = st.floats(min_value=1e-3, max_value=1e15, allow_nan=False)
shares = st.floats(min_value=1e-6, max_value=1)
nodes = st.builds(
    Workstation,
    power=shares,
    processors=st.integers(1, 64),
    memory=numbers | st.just(math.inf),
    bandwidth=numbers | st.just(math.inf),
    name=st.text(st.characters(codec="utf-8"), max_size=4),
)
contracts = st.builds(SocialContract, st.integers(1, 8), shares, numbers | st.just(math.inf), shares)
links = numbers | st.just(math.inf)
clusters = st.builds(
    SharedCluster,
    st.lists(nodes, min_size=1, max_size=4).map(lambda some: tuple(some + some[-1:])),
    contracts,
    links,
    st.just(0.0) | st.just(5e-4),
    st.frozensets(st.text(min_size=1, max_size=3).filter(str.strip), max_size=2),
)


@given(st.lists(clusters, min_size=1, max_size=3))
def test_what_is_written_is_read_back(tmp_path_factory, found):
    """Any multicluster is the same after a file, and after the plain values that run.json holds."""
    made = Platform(tuple(Site(f"c {k}", one) for k, one in enumerate(found)), "multi")
    path = write_platform(made, tmp_path_factory.getbasetemp() / "made.toml")
    assert read_platform(path) == made
    assert platform_from_dict(json.loads(json.dumps(to_dict(made), allow_nan=False))) == made


@pytest.mark.parametrize(
    ("name", "sizes", "mpl"),
    [
        ("cisne-16", [16], 4),
        ("cisne-16-dedicated", [16], 1),
        ("cisne-555", [5, 5, 5], 4),
        ("cisne-844", [4, 4, 8], 4),
        ("cisne-888", [8, 8, 8], 4),
        ("cisne-e4", [10, 10], 4),
        ("multicluster-50x200", [200] * 50, 4),
    ],
)
def test_presets_have_the_nodes_of_their_source(name, sizes, mpl):
    """Clusters, nodes and multiprogramming level are those printed, and the source is said."""
    found = platform_named(name)
    assert list(map(len, found.clusters)) == sizes
    assert {cluster.contract.mpl for cluster in found.clusters} == {mpl}
    assert ("Invented" if name.startswith("multi") else "M-CISNE") in found.source


def test_the_unequal_nodes_of_e4():
    """Five multiprocessor nodes have half the memory and a tenth of the bandwidth of the others."""
    cluster = platform_named("cisne-e4").sites[1].resource
    assert cluster.processors.tolist() == [1] * 5 + [2] * 5
    assert cluster.memory.tolist() == [1e9] * 5 + [5.12e8] * 5
    assert cluster.bandwidth.tolist() == [1.25e8] * 5 + [1.25e7] * 5


def test_a_run_gets_shared_platforms_as_they_are():
    """Neither of one cluster nor of several is anything made but the platform itself."""
    workload = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    for name in ("cisne-16", "cisne-844"):
        found = platform_named(name)
        assert machine_of(workload, None, found) is found
