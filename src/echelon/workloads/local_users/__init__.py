"""Local users: who is at work at the nodes of a multicluster, drawn from profiles or recorded."""

from __future__ import annotations

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
