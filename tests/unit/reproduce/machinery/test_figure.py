"""Published numbers beside ours."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.reproduce import Detour, Figure, Quantity
from echelon.reproduce.machinery.figure import explanations

WAIT = Quantity("wait", "mean wait", "h", "mean(start - submit)")


def figure(printed: str, got: float, detour: Detour | None = None) -> Figure:
    return Figure("FIFO", WAIT, printed, "page 1", got, detour)


@pytest.mark.parametrize(
    ("printed", "got", "agreement"),
    [
        ("68.21", 68.2130424975, "agrees"),
        ("68.21", 68.2049, "differs"),
        ("68.21", 68.2151, "differs"),
        ("54034", 54034.0, "agrees"),
        ("54034", 54033.4, "differs"),
        ("0.0", 0.04, "agrees"),
        ("100.00", 99.996, "agrees"),
        ("100.0", 99.94, "differs"),
    ],
)
def test_agreement_is_at_the_digits_printed(printed, got, agreement):
    """Ours, rounded to as many decimals as were printed, must be what was printed."""
    assert figure(printed, got).agreement == agreement


def test_a_detour_explains_only_what_it_gives():
    """A difference counts as explained just when the other way gives the digits printed."""
    right, wrong = Detour(3084.33, "by rounding first"), Detour(3084.34, "by rounding first")
    assert figure("3084.33", 3084.3243, right).agreement == "explained"
    assert figure("3084.33", 3084.3243, wrong).agreement == "differs"
    assert figure("3084.32", 3084.3243, right).agreement == "agrees"


def test_explanations_are_told_where_they_are_needed():
    """Only an explained figure has its sentence shown and kept."""
    detour = Detour(2.5, "by rounding first")
    explained, agreeing = figure("2.5", 2.449, detour), figure("2.4", 2.449, detour)
    assert explanations([explained, agreeing]) == ["FIFO, mean wait: by rounding first."]
    assert explained.to_dict()["explanation"] == "by rounding first"
    assert agreeing.to_dict()["explanation"] is None


def test_a_printed_number_must_be_one():
    """A typing error in a table of printed numbers is found when it is read."""
    with pytest.raises(InputError, match=r"printed wait: must be a number, got '3\.0\.8'"):
        figure("3.0.8", 3.0)
