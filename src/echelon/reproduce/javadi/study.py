"""The Failure Trace Archive's study: laws of how long nodes are available and unavailable, of LANL05 here.

Source: B. Javadi, D. Kondo, A. Iosup, D. Epema, "The Failure Trace Archive: Enabling the comparison of
failure measurements and models of distributed systems", Journal of Parallel and Distributed Computing 73,
2013.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.availability.fits.summary import failure_summary
from echelon.reproduce.javadi.claims import CLAIMS, HOUR, POINTS, weibull
from echelon.reproduce.javadi.data import SHA256, trace
from echelon.reproduce.machinery.figure import Measure, Quantity, measure_figures
from echelon.reproduce.machinery.listing import listing
from echelon.reproduce.machinery.printed_table import printed_figures
from echelon.reproduce.machinery.published_study import PublishedStudy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.availability.fits.law_fit import TimeSample
    from echelon.availability.fits.summary import FailureSummary
    from echelon.availability.laws.distributions import Lognormal
    from echelon.reproduce.machinery.experiments import Parts
    from echelon.reproduce.machinery.figure import Figure
    from echelon.reproduce.machinery.listing import Row


def _lognormal(sample: TimeSample) -> Lognormal:
    law: Lognormal = sample.fit("lognormal").law  # type: ignore[assignment]
    return law


_SHAPE = "of greatest likelihood, of times > 0"
MEASURES = (
    Measure(Quantity("mean", "mean", "h", "mean of times > 0"), lambda times: times.mean_positive / HOUR),
    Measure(Quantity("weibull_shape", "Weibull, shape", "", _SHAPE), lambda times: weibull(times).shape),
    Measure(
        Quantity("weibull_scale", "Weibull, scale", "h", _SHAPE), lambda times: weibull(times).scale / HOUR
    ),
    Measure(
        Quantity("lognormal_mu", "lognormal, mu", "ln h", "mean of ln(times > 0)"),
        lambda times: _lognormal(times).mu,
    ),
    Measure(
        Quantity("lognormal_sigma", "lognormal, sigma", "ln h", "deviation of ln(times > 0)"),
        lambda times: _lognormal(times).sigma,
    ),
)
"""Every quantity compared, and how it follows from times and the laws fitted to them."""

NOTES = (
    "The text of the study is not at hand. Eight figures that it prints of LANL05 are known here; the "
    "claim is of its abstract.",
    "A node is keyed by its id in the trace: names are given twice, and intervals of one name overlap.",
    "A time of availability is from the end of an outage of a node to its next one; what is before the first "
    "and after the last one is not known.",
    "Outages of no length are left out, of the mean as well: no law has them, and only without them is the "
    "mean outage the 5.92 h that is printed.",
    "Laws are fitted by maximum likelihood.",
)


def _times(summary: FailureSummary) -> dict[str, TimeSample]:
    return {"availability": summary.up, "unavailability": summary.down}


def _figures(summary: FailureSummary) -> list[Figure]:
    times = _times(summary)
    return measure_figures(printed_figures("javadi", "lanl05"), MEASURES, lambda line: times[line.subject])


@listing(
    "fits",
    "How well four laws fit (computed here)",
    ("Times", "Law", "Mean of the law, h", "Log-likelihood", "Kolmogorov-Smirnov distance"),
    "The law of the greatest log-likelihood fits best; the distance is that of the distribution functions.",
    labels=2,
)
def _fits(summary: FailureSummary) -> Iterator[Row]:
    between = {"failure to failure of a node": summary.between}
    machine = {"failure to failure of all nodes": summary.systems[0].between}
    for name, times in (_times(summary) | between | machine).items():
        for fit in times.fits:
            yield name, fit.law.name, fit.law.mean / HOUR, fit.log_likelihood, fit.distance


@listing(
    "times",
    "The times (computed here)",
    ("Times", "Number", "Of no length", "Mean, h", "Mean of the others, h", "Median, h"),
    "",
)
def _sizes(summary: FailureSummary) -> Iterator[Row]:
    for name, times in _times(summary).items():
        hours = (seconds / HOUR for seconds in (times.mean, times.mean_positive, times.median))
        yield name, times.n, times.zeros, *hours


def _experiments(_: object, parts: Parts) -> FailureSummary:
    failures = parts("reading LANL05", lambda _: trace())
    return parts("fitting laws", lambda _: failure_summary(failures))


PUBLISHED = PublishedStudy(
    name="javadi",
    title="Laws of failures and repairs fitted to the failures of LANL",
    source='Javadi, Kondo, Iosup & Epema, "The Failure Trace Archive: Enabling the comparison of failure '
    'measurements and models of distributed systems", Journal of Parallel and Distributed Computing 73, 2013',
    needs="the event trace of LANL05, of the Failure Trace Archive",
    takes="2 s",
    repeats=False,
    experiments=_experiments,
    judged=CLAIMS.judge,
    points=POINTS,
    setting=lambda summary, _: {
        "trace": "LANL05",
        "input_sha256": SHA256,
        "nodes": summary.nodes,
        "failures": summary.failures,
    },
    figures=_figures,
    listings=lambda summary, _: [_sizes(summary), _fits(summary)],
    notes=NOTES,
)
JAVADI = PUBLISHED.study
