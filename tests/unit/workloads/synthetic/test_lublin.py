"""The Lublin-Feitelson model: the figures of 400,000 jobs, and what each rule of it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.workloads import generate, read_swf
from echelon.workloads.synthetic.character import character
from echelon.workloads.synthetic.daily_cycle import BUCKET, bucket_clock, bucket_weights, points_at, time_of
from echelon.workloads.synthetic.lublin import DEFAULTS

# Figures of an independent implementation, 400,000 jobs, one seed each; to three or four digits.
REFERENCE = {
    "lublin-batch": (3476, 13.87, 0.292, 0.968, 9486, 809, 6.936, 0.367),
    "lublin-interactive": (624, 8.03, 0.154, 0.846, 235, 13, 2.880, 0.036),
    "lublin-typeless": (912, 12.08, 0.245, 0.868, 4337, 107, 5.461, 0.715),
}
# Relative, about four standard deviations between seeds as measured over twelve, and half a digit.
TOLERANCE = (0.06, 0.015, 0.02, 0.002, 0.06, 0.05, 0.006, 0.12)
BUSIEST_AND_IDLEST = {"batch": (26, 9), "interactive": (28, 10), "typeless": (27, 10)}


def figures(workload, processors=128):
    found = character(workload, processors)
    return (
        found.mean_gap,
        found.mean_size,
        found.serial_share,
        found.power_of_2_share,
        found.mean_run_time,
        found.median_run_time,
        found.mean_log_run_time,
        found.load,
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", REFERENCE)
@pytest.mark.parametrize("seed", [1, 2])
def test_figures_of_one_stream(model, seed):
    """Gap, size, shares, run times and load are those of another implementation from the same facts."""
    found = figures(generate(model, 400_000, seed=seed))
    for got, expected, tolerance in zip(found, REFERENCE[model], TOLERANCE, strict=True):
        assert got == pytest.approx(expected, rel=tolerance)


@pytest.mark.slow
def test_figures_of_both_streams():
    """Together: 14.7 % batch, a job each 524 s, load 0.39."""
    both = generate("lublin", 400_000, seed=1)
    found = character(both, 128)
    assert (both.columns["queue"] == 1).mean() == pytest.approx(0.147, abs=0.02)
    assert found.mean_gap == pytest.approx(524, rel=0.06)
    assert found.load == pytest.approx(0.39, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEFAULTS)
def test_the_day_has_its_busiest_and_idlest_half_hour(kind):
    """The weights' extremes are the model's, and the share of arrivals in each half hour is its weight."""
    weights = bucket_weights(DEFAULTS[kind]["anum"], DEFAULTS[kind]["bnum"])
    assert (weights.argmax(), weights.argmin()) == BUSIEST_AND_IDLEST[kind]
    assert weights.mean() == pytest.approx(1)
    submit = generate(f"lublin-{kind}", 400_000, seed=3).submit_time
    counted = np.bincount((submit % 86400 // BUCKET).astype(int), minlength=48) / len(submit) * 48
    # Bursts spread over seeds by up to 0.054, twelve seeds' mean is within 0.025.
    assert np.abs(counted - weights).max() < 0.2


def test_a_published_sample_agrees(data_file):
    """Ten thousand jobs of the authors' own program on 256 nodes have the same sizes and run times."""
    theirs = figures(read_swf(data_file("lublin_256.swf.gz")), 256)
    ours = np.array(
        [figures(generate("lublin-typeless", 10_000, processors=256, seed=seed), 256) for seed in range(20)]
    )
    spread = ours.std(axis=0, ddof=1)
    off = np.abs(np.array(theirs) - ours.mean(axis=0)) / spread
    assert off[1:7].max() < 4
    # Its gaps are shorter than those of any of ours, 771 s: within a fifth.
    assert theirs[0] == pytest.approx(ours[:, 0].mean(), rel=0.2)


def test_one_step_at_a_time():
    """Arrivals equal those of the model's own loop over half hours, written out."""
    weights = bucket_weights(8.1737, 3.9631)
    clock = bucket_clock(weights)
    random = np.random.default_rng(5)
    points = np.exp(random.gamma(10.46, 0.4871, 3000)) / BUCKET
    bucket, left, before, time, expected = 0, 0.0, 0.0, 0.0, []
    for drawn in points:
        left += drawn
        gap = 0.0
        while left > weights[bucket]:
            left -= weights[bucket]
            bucket = (bucket + 1) % 48
            gap += BUCKET
        gap += BUCKET * (left / weights[bucket] - before)
        before = left / weights[bucket]
        time += gap
        expected.append(time)
    assert time_of(np.cumsum(points), clock) == pytest.approx(expected, rel=1e-9)


def test_points_and_time_undo_each_other():
    """The clock of points runs forth and back to the same moment, over midnight, too."""
    clock = bucket_clock(bucket_weights(8.1737, 3.9631))
    time = np.array([0.0, 1.0, 1800.0, 86399.0, 86400.0, 1e6 + 0.25])
    assert time_of(points_at(time, clock), clock) == pytest.approx(time, abs=1e-6)


def test_ties_go_to_interactive():
    """Where both streams bring a job at the same moment, the interactive one is first."""
    both = generate(
        "lublin",
        2000,
        seed=4,
        interactive_aarr=1e-9,
        batch_aarr=1e-9,
        interactive_anum=6.1271,
        interactive_bnum=5.274,
    )
    # All gaps are one second's points, the days are equal: both streams arrive at the same moments.
    queue = both.columns["queue"]
    assert queue[::2].tolist() == [0] * 1000
    assert queue[1::2].tolist() == [1] * 1000


def test_each_stream_keeps_its_jobs_when_merged():
    """The batch jobs among both are the jobs of the batch stream alone, in its order."""
    both, batch = generate("lublin", 3000, seed=9), generate("lublin-batch", 3000, seed=9)
    mine = both.columns["queue"] == 1
    n = int(mine.sum())
    assert n > 100
    assert both.submit_time[mine].tolist() == batch.submit_time[:n].tolist()


@pytest.mark.parametrize("model", ["lublin", "lublin-batch", "lublin-interactive", "lublin-typeless"])
@pytest.mark.parametrize("processors", [1, 2, 3, 100, 128, 1000])
def test_no_job_is_larger_than_the_machine(model, processors):
    """Scaled to any machine, sizes fit it, and the machine is told in the header."""
    made = generate(model, 5000, processors=processors, seed=2)
    assert made.processors.min() == 1
    assert made.processors.max() <= processors
    # Interactive jobs alone have a part of the machine for themselves.
    expected = processors if model != "lublin-interactive" or processors == 1 else made.header.max_procs
    assert made.header.max_procs == expected


def test_the_default_machine_is_that_of_the_model():
    """Scaled to 128 processors, jobs are those of the unscaled model."""
    for model in ("lublin", "lublin-batch", "lublin-typeless"):
        assert generate(model, 300, processors=128, seed=1) == generate(model, 300, seed=1)


def test_no_correlation_without_its_slope():
    """With pa = 0 run times do not depend on sizes; by default large jobs run longer."""
    for slope, expected in ((0.0, 0.0), (-0.0054, 0.1)):
        made = generate("lublin-typeless", 100_000, seed=6, pa=slope)
        correlation = np.corrcoef(np.log(made.run_time), np.log2(made.processors))[0, 1]
        assert correlation == pytest.approx(expected, abs=0.02) if not expected else correlation > expected


def test_run_times_are_cut_and_whole():
    """No run time beyond the cut, none below 1 s, all whole."""
    made = generate("lublin-batch", 50_000, seed=1, longest_run=3600)
    assert made.run_time.max() <= 3600
    assert made.run_time.min() >= 1
    assert np.array_equal(made.run_time, np.trunc(made.run_time))


def test_the_start_hour_is_when_arrivals_begin():
    """With start_hour 8 the first job comes after eight o'clock of the first day."""
    first = generate("lublin-interactive", 10, seed=1, start_hour=8).submit_time[0]
    assert 8 * 3600 <= first < 9 * 3600


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"serial": 1.5}, "parameter serial: must be between 0 and 1, got 1.5"),
        ({"a1": 0}, "parameter a1: must be between 1e-100 and 1e+06, got 0"),
        ({"pa": math.nan}, "parameter pa: must be any finite number, got nan"),
        ({"serial": 0.6, "pow2": 0.6}, "serial and pow2 must be at most 1 together, got 1.2"),
        ({"ulow": 5}, "must be ulow <= umed <= uhi, got 5, 4.5, 7"),
        ({"b1": 500, "b2": 500}, "hardly any run time is within longest_run=162755 s"),
        ({"barr": 500}, "hardly any gap is within longest_gap=442413 s"),
        ({"anum": 900}, "the daily cycle lies outside the day"),
    ],
)
def test_parameters_that_can_not_be_are_refused(settings, sentence):
    """A value out of bounds, or values that contradict each other, get a sentence that says which."""
    with pytest.raises(InputError, match=sentence.replace("+", r"\+")):
        generate("lublin-typeless", 10, **settings)
