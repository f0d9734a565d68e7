"""A fitted model beside its log: distances, figures and files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.experiments.summaries.model_fit import ModelFit, fit_and_draw, quantities
from echelon.model import Workload
from echelon.workloads import FittedModel, generate, read_fitted_model, read_workload


def test_a_log_is_as_one_with_itself():
    """Drawn jobs that are the log's own have no distance from it."""
    log = generate("lublin", 500, seed=1)
    same = ModelFit(log, FittedModel("lublin", {}, 500), log, 1)
    assert set(same.distances.values()) == {0.0}
    assert list(same.distances) == ["size", "run_time", "gap", "hour_of_day"]
    assert same.characters[0] == same.characters[1]


def test_what_is_compared():
    """Jobs that never ran are left out; gaps are between the others, in order of submission."""
    log = Workload.from_columns(
        submit_time=[7200, 0, 3600, 50],
        run_time=[10, 20, -1, 30],
        processors=[1, 2, 4, 8],
        requested_time=[60, -1, 60, 90],
    )
    found = quantities(log)
    assert found.size.tolist() == [1, 2, 8]
    assert found.gap.tolist() == [50, 7150]
    assert found.requested_time.tolist() == [60, 90]
    assert np.flatnonzero(found.by_hour).tolist() == [0, 2]


def test_its_files_can_be_read_back(tmp_path):
    """The model, the jobs and the figures are as in Python; the folder is made."""
    fit = fit_and_draw(generate("poisson", 200, seed=1), "poisson", jobs=80, seed=3)
    files = fit.write(tmp_path / "a" / "b")
    assert [file.name for file in files] == ["model.toml", "jobs.swf", "fit.json"]
    model = read_fitted_model(files[0])
    assert model.generate(80, seed=3) == fit.sample == read_workload(files[1])
    told = json.loads(files[2].read_text())
    assert told["distances"] == fit.distances
    assert told["figures"]["model"]["jobs"] == 80
    assert told["parameters"] == model.parameters


def test_a_folder_that_can_not_be_made_is_told(tmp_path):
    """A file stands where the folder should be: one sentence."""
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError, match="cannot be created as a folder"):
        fit_and_draw(generate("poisson", 20), "poisson").write(tmp_path / "x" / "y")
