"""One check for rules of every family: each by its family's own, or by what all rules must be."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.testing import check_rule
from echelon.testing.checks.check_answers import check_sharing

OWN = '''
from dataclasses import dataclass
from typing import ClassVar

from echelon import order


@dataclass(frozen=True)
class Nowhere:
    """Never span clusters.

    Parameters
    ----------
    most : int, default 3
        Clusters, at most.
    """

    most: int = 3
    silent: float = 1.0
    name: ClassVar[str] = "nowhere"

    def __post_init__(self):
        if self.most < 1:
            raise ValueError("too few")

    def span(self, problem):
        return None


class Nameless:
    def span(self, problem):
        return None


@order("short", source="none")
def short(job, view, *, weight: float = 1.0):
    """Weighted planned time, in seconds; the shortest first."""
    return weight * job.planned_time
'''


@pytest.fixture
def own(tmp_path):
    """Return the path of a file of rules."""
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


@pytest.mark.slow
def test_a_family_with_a_check_of_its_own(own):
    """An order is tried in runs, with its parameters."""
    found = check_rule(f"{own}:short:weight=2")
    assert (found.kind, found.name, found.passed) == ("policy", "short:weight=2", True)


def test_a_family_without_one(own):
    """A co-allocation is what its family asks for, and each parameter should be told of."""
    found = check_rule(f"{own}:Nowhere:most=2")
    assert (found.kind, found.passed) == ("co-allocation", True)
    assert [(one.name, one.passed, one.sentence) for one in found.findings] == [
        ("rule", True, "satisfies the contract of co-allocation rules"),
        ("parameters", True, "most (a whole number), silent (a number)"),
        ("docstring", False, "does not describe silent"),
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Nameless", "must have a name and span"),
        ("Nowhere:most=0", "cannot be made: ValueError: too few"),
    ],
)
def test_a_rule_that_fails(own, name, sentence):
    """What is wrong is a finding that fails."""
    found = check_rule(f"{own}:{name}")
    assert not found.passed
    assert sentence in found.findings[0].sentence


def test_what_is_no_rule(own):
    """A name that the file does not have is answered with the nearest of its rules, of any family."""
    for wrong, right in (("shorts", "short"), ("Nowher", "Nowhere")):
        said = f"no rule in .*own.py is named '{wrong}'; did you mean '{right}'"
        with pytest.raises(UnknownNameError, match=said):
            check_rule(f"{own}:{wrong}")
    with pytest.raises(UnknownNameError, match="known are: Nameless, Nowhere, short"):
        check_rule(f"{own}:zzz")


def test_an_imported_module_is_no_rule(tmp_path):
    """NumPy has a function of the name that a placement has; only rules are suggested."""
    path = tmp_path / "own.py"
    path.write_text(
        "import numpy as np\nfrom echelon import order\n\n\n@order('mine', source='none')\n"
        'def mine(job, view):\n    """The submit time, in seconds."""\n    return job.submit_time\n'
    )
    for name in ("nq", "zzz"):
        with pytest.raises(UnknownNameError, match=f"no rule in .* is named '{name}'; known are: mine"):
            check_rule(f"{path}:{name}")


def test_what_is_nearly_a_rule(tmp_path):
    """A class is answered with what the families ask for whose methods it has, a number with an example."""
    path = tmp_path / "odd.py"
    path.write_text(
        "number = 3\n\n\nclass Net:\n    def factors(self, traffic, hardware):\n        return []\n"
        "\n    def check(self, hardware):\n        pass\n"
    )
    network = r"have name, local, check\(hardware\) and factors\(traffic, hardware\) to be a network model"
    said = rf"odd.py, Net: must have name, scope, .* to be an execution, or {network}; got Net"
    with pytest.raises(InputError, match=said):
        check_rule(f"{path}:Net")
    with pytest.raises(InputError, match=r"number: must be a rule of a family .* \(use @order\) .*; got int"):
        check_rule(f"{path}:number")


def test_no_sharing_is_not_checked():
    """The name for the absence of a sharing has nothing to check."""
    with pytest.raises(InputError, match=r"^sharing: must be a sharing, got 'none', which is none$"):
        check_sharing("none")
