"""Main effects of axes: by hand on small designs."""

import numpy as np
import pytest

from echelon.analysis import main_effects
from echelon.errors import InputError


def test_a_design_of_two_axes():
    """Means 15 and 35 of one axis, 20 and 30 of the other: they explain 0.8 and 0.2, together all."""
    axes = {"policy": ["a", "a", "b", "b"], "load": ["1", "2", "1", "2"]}
    found = main_effects([10.0, 20.0, 30.0, 40.0], axes)
    assert found["policy"].effects == {"a": -10.0, "b": 10.0}
    assert found["load"].effects == {"1": -5.0, "2": 5.0}
    assert (found["policy"].share, found["load"].share) == pytest.approx((0.8, 0.2))
    assert found["policy"].range == 20


def test_interaction_is_no_main_effect():
    """Where only the combination matters no axis explains anything by itself."""
    found = main_effects([1.0, 0.0, 0.0, 1.0], {"a": ["x", "x", "y", "y"], "b": ["1", "2", "1", "2"]})
    assert [effect.share for effect in found.values()] == [0, 0]


def test_failed_runs_are_left_out():
    """A run without a value counts for no mean; nothing known, no effect."""
    found = main_effects([1.0, np.nan, 3.0], {"a": ["x", "x", "y"]})
    assert found["a"].effects == {"x": -1.0, "y": 1.0}
    assert main_effects([np.nan], {"a": ["x"]}) == {}


def test_nothing_varies():
    """Equal values have effects of 0 and no share."""
    found = main_effects([2.0, 2.0], {"a": ["x", "y"]})["a"]
    assert found.effects == {"x": 0.0, "y": 0.0}
    assert np.isnan(found.share)


def test_an_axis_of_another_length_is_refused():
    """An axis needs one value a run."""
    with pytest.raises(InputError, match="a: needs one value a run, 2, got 1"):
        main_effects([1.0, 2.0], {"a": ["x"]})
