"""The exception tree: what each error is, and the sentence it says."""

from __future__ import annotations

import pytest

from echelon import errors
from echelon.errors import EchelonError, InputError, PolicyError, UnknownNameError


def test_all_have_one_root():
    """Catching EchelonError catches every error that Echelon raises on purpose."""
    raised = {value for value in vars(errors).values() if isinstance(value, type)}
    assert len(raised) == 13
    assert all(issubclass(kind, EchelonError) for kind in raised)


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.InputError, ValueError),
        (errors.InfeasibleJobError, InputError),
        (errors.UnknownNameError, LookupError),
        (errors.PolicyError, RuntimeError),
        (errors.DeadlockError, RuntimeError),
        (errors.NoSiteError, LookupError),
        (errors.ServiceError, RuntimeError),
        (errors.UnsupportedError, RuntimeError),
        (errors.StoreError, RuntimeError),
        (errors.MissingExtraError, ImportError),
    ],
)
def test_each_is_also_the_builtin_error_people_expect(kind, builtin):
    """Code that knows nothing of Echelon can catch its errors by their builtin kind."""
    assert issubclass(kind, builtin)


def test_an_earlier_name_is_the_same_error():
    """Code that catches StuckError catches a deadlock."""
    assert errors.StuckError is errors.DeadlockError


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ({}, "must be at least 1, got 0"),
        ({"field": "seed"}, "seed: must be at least 1, got 0"),
        ({"file": "a.swf", "line": 7}, "a.swf, line 7: must be at least 1, got 0"),
        ({"file": "a.swf", "line": 0, "field": "size"}, "a.swf, line 0, size: must be at least 1, got 0"),
    ],
)
def test_input_error_says_where(place, sentence):
    """File, line and field stand before the problem, as far as they are known."""
    error = InputError("must be at least 1, got 0", **place)
    assert str(error) == sentence
    assert (error.file, error.line, error.field) == tuple(map(place.get, ("file", "line", "field")))


def test_unknown_name_suggests_the_nearest():
    """A near miss gets a suggestion."""
    assert str(UnknownNameError("policy", "esy", ["easy", "plan"])) == (
        "no policy is named 'esy'; did you mean 'easy'?"
    )


def test_unknown_name_lists_what_is_known():
    """A name that is near nothing gets the list, in order; an empty list says so."""
    assert str(UnknownNameError("policy", "zzz", ["plan", "easy"])).endswith("known are: easy, plan.")
    assert str(UnknownNameError("policy", "zzz", [])).endswith("there is none.")


def test_policy_error_names_policy_time_and_job():
    """The sentence says whose decision, when, about which job, and what rule it broke."""
    error = PolicyError("mine", time=12.5, job_id=7, broken_rule="was started twice")
    assert str(error) == "policy 'mine' at t = 12.5 s: job 7 was started twice"
    assert (error.policy, error.time, error.job_id) == ("mine", 12.5, 7)
    without = PolicyError("mine", time=0.0, job_id=None, broken_rule="gave nothing")
    assert str(without) == "policy 'mine' at t = 0 s: gave nothing"
