"""Generating by name: specs, seeds, headers, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError, UnknownNameError
from echelon.workloads import MODELS, generate, read_workload
from echelon.workloads.formats.swf import read, write
from echelon.workloads.synthetic import model_named
from echelon.workloads.synthetic.parameter import Parameter, settle_values
from echelon.workloads.synthetic.spec import parse_spec

NAMES = [model.name for model in MODELS]


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides(name):
    """The same seed gives the same bytes, another seed others."""
    first, again, other = (write(generate(name, 500, seed=seed)) for seed in (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", NAMES)
def test_the_bytes_of_a_seed_stay(name):
    """The sum of the first jobs' fields is what it was: a seed named in a paper keeps its workload."""
    made = generate(name, 100, seed=0)
    sums = [int(column.sum()) for column in (made.submit_time, made.run_time, made.processors)]
    assert sums == EXPECTED[name]


EXPECTED = {
    "lublin": [2763939, 246879, 783],
    "lublin-batch": [7951819, 1071642, 1279],
    "lublin-interactive": [3131580, 6021, 774],
    "lublin-typeless": [4169511, 451632, 893],
    "poisson": [5339993, 810048, 1051],
    "lognormal": [2605970, 1041681, 816],
    "irmasim-mix": [1281, 1034, 1896],
    "nas": [21226, 4325, 448],
    "sinapad": [99000, 6021, 100],
}


@pytest.mark.parametrize("name", NAMES)
def test_a_workload_written_and_read_is_the_same(name):
    """SWF holds all of it, header included, and nothing in it is odd but what models leave out."""
    made = generate(name, 300, seed=1)
    back = read(write(made), "made.swf")
    assert back == replace(made, demands=None, applications=None)
    assert back.header == made.header
    assert {anomaly.kind for anomaly in back.anomalies} <= {
        "no-wait-time",
        "no-requested-time",
        "size-as-allocated",
        "size-as-requested",
        "fractional-submit-time",
        "fractional-run-time",
        "fractional-average-cpu-time",
        "fractional-requested-memory",
        "late-start",
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_smallest_workloads(name, jobs):
    """One job and two are workloads, too."""
    made = generate(name, jobs)
    assert len(made) == jobs
    assert (made.run_time >= 1).all()


def test_spec_and_arguments_say_the_same():
    """Parameters in the spec, as arguments, or as a workload's name: the same jobs."""
    expected = generate("lublin-typeless", 200, processors=64, seed=5, pa=0)
    assert generate("Lublin-Typeless: pa = 0", 200, processors=64, seed=5) == expected
    named = read_workload("lublin-typeless:jobs=200,processors=64,seed=5,pa=0")
    assert named == expected
    assert len(named.digest) == 64


def test_arguments_come_before_the_spec_and_the_spec_before_the_machine():
    """The last value wins: an argument over the spec, the spec over what the machine implies."""
    made = generate("lublin-typeless:uhi=5,umed=4", 2000, processors=256, uhi=6)
    assert made.header.max_procs == 64


def test_an_argument_comes_before_a_count_in_the_spec():
    """Jobs, machine and seed may stand in the spec, too; an argument comes first."""
    assert generate("poisson:jobs=7,seed=2") == generate("poisson", 7, seed=2)
    assert generate("poisson:jobs=7,seed=2", 5, seed=3) == generate("poisson", 5, seed=3)


def test_a_file_named_like_a_model_comes_first(tmp_path, monkeypatch):
    """A file called lublin in this folder is read, not generated."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lublin").write_bytes(write(generate("poisson", 7)))
    assert len(read_workload("lublin")) == 7


def test_numpy_numbers_are_whole_numbers():
    """Counts from an array's element work as those of Python."""
    assert len(generate("poisson", np.int64(5), processors=np.int32(8), seed=np.uint8(1))) == 5


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("lublin", {"jobs": 0}, "jobs: must be between 1 and 50000000, got 0"),
        ("lublin", {"jobs": 2.5}, "jobs: must be a whole number, got 2.5"),
        ("lublin", {"seed": -1}, "seed: must be a whole number >= 0, got -1"),
        ("lublin", {"processors": 0}, r"processors: must be between 1 and 2\*\*40, got 0"),
        ("poisson:mean_gap", {}, "parameter: must be key=number, got 'mean_gap'"),
        ("poisson:mean_gap=fast", {}, "parameter mean_gap: must be a number, got 'fast'"),
        ("poisson:mean_gap=1,mean_gap=2", {}, "parameter mean_gap: is set twice"),
        ("poisson:median_run=1e6", {}, "median_run must be at most longest_run=226710 s, got 1e"),
    ],
)
def test_wrong_specs_get_a_sentence(text, options, sentence):
    """What cannot be is refused before anything is drawn."""
    with pytest.raises(InputError, match=sentence):
        generate(text, **options)


def test_fractions_of_jobs_in_a_workload_name_are_refused():
    """A workload's name counts in whole jobs."""
    with pytest.raises(InputError, match=r"jobs: must be a whole number, got 2\.5"):
        read_workload("poisson:jobs=2.5")


def test_unknown_names_are_told_the_nearest():
    """A model or a parameter that is not there gets the nearest one that is."""
    with pytest.raises(UnknownNameError, match="no model is named 'lubline'; did you mean 'lublin'"):
        model_named("lubline")
    with pytest.raises(
        UnknownNameError, match="no parameter of poisson is named 'mean_gas'; did you mean 'mean_gap'"
    ):
        generate("poisson", mean_gas=3)


def test_bounds_as_a_phrase():
    """Each kind of bound is told as people write it."""
    bounds = [
        (Parameter("x", "1", 1, "").bounds, "any finite number"),
        (Parameter("x", "1", 1, "", least=0).bounds, ">= 0"),
        (Parameter("x", "1", 1, "", most=3).bounds, "<= 3"),
        (Parameter("x", "1", 1, "", 0, 1).bounds, "between 0 and 1"),
        (Parameter("x", "1", 1, "", above=0).bounds, "> 0"),
        (Parameter("x", "1", 1, "", above=0, most=5).bounds, "> 0 and <= 5"),
    ]
    assert [got for got, _ in bounds] == [expected for _, expected in bounds]


def test_settled_takes_the_last_value_and_the_default():
    """Later mappings come first, what nobody names is the default."""
    known = (Parameter("a", "1", 1, ""), Parameter("b", "1", 2, ""))
    assert settle_values("x", known, {"a": 5}, {"a": 6}) == {"a": 6, "b": 2}


def test_split_specs():
    """A name alone has no settings."""
    assert parse_spec("Poisson") == ("poisson", {})
    assert parse_spec("poisson:") == ("poisson", {})
    assert parse_spec("poisson:mean_gap=3, run_spread=1e-1") == (
        "poisson",
        {"mean_gap": 3, "run_spread": 0.1},
    )


@given(data=st.data(), name=st.sampled_from(NAMES), jobs=st.integers(1, 60), seed=st.integers(0, 9))
def test_any_parameters_give_jobs_or_a_sentence(data, name, jobs, seed):
    """Whatever is set within its bounds: jobs that a simulation takes, or an InputError."""
    model = model_named(name)
    chosen = data.draw(st.lists(st.sampled_from(model.parameters), max_size=4, unique=True))
    given_values = {
        one.name: data.draw(st.floats(max(one.least, -50, (one.above or -50) + 1e-3), min(one.most, 50)))
        for one in chosen
        if max(one.least, -50) <= min(one.most, 50)
    }
    try:
        made = generate(name, jobs, seed=seed, **given_values)
    except InputError:
        return
    assert len(made) == jobs
    assert (np.diff(made.submit_time) >= 0).all()
    assert (made.submit_time >= 0).all()
    assert (made.run_time >= 1).all()
    assert (made.processors >= 1).all()
    assert (made.processors <= made.header.max_procs).all()
