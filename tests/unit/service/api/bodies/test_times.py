"""Times and amounts of memory as users of schedulers write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.service.api.bodies.times import bytes_of, seconds_of


@given(st.integers(0, 99), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_clocks_are_read_as_slurm_prints_them(days, hours, minutes, seconds):
    """Every time that Slurm prints as D-HH:MM:SS or HH:MM:SS is the same number of seconds."""
    total = 86400 * days + 3600 * hours + 60 * minutes + seconds
    text = f"{days}-{hours:02}:{minutes:02}:{seconds:02}" if days else f"{hours:02}:{minutes:02}:{seconds:02}"
    if total:
        assert seconds_of(text, "time_limit") == total
    else:
        with pytest.raises(InputError):
            seconds_of(text, "time_limit")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("1:00", 60), ("90:00", 5400), ("1-0", 86400), ("1-12", 129600), ("2-1:30", 178200)),
        *((30, 30), (0.5, 0.5), ("90 min", 5400), ("1.5h", 5400), ("2 d", 172800), ("100:00:00", 360000)),
    ],
)
def test_times(text, seconds):
    """The forms of Slurm, and numbers with units."""
    assert seconds_of(text, "time_limit") == seconds


@pytest.mark.parametrize(
    "text",
    [
        *(
            "60",
            "",
            "1:60",
            "1:00:60",
            "-1",
            "-1:00",
            "1-",
            "1:2:3:4",
            "soon",
            "1:00 h",
            "nan",
            "inf",
            "٣:٠٠",
        ),
        *(
            0,
            -1,
            float("nan"),
            float("inf"),
            10**400,
            None,
            True,
            [60],
            "1e999 s",
            1e300,
            "100001 d",
            "UNLIMITED",
        ),
    ],
)
def test_what_is_no_time(text):
    """A number alone as text could be minutes or seconds, so it is refused like what is no time at all."""
    with pytest.raises(InputError, match="time_limit: got"):
        seconds_of(text, "time_limit")


@pytest.mark.parametrize(
    ("text", "amount"),
    [("4G", 4 * 2**30), ("1.5 M", 1572864), ("4 GB", 4_000_000_000), ("2 KiB", 2048), (17, 17), ("1K", 1024)],
)
def test_memory(text, amount):
    """Letters alone are of 1024 as in Slurm, bytes with prefixes as in platform files."""
    assert bytes_of(text, "memory") == amount


@pytest.mark.parametrize(
    "text", ["4", "", "-1G", "4g", 0, -5, "0G", 2**61, "9999999T", "G", True, None, "4 GBs"]
)
def test_what_is_no_amount(text):
    """What is no amount, or beyond all computers, is refused."""
    with pytest.raises(InputError, match="memory: got"):
        bytes_of(text, "memory")
