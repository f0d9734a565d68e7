"""What goes wrong inside a user's rule is one error; errors of ours and interruptions stay as they are."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, PolicyError
from echelon.rules.own_rule import Guard


def wrong(said: str) -> InputError:
    return InputError(f"fails with {said}", field="rule")


@pytest.mark.parametrize("problem", [ValueError("no idea"), SystemExit("bye"), StopIteration("over")])
def test_whatever_goes_wrong_is_one_error(problem):
    """It has kind and text of what went wrong, which is its cause."""
    with (
        pytest.raises(InputError, match=f"rule: fails with {type(problem).__name__}: {problem}") as found,
        Guard(wrong),
    ):
        raise problem
    assert found.value.__cause__ is problem


@pytest.mark.parametrize(
    "problem",
    [InputError("is wrong"), PolicyError("p", time=0.0, job_id=1, broken_rule="r"), KeyboardInterrupt()],
)
def test_what_stays_as_it_is(problem):
    """Errors of ours, and the person's own interruption."""
    with pytest.raises(type(problem)) as found, Guard(wrong):
        raise problem
    assert found.value is problem


def test_nothing_goes_wrong():
    """The block's value is there after it, and a generator may be left early."""

    def guarded():
        with Guard(wrong):
            yield from range(3)

    assert next(guarded()) == 0
    assert list(guarded()) == [0, 1, 2]
