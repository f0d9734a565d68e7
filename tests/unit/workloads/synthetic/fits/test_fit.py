"""Fitting models to logs: what was put in comes out, real logs come near, and odd ones do no harm."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.gamma import gamma_cdf
from echelon.metrics.schedule.goodness import ks_distance
from echelon.model import Header, Workload
from echelon.workloads import MODELS, FittedModel, fit_model, generate, read_fitted_model, read_workload
from echelon.workloads.synthetic.character import character
from echelon.workloads.synthetic.fits.fit_arrivals import fit_cycle, mean_gap
from echelon.workloads.synthetic.fits.fit_cut import fit_cut
from echelon.workloads.synthetic.fits.fit_sizes import fit_sizes
from echelon.workloads.synthetic.independent import DEFAULTS as SIZES_OF_KTH
from echelon.workloads.synthetic.lublin import DEFAULTS
from echelon.workloads.synthetic.sizes import draw_sizes

# Absolute; from the spread of fits to four samples of 60,000 jobs each, and what rounding and cuts add.
TOLERANCES = {
    "serial": 0.01,
    "pow2": 0.012,
    "ulow": 0.05,
    "umed": 0.1,
    "uprob": 0.015,
    "pb": 0.03,
    "pa": 0.002,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEFAULTS)
def test_a_model_is_found_in_its_own_jobs(kind):
    """Fitted to 30,000 jobs of itself, the Lublin model has the parameters that made them."""
    truth = DEFAULTS[kind]
    found = fit_model(generate(f"lublin-{kind}", 30_000, seed=3), f"lublin-{kind}").parameters
    for name, tolerance in TOLERANCES.items():
        assert found[name] == pytest.approx(truth[name], abs=tolerance), name
    for shape, scale in (("a1", "b1"), ("a2", "b2"), ("anum", "bnum")):
        assert found[shape] * found[scale] == pytest.approx(truth[shape] * truth[scale], rel=0.06)
        assert math.sqrt(found[shape]) * found[scale] == pytest.approx(
            math.sqrt(truth[shape]) * truth[scale], rel=0.12
        )
    # aarr and arar only count together; long gaps are cut, which takes some of the spread.
    gap = truth["aarr"] * truth["arar"] * truth["barr"]
    assert found["aarr"] * found["arar"] * found["barr"] == pytest.approx(gap, rel=0.05)
    assert found["barr"] == pytest.approx(truth["barr"], rel=0.08)


@pytest.mark.parametrize("name", ["poisson", "lognormal"])
def test_simple_models_are_found_in_their_own_jobs(name):
    """Gaps, run times and sizes come back; of what is cut the spread takes some."""
    truth = {"mean_gap": 50_000.0, "median_run": 900.0, "run_spread": 1.5, "longest_run": 1e6}
    made = generate(name, 60_000, seed=1, **truth)
    found = fit_model(made, name).parameters
    assert found["mean_gap"] == pytest.approx(made.submit_time[-1] / 60_000, rel=0.001)
    assert found["median_run"] == pytest.approx(900, rel=0.03)
    assert found["run_spread"] == pytest.approx(1.5, rel=0.02)
    assert found["serial"] == pytest.approx(SIZES_OF_KTH["serial"], abs=0.01)
    if name == "lognormal":
        assert found["gap_spread"] == pytest.approx(2.11, rel=0.02)


def test_a_machine_has_processors():
    """0 processors are no wish for the default."""
    with pytest.raises(InputError, match="processors: must be at least 1, got 0"):
        fit_model(generate("poisson", 20), "poisson", processors=0)


@pytest.mark.slow
def test_both_streams_are_told_apart_by_the_queue():
    """In jobs of both types each type's parameters are found in its own queue."""
    found = fit_model(generate("lublin", 30_000, seed=2), "lublin").parameters
    for kind in ("batch", "interactive"):
        assert found[f"{kind}_serial"] == pytest.approx(DEFAULTS[kind]["serial"], abs=0.02)
        assert found[f"{kind}_pow2"] == pytest.approx(DEFAULTS[kind]["pow2"], abs=0.02)
        mean = DEFAULTS[kind]["a1"] * DEFAULTS[kind]["b1"]
        assert found[f"{kind}_a1"] * found[f"{kind}_b1"] == pytest.approx(mean, rel=0.1)


@pytest.mark.slow
def test_the_simple_models_defaults_are_the_fit_to_kth():
    """The defaults of poisson and lognormal are, rounded, what the fit to KTH-SP2 gives."""
    log = read_workload("kth-sp2")
    for name in ("poisson", "lognormal"):
        known = {one.name: one.default for one in next(m for m in MODELS if m.name == name).parameters}
        for parameter, value in fit_model(log, name).parameters.items():
            assert value == pytest.approx(known[parameter], rel=0.005), parameter


@pytest.mark.slow
@pytest.mark.parametrize(
    ("log", "load", "distances"),
    [("kth-sp2", 0.701, (0.05, 0.05, 0.14)), ("SDSC-SP2-1998-4.2-cln.swf.gz", 0.834, (0.04, 0.08, 0.15))],
)
def test_real_logs_come_near(log, load, distances, data_file):
    """Sizes, run times and gaps of the model are near those of the log, and so are mean gap and run time."""
    workload = read_workload(log if log == "kth-sp2" else data_file(log))
    made = fit_model(workload).generate(seed=1)
    theirs, ours = character(workload), character(made)
    assert theirs.load == pytest.approx(load, abs=0.001)
    assert ours.mean_run_time == pytest.approx(theirs.mean_run_time, rel=0.05)
    assert ours.mean_gap == pytest.approx(theirs.mean_gap, rel=0.05)
    assert ours.mean_size == pytest.approx(theirs.mean_size, rel=0.05)
    known = (workload.run_time > 0) & (workload.processors > 0)
    for name, limit in zip(("processors", "run_time"), distances[:2], strict=True):
        assert ks_distance(getattr(workload, name)[known], getattr(made, name)) < limit
    assert ks_distance(np.diff(workload.submit_time[known]), np.diff(made.submit_time)) < distances[2]
    assert (made.requested_time > 0).all()


def test_the_cycle_is_found_in_counts():
    """From the exact weights of a day the shape and the scale come back."""
    edges = np.arange(11, 60) - 0.5
    shares = np.diff(gamma_cdf(edges, 8.1737, 3.9631))
    counts = np.roll(np.round(shares * 1e7).astype(np.int64), 10)
    shape, scale = fit_cycle(counts)
    assert shape == pytest.approx(8.1737, rel=0.02)
    assert scale == pytest.approx(3.9631, rel=0.02)


@pytest.mark.parametrize("least", [8, 64])
def test_sizes_of_whole_nodes(least):
    """Where the smallest job is a node of many processors, so is the model's; the mean is kept."""
    random = np.random.default_rng(3)
    sizes = least * 2 ** random.integers(0, 4, 4000)
    found = fit_sizes(sizes, 1024)
    assert found["serial"] == 0
    assert 2 ** (found["ulow"] + 0.5) > 0.7 * least
    drawn = draw_sizes(found, 50_000, random)
    assert drawn.mean() == pytest.approx(sizes.mean(), rel=0.05)


def test_sizes_that_are_all_powers_or_none():
    """A log of powers of 2 alone has no others; one without any has no power but by chance."""
    random = np.random.default_rng(1)
    powers = 2 ** random.integers(1, 8, 5000)
    found = fit_sizes(powers, 128)
    assert found["serial"] == 0
    assert found["pow2"] == pytest.approx(1, abs=0.01)
    odd = np.array([3, 5, 6, 7, 9, 11, 13, 19, 27, 55, 77, 101])[random.integers(0, 12, 5000)]
    assert fit_sizes(odd, 128)["pow2"] == pytest.approx(0, abs=0.01)


def test_the_mean_gap_is_that_of_the_distribution():
    """Of an uncut exponential of a gamma the mean is (1 - b)^-a."""
    assert mean_gap(5.0, 0.3, 1e9) == pytest.approx((1 - 0.3) ** -5, rel=1e-3)


def test_a_cut_makes_the_mean_that_of_the_values():
    """A tail that makes the mean too large is cut just there; one that is too short stays."""
    values = np.array([10.0] * 98 + [1000.0, 100_000.0])

    def normal(logs):
        return np.array([0.5 * (1 + math.erf((x - 5) / 3 / math.sqrt(2))) for x in logs])

    cut, mean = fit_cut(values, normal, 1000.0)
    assert mean == pytest.approx(values.mean(), rel=0.05)
    assert 1000 <= cut < 100_001
    assert fit_cut(values, lambda logs: (logs > 0).astype(float), 1000.0)[0] == 100_001


def odd_workload(n, submit, run, size):
    return Workload.from_columns(
        submit_time=np.broadcast_to(submit, n),
        run_time=np.broadcast_to(run, n),
        processors=np.broadcast_to(size, n),
        header=Header((("MaxProcs", "64"),)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", ["lublin-typeless", "poisson", "lognormal"])
@pytest.mark.parametrize(
    ("submit", "run", "size"),
    [
        (0.0, 60.0, 1),
        (np.arange(20.0), 1.0, 64),
        (np.arange(20.0) * 1e7, np.arange(1.0, 21.0) * 1e6, np.arange(1, 21)),
        (np.arange(20.0)[::-1] * 3600, 0.5, 3),
        (np.arange(20.0), np.geomspace(1, 1e8, 20), 2),
    ],
)
def test_odd_logs_can_be_fitted_and_drawn_from(model, submit, run, size):
    """All jobs at once, all alike, very long, out of order, fractions of a second: jobs can be drawn."""
    fitted = fit_model(odd_workload(20, submit, run, size), model)
    made = fitted.generate(50, seed=1)
    assert len(made) == 50
    assert made.processors.max() <= 64
    assert np.isfinite(made.submit_time).all()


def test_a_machine_of_one_processor():
    """On one processor all jobs are serial."""
    log = generate("poisson", 50, processors=1)
    assert fit_model(log, "poisson").generate(20).processors.tolist() == [1] * 20


def test_too_few_jobs_are_refused():
    """Nine jobs are not enough, nor is a log without one of the two types."""
    with pytest.raises(InputError, match=r"poisson needs at least 10 jobs .*, got 9"):
        fit_model(generate("poisson", 9), "poisson")
    with pytest.raises(InputError, match=r"of interactive jobs, at least 10 jobs .*, got 0"):
        fit_model(generate("lublin-batch", 50), "lublin")
    with pytest.raises(UnknownNameError, match="no model is named 'lubin'"):
        fit_model(generate("poisson", 50), "lubin")


def test_a_fitted_model_is_kept_in_a_file(tmp_path):
    """Written and read it is the same, whatever the log's name; and draws the same jobs."""
    fitted = FittedModel(
        "poisson", {"mean_gap": 12.5, "uhi": math.log2(100)}, 40, {60: 0.5, 3600: 0.25}, 'a "log"\\\x7f\n'
    )
    fitted.write(tmp_path / "model.toml")
    back = read_fitted_model(tmp_path / "model.toml")
    assert back == fitted
    assert back.generate(seed=3) == fitted.generate(seed=3)
    assert (back.generate().requested_time > 0).all()
    assert (back.generate(estimates=False).requested_time == -1).all()
    assert len(back.generate(7)) == 7


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("model = ", "is not TOML"),
        ("x = 1", "has the key 'x'; known are model, jobs"),
        ("jobs = 3", "model: must be a string, got None"),
        ('model = "poisson"\njobs = 2.5', "jobs: must be a whole number, got 2.5"),
        ('model = "poisson"\nparameters = 3', "parameters: must be a table of numbers, got 3"),
        ('model = "poisson"\n[parameters]\nmean_gap = "x"', "parameters.mean_gap: must be a number, got 'x'"),
        ('model = "poisson"\n[parameters]\nmean_gap = -1', "parameter mean_gap: must be > 0"),
        ('model = "poisson"\n[popular]\nx = 0.5', "popular: must be whole seconds"),
    ],
)
def test_a_wrong_file_gets_a_sentence(tmp_path, text, sentence):
    """What is wrong in a file is told with its key."""
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_fitted_model(tmp_path / "m.toml")


def test_no_file_gets_a_sentence(tmp_path):
    """A file that is not there is told."""
    with pytest.raises(InputError, match="cannot be read"):
        read_fitted_model(tmp_path / "none.toml")
