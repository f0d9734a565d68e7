"""``echelon check``."""

from __future__ import annotations

RULES = '''
from echelon import Start, order


@order("my-area", source="none")
def my_area(job, view):
    """Requested processors times planned time, in processor-seconds; the smallest first."""
    return job.processors * job.planned_time


class Greedy:
    name = "greedy"

    def decide(self, view):
        for job in view.queue:
            yield Start(job)
'''


def test_a_rule_that_keeps_the_rules(echelon, tmp_path):
    """A sound order passes, finding by finding."""
    (tmp_path / "rules.py").write_text(RULES)
    said = echelon("check", f"{tmp_path / 'rules.py'}:my_area")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("my-area keeps the rules.\n")
    assert "FAILED" not in said.out


def test_a_rule_that_breaks_them(echelon, tmp_path):
    """A scheduler that overfills the machine fails, with the place and exit code 2."""
    (tmp_path / "rules.py").write_text(RULES)
    said = echelon("check", f"{tmp_path / 'rules.py'}:Greedy")
    assert said.code == 2
    assert "FAILED" in said.out
    assert "processors, but" in said.out
    assert "Greedy: fails the check" in said.err


def test_an_estimator(echelon, tmp_path):
    """An estimator is told from a policy, and takes its parameters."""
    (tmp_path / "guess.py").write_text(
        "from dataclasses import dataclass\n"
        "from typing import ClassVar\n\n"
        "@dataclass(frozen=True)\n"
        "class Guess:\n"
        "    seconds: float = 5.0\n"
        "    name: ClassVar[str] = 'guess'\n"
        "    def memory(self):\n        return self\n"
        "    def predict(self, job):\n        return self.seconds\n"
        "    def learn(self, job, run_time):\n        pass\n"
    )
    said = echelon("check", f"{tmp_path / 'guess.py'}:Guess:seconds=7")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("guess:seconds=7 keeps the rules.\n")


def test_local_users_of_ones_own(echelon, tmp_path):
    """A function of platform and seed, or a class that has changes, is checked as local users."""
    (tmp_path / "users.py").write_text(
        "from echelon.model import LocalChange, LocalUse\n\n"
        "def night(platform, seed):\n    yield LocalChange(8.0 + seed, 0, 0, LocalUse(0.5))\n\n"
        "class Late:\n    def changes(self, platform, seed):\n"
        "        return [LocalChange(-1.0, 0, 0, LocalUse())]\n"
    )
    said = echelon("check", f"{tmp_path / 'users.py'}:night")
    assert (said.code, "keeps the rules" in said.out, "FAILED" in said.out) == (0, True, False)
    said = echelon("check", f"{tmp_path / 'users.py'}:Late")
    assert (said.code, "by time from 0 s on, got -1.0 s" in said.out) == (2, True)
