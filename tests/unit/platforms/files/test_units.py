"""Quantities: numbers in the base unit, and texts with a unit."""

from __future__ import annotations

import pytest

from echelon.platforms.files.units import BANDWIDTH, FREQUENCY, MEMORY, POWER, TIME, in_base_unit


@pytest.mark.parametrize(
    ("given", "dimension", "value"),
    [
        ("2.4 GHz", FREQUENCY, 2.4e9),
        ("4.4GHz", FREQUENCY, 4400000000.0),
        (" 500 MHz ", FREQUENCY, 5e8),
        ("64 GB", MEMORY, 64e9),
        ("64 GiB", MEMORY, 64 * 2.0**30),
        ("1.5 KiB", MEMORY, 1536),
        ("125 MB/s", BANDWIDTH, 125e6),
        ("1 Gbps", BANDWIDTH, 125e6),
        ("1 Gbit/s", BANDWIDTH, 125e6),
        ("54.54 Gbps", BANDWIDTH, 6817500000.0),
        ("8 Kibit/s", BANDWIDTH, 1024),
        ("95 W", POWER, 95),
        ("0.5 kW", POWER, 500),
        ("2.5e3 mW", POWER, 2.5),
        ("30 s", TIME, 30),
        ("1.5 min", TIME, 90),
        ("2 h", TIME, 7200),
        (12, MEMORY, 12),
        (0.5, TIME, 0.5),
    ],
)
def test_what_a_quantity_is(given, dimension, value):
    """Prefixes are powers of 1000, with an i of 1024; bits are eighths of bytes; numbers as they are."""
    assert in_base_unit(given, dimension) == value


@pytest.mark.parametrize(
    ("given", "dimension"),
    [
        ("2.4", FREQUENCY),
        ("2.4 ghz", FREQUENCY),
        ("64 GB", FREQUENCY),
        ("64 GB", BANDWIDTH),
        ("125 MB/s", MEMORY),
        ("-3 W", POWER),
        ("1 GibB", MEMORY),
        ("", TIME),
        ("1e999 s", TIME),
        (True, TIME),
        (None, TIME),
        ([1], TIME),
        (10**400, MEMORY),
    ],
)
def test_what_is_no_quantity(given, dimension):
    """A unit of something else, no unit, a sign, and what is no number are no quantities."""
    assert in_base_unit(given, dimension) is None
