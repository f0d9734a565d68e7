"""Local users: who is at work at the nodes of a multicluster, drawn from profiles or recorded."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.local_users.own import OwnUsers
    from echelon.workloads.local_users.owners import Owners
    from echelon.workloads.local_users.profile import PROFILES, Profile
    from echelon.workloads.local_users.registry import (
        LOCAL_TRACES,
        LOCAL_USER,
        LOCAL_USERS,
        local_users,
        local_users_named,
        names_local_users,
    )
    from echelon.workloads.local_users.trace import LocalTrace, read_local_trace

__all__ = [
    "LOCAL_TRACES",
    "LOCAL_USER",
    "LOCAL_USERS",
    "PROFILES",
    "LocalTrace",
    "OwnUsers",
    "Owners",
    "Profile",
    "local_users",
    "local_users_named",
    "names_local_users",
    "read_local_trace",
]

lazily(
    __name__,
    {
        "own": ("OwnUsers",),
        "owners": ("Owners",),
        "profile": ("PROFILES", "Profile"),
        "registry": (
            "LOCAL_TRACES",
            "LOCAL_USER",
            "LOCAL_USERS",
            "local_users",
            "local_users_named",
            "names_local_users",
        ),
        "trace": ("LocalTrace", "read_local_trace"),
    },
)
