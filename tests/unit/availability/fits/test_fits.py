"""Fits: maximum likelihood against draws, closed forms and scipy; times of traces against a trace by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.availability.fits import (
    down_times,
    failure_summary,
    fit_laws,
    likeliest_weibull,
    machine_gaps,
    node_gaps,
    up_times,
)
from echelon.availability.laws import Constant, Exponential, Gamma, Lognormal, Weibull
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.merging import node_intervals
from echelon.availability.processes import FailureProcess, draw_failures
from echelon.availability.traces import parse_trace
from echelon.errors import InputError

HOUR, YEAR = 3600.0, 365.25 * 86400.0
LAWS = [Exponential(50.0), Weibull(0.5, 900.0), Weibull(3.0, 900.0), Lognormal(2.0, 1.5), Gamma(0.35, 80.0)]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_law_that_drew_the_times_is_found(law):
    """Of four laws the one that drew 50,000 times is likeliest, or one that contains it, with its numbers."""
    times = law.sample(np.random.default_rng(1), 50_000)
    found = fit_laws(times)
    assert found.best is not None
    if law.name == "exponential":
        assert found.best.log_likelihood - found.fit("exponential").log_likelihood < 5
    else:
        assert found.best.law.name == law.name
    fitted = found.fit(law.name)
    assert fitted.law.mean == pytest.approx(law.mean, rel=0.06)
    for name in ("shape", "sigma"):
        if hasattr(law, name):
            assert getattr(fitted.law, name) == pytest.approx(getattr(law, name), rel=0.02)
    assert fitted.distance < 1.36 / math.sqrt(50_000)
    assert max(one.distance for one in found.fits) == max(
        one.distance for one in found.fits if one.law.name != law.name
    )


@pytest.mark.parametrize("law", [Weibull(0.48, 3e6), Gamma(0.4, 1e4), Lognormal(1.0, 2.0, "h")], ids=repr)
def test_no_other_parameters_are_likelier(law):
    """A step of a thousandth in any parameter lowers the likelihood."""
    times = law.sample(np.random.default_rng(2), 500)
    fit = fit_laws(times).fit(law.name)
    names = ("mu", "sigma") if law.name == "lognormal" else ("shape", "scale")
    best = [getattr(fit.law, name) for name in names]
    for place in range(2):
        for factor in (0.999, 1.001):
            moved = list(best)
            moved[place] *= factor
            other = type(law)(*moved, *(["h"] if law.name == "lognormal" else []))
            assert other.log_density(np.sort(times)).sum() < fit.log_likelihood


@pytest.mark.slow
def test_fits_are_those_of_scipy():
    """Weibull and gamma parameters, likelihoods and distances of an independent library."""
    stats = pytest.importorskip("scipy.stats")
    times = Weibull(0.6, 100.0).sample(np.random.default_rng(3), 400)
    found = fit_laws(times)
    shape, _, scale = stats.weibull_min.fit(times, floc=0)
    mine = found.fit("weibull")
    assert (mine.law.shape, mine.law.scale) == pytest.approx((shape, scale), rel=1e-3)
    theirs = stats.weibull_min(mine.law.shape, scale=mine.law.scale)
    assert mine.log_likelihood == pytest.approx(theirs.logpdf(times).sum(), rel=1e-10)
    assert mine.distance == pytest.approx(stats.kstest(times, theirs.cdf).statistic, rel=1e-10)
    shape, _, scale = stats.gamma.fit(times, floc=0)
    assert (found.fit("gamma").law.shape, found.fit("gamma").law.scale) == pytest.approx(
        (shape, scale), rel=1e-3
    )
    law = found.fit("gamma")
    theirs = stats.gamma(law.law.shape, scale=law.law.scale)
    assert law.log_likelihood == pytest.approx(theirs.logpdf(times).sum(), rel=1e-10)
    assert law.distance == pytest.approx(stats.kstest(times, theirs.cdf).statistic, abs=1e-9)
    law = found.fit("lognormal")
    theirs = stats.lognorm(law.law.sigma, scale=HOUR * math.exp(law.law.mu))
    assert law.log_likelihood == pytest.approx(theirs.logpdf(times).sum(), rel=1e-10)


def test_times_in_other_units_give_the_same_law():
    """Very short and very long times are fitted as well: the shape stays, the scale follows."""
    times = Weibull(0.5, 1.0).sample(np.random.default_rng(4), 200)
    one = likeliest_weibull(times)
    for factor in (1e-9, 1e12):
        other = likeliest_weibull(times * factor)
        assert other.shape == pytest.approx(one.shape, rel=1e-9)
        assert other.scale == pytest.approx(one.scale * factor, rel=1e-9)


def test_nearly_equal_times_give_a_steep_law():
    """Times that hardly differ have a shape far above any other, without failing."""
    times = 1000.0 + np.arange(50) * 1e-3
    assert likeliest_weibull(times).shape > 1e4
    assert fit_laws(times).fit("lognormal").law.sigma < 1e-4


def test_times_that_no_law_fits():
    """Zeros are counted and left out; equal times, one or none have no fits, but a mean if any."""
    assert (fit_laws(np.array([])).n, fit_laws(np.array([])).fits) == (0, ())
    found = fit_laws(np.array([0.0, 0.0, 6.0]))
    assert (found.n, found.zeros, found.mean, found.median, found.mean_positive) == (3, 2, 2.0, 0.0, 6.0)
    assert (found.fits, found.best) == ((), None)
    assert fit_laws(np.array([5.0, 5.0])).fits == ()
    for wrong in ([1.0, 0.0], [1.0, np.inf], [2.0, 2.0], [1.0]):
        with pytest.raises(InputError, match="times to fit: must be"):
            likeliest_weibull(np.array(wrong))


TRACE = """\
node,down,up,kind,site
1,10,20,fail,a
2,10,15,fail,a
1,50,60,fail,a
1,70,75,drain,a
2,100,,fail,a
1,58,59,fail,b
1,58,58,fail,b
"""


def test_times_of_a_trace():
    """Up, down and between failures, by node and by site; drains do not count, nor a repair not over."""
    trace = parse_trace(TRACE.encode(), "file")
    assert sorted(down_times(trace).tolist()) == [0, 1, 5, 10, 10]
    assert sorted(up_times(trace).tolist()) == [0, 30, 85]
    assert sorted(node_gaps(trace).tolist()) == [0, 40, 90]
    assert sorted(machine_gaps(trace).tolist()) == [0, 0, 40, 50]


def test_what_a_trace_says_in_figures():
    """Counts, systems, MTBF and MTTR of the trace above; availability is time up over time up and down."""
    found = failure_summary(parse_trace(TRACE.encode(), "file"))
    assert (found.failures, found.drains, found.maintenances, found.nodes) == (6, 1, 0, 3)
    assert [(one.name, one.nodes, one.failures) for one in found.systems] == [("a", 2, 4), ("b", 1, 2)]
    assert (found.first, found.last) == (10, 100)
    assert found.availability == pytest.approx((115 / 3) / (115 / 3 + 26 / 5))
    told = found.to_dict()
    assert told["mttr"] == 26 / 5
    assert told["systems"][0]["between"]["mean"] == 30
    with pytest.raises(InputError, match="has no failure, only drains or maintenance"):
        failure_summary(parse_trace(b"node,down,up,kind\n1,2,3,drain\n", "file"))


def test_a_thousand_years_of_a_node_give_their_law_back():
    """Simulating 1,000 node-years from a fitted law and fitting again returns its shape within 2 %."""
    law, repair = Weibull(0.4822, 816.603 * HOUR), Lognormal(0.0483, 1.4159, "h")
    machine = MachineNodes((100,))
    outages = draw_failures(FailureProcess(law), repair, machine, horizon=10 * YEAR, seed=1)
    one = node_intervals(outages)
    order = np.lexsort((one.start, one.node))
    node, start, end = one.node[order], one.start[order], one.end[order]
    ups = (start[1:] - end[:-1])[node[1:] == node[:-1]]
    # The first time up of each node begins at 0.
    first = start[np.concatenate(([True], node[1:] != node[:-1]))]
    found = fit_laws(np.concatenate((first, ups)))
    assert found.n > 4_500
    assert found.fit("weibull").law.shape == pytest.approx(law.shape, rel=0.02)
    assert found.best.law.name == "weibull"
    repairs = fit_laws(end - start)
    assert repairs.best.law.name == "lognormal"
    assert repairs.best.law.sigma == pytest.approx(repair.sigma, rel=0.02)


def test_a_constant_repair_is_found_as_it_is():
    """Repairs of one length have that mean and median, and no law is fitted to them."""
    outages = draw_failures(
        FailureProcess(Exponential(YEAR / 10)), Constant(HOUR), MachineNodes((5,)), horizon=YEAR, seed=2
    )
    found = fit_laws(np.round(outages.end - outages.start, 3))
    assert (found.mean, found.median, found.fits) == (HOUR, HOUR, ())
