"""What share of the jobs MSER-5 would leave out, over the runs of a study."""

import numpy as np
import polars as pl
from tests.unit.experiments.study.stores import HandMade

from echelon.experiments.study.results.run_parts import suggested_warm_up


def test_a_ramp_of_waits_is_found(tmp_path):
    """Waits that rise over the first tenth of the jobs, in a table in any order."""
    made, keys = HandMade(tmp_path), []
    for seed in range(3):
        random = np.random.default_rng(seed)
        waits = np.concatenate((np.linspace(0, 900, 50), np.full(450, 900.0))) + random.normal(0, 20, 500)
        jobs = pl.DataFrame({"submit_time": np.arange(500.0), "start_time": np.arange(500.0) + waits})
        keys.append(
            made.add({"seed": seed}, {"jobs": 500}, jobs=jobs.sample(fraction=1, shuffle=True, seed=1))
        )
    assert 0.07 <= suggested_warm_up(tmp_path, keys) <= 0.13


def test_nothing_to_look_at(tmp_path):
    """No run, or none with enough jobs, suggests nothing."""
    made = HandMade(tmp_path)
    assert suggested_warm_up(tmp_path, []) is None
    assert suggested_warm_up(tmp_path, [made.add({"seed": 1}, {"jobs": 5})]) is None
