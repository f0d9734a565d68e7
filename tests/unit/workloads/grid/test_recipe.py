"""Recipe: specs of logs, choices, and the ready grids."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.workloads.grid import GRID1, GRID2, GRID3, SiteLog


def test_the_ready_grids_are_those_of_the_study() -> None:
    """Sites, sizes and days are those of its Tables 1 and 2 and of section 4.1."""
    assert [log.processors for log in GRID1.logs] == [100, 128, 240, 430, 1024, 1152, 1368]
    platforms = [grid.platform for grid in (GRID1, GRID2, GRID3)]
    assert [(len(one), one.processors) for one in platforms if one] == [(7, 4442), (9, 2194), (11, 136)]
    assert (GRID1.days, GRID2.days, GRID3.days) == ("mon-fri", "mon-thu", "mon-thu")
    assert GRID3.logs == GRID2.logs
    assert GRID3.largest == 32


def test_a_spec_names_a_log_and_its_site() -> None:
    """The site and its size are optional; what stands before the last @ is the log."""
    assert SiteLog.parse("kth-sp2@KTH:100") == SiteLog("kth-sp2", "KTH", 100)
    assert SiteLog.parse("kth-sp2@KTH") == SiteLog("kth-sp2", "KTH")
    assert SiteLog.parse("kth-sp2") == SiteLog("kth-sp2", "kth-sp2")
    assert SiteLog.parse("das2.gwf#fs0@VRIJE:144") == SiteLog("das2.gwf", "VRIJE", 144, "fs0")
    assert SiteLog.parse("a@b/log.swf@X") == SiteLog("a@b/log.swf", "X")


@pytest.mark.parametrize(
    "spec",
    ["@KTH", "kth-sp2@", "kth-sp2@KTH:", "kth-sp2@KTH:many", "kth-sp2@KTH:0", "log#2@X", "log#@X:2", ""],
)
def test_bad_specs_are_refused(spec: str) -> None:
    """Empty parts and sizes that are none are errors."""
    with pytest.raises(InputError):
        SiteLog.parse(spec)


@pytest.mark.parametrize(
    "change",
    [
        {"weeks": 0},
        {"weeks": True},
        {"largest": 0},
        {"run_times": 0.0},
        {"run_times": float("inf")},
        {"seed": -1},
        {"days": "x"},
        {"logs": ()},
        {"logs": (SiteLog("kth-sp2", "KTH"),) * 2},
        {"name": "a/b"},
    ],
)
def test_numbers_out_of_bounds_are_refused(change: dict[str, object]) -> None:
    """A recipe that could not be followed cannot be created."""
    with pytest.raises(InputError):
        replace(GRID1, **change)


def test_choices_have_their_values() -> None:
    """A word that is none of a choice's is named with those that are."""
    with pytest.raises(UnknownNameError, match="converted"):
        replace(GRID1, hours="convert")


def test_sizes_only_in_headers_make_no_platform_yet() -> None:
    """The platform is known before reading only if every site's size is."""
    assert replace(GRID1, logs=(SiteLog("kth-sp2", "KTH"),)).platform is None
