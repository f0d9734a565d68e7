"""Tables and pictures of ours: what is measured, in the places where people look for it."""

from __future__ import annotations

import numpy as np

from echelon.reproduce.multicluster.evidence import BROKERS, Spanning
from echelon.reproduce.multicluster.listings import (
    accuracy_listing,
    arrangements_listing,
    brokers_listing,
    program_listing,
    queueing_listing,
    scaling_listing,
    selection_listing,
)
from echelon.reproduce.multicluster.pictures import pictures


def columns(listing, *heads):
    """Return the rows as tuples of these columns."""
    places = [listing.heads.index(head) for head in heads]
    return [tuple(row[place] for place in places) for row in listing.rows]


def test_every_row_has_a_cell_a_head(as_printed):
    """Listings are whole: as many cells as heads, numbers after the labels."""
    listings = (
        accuracy_listing(as_printed),
        selection_listing(as_printed),
        brokers_listing(as_printed),
        queueing_listing(as_printed),
        program_listing(as_printed),
        scaling_listing(as_printed),
    )
    for listing in listings:
        assert listing.rows
        for row in listing.rows:
            assert len(row) == len(listing.heads)
            assert all(isinstance(cell, str) for cell in row[: listing.labels])
            assert all(isinstance(cell, float | int) for cell in row[listing.labels :])
    assert len({listing.name for listing in listings}) == len(listings)


def test_gains_on_round_robin(as_printed):
    """A broker's gain is by how much its turnaround is below that of RR, RR's own is 0."""
    gains = {(platform, broker): percent for platform, broker, percent in columns(
        brokers_listing(as_printed), "Platform", "Broker", "Below RR, %")}  # fmt: skip
    assert round(gains["555", "TAT"], 1) == 43.3
    assert round(gains["844", "TAT"], 1) == 29.9
    assert gains["844", "RR"] == 0


def test_selection_has_a_column_a_broker(as_printed):
    """Each case of owners is one row; without owners it does not matter how they are spread."""
    listing = selection_listing(as_printed)
    assert listing.heads[3:] == BROKERS
    assert columns(listing, "Platform", "Spread", "Owners")[:2] == [
        ("555", "", "0 %"),
        ("555", "uniform", "30 %"),
    ]


def test_an_answer_that_is_not_there_has_no_mean(as_printed):
    """Where no size has an answer, SC and the time over the least are undefined, the seconds are not."""
    case = Spanning("non-saturated", 75, 0)
    none = np.array([[np.nan, 0.5, np.nan]] * 5)
    as_printed.program.clear()
    as_printed.program[case] = none
    (row,) = program_listing(as_printed).rows
    assert row[:2] == ("non-saturated", "75 %")
    assert np.isnan(row[2])
    assert row[3] == 500


def test_arrangements_gain_on_the_first_of_their_group():
    """The first of a group is the base of its others, and of no other group."""

    def case(took):
        return np.outer([1, 1.01, 0.99], [took, took, 2 * took, np.nan, 0.1, 0.5])

    listing = arrangements_listing(
        "x", "X", "", {("a", "one"): case(100.0), ("a", "two"): case(50.0), ("b", "three"): case(10.0)}
    )
    gains = columns(listing, "On", "Setup", "Below first, %", "Co-allocated, %")
    assert [(*row[:2], round(row[2], 6), round(row[3])) for row in gains] == [
        ("a", "one", 0, 50),
        ("a", "two", 50, 50),
        ("b", "three", 0, 50),
    ]


def test_pictures_stand_for_the_lost_figures(as_printed):
    """One a table of accuracy, and those of chapter 4; names are of files, so each is unique."""
    drawn = pictures(as_printed)
    names = [picture.name for picture in drawn]
    assert len(set(names)) == len(names) == 13
    assert (
        "Smith" not in next(one for one in drawn if one.name == "deviation-of-waits-shared").bars["printed"]
    )
    lines = next(one for one in drawn if one.name == "turnaround-by-limit").lines
    assert lines["NB.RS"][0] > lines["NB.RS"][-1]
