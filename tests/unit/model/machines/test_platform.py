"""Sites: what their resource may be, and how many processors it has."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Site,
    SocialContract,
    TimeSharedMachine,
    Workstation,
)
from echelon.model.topology import topology_named

THIN = Node((Processor((Core(2e9),) * 4), Processor((Core(1e9),) * 2)), memory=64e9, name="thin")
PLAIN = Node((Processor((Core(1e9),)),))
WEST = Hardware((Cluster((THIN, THIN), "first"), Cluster((PLAIN,))), topology_named("star"), "west")
EAST = Hardware((Cluster((THIN,)),), name="east")
MIXED = Platform(
    (
        Site("counted", 100),
        Site("a/west", WEST),
        Site("shared", SharedCluster((Workstation(),) * 3, SocialContract(mpl=9))),
        Site("desk", TimeSharedMachine(8)),
        Site("east", EAST),
    ),
    "mixed",
)


def test_a_number_of_numpy_is_a_number_of_processors():
    """Sizes come from arrays, too, whose numbers are not Python's own."""
    site = Site("a", np.int64(8))
    assert (site.processors, site.largest_job) == (8, 8)
    assert Platform((site,)).processors == 8


@pytest.mark.parametrize("resource", ["8", 2.5, True, None, 0, 2**31])
def test_what_is_no_resource_is_refused(resource):
    """Whatever is neither a number of processors nor a machine is one sentence with the site's name."""
    with pytest.raises(InputError, match="processors of site 'a': must be a whole number from 1 to"):
        Site("a", resource)


def test_each_resource_counts_its_own_processors():
    """A time-shared machine has its processors; shared nodes hold a job of one task each, and more tasks."""
    shared = SharedCluster((Workstation(),) * 3, SocialContract(mpl=2))
    sites = Site("a", TimeSharedMachine(4, 0.5)), Site("b", shared)
    assert [(site.processors, site.largest_job) for site in sites] == [(4, 4), (6, 3)]


def test_sites_of_all_kinds_stand_in_one_platform():
    """What all sites are is asked of the platform; what some are is a tuple or mapping of these."""
    assert (MIXED.is_mixed, MIXED.is_shared, MIXED.is_immediate) == (True, False, False)
    assert (len(MIXED.clusters), len(MIXED.time_shared)) == (1, 1)
    assert list(MIXED.node_level) == ["a/west", "east"]
    assert MIXED.processors == 100 + 13 + 27 + 8 + 6
    assert not Platform((Site("a", 4), Site("b", np.int64(2)))).is_mixed


def test_nodes_of_all_sites_are_one_machine():
    """Nodes follow each other in the order of sites; their names and clusters' say whose they are."""
    every = MIXED.all_nodes
    assert [node.name for node in every.nodes] == ["a/west/thin", "a/west/thin", "", "east/thin"]
    assert [cluster.name for cluster in every.clusters] == ["a/west/first", "a/west/cluster", "east/cluster"]
    assert every.nodes[0] is every.nodes[1]
    assert (every.topology, every.cores, every.name) == (None, 19, "mixed")
    assert every.core_speed.tolist() == [*WEST.core_speed.tolist(), *EAST.core_speed.tolist()]
    assert MIXED.all_nodes is every


def test_offsets_of_the_sites_nodes():
    """Each site's nodes, processors and cores begin where those before end; sites without nodes have none."""
    assert MIXED.first_node.tolist() == [0, 0, 3, 3, 3, 4]
    assert MIXED.first_processor.tolist() == [0, 0, 5, 5, 5, 7]
    assert MIXED.first_core.tolist() == [0, 0, 13, 13, 13, 19]
    assert not MIXED.first_core.flags.writeable


def test_no_nodes_are_no_machine():
    """A platform whose sites count processors has no nodes to join."""
    with pytest.raises(InputError, match="needs at least one cluster"):
        Platform.of_sizes([4]).all_nodes  # noqa: B018
    assert Platform.of_sizes([4, 2]).first_core.tolist() == [0, 0, 0]


def test_sizes_are_the_largest_jobs():
    """By size a site of shared nodes stands where its nodes put it, unless all sites have shared nodes."""
    assert MIXED.largest_jobs.tolist() == [100, 13, 3, 8, 6]
    assert MIXED.by_size.tolist() == [2, 4, 3, 1, 0]
    assert MIXED.smallest_sites(np.array([3, 4, 7, 9, 14])).tolist() == [2, 4, 3, 1, 0]
    nodes = (Workstation(),) * 3
    lab, hall = SharedCluster(nodes * 2, SocialContract(mpl=1)), SharedCluster(nodes, SocialContract(mpl=4))
    labs = Platform((Site("hall", hall), Site("lab", lab)))
    assert labs.by_size.tolist() == [1, 0]
    assert labs.smallest_sites(np.array([3, 4])).tolist() == [0, 1]


def test_the_largest_job_of_all_sites_together():
    """Only sites of shared nodes run a job together, and another site may still be larger."""
    nodes = (Workstation(),) * 30
    sites = Site("a", SharedCluster(nodes)), Site("b", SharedCluster(nodes)), Site("c", 50)
    assert Platform(sites).largest_job(spanning=True) == 60
    assert (MIXED.largest_job(spanning=True), MIXED.largest_job()) == (100, 100)


def test_the_largest_job_of_the_clusters_of_an_inner_site_together():
    """Clusters run a job with those right below the same inner site, if that is one of those named."""
    lab = SharedCluster((Workstation(),) * 4)
    sites = (Site("a/x", lab), Site("a/y", lab), Site("a/b/z", lab), Site("c", 6), Site("w", lab))
    platform = Platform(sites)
    found = [platform.largest_joint_job(where) for where in (False, (), ("a/b",), ("a", "a/b"), ("",), True)]
    assert found == [0, 0, 4, 8, 4, 8]
    assert (platform.largest_job(spanning=("a/b",)), platform.largest_job(spanning=("a",))) == (6, 8)


def test_homes_by_path_or_last_component():
    """A site is known by its whole name, and by its last component where no other site has that one."""
    names = "a/x", "b/x", "b/y", "y", "c/z"
    assert Platform(tuple(Site(name, 1) for name in names)).homes == {
        **{"a/x": 0, "b/x": 1, "b/y": 2, "y": 3, "c/z": 4},
        "z": 4,
    }


def test_only_time_shared_machines_have_a_speed():
    """The speed of a site is its time-shared machine's, and 1 of all others."""
    assert [site.speed for site in MIXED.sites] == [1, 1, 1, 1, 1]
    assert Site("a", TimeSharedMachine(4, 0.5)).speed == 0.5
