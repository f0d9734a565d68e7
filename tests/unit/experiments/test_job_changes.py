"""Changes to jobs, declared once for the command line, studies and Python."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

import echelon as ec
from echelon.cli.workload.convert import convert
from echelon.experiments.job_changes import apply_changes
from echelon.experiments.settings.changes import OF_FILES, OF_MODELS, OF_RUNS
from echelon.workloads import transform
from echelon.workloads.grid.recipe import GridRecipe
from echelon.workloads.grid.spec import FIELDS

JOBS = ec.generate("lublin", 40, seed=1)
EVERY = {one.name: one for one in (*OF_FILES, *OF_RUNS)}


def test_convert_python_and_studies_make_the_same_changes():
    """One name means one function with one value, whoever asks for it."""
    assert set(OF_MODELS) <= set(OF_FILES)
    assert {one.name for one in OF_RUNS} - {"window"} <= {one.name for one in OF_FILES}
    assert [option.name for option in convert.setting_options()] == [one.name for one in OF_FILES]
    taken = inspect.signature(ec.change_jobs).parameters
    assert [name for name in taken if name not in ("workload", "seed")] == [one.name for one in OF_FILES]


@pytest.mark.parametrize("name", EVERY)
def test_every_change_is_one_call_of_a_transform(name):
    """What a declaration names is a function of `transform`, with these arguments."""
    change = EVERY[name]
    function = inspect.signature(getattr(transform, change.by))
    wanted = {*change.arguments, *(["seed"] if change.draws else [])}
    assert wanted <= set(function.parameters)


def test_changes_are_made_in_order_and_recorded():
    """Neighbors of one transform are one call; every call leaves its sentence in the header."""
    made = ec.change_jobs(
        JOBS, load=2, first=20, skip=5, window_start=0, estimates_model="factor:f=3", seed=4
    )
    by_hand = transform.window(JOBS, start=0)
    by_hand = transform.scale_load(transform.head(by_hand, 20, skip=5), 2)
    by_hand = transform.draw_estimates(by_hand, "factor:f=3", seed=4)
    assert made == by_hand
    assert len(transform.transformations(made)) == 4


def test_nothing_asked_for_changes_nothing():
    """Without changes the workload itself comes back; a flag that is off is none, a zero is one."""
    assert ec.change_jobs(JOBS) is JOBS
    assert ec.change_jobs(JOBS, off_line=False, first=None) is JOBS
    assert len(ec.change_jobs(JOBS, first=0)) == 0


def test_an_unknown_change_names_the_nearest():
    """A keyword that is none is an error with the one that was meant."""
    with pytest.raises(TypeError, match=r"no setting 'ofline'; did you mean 'off_line'\?"):
        ec.change_jobs(JOBS, ofline=True)


def test_a_run_makes_its_changes_in_its_own_order():
    """Sizes before load, as stored results tell them; dependencies come after both."""
    words = {"load": 2.0, "scale_size": 64, "dependencies_model": "chains", "window": [0, 1e9]}
    made = apply_changes(JOBS, OF_RUNS, words, seed=3)
    by_hand = transform.scale_size(transform.window(JOBS, start=0, end=1e9), 64)
    by_hand = transform.draw_dependencies(transform.scale_load(by_hand, 2), "chains", seed=3)
    assert made == by_hand
    assert transform.transformations(made) == transform.transformations(by_hand)


def test_what_is_set_of_a_grid_is_a_field_of_its_recipe():
    """The options of ``merge`` and the words of a grid are the fields of the recipe but logs and sites."""
    defaults = {one.name: one.default for one in dataclasses.fields(GridRecipe)}
    assert {one.name for one in FIELDS} == set(defaults) - {"logs", "sites"}
    assert all(one.choices[0] == defaults[one.name] for one in FIELDS if one.choices)
