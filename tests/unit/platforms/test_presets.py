"""Platforms by name: presets with the figures of their sources, files, and what else names a platform."""

from __future__ import annotations

import numpy as np
import pytest

import echelon
from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform
from echelon.platforms import PRESETS, platform, platform_named, read_platform

SIZES = {
    "grid1": [100, 128, 240, 430, 1024, 1152, 1368],
    "grid2": [64, 64, 64, 64, 100, 144, 240, 430, 1024],
    "grid3": [4, 4, 4, 4, 8, 8, 8, 16, 16, 32, 32],
}


@pytest.mark.parametrize("name", SIZES)
def test_presets_have_the_sizes_of_their_source(name):
    """Sites and sum are those printed, and the source is said."""
    found = platform_named(name)
    assert found.name == name
    assert found.sizes.tolist() == SIZES[name]
    assert found.processors == {"grid1": 4442, "grid2": 2194, "grid3": 136}[name]
    assert "Quezada Pina" in found.source


def test_power_is_known_of_grid1_alone():
    """The least efficient site is the measure of the others; its parts draw most."""
    power = [site.power for site in platform_named("grid1").sites]
    assert all(power)
    assert power[-1].efficiency == min(one.efficiency for one in power) == 1
    assert power[-1].core_working == max(one.core_working for one in power) == 125
    assert all(one.core_idle < one.core_working for one in power)
    assert "no unit" in platform_named("grid1").source
    assert not any(site.power for name in ("grid2", "grid3") for site in platform_named(name).sites)


def test_a_name_in_capitals_means_the_same():
    """People write Grid1 as well as grid1."""
    assert platform_named(" GRID1 ") == platform_named("grid1")


def test_unknown_names_are_told_with_the_nearest():
    """A name that is none says which there are, and that a file would do."""
    with pytest.raises(UnknownNameError, match=r"in .toml or .json\) is named 'gird1'.*'grid1'\?"):
        platform_named("gird1")


def test_files_are_named_by_their_path(tmp_path):
    """A path that ends in .toml is a file, a Path always is, and another file is told what it lacks."""
    path = tmp_path / "Mine.TOML"
    path.write_text('[[site]]\nname = "a"\nprocessors = 4\n')
    assert read_platform(str(path)) == read_platform(path) == platform(path)
    other = path.rename(tmp_path / "mine.txt")
    assert read_platform(other).names == ("a",)
    with pytest.raises(InputError, match=r"mine.txt: a platform file ends in .toml, or in .json"):
        platform_named(str(other))
    with pytest.raises(InputError, match="no such file"):
        platform_named(str(tmp_path / "none.toml"))


def test_what_is_given_as_a_platform():
    """Words, sizes and a platform itself are taken; anything else is refused."""
    made = Platform.of_sizes([8, 4])
    assert platform(made) is made
    assert platform("grid3").sizes.tolist() == platform(SIZES["grid3"]).sizes.tolist()
    assert platform((8, 4)) == platform(np.array([8, 4])) == made
    for wrong in (None, 4, {"a": 4}):
        with pytest.raises(InputError, match="must be a preset's name"):
            platform(wrong)
    for wrong in ([], [0], [4, -1], [1.5], ["x"], [[1, 2]]):
        with pytest.raises(InputError):
            platform(wrong)


def test_public_names():
    """What people need of platforms is in the package itself."""
    assert echelon.read_platform("grid1") == platform_named("grid1")
    assert echelon.Platform is Platform
    assert echelon.Site("a", 3).processors == 3
    assert echelon.platforms.PRESETS is PRESETS
