"""Specs of estimators, and estimators of a user's own."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies import ESTIMATORS, Average, Exact, Request, estimator, estimator_named, format_estimator

OWN = """
from dataclasses import dataclass
from typing import ClassVar

@dataclass(frozen=True)
class Constant:
    seconds: float = 60.0
    name: ClassVar[str] = "constant"
    def memory(self):
        return self
    def predict(self, job):
        return self.seconds
    def learn(self, job, run_time):
        pass

class NoMemory:
    name = "none"

class Picky:
    name = "picky"
    def __init__(self, must):
        pass
    def memory(self):
        return self

instance = Constant(5.0)
"""


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    return str(file)


def test_specs_name_rules():
    """Names, and parameters after colons or in parentheses."""
    assert estimator_named("request") == Request()
    assert estimator_named("exact") == Exact()
    assert estimator_named("average") == Average(0.5)
    assert estimator_named("average:alpha=0.25") == estimator_named("average(alpha=0.25)") == Average(0.25)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_canonical_specs_are_read_back(kind):
    """What an estimator is called names it again."""
    assert estimator_named(format_estimator(kind())) == kind()
    assert format_estimator(Average(0.25)) == "average:alpha=0.25"


def test_an_estimator_itself_is_taken():
    """Words and rules are both estimators; a class or a number is not."""
    assert estimator(Average(0.1)) == Average(0.1)
    for wrong in (Average, 5, None):
        with pytest.raises(InputError, match="a spec or an estimator"):
            estimator(wrong)


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("averege", UnknownNameError, "average"),
        ("average:beta=1", UnknownNameError, "alpha"),
        ("average:alpha=much", InputError, "number"),
        ("average:alpha=2", InputError, "from 0 to 1"),
        ("request:alpha=1", InputError, "takes no parameters"),
        ("", InputError, "colons"),
        ("no-such.py:Constant", InputError, "no such file"),
    ],
)
def test_wrong_specs(spec, error, said):
    """Each wrong word is one sentence that says what is right."""
    with pytest.raises(error, match=said):
        estimator_named(spec)


def test_a_users_own(own):
    """A class from a file, with its parameters, or a ready one."""
    assert estimator_named(f"{own}:Constant").seconds == 60
    assert estimator_named(f"{own}:Constant:seconds=5").seconds == 5
    assert estimator_named(f"{own}:instance").seconds == 5
    assert format_estimator(estimator_named(f"{own}:Constant:seconds=5")) == "constant:seconds=5"


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("Constnt", UnknownNameError, "Constant"),
        ("NoMemory", InputError, "memory"),
        ("Picky", InputError, "cannot be made"),
        ("Constant:minutes=1", UnknownNameError, "seconds"),
    ],
)
def test_a_users_own_that_is_none(own, name, error, said):
    """What is no estimator is refused with a reason."""
    with pytest.raises(error, match=said):
        estimator_named(f"{own}:{name}")
