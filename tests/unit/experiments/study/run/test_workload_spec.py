"""Specs of workloads, checked without reading them."""

from __future__ import annotations

import pytest

from echelon.errors import EchelonError
from echelon.experiments.study.run.workload_spec import (
    check_estimates_model,
    check_workload,
    is_drawn,
    jobs_drawn,
    with_seed,
)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("kth-sp", "did you mean 'kth-sp2'"),
        ("lublin:job=3", "named 'job'; did you mean 'jobs'"),
        ("lublin:jobs=0", "must be a whole number >= 1"),
        ("lublin:jobs=1.5", "must be a whole number >= 1"),
        ("lublin:jobs=inf", "must be a whole number >= 1"),
        ("lublin:seed=-1", "must be a whole number >= 0"),
        ("poisson:mean_gap=-1", "parameter mean_gap"),
        ("grid1:wek=3", "no setting of a grid is named 'wek'"),
        ("grid1:3", "must be key=value"),
    ],
)
def test_wrong_specs_are_refused(spec, said):
    """No file, model, parameter or setting of that name, or a value out of its bounds."""
    with pytest.raises(EchelonError, match=said):
        check_workload(spec)


@pytest.mark.parametrize("spec", ["kth-sp2", "KTH-SP2", "lublin", "lublin:jobs=5,seed=2", "grid1:week=3"])
def test_right_specs_pass(spec):
    """Data sets, models and grids, with their settings."""
    check_workload(spec)


def test_models_of_estimates():
    """Their names and parameters are checked as well."""
    check_estimates_model("factor:f=3")
    for spec in ("facto", "factor:g=1", "factor:f=-1"):
        with pytest.raises(EchelonError):
            check_estimates_model(spec)


def test_where_the_seed_goes():
    """Into the spec of what is drawn, unless it says one; a log stays as it is."""
    assert with_seed("lublin", 3) == "lublin:seed=3"
    assert with_seed("lublin:jobs=5,seed=1", 3) == "lublin:jobs=5,seed=1"
    assert with_seed("kth-sp2", 3) == "kth-sp2"
    assert with_seed("grid1:week=3", 3) == "grid1:week=3"
    assert with_seed("grid2:stand-ins=lublin", 3) == "grid2:stand-ins=lublin:seed=3"
    assert not is_drawn("grid1:week=3")


def test_how_many_jobs_are_drawn():
    """As the spec says, else as the model does; of a grid nobody knows."""
    assert jobs_drawn("lublin:jobs=7") == 7
    assert jobs_drawn("lublin") == 10_000
    assert jobs_drawn("grid2:stand-ins=lublin") is None
