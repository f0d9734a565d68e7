"""check_broker: sound brokers pass, and each rule has one that breaks it."""

from __future__ import annotations

import functools
import itertools
from importlib import import_module

import pytest

from echelon import broker
from echelon.errors import InputError, PolicyError, UnknownNameError
from echelon.testing import check_broker
from echelon.testing.grids import GRID_CASES, grid_crowd, grid_instances

once = functools.cache(check_broker)
"""What is found of a rule, which several lines of a test may look at."""


def found(rule, name):
    """Return what was found of that name."""
    [finding] = [finding for finding in once(rule).findings if finding.name == name]
    return finding


def failed(rule) -> list[str]:
    """Return the names of the required findings that failed."""
    return [f.name for f in once(rule).findings if f.required and not f.passed]


@pytest.fixture
def few_grids(monkeypatch):
    """Have brokers checked on the tiny grids and one crowd of 24 jobs, in place of four of 60."""
    grids = (*GRID_CASES, grid_crowd(0, 24))
    module = import_module("echelon.testing.checks.check_broker")
    monkeypatch.setattr(module, "grid_instances", lambda seed: [grid.instance() for grid in grids])


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
@pytest.mark.parametrize("spec", ["mpl", "round-robin", "mct:of=job"])
def test_built_in_brokers_pass(spec):
    """Brokers that come with the package keep the rules, need what they declare, and use the grid."""
    checked = check_broker(spec)
    assert checked.require() is checked
    assert all(finding.passed for finding in checked.findings)
    assert (checked.kind, checked.name) == ("broker", spec)


def test_one_that_asks_for_more_than_its_level():
    """A rule that asks for sizes at the level of job counts fails, and nothing further is looked at."""

    @broker("curious", information=1, source="none")
    def curious(job, site, view):
        """Sizes there."""
        return view.size_sum(site)

    assert [finding.name for finding in once(curious).findings] == ["sites"]
    assert "declare information=2 (and in 21 more of 22 runs)" in found(curious, "sites").sentence
    with pytest.raises(PolicyError, match=r"curious.*fails the check 'sites'"):
        once(curious).require()


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_declares_more_than_it_needs():
    """The lowest level at which it chooses alike is told, also to one that falls back when it is refused."""

    @broker("modest", information=4, source="none")
    def modest(job, site, view):
        """Jobs there."""
        return view.jobs(site)

    @broker("careful", information=3, source="none")
    def careful(job, site, view):
        """Planned time there, and nothing if that is not told."""
        try:
            return view.time_sum(site)
        except PolicyError:
            return 0

    assert once(modest).passed
    assert found(modest, "information").sentence == (
        "declares level 4, but 1 is enough here; declare information=1"
    )
    assert found(careful, "information").passed


def test_one_that_gives_no_number():
    """A rule without a value fails."""

    @broker("vague", information=0, source="none")
    def vague(job, site, view):
        """Nothing."""

    assert failed(vague) == ["sites"]


class Chooses:
    """A broker made of a function of (job, view)."""

    name, information, grid_state = "chooses", 0, "actual"

    def __init__(self, rule, **declared):
        self.choose = rule
        for name, value in declared.items():
            setattr(self, name, value)


def test_one_that_chooses_a_site_too_small():
    """A class that always says the first site fails where a job does not fit there."""
    assert failed(Chooses(lambda job, view: 0)) == ["sites"]


@pytest.mark.slow
def test_one_that_does_not_mind_admissibility():
    """The largest site holds every job but is not always admissible."""
    assert failed(Chooses(lambda job, view: view.sizes.index(max(view.sizes)))) == ["admissible"]


def test_one_that_counts_sites_by_size():
    """The last site is not the largest where the file has them in another order."""
    assert failed(Chooses(lambda job, view: len(view.sizes) - 1)) == ["sites"]


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_takes_a_code_for_a_site():
    """A rule that compares the site with job.partition is told so; one that asks for the home is not."""

    @broker("coded", information=0, source="none")
    def coded(job, site, view):
        """0 at the site of the number of the job's partition."""
        return site != job.partition

    @broker("homely", information=0, source="none")
    def homely(job, site, view):
        """0 at home."""
        return site != view.home(job)

    assert not found(coded, "partitions").passed
    assert found(homely, "partitions").passed
    assert once(homely).passed


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_remembers_runs():
    """A rule that continues where the last run ended is detected, without a statement on its needs."""
    calls = itertools.count()
    checked = check_broker(Chooses(lambda job, view: view.allowed[next(calls) % len(view.allowed)]))
    named = {finding.name: finding.passed for finding in checked.findings}
    assert not named["same again"]
    assert "information" not in named


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_remembers_only_what_ran_before():
    """What is the same again at once but not after another run is found out by their order."""
    last = []

    def by_the_run_before(job, view):
        if view.last_site < 0:
            last[:] = [*last[-1:], sum(view.sizes)]
        return view.allowed[(last[0] > 20) * -1]

    assert "fresh start" in failed(Chooses(by_the_run_before))


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_goes_by_job_numbers():
    """A rule that reads the job's number is found out by other numbers."""

    @broker("numbered", information=0, source="none")
    def numbered(job, site, view):
        """Numbers of job and site, together."""
        return (job.job_id + site) % 3

    assert failed(numbered) == ["job numbers"]


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_with_seconds_of_its_own():
    """A limit in seconds is allowed, and noted."""
    rule = Chooses(lambda job, view: view.allowed[0 if job.planned_time < 20 else -1])
    assert not found(rule, "scale").passed
    assert once(rule).passed


@pytest.mark.slow
@pytest.mark.usefixtures("few_grids")
def test_one_that_uses_one_site_is_noted():
    """Always the smallest site is allowed, and noted."""
    rule = Chooses(lambda job, view: view.allowed[0])
    assert not found(rule, "use").passed
    assert once(rule).passed


@pytest.mark.parametrize(
    ("declared", "error", "says"),
    [
        ({"information": "high"}, InputError, "information: must be a level from 0 to 4, got 'high'"),
        ({"information": 5}, InputError, "must be a level from 0 to 4, got 5"),
        ({"grid_state": "faith"}, UnknownNameError, "no grid state of chooses is named 'faith'"),
        ({"name": 3}, InputError, "name: must be a string, got 3"),
    ],
)
def test_impossible_declarations(declared, error, says):
    """What a class says wrongly of itself is an error before any run."""
    with pytest.raises(error, match=says):
        check_broker(Chooses(lambda job, view: view.allowed[0], **declared))


@pytest.mark.slow
def test_one_that_fails_below_an_inner_site():
    """A rule that counts on the sites of a whole grid fails where it decides for an inner site."""
    whole = {tuple(instance.sites.sizes.tolist()) for instance in grid_instances(0)}

    @broker("flat", information=0, source="none")
    def flat(job, site, view):
        """Place of the site in the whole grid."""
        if tuple(view.sizes) not in whole:
            raise ValueError("what sites are these?")
        return site

    assert failed(flat) == ["inner site"]
    assert "what sites are these?" in found(flat, "inner site").sentence
