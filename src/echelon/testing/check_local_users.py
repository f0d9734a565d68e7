"""Check local users of one's own: whether their changes are right, and the same for the same seed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model import LocalChange, Platform, SharedCluster, Site, SocialContract, Workstation
from echelon.quantities import duration
from echelon.testing.finding import Check, Finding
from echelon.workloads.local_users import OwnUsers, local_users

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import LocalLoadModel

_MOST = 2000
"""Changes looked at of each platform; there may be no end of them."""


def small_multiclusters() -> tuple[Platform, ...]:
    """Return multiclusters to try local users on: one node, and three clusters of unequal nodes."""
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


def check_local_users(given: str | LocalLoadModel, *, seed: int = 0) -> Check:
    """Check local users on small multiclusters.

    Parameters
    ----------
    given : str or LocalLoadModel
        Words (``"labs:share=0.5"``, ``"my.py:Students"``) or the local users themselves.
    seed : int, default 0
        The first of two that are tried.

    Returns
    -------
    Check
        What was found. Changes that are wrong are a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `given` names no local users, or its file cannot be loaded.

    Notes
    -----
    Looked at, of the first 2,000 changes: they are of nodes that are there, by time and within their ranges;
    the same seed gives the same ones. As notes: whether another seed gives others, and who is at work when.
    Users whose iterator neither ends nor yields anything more would keep it waiting forever.
    """
    users = local_users(given)
    checked = users if isinstance(users, OwnUsers) else OwnUsers(users.words, users.changes)
    return Check("local users", users.words, tuple(_findings(checked, seed)))


def _findings(users: OwnUsers, seed: int) -> Iterator[Finding]:
    platforms = small_multiclusters()
    try:
        first, again, other = (
            [_first(users, platform, one) for platform in platforms] for one in (seed, seed, seed + 1)
        )
    except InputError as error:
        yield Finding("changes", False, error.problem)
        return
    yield Finding("changes", True, "nodes that are there, by time, within their ranges")
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
