"""check_protocol: sound protocols pass, and each rule has one that breaks it."""

from __future__ import annotations

import itertools

import pytest

from echelon.errors import InputError, PolicyError
from echelon.policies import SiteProtocol, StartAt
from echelon.policies.decentralized.one_site import first_fits
from echelon.testing import check_broker, check_protocol


class Own(SiteProtocol):
    """Every site takes what fits, or what the function says."""

    name = "own"

    def __init__(self, decide=None):
        super().__init__()
        if decide:
            object.__setattr__(self, "decide", decide)

    def decide(self, view):
        for site in range(len(view.sizes)):
            yield from first_fits(site, view.known(site), view)


def failed(rule) -> list[str]:
    """Return the names of the required findings that failed."""
    return [f.name for f in check_protocol(rule).findings if f.required and not f.passed]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["common-pool", "exchange:easy", "stealing:50:fit=best-fit"])
def test_built_in_protocols_pass(spec):
    """Built-in protocols keep the rules, and jobs leave their homes."""
    checked = check_protocol(spec)
    assert checked.require() is checked
    assert all(finding.passed for finding in checked.findings)
    assert (checked.kind, checked.name) == ("decentralized protocol", spec)


@pytest.mark.slow
def test_check_broker_takes_them_too():
    """The spec stands in the same place, so that one check takes both."""
    assert check_broker("common-pool") == check_protocol("common-pool")


def test_a_broker_is_none():
    """A broker is refused, with what to use instead."""
    with pytest.raises(InputError, match="mpl: is a broker; use check_broker"):
        check_protocol("mpl")


@pytest.mark.slow
def test_one_of_ones_own():
    """A class with a name and decide passes, and is told apart from what kernels can run."""
    checked = check_protocol(Own())
    assert checked.passed
    assert [finding.name for finding in checked.findings if not finding.passed] == ["compiled engine"]


def test_one_that_leaves_jobs_waiting():
    """Jobs that are never started are found, with the grid on which they wait."""
    with pytest.raises(PolicyError, match=r"decentralized protocol own.*'runs': one-site: .*can never start"):
        check_protocol(Own(lambda view: ())).require()


def test_one_that_overfills_a_site():
    """A start that does not fit is found."""
    assert failed(Own(lambda view: [StartAt(job, 0) for job in view.queue])) == ["runs"]


def test_homes_that_fail():
    """An error inside `homes` is the protocol's, in a sentence."""

    class Nowhere(Own):
        def homes(self, sizes, size, submitted):
            raise ZeroDivisionError("nobody lives here")

    [finding] = check_protocol(Nowhere()).findings
    assert "own, homes: fails with ZeroDivisionError: nobody lives here" in finding.sentence


@pytest.mark.slow
def test_one_that_remembers_runs():
    """What takes sites in an order that goes on from run to run is found out."""
    calls = itertools.count()

    def turning(view):
        first = next(calls)
        for k in range(len(view.sizes)):
            site = (first + k) % len(view.sizes)
            yield from first_fits(site, view.known(site), view)

    assert "fresh start" in failed(Own(turning))


@pytest.mark.slow
def test_one_that_goes_by_job_numbers():
    """What reads the job's number is found out by other numbers."""

    def by_number(view):
        for job in sorted(view.queue, key=lambda job: job.job_id):
            fits = [site for site in range(len(view.sizes)) if job.processors <= view.free(site)]
            if fits:
                yield StartAt(job, fits[0])

    assert failed(Own(by_number)) == ["job numbers"]


@pytest.mark.slow
def test_latency_is_noted():
    """A latency in seconds is allowed; twice the time is then not twice the start times."""
    checked = check_protocol("common-pool:latency=3")
    assert checked.passed
    assert [finding.name for finding in checked.findings if not finding.passed] == ["scale"]


class Bare:
    """A protocol without the base class."""

    name, spec, latency, refresh = "bare", "bare", 0.0, 0.0

    def homes(self, sizes, size, submitted):
        return submitted

    def decide(self, view):
        return ()


def test_specs_that_are_none(monkeypatch):
    """What a class without the base says wrongly of itself is an error before any run."""
    monkeypatch.setattr(Bare, "spec", 7)
    with pytest.raises(InputError, match="spec: must be a string, got 7"):
        check_protocol(Bare())


def test_latency_that_is_none(monkeypatch):
    """A time that cannot pass is found."""
    monkeypatch.setattr(Bare, "latency", -1.0)
    [finding] = check_protocol(Bare()).findings
    assert "bare, latency: must be seconds >= 0, got -1.0" in finding.sentence
