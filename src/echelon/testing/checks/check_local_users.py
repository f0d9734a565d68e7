"""Check a user's own local load: whether its changes are valid, and the same for the same seed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model import LocalChange, Platform, SharedCluster, Site, SocialContract, Workstation
from echelon.quantities import duration
from echelon.testing.finding import Check, Finding
from echelon.workloads.local_users import OwnUsers, local_users
from echelon.workloads.local_users.registry import LOCAL_USER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import LocalLoadModel

_MOST = 2000
"""Changes checked for each platform; a local load may be endless."""


def small_multiclusters() -> tuple[Platform, ...]:
    """Return multiclusters to test a local load on: one node, and three clusters of unequal nodes."""
    fast, slow = Workstation(memory=1e9, bandwidth=125e6), Workstation(0.5, 2, 5e8, 12.5e6)
    sizes = {"one": ((fast,),), "three": ((fast, slow), (fast,) * 4, (slow,) * 8)}
    return tuple(
        Platform(
            tuple(
                Site(f"cluster-{k}", SharedCluster(nodes, SocialContract(mpl=2)))
                for k, nodes in enumerate(clusters)
            ),
            name,
        )
        for name, clusters in sizes.items()
    )


def check_local_users(rule: str | LocalLoadModel, *, seed: int = 0) -> Check:
    """Check a local load on small multiclusters.

    Parameters
    ----------
    rule : str or LocalLoadModel
        A spec (``"labs:share=0.5"``, ``"my.py:Students"``) or the local load itself.
    seed : int, default 0
        The first of two seeds.

    Returns
    -------
    Check
        The findings. Invalid changes are a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a local load, or its file cannot be loaded.

    Notes
    -----
    Checked for the first 2,000 changes: their nodes exist, they are sorted by time, and their values are in
    range; the same seed gives the same changes. Notes: whether another seed gives other changes, and how many
    nodes have a working owner. An iterator that neither ends nor yields would block the check.
    """
    users = local_users(rule)
    spec = LOCAL_USER.format(users)
    checked = users if isinstance(users, OwnUsers) else OwnUsers(spec, users.changes)
    return Check("local users", spec, tuple(_findings(checked, seed)))


def _findings(users: OwnUsers, seed: int) -> Iterator[Finding]:
    platforms = small_multiclusters()
    try:
        first, again, other = (
            [_first(users, platform, one) for platform in platforms] for one in (seed, seed, seed + 1)
        )
    except InputError as error:
        yield Finding("changes", False, error.problem)
        return
    yield Finding("changes", True, "existing nodes, sorted by time, values in range")
    yield Finding("same again", first == again, "the same seed gives the same changes")
    yield Finding("seed", first != other, "another seed gives other changes", required=False)
    changes = first[-1]
    nodes = {(change.site, change.node) for change in changes if change.use.is_active}
    total = sum(map(len, platforms[-1].clusters))
    until = duration(changes[-1].time if changes else 0.0)
    yield Finding(
        "owners",
        bool(nodes),
        f"{len(nodes)} of {total} nodes have one in the first {len(changes)} changes, until {until}",
        required=False,
    )


def _first(users: OwnUsers, platform: Platform, seed: int) -> list[LocalChange]:
    return list(islice(users.changes(platform, seed), _MOST))
