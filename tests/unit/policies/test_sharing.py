"""Sharing: words and settings of how tasks take turns."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies.sharing import FairSharing, RoundRobinSharing, sharing, sharing_words


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("fair", FairSharing()),
        ("cfs:most=8", FairSharing(8)),
        ("round-robin", RoundRobinSharing()),
        ("rr:quantum=2s", RoundRobinSharing(2.0)),
        ("ROUND-ROBIN:quantum=0.5:most=2", RoundRobinSharing(0.5, 2)),
        ("none", None),
    ],
)
def test_words_and_back(words, rule):
    """Words are read, aliases and capitals too, and the canonical ones are read back."""
    assert sharing(words) == rule
    assert sharing(sharing_words(rule)) == rule


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("fare", UnknownNameError, "did you mean 'fair'"),
        ("fair:quantum=1", UnknownNameError, "quantum"),
        ("round-robin:quantum=0", InputError, "finite and at least 1e-06 s, got 0.0"),
        ("round-robin:quantum=1e-300", InputError, "at least 1e-06 s"),
        ("round-robin:quantum=soon", InputError, "must be a time"),
        ("fair:most=1", InputError, "at least 2"),
        ("none:most=2", InputError, "sharing none: takes no parameters, got most"),
    ],
)
def test_wrong_words_are_refused(words, error, said):
    """With the nearest name or what is expected."""
    with pytest.raises(error, match=said):
        sharing(words)


def test_something_else_is_refused():
    """Neither words nor a sharing."""
    with pytest.raises(InputError, match="must be a spec or a sharing, got 3"):
        sharing(3)
