"""check_local_users finds the faults of a user's own local load model."""

from __future__ import annotations

import itertools

import pytest

from echelon.errors import PolicyError
from echelon.model import AWAY, LocalChange, LocalUse
from echelon.testing import check_local_users
from echelon.workloads.local_users import PROFILES


class Users:
    """Local users whose changes a function makes."""

    words = "mine"

    def __init__(self, changes):
        self.changes = changes


@pytest.mark.slow
@pytest.mark.parametrize("profile", [profile.name for profile in PROFILES])
def test_built_in_users_pass(profile):
    """Owners who move in bursts keep all rules."""
    found = check_local_users(f"{profile}:share=0.5:period=30:burst=10").require()
    assert [finding.name for finding in found.findings] == ["changes", "same again", "seed", "owners"]
    assert "in the first 2000 changes" in found.findings[3].sentence


def test_no_local_load_passes_with_notes():
    """That no owner comes and no seed matters are notes."""
    found = check_local_users("none").require()
    assert [finding.passed for finding in found.findings] == [True, True, False, False]
    assert "0 of 14 nodes have one in the first 0 changes, until 0 s" in found.findings[3].sentence


def test_users_without_end_are_cut():
    """Only the first changes are looked at."""

    def changes(platform, seed):
        for time in itertools.count():
            yield LocalChange(float(time), 0, 0, (AWAY, LocalUse(0.1))[time % 2])

    assert check_local_users(Users(changes)).passed


def test_what_is_wrong_is_found():
    """A node that only the larger platform has, and changes that differ from time to time."""

    def beyond(platform, seed):
        yield LocalChange(0.0, 0, 1, LocalUse(0.1))

    found = check_local_users(Users(beyond))
    assert [finding.sentence for finding in found.findings] == [
        "changes node 1 of site 0, which does not exist"
    ]
    times = itertools.count()
    found = check_local_users(Users(lambda platform, seed: [LocalChange(next(times), 0, 0, LocalUse(0.1))]))
    with pytest.raises(PolicyError, match=r"local users mine.*same again"):
        found.require()
