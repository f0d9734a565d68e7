"""What ``echelon policies`` says of multiclusters: upper queues, limits, co-allocations, local users."""

from typing import TYPE_CHECKING

from echelon.cli.documents import document, indented, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table


def lists() -> "list[str | Table]":
    """Return what decides on multiclusters besides, kind by kind."""
    from echelon.cli.terminal import facts
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.limit import AtMost, Held, Stable
    from echelon.policies.upper_queue.registry import UPPER_QUEUES
    from echelon.workloads.local_users import PROFILES

    limits: tuple[tuple[str, type], ...] = (
        ("N, unlimited", AtMost),
        ("held:N", Held),
        ("stable, stable:predicted", Stable),
    )
    users = [(profile.name, profile.summary, profile.source) for profile in PROFILES]
    return [
        "Upper queues of multiclusters: which job is handed to which cluster next. After --upper-queue",
        "",
        facts(map(_entry, map(_told, UPPER_QUEUES))),
        "Limits of the clusters' queues. After --queue-limit",
        "",
        facts((words, f"{plain(_first_line(kind))}\n") for words, kind in limits),
        "Co-allocations: nodes of several clusters for one job. After --co-allocate",
        "",
        facts(map(_entry, map(_told, CO_ALLOCATIONS))),
        "Local users: who is at work at the nodes. After --local-users: xwin:share=0.3, FILE.csv",
        "",
        facts(map(_entry, users)),
    ]


def names() -> "list[str]":
    """Return the names of all of them."""
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.registry import UPPER_QUEUES
    from echelon.workloads.local_users import PROFILES

    kinds: Iterable[object] = (*UPPER_QUEUES, *CO_ALLOCATIONS, *PROFILES)
    return [*(str(kind.name) for kind in kinds if hasattr(kind, "name")), "stable", "unlimited"]


def descriptions(words: str) -> "list[str]":
    """Return all about what `words` name, for each option after which they may stand."""
    return [f"{option} {words}\n\n{indented(text)}" for option, text in _documents(words)]


def _documents(words: str) -> "list[tuple[str, str]]":
    from echelon.policies.coallocation.registry import co_allocation_named
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.registry import queue_limit, upper_queue
    from echelon.policies.upper_queue.registry import UPPER_QUEUES

    name, found = words.split(":")[0].split("(")[0], []
    if name in [kind.name for kind in UPPER_QUEUES]:
        found.append(("--upper-queue", document(upper_queue(words))))
    if name in [kind.name for kind in CO_ALLOCATIONS]:
        found.append(("--co-allocate", document(co_allocation_named(words))))
    if name in ("unlimited", "held", "stable"):
        found.append(("--queue-limit", document(queue_limit(words))))
    return found + _of_users(words, name)


def _of_users(words: str, name: str) -> "list[tuple[str, str]]":
    from echelon.workloads.local_users import PROFILES, Owners, local_users

    if name not in [profile.name for profile in PROFILES]:
        return []
    owners = local_users(words)
    if not isinstance(owners, Owners):
        return []
    profile = owners.profile
    uses = "\n".join(
        f"{_of_users_like(share)}{use.cpu:.0%} of the CPU, {use.memory:.0%} of the memory, "
        f"{use.network:,.0f} B/s"
        for share, use in zip(profile.shares, profile.uses, strict=True)
    )
    return [
        ("--local-users", f"{profile.summary}\n\n{uses}\n\nSource: {profile.source}.\n\n{document(owners)}")
    ]


def _of_users_like(share: float) -> str:
    return "" if share == 1 else f"{share:.0%} of users: "


def _told(kind: "type") -> tuple[str, str, str]:
    return kind.name, _first_line(kind), kind.source  # type: ignore[attr-defined]


def _first_line(kind: object) -> str:
    return document(kind).split("\n\n")[0].replace("\n", " ")


def _entry(told: tuple[str, str, str]) -> tuple[str, str]:
    name, summary, source = told
    return name, f"{plain(summary)}\nSource: {source}\n"
