"""Models of users' estimates: what values they give, how many jobs get each, and that run times fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError, UnknownNameError
from echelon.model import Workload
from echelon.workloads import generate, read_workload, transform
from echelon.workloads.transform.popular_values import TOP, popular_values


def jobs_of(run_times):
    n = len(run_times)
    return Workload.from_columns(run_time=run_times, submit_time=np.arange(n), processors=np.ones(n))


def counted(workload):
    """Return the estimates with the share of jobs of each, the most popular first."""
    times, counts = np.unique(workload.requested_time, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return times[order], counts[order] / len(workload)


def test_the_f_model_is_uniform_between_its_ends():
    """Ratios of estimate to run time lie in [1, f + 1] and are uniform there."""
    made = transform.factor_estimates(jobs_of(np.full(20_000, 10_000.0)), 3, seed=1)
    ratio = made.requested_time / made.run_time
    assert ratio.min() >= 1
    assert ratio.max() <= 4.0001
    assert np.histogram(ratio, bins=3, range=(1, 4))[0] == pytest.approx([6667] * 3, rel=0.05)


def test_no_badness_is_exact():
    """With f = 0 and with the multiple 1 estimates are the run times."""
    jobs = jobs_of([1.0, 7.0, 3600.0])
    assert transform.factor_estimates(jobs, 0).requested_time.tolist() == [1, 7, 3600]
    assert transform.multiple_estimates(jobs, 1).requested_time.tolist() == [1, 7, 3600]


def test_multiples_are_rounded_up_and_unknown_run_times_left():
    """Estimates are whole seconds, never below the run time; a job that never ran gets none."""
    jobs = jobs_of([3.0, -1.0, 0.5])
    assert transform.multiple_estimates(jobs, 1.5).requested_time.tolist() == [5, -1, 1]


def test_the_seed_decides_and_the_header_tells():
    """The same seed draws the same; what was done stands in the header."""
    jobs = generate("poisson", 200, seed=1)
    for spec in ("factor:f=2", "popular"):
        first, again, other = (transform.draw_estimates(jobs, spec, seed=seed) for seed in (1, 1, 2))
        assert first == again
        assert first != other
        assert "seed 1" in transform.transformations(first)[-1]


def test_popular_shares_are_those_of_the_paper():
    """Of 250,000 jobs 89 % have one of twenty values, the longest first of all, and 565 values occur."""
    values = popular_values(250_000, 64_800, np.random.default_rng(1))
    shares = np.sort(values.jobs)[::-1] / 250_000
    assert values.jobs.sum() == 250_000
    assert shares[:TOP].sum() == pytest.approx(0.89, abs=0.002)
    assert values.jobs[-1] == values.jobs.max()
    assert values.time[-1] == 64_800
    rank = np.arange(2, 21)
    assert shares[1:TOP] == pytest.approx((14.0491 * np.exp(-0.177531 * rank) + 0.462513) / 100, abs=1e-3)
    # Some rare values coincide with others and are left out, as in the original.
    assert 500 <= len(values.time) <= 565
    assert np.array_equal(values.time % 10, np.zeros(len(values.time)))


@pytest.mark.parametrize("longest", [60, 10**10])
def test_the_longest_estimate_has_bounds(longest):
    """Less than an hour and more than any machine lives are refused."""
    with pytest.raises(InputError, match=r"longest: must be between an hour, 3600 s, and 1e\+09 s"):
        popular_values(10, longest, np.random.default_rng(1))


def test_popular_values_are_the_common_ones():
    """The five minutes to 18 hours that all logs share are among the twenty, whatever the seed."""
    for seed in range(5):
        values = popular_values(100_000, 360_000, np.random.default_rng(seed))
        twenty = values.time[np.argsort(-values.jobs)[:TOP]]
        assert {300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 43_200, 64_800, 360_000} <= set(
            twenty.tolist()
        )


def test_each_popular_place_has_a_rank_it_had_in_a_log():
    """Five minutes has one of the ranks it or the longest had in the four logs, but the first."""
    ranks = []
    for seed in range(40):
        values = popular_values(100_000, 64_800, np.random.default_rng(seed))
        order = values.time[np.argsort(-values.jobs, kind="stable")].tolist()
        ranks.append(order.index(300) + 1)
    assert set(ranks) <= {2, 3, 4, 6}
    assert len(set(ranks)) > 1


def test_known_values_keep_their_shares():
    """Values known from a log have their own share; the others of the twenty make up 89 % with them."""
    known = {120: 0.2, 64_800: 0.1, 300: 0.05}
    values = popular_values(100_000, 64_800, np.random.default_rng(1), known=known)
    share = dict(zip(values.time.tolist(), (values.jobs / 100_000).tolist(), strict=True))
    for time, expected in known.items():
        assert share[time] == pytest.approx(expected, abs=0.002)
    assert sum(sorted(share.values())[-TOP:]) == pytest.approx(0.89, abs=0.003)


def test_a_log_s_own_popular_values_come_back():
    """Drawn again with the popular values of KTH-SP2, these have the shares they have in the log."""
    log = read_workload("kth-sp2")
    known = transform.known_popular(log)
    assert len(known) == TOP
    assert max(known) == log.requested_time.max()
    made = transform.popular_estimates(log, known=known, seed=2)
    times, shares = counted(made)
    got = dict(zip(times.tolist(), shares.tolist(), strict=True))
    assert max(abs(got[time] - share) for time, share in known.items()) < 0.003


def test_no_request_no_known_values():
    """A log without requests has no popular ones."""
    assert transform.known_popular(jobs_of([5.0, 6.0])) == {}


@given(
    runs=st.lists(st.floats(-1, 90_000), min_size=1, max_size=60),
    longest=st.sampled_from([0, 3600, 7200, 100_000]),
    head=st.sampled_from([0, 0.5, 0.89, 1]),
    seed=st.integers(0, 5),
)
def test_run_times_fit(runs, longest, head, seed):
    """Whatever the jobs: every request is one of the values, at least the run time or the longest allowed."""
    jobs = jobs_of([float(run) for run in runs])
    made = transform.popular_estimates(jobs, longest, head=head, seed=seed)
    limit = longest or max(3600, 3600 * np.ceil(max(0.0, *runs, 0.0) / 3600))
    assert len(made) == len(jobs)
    assert (made.requested_time >= np.minimum(made.run_time, limit)).all()
    assert (made.requested_time > 0).all()
    assert made.requested_time.max() <= limit


def test_requests_that_had_to_be_raised_are_told():
    """When all jobs run for the longest time, all get the longest estimate, and the header counts them."""
    made = transform.popular_estimates(jobs_of([7200.0] * 50), 7200)
    assert set(made.requested_time.tolist()) == {7200}
    assert "raised to the next value" in transform.transformations(made)[-1]


def test_nothing_is_drawn_for_no_job():
    """An empty workload stays what it is."""
    empty = jobs_of([1.0]).take(np.array([], dtype=np.int64))
    assert len(transform.popular_estimates(empty)) == 0
    assert len(transform.factor_estimates(empty, 1)) == 0


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("popular:longest=60", r"longest: must be between an hour, 3600 s, and 1e\+09 s, got 60"),
        ("popular:head=2", "parameter head: must be between 0 and 1, got 2"),
        ("factor:f=-1", "parameter f: must be >= 0, got -1"),
        ("factor:f=1e300", "factor of estimates: is too large"),
        ("multiple:factor=0.5", "parameter factor: must be >= 1, got 0.5"),
    ],
)
def test_wrong_parameters_are_refused(spec, sentence):
    """One sentence names the parameter, its bounds and what was given."""
    with pytest.raises(InputError, match=sentence):
        transform.draw_estimates(jobs_of([5.0, 100.0]), spec)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: transform.factor_estimates(jobs_of([1.0]), float("nan")), "f: must be a finite number >= 0"),
        (lambda: transform.multiple_estimates(jobs_of([1.0]), 0.1), "factor: must be a finite number >= 1"),
        (lambda: transform.popular_estimates(jobs_of([1.0]), -1), "longest: must be a time >= 0"),
        (lambda: transform.popular_estimates(jobs_of([1.0]), known={9000: 0.1}), "known: must be times > 0"),
        (lambda: transform.popular_estimates(jobs_of([1.0]), known={60: 1.1}), "known: must be shares"),
        (
            lambda: transform.popular_estimates(jobs_of([1.0]), known={60 * k: 0.01 for k in range(1, 21)}),
            "known: must be at most 19 values, got 20",
        ),
    ],
)
def test_wrong_arguments_are_refused(call, sentence):
    """The same from Python."""
    with pytest.raises(InputError, match=sentence):
        call()


def test_an_unknown_model_is_told_the_nearest():
    """A word that names no model of estimates gets the nearest one."""
    with pytest.raises(
        UnknownNameError, match="no model of estimates is named 'populer'; did you mean 'popular'"
    ):
        transform.draw_estimates(jobs_of([5.0]), "populer")
