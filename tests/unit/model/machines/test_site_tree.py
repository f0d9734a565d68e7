"""The tree of a platform: which sites its names span, and what is said about them."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import InnerSite, Platform, SharedCluster, Site, SiteTree, TimeSharedMachine, Workstation
from echelon.model.machines.site_path import MOST_DEPTH, above

NESTED = Platform(
    (
        Site("spain/uab/old", 8),
        Site("desk", TimeSharedMachine(2)),
        Site("italy", 64),
        Site("spain/ub", 16),
        Site("spain/uab/new", SharedCluster((Workstation(),) * 4)),
    ),
    "europe",
    inner=(InnerSite("spain/uab", broker="mct", refresh=60), InnerSite("", admissible=0.5)),
)


def shape(tree: SiteTree) -> list[object]:
    """Return a tree as nested lists: paths and indices of leaves."""
    return [tree.path, *(child if isinstance(child, int) else shape(child) for child in tree.children)]


def test_the_tree_of_names():
    """Each beginning of a name is an inner site, children in order of first appearance, leaves by index."""
    assert shape(NESTED.tree) == ["", ["spain", ["spain/uab", 0, 4], 3], 1, 2]
    assert NESTED.inner_paths == ("", "spain", "spain/uab")
    assert (NESTED.is_nested, NESTED.tree.depth) == (True, 3)


def test_every_inner_site_counts_what_is_below_it():
    """Leaves ascend, processors add up, and the largest job is that of one leaf."""
    found = {tree.path: (tree.leaves(), tree.processors, tree.largest_job) for tree in NESTED.tree.inner()}
    assert found == {
        "": ((0, 1, 2, 3, 4), 94, 64),
        "spain": ((0, 3, 4), 28, 16),
        "spain/uab": ((0, 4), 12, 8),
    }


def test_what_is_said_stands_in_the_tree():
    """An inner site that the platform names has what it says; others have nothing."""
    said = {tree.path: tree.described for tree in NESTED.tree.inner()}
    assert said == {"": NESTED.inner[1], "spain": InnerSite("spain"), "spain/uab": NESTED.inner[0]}


def test_children_have_paths():
    """A child's path is its leaf's name, or that of the inner site."""
    uab = next(tree for tree in NESTED.tree.inner() if tree.path == "spain/uab")
    assert [NESTED.tree.child_path(k) for k in range(3)] == ["spain", "desk", "italy"]
    assert [uab.child_path(k) for k in range(2)] == ["spain/uab/old", "spain/uab/new"]


def test_names_without_paths_are_below_the_root():
    """A flat platform is a root with its sites, in their order."""
    flat = Platform.of_sizes([8, 4])
    assert (shape(flat.tree), flat.is_nested, flat.inner_paths) == (["", 0, 1], False, ("",))


def test_trees_are_equal_by_what_they_are():
    """Platforms with the same sites and controllers are equal and hash alike; others are not."""
    again = Platform(NESTED.sites, "europe", inner=NESTED.inner)
    assert (again == NESTED, hash(again) == hash(NESTED)) == (True, True)
    assert Platform(NESTED.sites, "europe") != NESTED


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/a", "must have a name before and after each \"/\", got '/a'"),
        ("a/", "must have a name before and after"),
        ("a//b", "must have a name before and after"),
        ("a/ /b", "must have a name before and after"),
        ("a/" * MOST_DEPTH + "b", f"must have at most {MOST_DEPTH} components, has {MOST_DEPTH + 1}"),
        ("", "must be a name, got ''"),
        ("a@b/c", r"must have none of \( \) , : = @ in its components, and none that is \*, got 'a@b/c'"),
        ("a/b=c", "must have none of"),
        ("*/b", "must have none of"),
    ],
)
def test_what_is_no_path_is_refused(name, said):
    """A component must say something that a setting by path can name, and there may be eight of them."""
    with pytest.raises(InputError, match=f"site name: {said}"):
        Site(name, 1)
    Site("/".join("a" * MOST_DEPTH), 1)


def test_no_site_is_within_a_machine():
    """A name is a leaf or an inner site, not both, whichever comes first."""
    for names in (("a/b", "a/b/c"), ("a/b/c", "a/b")):
        with pytest.raises(InputError, match="has site 'a/b/c' within site 'a/b'"):
            Platform(tuple(Site(name, 1) for name in names))
    assert Platform((Site("a/b", 1), Site("a/bc", 1))).tree.largest_job == 1


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        ((InnerSite("spain"), InnerSite("spain")), "describes inner site 'spain' twice"),
        ((InnerSite("italy"),), "describes 'italy', which is no inner site; it has '', 'spain', 'spain/uab'"),
        ((InnerSite("spain/uab/x"),), "describes 'spain/uab/x', which is no inner site"),
    ],
)
def test_controllers_of_inner_sites_alone(inner, said):
    """What is said is said once, and of what is an inner site."""
    with pytest.raises(InputError, match=said):
        Platform(NESTED.sites, "europe", inner=inner)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"path": "a//b"}, "path of an inner site: must have a name"),
        ({"path": 3}, "path of an inner site: must be a name, got 3"),
        (
            {"broker": " "},
            "'a', broker: must be the spec of a broker, such as mct:of=job, got ' '",
        ),
        ({"admissible": 0}, "admissible: must be a number above 0 and at most 1, or a spec, got 0"),
        ({"admissible": 1.1}, "admissible: must be a number above 0"),
        ({"admissible": True}, "admissible: must be a number above 0"),
        ({"decision_time": -1}, 'decision_time: must be a finite number >= 0, or "own", got -1'),
        ({"refresh": float("inf")}, "refresh: must be a finite number >= 0, got inf"),
        ({"refresh": float("nan")}, "refresh: must be a finite number >= 0, got nan"),
        ({"refresh": "60"}, "refresh: must be a finite number >= 0, got '60'"),
        ({"information": "all"}, "information: must be one of sites, job-counts, .* got 'all'"),
        ({"global_queue": 3}, "global_queue: must be the spec of a global queue, such as fpfs, got 3"),
        ({"queue_limit": -1}, "queue_limit: must be a whole number >= 0, or a spec, got -1"),
        ({"queue_limit": 1.5}, "queue_limit: must be a whole number >= 0, or a spec, got 1.5"),
    ],
)
def test_settings_of_a_controller_are_in_range(values, said):
    """Each value is checked for its type and range; specs are kept as they are."""
    with pytest.raises(InputError, match=said):
        InnerSite(**{"path": "a", **values})
    kept = InnerSite("a", broker="no such", admissible="0.5:equal-sizes", decision_time=0, policy=None)
    assert kept.settings == {"broker": "no such", "admissible": "0.5:equal-sizes", "decision_time": 0}


def test_beginnings_of_a_path():
    """The inner sites around a site go from the root inwards."""
    assert above("a/b/c") == ["", "a", "a/b"]
