"""check_global_queue: sound rules pass, and each finding has a rule that fails it."""

from __future__ import annotations

from importlib import import_module

import pytest

from echelon.errors import InputError, PolicyError
from echelon.policies.global_queue import Deliver, global_queue, names_global_queue
from echelon.testing import check_global_queue


class _Rule:
    """Hands each job to one of the clusters whose queue takes it."""

    name = "rule"

    def dispatch(self, view):
        for job in view.queue:
            if sites := [site for site in view.able(job) if view.accepts(job, site)]:
                yield Deliver(job, self.choice(job, sites))

    def choice(self, job, sites):
        return sites[-1]


class _Counting(_Rule):
    def __init__(self):
        self.seen = 0

    def choice(self, job, sites):
        self.seen += 1
        return sites[self.seen % len(sites)]


class _ByNumber(_Rule):
    def choice(self, job, sites):
        return sites[job.job_id * 7919 % len(sites)]


class _Greedy(_Rule):
    def dispatch(self, view):
        return (Deliver(job, view.able(job)[0]) for job in view.queue)


class _Lazy(_Rule):
    def dispatch(self, view):
        return ()


class _Lost(_Rule):
    def choice(self, job, sites):
        return 99


@pytest.fixture
def few_cases(monkeypatch):
    """Have rules checked on fewer clusters than users' own are."""
    monkeypatch.setattr(import_module("echelon.testing.checks.check_global_queue"), "_CASES", 2)


def findings(rule) -> dict[str, bool]:
    """Return what passed, by name."""
    return {finding.name: finding.passed for finding in check_global_queue(rule).findings}


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["nb.rs", _Rule()])
def test_sound_rules_pass(few_cases, rule):
    """A built-in rule and a user's own sound one keep the rules and the limits."""
    checked = check_global_queue(rule)
    assert checked.require() is checked
    assert all(finding.passed for finding in checked.findings)
    assert checked.kind == "global queue"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        (_Counting(), {"same again", "fresh start", "job numbers"}),
        (_ByNumber(), {"job numbers"}),
        (_Greedy(), {"limits"}),
        (_Lazy(), {"runs"}),
        (_Lost(), {"runs"}),
    ],
)
def test_what_breaks_is_found(few_cases, rule, broken):
    """A memory of earlier runs, job numbers, limits not asked about, jobs left, a cluster not there."""
    found = findings(rule)
    failed = {name for name, passed in found.items() if not passed}
    assert failed
    assert failed <= broken


def test_it_makes_a_test(few_cases):
    """`require` raises for a rule that leaves jobs."""
    with pytest.raises(PolicyError, match="fails the check 'runs'"):
        check_global_queue(_Lazy()).require()
    with pytest.raises(InputError, match="global queue"):
        check_global_queue(7)


def test_a_file_says_what_it_has(tmp_path):
    """A class with dispatch in a file is an upper queue; other words and names are not."""
    file = tmp_path / "mine.py"
    lines = (
        "class Mine:",
        "    name = 'mine'",
        "    def dispatch(self, view):",
        "        return ()",
        "Other = 3",
    )
    file.write_text("\n".join(lines))
    assert names_global_queue(f"{file}:Mine")
    assert not names_global_queue(f"{file}:Other")
    assert not names_global_queue("nb.rs")


@pytest.mark.slow
def test_the_old_name_of_the_method_still_works(few_cases, tmp_path):
    """A rule that has `hand_out` in place of `dispatch` runs, as an object and from a file."""

    class Old:
        name = "old"

        def hand_out(self, view):
            for job in view.queue:
                yield Deliver(job, view.choose(job, view.able(job)))

    assert findings(Old())["runs"]
    file = tmp_path / "old.py"
    file.write_text("class Old:\n    name = 'old'\n    def hand_out(self, view):\n        return ()\n")
    assert names_global_queue(f"{file}:Old")
    assert list(global_queue(f"{file}:Old").dispatch(None)) == []
