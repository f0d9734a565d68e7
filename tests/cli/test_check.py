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
