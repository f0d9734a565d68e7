"""Owners at work: how many, where, when they change, in bursts, and the specs for them."""

from __future__ import annotations

from itertools import islice, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError, UnknownNameError
from echelon.model import AWAY, LocalLoadModel, LocalUse, NoLocalLoad, Platform
from echelon.platforms import platform_named
from echelon.workloads.local_users import LOCAL_USERS, PROFILES, Owners, local_users

PLATFORM = platform_named("cisne-844")
"""Clusters of 4, 4 and 8 nodes."""

XWIN = LocalUse(0.15, 0.35, 638.0)


def places(text: str, seed: int = 0) -> list[tuple[int, int]]:
    """Return the nodes with an owner at second 0."""
    found = takewhile(lambda change: change.time == 0, local_users(text).changes(PLATFORM, seed))
    return [(change.site, change.node) for change in found]


def state_after(text: str, time: float, seed: int = 0) -> dict[tuple[int, int], LocalUse]:
    """Return what owners use who are at work just after a time."""
    state: dict[tuple[int, int], LocalUse] = {}
    for change in takewhile(lambda change: change.time <= time, local_users(text).changes(PLATFORM, seed)):
        state[change.site, change.node] = change.use
    return {place: use for place, use in state.items() if use.is_active}


def test_the_figures_of_the_profiles():
    """CPU and memory are shares, traffic is bytes received and sent; the laboratories are a mixture."""
    found = {profile.name: profile for profile in PROFILES}
    assert found["xwin"].uses == (XWIN,)
    assert found["internet"].uses == (LocalUse(0.2, 0.6, 3650.0),)
    assert found["shell"].uses == (LocalUse(0.25, 0.2, 111.0),)
    assert found["xwin-internet"].uses == (LocalUse(0.15, 0.35, 500_000.0),)
    assert found["labs"].shares == (0.62, 0.33, 0.05)
    assert ("none", *found) == LOCAL_USERS


@pytest.mark.parametrize(("share", "nodes"), [(0, 0), (0.03, 0), (0.04, 1), (0.3, 5), (0.6, 10), (1, 16)])
def test_a_share_of_the_nodes_has_an_owner(share, nodes):
    """The share is rounded to the nearest number of nodes, halves up; nobody changes afterwards."""
    changes = list(local_users(f"xwin:share={share}").changes(PLATFORM, 1))
    assert len({(change.site, change.node) for change in changes}) == len(changes) == nodes
    assert all(change[0] == 0 and change.use == XWIN for change in changes)


def test_seeds_decide_and_shares_nest():
    """The same seed gives the same nodes, another others; more owners are those of before and some more."""
    assert places("xwin:share=0.5", 1) == places("xwin:share=0.5", 1) != places("xwin:share=0.5", 2)
    some, more = set(places("xwin:share=0.3", 1)), set(places("xwin:share=0.6", 1))
    assert some < more
    few, many = state_after("labs:share=0.4", 0, 3), state_after("labs:share=0.9", 0, 3)
    assert few.items() <= many.items()


@pytest.mark.slow
def test_uniform_owners_are_anywhere():
    """Over many seeds each node has an owner as often as any other."""
    counts = dict.fromkeys([(s, n) for s, size in enumerate((4, 4, 8)) for n in range(size)], 0)
    for seed in range(400):
        for place in places("xwin:share=0.25", seed):
            counts[place] += 1
    assert min(counts.values()) > 65
    assert max(counts.values()) < 140


def test_grouped_owners_fill_one_cluster_after_another():
    """Six of 16 nodes are the first cluster of four and two nodes of the second, any two."""
    found = [places("xwin:share=0.375:spread=grouped", seed) for seed in range(20)]
    assert all([place for place in one if place[0] == 0] == [(0, k) for k in range(4)] for one in found)
    assert all(len([place for place in one if place[0] == 1]) == 2 for one in found)
    assert len(set(map(tuple, found))) > 3


def test_owners_of_some_clusters_alone():
    """Clusters go by name or number; the share is of their nodes, and they are filled in that order."""
    assert {site for site, _ in places("xwin:clusters=large")} == {2}
    assert len(places("xwin:share=0.5:clusters=2 small-1")) == 6
    assert places("xwin:share=0.7:spread=grouped:clusters=large small-1")[-8:] == [(2, k) for k in range(8)]
    with pytest.raises(UnknownNameError, match=r"no cluster \(of 3, from number 0 on\) is named 'big'"):
        places("xwin:clusters=big")
    with pytest.raises(UnknownNameError, match="is named '3'"):
        places("xwin:clusters=3")
    with pytest.raises(InputError, match="names a cluster twice"):
        places("xwin:clusters=0 small-1")


def test_a_period_moves_owners():
    """As many nodes have an owner after each draw, on others; who stays is not told again."""
    text = "xwin:share=0.5:period=60"
    first, second, later = (set(state_after(text, time)) for time in (59, 60, 6000))
    assert len(first) == len(second) == len(later) == 8
    assert len({frozenset(first), frozenset(second), frozenset(later)}) == 3
    changes = list(islice(local_users(text).changes(PLATFORM, 0), 300))
    assert [change.time % 60 for change in changes] == [0.0] * 300
    at_60 = [change for change in changes if change.time == 60]
    assert len(at_60) == len(first ^ second)
    assert {(c.site, c.node) for c in at_60 if c.use == AWAY} == first - second


def test_grouped_owners_move_from_cluster_to_cluster():
    """In each period another cluster is the first to be filled; one and a half move on by one."""
    text = "xwin:share=0.25:spread=grouped:period=10"
    assert [{site for site, _ in state_after(text, time)} for time in (0, 10, 20, 30)] == [
        {0},
        {1},
        {2},
        {0},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "xwin:share=0:period=5",
        "xwin:period=5",
        "xwin:cpu=0:memory=0:network=0:period=5:share=0.5",
        "xwin:cpu=0:network=0:burst=5",
        "xwin:cpu=1:burst=5",
        "xwin:share=0:burst=5:period=5",
    ],
)
def test_where_nothing_ever_changes_there_is_an_end(text):
    """An iterator that waited for a change that never comes would hang a run."""
    assert len(list(local_users(text).changes(PLATFORM, 0))) in (0, 16)


def test_bursts_keep_the_mean_and_the_memory():
    """A busy owner uses twice the mean, an idle one only memory; over a long time half of it each."""
    busy, seconds, last = 0.0, 200_000.0, 0.0
    was_busy = False
    changes = local_users("internet:burst=20").changes(_single(), 5)
    for change in takewhile(lambda change: change.time < seconds, changes):
        busy += (change.time - last) * was_busy
        last, was_busy = change.time, change.use.cpu > 0
        assert change.use in (LocalUse(0.4, 0.6, 7300.0), LocalUse(0.0, 0.6, 0.0))
    assert busy / seconds == pytest.approx(0.5, abs=0.02)


@pytest.mark.slow
def test_a_busy_processor_is_busy_longer():
    """An owner of 80 % of the CPU on average is busy 80 % of the time, with all of it."""
    uses = {
        change.use.cpu for change in islice(local_users("xwin:cpu=0.8:burst=10").changes(PLATFORM, 0), 200)
    }
    assert uses == {0.0, 1.0}
    busy = [
        len([u for u in state_after("xwin:cpu=0.8:burst=10", t).values() if u.cpu])
        for t in range(0, 3000, 50)
    ]
    assert sum(busy) / (16 * len(busy)) == pytest.approx(0.8, abs=0.06)


def _single() -> Platform:
    one = platform_named("cisne-16").sites[0].resource
    from echelon.model import SharedCluster, Site

    return Platform((Site("one", SharedCluster(one.nodes[:1])),))


def test_a_mixture_has_each_kind_by_its_share():
    """Over many draws 62, 33 and 5 % of the owners are of each kind."""
    cpus = [change.use.cpu for seed in range(200) for change in local_users("labs").changes(PLATFORM, seed)]
    for cpu, share in ((0.15, 0.62), (0.2, 0.33), (0.25, 0.05)):
        assert cpus.count(cpu) / len(cpus) == pytest.approx(share, abs=0.03)


def test_figures_in_place_of_the_profiles():
    """CPU, memory and network may be one's own."""
    (change, *_) = local_users("xwin:cpu=0.5:memory=0.1:network=2e6").changes(PLATFORM, 0)
    assert change.use == LocalUse(0.5, 0.1, 2e6)


rules = st.builds(
    Owners,
    st.sampled_from(PROFILES),
    st.floats(0, 1),
    st.sampled_from(["uniform", "grouped"]),
    st.sampled_from(["", "large", "0 2", "small-2 small-1"]),
    st.floats(0.5, 1e6) | st.just(float("inf")),
    st.just(0.0) | st.floats(0.1, 1e4),
    st.none() | st.floats(0, 1),
    st.none() | st.floats(0, 1),
    st.none() | st.floats(0, 1e9),
)


@given(rules, st.integers(0, 5))
def test_any_owners_read_back_and_keep_time(owners, seed):
    """Words make the same rule; changes go by time, are seen to change, and are of nodes that are there."""
    assert isinstance(owners, LocalLoadModel)
    assert local_users(owners.spec) == owners
    changes = list(islice(owners.changes(PLATFORM, seed), 200))
    assert changes == list(islice(owners.changes(PLATFORM, seed), 200))
    assert [c.time for c in changes] == sorted(c.time for c in changes)
    state: dict[tuple[int, int], LocalUse] = {}
    for change in changes:
        place = change.site, change.node
        assert 0 <= change.node < len(PLATFORM.clusters[change.site])
        assert state.get(place, AWAY) != change.use
        assert 0 <= change.use.cpu <= 1
        state[place] = change.use


def test_words_of_the_field_mean_the_same():
    """XWindows+Internet is how the thesis writes its profile; none is nobody."""
    assert local_users("XWindows+Internet:share=0.5").spec == "xwin-internet:share=0.5"
    assert local_users("none") == local_users(None) == NoLocalLoad()
    assert local_users("labs:period=2min").spec == "labs:period=120"
    assert local_users("labs").spec == "labs"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("office", "no profile of local users is named 'office'"),
        ("xwin:shar=1", "no parameter of xwin is named 'shar'; did you mean 'share'"),
        ("xwin:share=1.5", "share must be from 0 to 1, got 1.5"),
        ("xwin:cpu=-1", "cpu must be from 0 to 1, got -1"),
        ("xwin:period=0", "period must be at least 0.001 s, got 0"),
        ("xwin:burst=inf", "burst must be 0, or at least 0.001 s and finite, got inf"),
        ("xwin:burst=1e-9", "burst must be 0, or at least 0.001 s and finite, got 1e-09"),
        ("xwin:network=-1", "network must be bytes a second >= 0 and finite, got -1"),
        ("xwin:spread=even", "must be uniform or grouped, got 'even'"),
        ("xwin:profile=labs", "no parameter of xwin is named 'profile'"),
        ("none:share=1", "takes no parameters, got share"),
        ("xwin::share=1", "must be parts joined by single colons: xwin:share=0.5:period=60"),
        ("", "must be parts joined by single colons"),
    ],
)
def test_what_is_refused(text, said):
    """Each mistake gets a sentence with what was got and what is expected."""
    with pytest.raises((InputError, UnknownNameError), match=said):
        local_users(text)


def test_what_is_no_local_users():
    """Numbers and classes are not taken; a platform without shared nodes has no owners."""
    for wrong in (3, Owners, NoLocalLoad):
        with pytest.raises(InputError, match="must be a spec or a profile of local users"):
            local_users(wrong)
    with pytest.raises(InputError, match="has no nodes with owners, as xwin needs"):
        local_users("xwin").changes(platform_named("grid3"), 0)
