"""check_broker: sound brokers pass, and each rule has one that breaks it."""

from __future__ import annotations

import itertools

import pytest

from echelon import broker
from echelon.errors import PolicyError
from echelon.testing import check_broker


@pytest.mark.parametrize("words", ["mpl", "round-robin", "mct:of=job", "common-pool"])
def test_built_in_brokers_pass(words):
    """Every kind of rule that comes with the package keeps the rules, and uses the grid."""
    found = check_broker(words)
    assert found.require() is found
    assert all(finding.passed for finding in found.findings)
    assert (found.kind, found.name) == ("broker", words)


def failed(rule) -> list[str]:
    return [finding.name for finding in check_broker(rule).findings if not finding.passed]


def test_one_that_asks_for_more_than_its_level():
    """A rule that asks for sizes at the level of job counts fails."""

    @broker("curious", information=1, source="none")
    def curious(job, site, view):
        """Sizes there."""
        return view.size_sum(site)

    assert failed(curious) == ["sites"]
    with pytest.raises(PolicyError, match=r"curious.*fails the check 'sites'"):
        check_broker(curious).require()


def test_one_that_gives_no_number():
    """A rule without a value fails."""

    @broker("vague", information=0, source="none")
    def vague(job, site, view):
        """Nothing."""

    assert failed(vague) == ["sites"]


def test_one_that_chooses_a_site_that_is_not_allowed():
    """A class whose answer is no allowed site fails."""

    class Stubborn:
        name, information, belief = "stubborn", 0, "execution"

        def choose(self, job, view):
            return 0

    assert failed(Stubborn()) == ["sites"]


def test_one_that_remembers_runs():
    """A rule that goes on where the run before ended sends jobs elsewhere the second time."""
    calls = itertools.count()

    @broker("lasting", information=0, source="none")
    def lasting(job, site, view):
        """How often it was asked, over and over."""
        return next(calls) % 7

    assert "same again" in failed(lasting)


def test_one_that_goes_by_job_numbers():
    """A rule that reads the job's number is found out by other numbers."""

    @broker("numbered", information=0, source="none")
    def numbered(job, site, view):
        """Numbers of job and site, together."""
        return (job.job_id + site) % 3

    assert failed(numbered) == ["job numbers"]


def test_one_that_uses_one_site_is_noted():
    """Always the smallest site is allowed, and noted."""

    @broker("smallest", information=0, source="none")
    def smallest(job, site, view):
        """Places of sites, the lowest first."""
        return site

    found = check_broker(smallest)
    assert found.passed
    assert failed(smallest) == ["use"]
