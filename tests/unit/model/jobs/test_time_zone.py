"""Time zones by name, and how far their clocks are ahead of UTC."""

from __future__ import annotations

from datetime import UTC

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.time_zone import clock_offsets, zone_named, zone_or_utc


def test_names_that_are_none_are_refused_shortly():
    """A near name is suggested; the hundreds of zones are not listed."""
    with pytest.raises(UnknownNameError, match=r"did you mean 'Europe/Madrid'\?"):
        zone_named("Europe/Madird")
    with pytest.raises(InputError, match="must be a name of the tz database such as Europe/Madrid, got 'Q'"):
        zone_named("Q")
    with pytest.raises(InputError, match="got ''"):
        zone_named("")
    assert zone_named("UTC") is zone_or_utc("") is UTC
    assert zone_or_utc("Q") is zone_or_utc(None) is UTC


def test_offsets_change_to_the_second():
    """Madrid's clock goes forward at 01:00 UTC of 2024-03-31, and back on 2024-10-27."""
    first, forward, back = 1_711_609_200, 1_711_846_800, 1_729_990_800
    found = clock_offsets(first, first + 250 * 86_400, "Europe/Madrid")
    assert found == ("Europe/Madrid", [first, forward, back], [3600, 7200, 3600])


def test_a_zone_that_nobody_knows_is_utc():
    """Logs may name one."""
    assert clock_offsets(5.5, 9.0, "Nowhere/Atall") == ("UTC", [5], [0])
