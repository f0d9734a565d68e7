"""Local users: who is at work at the nodes of a multicluster, drawn from profiles or recorded."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.local_users.named import LOCAL_TRACES, LOCAL_USERS, local_users, local_users_named
    from echelon.workloads.local_users.own import OwnUsers, names_local_users
    from echelon.workloads.local_users.owners import Owners
    from echelon.workloads.local_users.profile import PROFILES, Profile
    from echelon.workloads.local_users.trace import LocalTrace, read_local_trace

__all__ = [
    "LOCAL_TRACES",
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
        "named": ("LOCAL_TRACES", "LOCAL_USERS", "local_users", "local_users_named"),
        "own": ("OwnUsers", "names_local_users"),
        "owners": ("Owners",),
        "profile": ("PROFILES", "Profile"),
        "trace": ("LocalTrace", "read_local_trace"),
    },
)
