"""Platforms written and read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Platform, Power, Site
from echelon.platforms import read_platform_file, write_platform

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DRAW = st.floats(0, 1e300)
POWER = st.builds(Power, DRAW, DRAW, DRAW, DRAW, st.floats(1e-300, 1e300))
NAME = TEXT.map(lambda text: text.replace("/", "-")).filter(str.strip)
SITE = st.builds(Site, NAME, st.integers(1, 1000) | st.integers(1, 10**6), st.none() | POWER)
PLATFORM = st.builds(
    Platform, st.lists(SITE, min_size=1, max_size=8, unique_by=lambda site: site.name), TEXT, TEXT
)


@given(PLATFORM)
def test_what_is_written_is_read_back(tmp_path_factory, platform):
    """Any platform comes back from its file as it was: names, sizes, their order, power and source."""
    path = write_platform(platform, tmp_path_factory.getbasetemp() / "platform.toml")
    assert read_platform_file(path) == platform


def test_what_can_not_be_written(tmp_path):
    """A folder that is not there and a text that is none are refused."""
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_platform(Platform.of_sizes([4]), tmp_path / "none" / "a.toml")
    with pytest.raises(InputError, match="cannot be written in UTF-8"):
        write_platform(Platform((Site("\ud800", 1),)), tmp_path / "a.toml")
    assert not list(tmp_path.iterdir())
