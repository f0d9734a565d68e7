"""Machines without queues in platform files: what is read, what is refused, what is written, the presets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.model import Platform, Site, TimeSharedMachine
from echelon.platforms import platform_from_dict, platform_named, read_platform, write_platform
from echelon.platforms.serialization import to_dict

OLD = '[[site]]\nname = "old"\nprocessors = 2\nqueue = "none"\nspeed = 0.5\n'


def test_all_that_a_site_without_a_queue_may_say(read):
    """Speed and count are read, a machine of speed 1 is the default, sites keep the order of the file."""
    found = read(f'{OLD}count = 2\n[[site]]\nname = "new"\nprocessors = 1\nqueue = "none"\n')
    assert found.sites == (
        Site("old-1", TimeSharedMachine(2, 0.5)),
        Site("old-2", TimeSharedMachine(2, 0.5)),
        Site("new", TimeSharedMachine(1)),
    )
    assert found.is_immediate


def test_power_may_stand_below(read):
    """What a machine draws is said as of any site."""
    power = "[site.power]\nsite_idle = 1\nboard_idle = 1\ncore_idle = 1\ncore_working = 2\nefficiency = 1\n"
    assert read(OLD + power).sites[0].power.core_working == 2


def test_all_mistakes_at_once(wrong):
    """Each has its line, its site, what was got and what is expected."""
    assert wrong(
        '[[site]]\nname = "a"\nqueue = "fcfs"\nspeed = 0\ncount = 0\nspede = 3\n'
        '[[site]]\nname = "b"\nprocessors = 4\nspeed = inf\n'
        '[[site]]\nname = "c"\nprocessors = 0\n'
    ) == [
        "line 1, site 1, processors: is missing, expected a whole number from 1 to 2147483647",
        "line 3, site 1, queue: got 'fcfs', expected \"none\", or no such key",
        "line 4, site 1, speed: got 0, expected a number > 0",
        "line 5, site 1, count: got 0, expected a whole number from 1 to 1000000",
        "line 6, site 1: unknown key 'spede' (got 3), did you mean 'speed'?",
        'line 7, site 2, queue: is missing, expected "none", or no such key',
        "line 10, site 2, speed: got inf, expected a number > 0",
        "line 13, site 3, processors: got 0, expected a whole number from 1 to 2147483647",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OLD + "contract = {}\n[[site.node]]\n", "unknown key 'queue'"),
        (OLD + "[[site.node]]\ncount = 2\n", "unknown key 'node'"),
        (OLD + OLD, "got 'old', as site 1 (line 2) is named"),
        (OLD + "count = 2\n" + OLD.replace("old", "old-1"), "two sites 'old-1' by counting"),
        (OLD.replace("= 2", "= 2147483647") + "count = 2\n", "all sites together"),
        (f'queue = "none"\n{OLD}', "unknown key 'queue'"),
    ],
)
def test_what_else_is_refused(wrong, text, said):
    """Parts that contradict each other are told, and where."""
    assert [sentence for sentence in wrong(text) if said in sentence]


def test_the_same_in_json(read):
    """A JSON file says the same as TOML, with all that `echelon platforms --json` prints."""
    told = to_dict(read(OLD))
    assert read(json.dumps({"processors": 2, **told}), "desk.json").sites == read(OLD).sites


machines = st.builds(
    TimeSharedMachine,
    st.integers(1, 64),
    st.floats(min_value=1e-9, max_value=1e9, allow_nan=False) | st.integers(1, 9),
)


@given(st.lists(machines, min_size=1, max_size=4))
def test_what_is_written_is_read_back(tmp_path_factory, found):
    """Any such grid is the same after a file, and after the plain values that run.json holds."""
    sites = tuple(Site(f"m {k}", machine) for k, machine in enumerate(found))
    made = Platform(sites, "desks")
    path = write_platform(made, tmp_path_factory.getbasetemp() / "desks.toml")
    assert read_platform(path) == made
    assert platform_from_dict(json.loads(json.dumps(to_dict(made), allow_nan=False))) == made


@pytest.mark.parametrize(
    ("name", "counts", "capacity"),
    [
        ("rh", (10, 0, 0, 0), 10),
        ("rbu", (5, 5, 0, 0), 7.5),
        ("rbd", (2, 8, 0, 0), 6),
        ("rbe", (8, 2, 0, 0), 9),
        ("rau", (2, 2, 2, 2), 3.75),
        ("rab", (1, 4, 4, 1), 4.125),
        ("rad", (2, 0, 0, 8), 3),
        ("rae", (8, 0, 0, 2), 8.25),
    ],
)
def test_presets_are_the_scenarios_of_the_study(name, counts, capacity):
    """Machines of one processor by type, as Table 1 prints them, and the source is said."""
    found = platform_named(f"sinapad-{name}")
    speeds = [site.resource.speed for site in found.sites]
    assert tuple(speeds.count(speed) for speed in (1, 0.5, 0.25, 0.125)) == counts
    assert (sum(speeds), set(found.sizes.tolist())) == (capacity, {1})
    assert "Table 1" in found.source
