"""The local users by name: none, owners by profile, a recorded trace, and a user's own."""

from __future__ import annotations

from pathlib import Path

from echelon.lazy import Ready, Rules
from echelon.model.machines.local_use import LocalLoadModel, NoLocalLoad
from echelon.rules.family import Family
from echelon.workloads.local_users.owners import Owners
from echelon.workloads.local_users.profile import ALIASES, PROFILES
from echelon.workloads.local_users.trace import read_local_trace
from echelon.workloads.local_users.user_model import is_local_users, own_users

LOCAL_TRACES = (".csv", ".csv.gz", ".tsv")
"""Endings of files of recorded loads."""

OWNERS: Rules[Owners] = Ready({profile.name: Owners(profile) for profile in PROFILES}, ALIASES)
"""Owners by profile, in the order in which tables show them."""

LOCAL_USERS: tuple[str, ...] = ("none", *OWNERS.names)
"""All that are known by name."""


class _LocalUsers(Family[LocalLoadModel]):
    """Local users, which may also be recorded in a file."""

    def parse(self, text: str) -> LocalLoadModel:
        """Return the local users that people mean by `text`: a profile, a file of a trace, a user's own.

        Examples
        --------
        >>> LOCAL_USER.parse("xwindows+internet : share=0.30").spec
        'xwin-internet:share=0.3'
        """
        is_trace = text.strip().lower().endswith(LOCAL_TRACES)
        return read_local_trace(text.strip()) if is_trace else super().parse(text)

    def of(self, rule: object) -> LocalLoadModel:
        """Return `rule` as local load: a specification, a trace file, a model, or None for none."""
        return read_local_trace(rule) if isinstance(rule, Path) else super().of(rule)


LOCAL_USER: Family[LocalLoadModel] = _LocalUsers(
    "profile of local users",
    [OWNERS],
    example="xwin:share=0.5:period=60",
    is_rule=is_local_users,
    is_ready=lambda rule: callable(getattr(rule, "changes", rule)),
    must="have changes(platform, seed) or be a function of them",
    groups=["echelon.local_users"],
    own=own_users,
    nothing={"none": NoLocalLoad},
)
local_users, local_users_named = LOCAL_USER.of, LOCAL_USER.parse
names_local_users = LOCAL_USER.in_file
