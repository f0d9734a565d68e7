"""Settings that a run would not use."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.systems.refusals import incompatibility
from echelon.platforms import platform


def test_a_governor_that_keeps_no_cap_is_refused():
    """Without a power cap ``capped`` is ``highest``; with one, or another governor, nothing is wrong."""
    nodes = platform("irmasim-a").hardware
    for power_cap in ({}, {"power_cap": float("inf")}):
        ((name, error),) = incompatibility({"governor": "capped", **power_cap}, nodes)
        problem = "'capped' lowers frequencies to keep a power cap, but there is none; give --power-cap W"
        assert (name, str(error)) == ("governor", f"governor: {problem}")
    assert not [*incompatibility({"governor": "capped", "power_cap": 90.0}, nodes)]
    assert not [*incompatibility({"governor": "lowest"}, nodes)]
    with pytest.raises(InputError, match="to keep a power cap, but there is none"):
        ec.simulate("lublin:jobs=2,processors=4,seed=3", platform="irmasim-a", governor="capped")
