"""Site filters, by hand: what each leaves out, their specs, and what they refuse."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Application, Job
from echelon.policies import Information
from echelon.policies.broker.site_filter import SITE_FILTERS, EveryFilter, format_site_filter, site_filter


def job(position=0, executable=-1, application=None):
    """Return a job of an executable or an application."""
    return Job(position, position + 1, 0.0, 1, 10.0, executable=executable, application=application)


MATRIX = Application("matrix", library="mpi")


@dataclass
class Told:
    """A view that says of each site its memory in use, its fullest node, and what runs there."""

    memory: tuple = (0.0,)
    fullest: tuple = (0,)
    jobs: tuple = ((),)

    def memory_use(self, site):
        return self.memory[site]

    def fullest_node(self, site):
        return self.fullest[site]

    def running_at(self, site):
        return self.jobs[site]


def passing(spec, arriving, view, sites):
    """Return the sites that pass."""
    chosen = site_filter(spec)
    return [site for site in range(sites) if chosen.passes(arriving, site, view)]


def test_a_site_with_as_many_tasks_in_a_node_is_left_out():
    """Of sites with at most 0, 2, 3 and 4 tasks in a node, mpl-below:3 leaves the first two."""
    assert passing("mpl-below:3", job(), Told(fullest=(0, 2, 3, 4)), 4) == [0, 1]


def test_a_site_with_as_much_memory_in_use_is_left_out():
    """Of sites with 0, 59, 60 and 90 % in use, memory:0.6 leaves the first two."""
    assert passing("memory-below:0.6", job(), Told(memory=(0.0, 0.59, 0.6, 0.9)), 4) == [0, 1]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("not-running:same", [0, 2, 3]),
        ("not-running:other", [0, 1]),
        ("not-running:7", [0, 2, 3]),
        ("not-running:8", [0, 1, 3]),
        ("not-running:MPI", [0, 1, 2]),
        ("not-running:matrix", [0, 1, 2]),
    ],
)
def test_a_site_where_jobs_of_a_type_run_is_left_out(spec, expected):
    """Sites with nothing, executable 7, executables 8 and 9, and an application; the job is of 7."""
    view = Told(jobs=((), (job(1, 7),), (job(2, 8), job(3, 9)), (job(4, 3, MATRIX),)))
    assert passing(spec, job(0, 7), view, 4) == expected


def test_several_filters_leave_out_what_one_leaves_out():
    """The second site has too many tasks, the third too little memory."""
    view = Told(memory=(0.2, 0.2, 0.9), fullest=(1, 2, 1))
    assert passing("mpl-below:2+memory-below:0.8", job(), view, 3) == [0]


def test_specs_come_back():
    """Canonical specs give the same filters again; none is none."""
    for spec in (
        "mpl-below:3",
        "memory-below:0.5",
        "not-running:same",
        "mpl-below:3+memory-below:0.5+not-running:mpi",
    ):
        assert format_site_filter(site_filter(spec)) == spec
        assert site_filter(format_site_filter(site_filter(spec))) == site_filter(spec)
    three = site_filter("mpl-below:3")
    assert site_filter("mpl-below(tasks=3)") == site_filter([three.filters[0]]) == three
    assert site_filter("none") == site_filter(None) == EveryFilter()
    assert (format_site_filter(EveryFilter()), format_site_filter(None)) == ("none", None)


def test_filters_say_what_they_need():
    """Several need as much as the one that needs most."""
    assert site_filter("mpl-below:3").information == Information.JOB_SIZES
    assert site_filter("mpl-below:3+not-running:same").information == Information.ESTIMATES
    assert site_filter(None).information == Information.SITES
    assert [rule.name for rule in SITE_FILTERS] == ["mpl-below", "memory-below", "not-running"]


@pytest.mark.parametrize(
    "spec",
    [
        "mpl-below:0",
        "mpl-below:1.5",
        "memory-below:0",
        "memory-below:1.1",
        "memory-below:nan",
        "not-running:kind= ",
        "mpl-below:x",
        "mpl-below:3++memory-below:1",
    ],
)
def test_wrong_specs_are_refused(spec):
    """Out of range, without what they need, or empty."""
    with pytest.raises(InputError):
        site_filter(spec)


def test_an_unknown_filter_is_refused():
    """With the known ones."""
    with pytest.raises(UnknownNameError, match=r"site filter.*'load'"):
        site_filter("load:3")
