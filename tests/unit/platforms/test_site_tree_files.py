"""Platform files of trees: paths of sites, sites of several kinds, and what is said about inner sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.model import Hardware, InnerSite, Platform, SharedCluster, Site, TimeSharedMachine, Workstation
from echelon.model.machines.inner_site import LEVELS
from echelon.platforms import platform_from_dict, read_platform, write_platform
from echelon.platforms.serialization import to_dict
from echelon.reports.checks import stated_platform

EXAMPLE = Path(__file__).parents[3] / "examples" / "platforms" / "federation.toml"

SITES = (
    '[[site]]\nname = "spain/uab/old"\nprocessors = 64\n'
    '[[site]]\nname = "desk"\nprocessors = 4\nqueue = "none"\ncount = 2\n'
    '[[site]]\nname = "spain/uab/lab"\ncontract = { mpl = 2 }\n[[site.node]]\ncount = 3\n'
    '[[site]]\nname = "spain/ub"\n[[site.node]]\nprocessor = { cores = 4, clock = "2 GHz" }\n'
)


def test_sites_of_all_kinds_in_a_tree(read):
    """Names are paths, each site has its own kind, and their order is that of the file."""
    found = read(SITES)
    assert found.names == ("spain/uab/old", "desk-1", "desk-2", "spain/uab/lab", "spain/ub")
    kinds = [int, TimeSharedMachine, TimeSharedMachine, SharedCluster, Hardware]
    assert [type(site.resource) for site in found.sites] == kinds
    assert (found.inner_paths, found.inner) == (("", "spain", "spain/uab"), ())


def test_inner_sites_say_who_decides(read):
    """A group has specs, numbers, and times with or without a unit; what it leaves out is not there."""
    found = read(
        SITES + '[[group]]\npath = ""\n[[group]]\npath = "spain"\nbroker = "mct"\nadmissible = 0.5\n'
        'decision_time = "2 s"\nrefresh = "1 min"\n[[group]]\npath = "spain/uab"\nrefresh = 60\n'
        'admissible = "0.5:equal-sizes"\n'
    )
    assert found.inner == (
        InnerSite(""),
        InnerSite("spain", broker="mct", admissible=0.5, decision_time=2.0, refresh=60.0),
        InnerSite("spain/uab", admissible="0.5:equal-sizes", refresh=60.0),
    )


def test_inner_sites_say_what_is_known_and_where_jobs_wait(read, wrong):
    """A level of information, a global queue and the limit of queues below it, each as a spec."""
    site = '[[site]]\nname = "a"\nprocessors = 1\n'
    group = '[[group]]\npath = ""\ninformation = {}\nglobal_queue = {}\nqueue_limit = {}\n'
    found = read(group.format('"job-counts"', '"nb"', 2) + site)
    assert found.inner == (InnerSite("", information="job-counts", global_queue="nb", queue_limit=2),)
    said = "; ".join(wrong(group.format('"all"', 1, -1) + site))
    assert "information: got 'all', expected one of sites, job-counts, job-sizes, estimates, sch" in said
    assert "global_queue: got 1, expected the spec of a global queue in quotes" in said
    assert "queue_limit: got -1, expected a whole number >= 0, or a spec in quotes" in said


def test_the_root_of_a_flat_platform(read):
    """Sites without paths have one inner site, the root, which may be named."""
    found = read('[[group]]\npath = ""\nbroker = "mct"\n[[site]]\nname = "a"\nprocessors = 1\n')
    assert found.inner == (InnerSite("", broker="mct"),)


def test_all_mistakes_of_names_and_groups(wrong):
    """Each has its line, what was got, what is expected, and the nearest that is known."""
    assert wrong(
        '[[site]]\nname = "a//b"\nprocessors = 1\n'
        '[[site]]\nname = "spain/uab"\nprocessors = 1\n'
        '[[site]]\nname = "spain/uab/x"\nprocessors = 1\n'
        '[[site]]\nname = "/"\nprocessors = 1\nqueue = "none"\n'
        '[[site]]\nname = "1/2/3/4/5/6/7/8/9"\ncontract = {}\n[[site.node]]\ncount = 1\n'
        '[[group]]\npath = "spayn"\nbrokr = "mct"\n'
        '[[group]]\npath = "spain"\nbroker = ""\nadmissible = 0\ndecision_time = -1\nrefresh = "2 km"\n'
        '[[group]]\npath = "spain"\nadmissible = " "\n'
        '[[group]]\nbroker = "mct"\n'
        '[[group]]\npath = "nowhere"\n'
    ) == [
        "line 2, site 1, name: got 'a//b', expected a name in quotes, or at most 8 with \"/\" between them",
        "line 5, site 2, name: got 'spain/uab', which site 3 (line 8) is within, expected another name",
        "line 11, site 4, name: got '/', expected a name in quotes, or at most 8 with \"/\" between them",
        "line 15, site 5, name: got '1/2/3/4/5/6/7/8/9', expected a name in quotes, or at most 8 with \"/\" "
        "between them",
        "line 20, group 1, path: got 'spayn', expected the path of an inner site, did you mean 'spain'?",
        "line 21, group 1: unknown key 'brokr' (got 'mct'), did you mean 'broker'?",
        "line 24, group 2, broker: got '', expected the spec of a broker in quotes",
        "line 25, group 2, admissible: got 0, expected a number > 0 and <= 1, or a spec in quotes",
        'line 26, group 2, decision_time: got -1, expected a number >= 0 of s or a text such as "30 s", '
        'or "own"',
        "line 27, group 2, refresh: got '2 km', expected a number >= 0 of s or a text such as \"30 s\"",
        "line 29, group 3, path: got 'spain', as group 2 (line 23) has, expected another path",
        "line 30, group 3, admissible: got ' ', expected a number > 0 and <= 1, or a spec in quotes",
        "line 31, group 4, path: is missing, expected text in quotes",
        "line 34, group 5, path: got 'nowhere', expected the path of an inner site, known are \"\", spain, "
        "spain/uab",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('group = 3\n[[site]]\nname = "a"\nprocessors = 1\n', "group: got 3, expected [[group]] tables"),
        ('group = []\n[[site]]\nname = "a"\nprocessors = 1\n', "group: got none, expected [[group]] tables"),
        ('[[group]]\npath = ""\n', "at least one [[site]] table"),
        (
            '[[group]]\npath = "a"\n[[site]]\nname = "a"\nprocessors = 1\n',
            "expected the path of an inner site",
        ),
        ('[[group]]\npath = ""\n[[node]]\nprocessor = { cores = 1, clock = 1 }\n', "unknown key 'group'"),
        (SITES + '[[site]]\nname = "desk-2/x"\nprocessors = 1\n', "got 'desk-2', which site 5 (line 19) is"),
        (SITES + '[[site]]\nname = "a:b/x"\nprocessors = 1\n', "expected none of ( ) , : = @ in a name with"),
        (SITES.replace("count = 2\n", 'count = 2\ngroup = "x"\n'), "unknown key 'group' (got 'x')"),
    ],
)
def test_what_else_is_refused(wrong, text, said):
    """Tables of another kind, groups without sites, and counted sites that others are within."""
    assert [sentence for sentence in wrong(text) if said in sentence]


def test_a_machine_may_be_called_like_a_path(read):
    """The name of a file of one machine is a title: its only site is no path."""
    found = read('name = "a/b"\n[[node]]\nprocessor = { cores = 1, clock = 1 }\n')
    assert (found.name, found.names, found.hardware.name) == ("a/b", ("a-b",), "a/b")


def test_the_same_in_json(read):
    """A JSON file says the same as TOML, with its mistakes by path."""
    made = read(SITES + '[[group]]\npath = "spain"\nbroker = "mct"\n')
    assert read(json.dumps(to_dict(made)), "tree.json") == made


def test_a_report_knows_the_inner_sites(read):
    """A report reads the tree of a run's sites, and what is said about it, from run.json."""
    counted = '[[site]]\nname = "a/b"\nprocessors = 1\n[[group]]\npath = "a"\nbroker = "mct"\n'
    made = read(counted)
    assert stated_platform({"platform": to_dict(made)}) == made


def test_the_example_has_three_levels():
    """The example platform is a tree of all kinds of sites, whose inner sites name their brokers."""
    found = read_platform(EXAMPLE)
    assert found.tree.depth == 3
    assert found.is_mixed
    assert {one.path: one.settings["broker"] for one in found.inner} == {"": "mct", "spain": "mpl"}


COMPONENT = st.sampled_from(["a", "b c", "ü", '"', "1.2"])
PATHS = st.lists(
    st.lists(COMPONENT, min_size=1, max_size=4).map("/".join), min_size=1, max_size=6, unique=True
)
LEAVES = PATHS.map(
    lambda paths: [one for one in paths if not any(other.startswith(f"{one}/") for other in paths)]
)
RESOURCE = st.sampled_from([3, TimeSharedMachine(2, 0.5), SharedCluster((Workstation(),) * 2)])
TIME = st.none() | st.floats(0, 1e9)
LEVEL = st.none() | st.sampled_from(LEVELS)
LIMIT = st.none() | st.integers(0, 9) | st.just("stable")
ADMISSIBLE = st.none() | st.just("0.5:equal-sizes") | st.floats(1e-9, 1)


@st.composite
def trees(draw: st.DrawFn) -> Platform:
    """Draw a tree of sites some of whose inner sites say something."""
    sites = tuple(Site(name, draw(RESOURCE)) for name in draw(LEAVES))
    inner = draw(st.lists(st.sampled_from(Platform(sites).inner_paths), unique=True, max_size=3))
    said = (
        InnerSite(
            path,
            broker=draw(st.none() | COMPONENT),
            admissible=draw(ADMISSIBLE),
            decision_time=draw(TIME),
            refresh=draw(TIME),
            information=draw(LEVEL),
            global_queue=draw(st.none() | COMPONENT),
            queue_limit=draw(LIMIT),
        )
        for path in inner
    )
    return Platform(sites, "tree", inner=tuple(said))


@given(trees())
def test_any_tree_is_read_back(tmp_path_factory, made):
    """A tree is the same after a file, and after the plain values that run.json holds."""
    path = write_platform(made, tmp_path_factory.getbasetemp() / "tree.toml")
    assert read_platform(path) == made
    assert platform_from_dict(json.loads(json.dumps(to_dict(made), allow_nan=False))) == made
