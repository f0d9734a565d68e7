"""Stealing, followed by hand on a site of 4 and one of 8 processors."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies import broker_named
from echelon.policies.decentralized.sets import JobSets
from echelon.policies.decentralized.stealing import Stealing

SIZES = (4, 8)
"""At 50 %: A_1 = 3 to 4, B_1 = 1 to 2, A_2 = 5 to 8, B_2 and H_2 are empty."""


def test_large_jobs_hold_up_small_ones(run_on):
    """While a job of A_1 runs and another waits, a job of B_1 waits, too, although it would fit."""
    jobs = ((0, 100, 3), (0, 100, 8), (0, 50, 4), (0, 10, 1))
    assert run_on(SIZES, "stealing:50", *jobs) == [(0, 1), (0, 2), (100, 1), (100, 2)]


def test_small_jobs_run_beside_the_last_large_one(run_on):
    """When A_1 is empty, B_1 has its turn beside the job of A_1 that still runs."""
    assert run_on(SIZES, "stealing:50", (0, 100, 3), (0, 100, 8), (0, 10, 1))[2] == (0, 1)


def test_theft_frees_the_victim(run_on):
    """Site 2 steals both jobs of A_1 that do not fit site 1, which so turns to its B at the same instant."""
    jobs = ((0, 100, 3), (0, 100, 4), (0, 100, 4), (0, 10, 1))
    assert run_on(SIZES, "stealing:50", *jobs) == [(0, 1), (0, 2), (0, 2), (0, 1)]


def test_whether_a_thief_passes_over_a_list(run_on):
    """With 3 processors free site 2 cannot steal the job of A_1, but the one of B_1 behind it."""
    jobs = ((0, 100, 5), (0, 100, 4), (0, 100, 4), (0, 10, 1))
    assert run_on(SIZES, "stealing:50", *jobs)[3] == (0, 2)
    assert run_on(SIZES, "stealing:50:steals=first-list", *jobs)[3] == (100, 2)


def test_the_nearest_victim_first(run_on):
    """Site 3 steals from site 2 before site 1, though the job of site 1 came first."""
    jobs = ((0, 100, 2), (0, 100, 4), (1, 10, 2), (2, 10, 4), (0, 3, 4), (0, 100, 8))
    assert run_on((2, 4, 12), "stealing:50", *jobs) == [(0, 1), (0, 2), (13, 3), (3, 3), (0, 3), (0, 3)]


def test_the_largest_that_fits(run_on):
    """Best-fit fills ten processors with 5 and 4, first-fit with 2, 3 and 5."""
    jobs = ((0, 10, 2), (0, 10, 3), (0, 10, 5), (0, 10, 4))
    assert [start for start, _ in run_on((10,), "stealing:50", *jobs)] == [0, 0, 0, 10]
    assert [start for start, _ in run_on((10,), "stealing:50:fit=best-fit", *jobs)] == [10, 10, 0, 0]


def test_the_order_of_the_sets(run_on):
    """With B first the small job starts at once; with A first it waits for both large ones."""
    jobs = ((0, 10, 3), (0, 10, 4), (0, 10, 1))
    assert [start for start, _ in run_on((4,), "stealing:50", *jobs)] == [0, 10, 20]
    assert [start for start, _ in run_on((4,), "stealing:50:sets=BAH", *jobs)] == [0, 10, 0]


def test_exactly_half_a_site(run_on):
    """As a job of A, half a site goes before the whole site that came after it."""
    jobs = ((0, 10, 2), (0, 10, 4), (0, 10, 1))
    assert [start for start, _ in run_on((4,), "stealing:50", *jobs)] == [10, 0, 10]
    assert [start for start, _ in run_on((4,), "stealing:50:at-threshold=A", *jobs)] == [0, 10, 20]


@pytest.mark.parametrize("spec", ["stealing:0", "stealing:100"])
def test_one_queue_a_site(run_on, spec):
    """Without a boundary each site has one queue, first come first fitting."""
    assert [start for start, _ in run_on((4,), spec, (0, 10, 3), (0, 10, 4), (0, 10, 1))] == [0, 10, 0]


def test_sites_of_equal_size_help_the_first(run_on):
    """Jobs belong to the first of two equal sites; the second takes what it leaves, whatever the log says."""
    assert run_on((4, 4), "stealing:50", (0, 10, 3, 2), (0, 10, 3, 2)) == [(0, 1), (0, 2)]


def listed(sets, n_sites, waiting, *, line_5):
    """Return the lists L of the published algorithm after its first Update, line by line as printed."""
    of = {
        name: [{j for j in waiting if j in sets.interval(name, i)} for i in range(n_sites)] for name in "ABH"
    }
    lists = [set(a) for a in of["A"]]
    for i in range(n_sites):
        if not lists[i]:
            if i and of["H"][i]:
                lists[i] = lists[i - 1] & of["H"][i]
            elif line_5(of["B"][i]):
                lists[i] = set(of["B"][i])
            if i and lists[i - 1] and not of["H"][i]:
                lists[i] = set(lists[i - 1])
    return lists


def test_the_printed_algorithm_never_lists_a_small_job(run_on):
    """With line 5 as printed (B_i is empty) jobs of B are in no list, so that its loop does not end."""
    sets = JobSets(SIZES)
    assert listed(sets, 2, {1, 2}, line_5=lambda b: not b) == [set(), set()]
    assert listed(sets, 2, {1, 2}, line_5=bool) == [{1, 2}, {1, 2}]
    assert run_on(SIZES, "stealing:50", (0, 10, 1), (0, 10, 2)) == [(0, 1), (0, 1)]


def test_specs():
    """The threshold is always said, other parameters where they are not at their defaults."""
    assert broker_named("stealing").spec == "stealing:50"
    spec = "stealing:12.5:latency=5:refresh=60:fit=best-fit:sets=BAH:at-threshold=A:steals=first-list"
    assert broker_named(spec).spec == spec
    assert broker_named("stealing:threshold=25:refresh=1min").spec == "stealing:25:refresh=60"


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("fit", "worst-fit"), ("sets", "AAB"), ("at_threshold", "H"), ("steals", "nothing")],
)
def test_unknown_specs(parameter, value):
    """A parameter's word that does not exist is refused with those that do."""
    with pytest.raises(UnknownNameError, match=value):
        Stealing(**{parameter: value})


@pytest.mark.parametrize("threshold", [-1, 100.5, float("nan")])
def test_no_percentage(threshold):
    """A threshold is a percentage."""
    with pytest.raises(InputError, match="from 0 to 100"):
        Stealing(threshold=threshold)
