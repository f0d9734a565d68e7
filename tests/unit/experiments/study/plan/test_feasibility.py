"""Combinations that can never run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from echelon.experiments.study.plan.feasibility import note_impossible, reason_against
from echelon.platforms.files.mistakes import Mistakes


@pytest.mark.parametrize(
    "settings",
    [
        {"policy": "easy"},
        {"policy": "easy", "processors": 64},
        {"platform": "grid3", "broker": "mct", "policy": "conservative"},
        {"platform": "irmasim-a", "place": "best-fit", "execution": "memory-v1"},
        {"platform": "cisne-16", "upper_queue": "nb.rs", "estimator": "smith"},
    ],
    ids=str,
)
def test_what_can_run_is_left_alone(settings):
    """Every arrangement has something that runs on it, whatever the workload."""
    assert reason_against({"workload": "x.swf", "seed": 3, **settings}) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"broker": "mct"}, "applies to several sites"),
        ({"place": "first-fit"}, "applies to nodes"),
        ({"upper_queue": "nb.rs"}, "applies to several sites"),
        ({"co_allocate": "optimal"}, "applies to a multicluster"),
        ({"monitoring": "linear"}, "applies to time-shared machines"),
        ({"platform": "grid3", "processors": 4}, "cannot be combined with a platform"),
        ({"platform": "grid3", "place": "first-fit"}, "applies to nodes"),
    ],
    ids=str,
)
def test_what_can_not_run_is_told(settings, said):
    """What asks for sites, nodes or owners that are not there, before anything is read."""
    reason = reason_against(settings)
    assert reason is not None
    assert said in reason


def test_a_reason_that_many_share_is_said_once():
    """The first combination is named in full, and of the others only the number: a person reads one line."""
    points = [
        SimpleNamespace(
            settings={"platform": "grid3", "place": "first-fit", "policy": policy},
            place=("axes", "policy", number),
        )
        for number, policy in enumerate(("fcfs", "easy", "fcfs", "conservative"))
    ]
    mistakes = Mistakes()
    note_impossible(points, mistakes)
    (sentence,) = mistakes.sentences()
    assert sentence.startswith(
        "axes, policy 1: platform = grid3, place = first-fit, policy = fcfs can never run: "
    )
    assert sentence.endswith(" (and 2 other combinations, for the same reason)")
