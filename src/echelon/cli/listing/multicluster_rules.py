"""The part of ``echelon policies`` on multiclusters: global queues, limits, co-allocations, local load."""

from typing import TYPE_CHECKING, Any

from echelon.cli.listing.documents import about, entry, indented, plain, summary

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.rules import Family


def lists() -> "list[str | Table]":
    """Return the further rules of multiclusters, family by family."""
    from echelon.cli.terminal import facts
    from echelon.policies.broker.site_filter import SITE_FILTERS
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.limit import AtMost, Held, Stable
    from echelon.policies.upper_queue.registry import UPPER_QUEUES
    from echelon.policies.upper_queue.several import MEMBERSHIPS
    from echelon.workloads.local_users import PROFILES

    limits: tuple[tuple[str, type], ...] = (
        ("N, unlimited", AtMost),
        ("held:N", Held),
        ("stable, stable:predicted", Stable),
    )
    users = [(profile.name, f"{plain(profile.summary)}\nSource: {profile.source}\n") for profile in PROFILES]
    return [
        "Global queues of multiclusters: choose the next job to send and its cluster. After --global-queue",
        "",
        facts(map(_entry, UPPER_QUEUES)),
        "Limits of the clusters' queues. After --queue-limit",
        "",
        facts((words, f"{summary(kind)}\n") for words, kind in limits),
        "Criteria of one of several global queues: the jobs that it takes. In --queues 'NAME(CRITERION)'",
        "",
        facts(map(_entry, MEMBERSHIPS)),
        "Site filters: sites that are left out before one is chosen. After --site-filter, joined by +",
        "",
        facts(map(_entry, SITE_FILTERS)),
        "Co-allocations: nodes of several clusters for one job. After --co-allocate",
        "",
        facts(map(_entry, CO_ALLOCATIONS)),
        "Local load: what the owners of nodes use. After --local-users: xwin:share=0.3, FILE.csv",
        "",
        facts(users),
    ]


def names() -> "list[str]":
    """Return the names of all these rules."""
    return [name for family in _families().values() for name in family.names if name != "none"]


def descriptions(words: str) -> "list[list[str | Table]]":
    """Return the details of the rule that `words` name, for each option that takes it."""
    found: list[list[str | Table]] = []
    for option, family in _families().items():
        if family.means(words) and (name := family.head(family.spec(words))[0]) != "none":
            # A name alone is enough, also of a rule that needs a value.
            rule = family.find(name) if words.strip() == name and family.has(name) else None
            rule = family.parse(words) if rule is None else rule
            found.append([f"{option} {words}", "", *_profile(rule), *about(rule, family)])
    return found


def _families() -> "dict[str, Family[Any]]":
    """Return the families of these rules, by the option that takes them."""
    from echelon.policies.broker.site_filter import SITE_FILTER
    from echelon.policies.coallocation import CO_ALLOCATION
    from echelon.policies.upper_queue import QUEUE_LIMIT, UPPER_QUEUE
    from echelon.policies.upper_queue.several import MEMBERSHIP
    from echelon.workloads.local_users import LOCAL_USER

    return {
        "--global-queue": UPPER_QUEUE,
        "--co-allocate": CO_ALLOCATION,
        "--queue-limit": QUEUE_LIMIT,
        "--queues": MEMBERSHIP,
        "--site-filter": SITE_FILTER,
        "--local-users": LOCAL_USER,
    }


def _profile(rule: Any) -> "list[str | Table]":  # noqa: ANN401  (any rule)
    """Return what owners of a profile use; empty for another rule."""
    from echelon.workloads.local_users import Owners

    if not isinstance(rule, Owners):
        return []
    profile = rule.profile
    uses = "\n".join(
        f"{_of_users_like(share)}{use.cpu:.0%} of the CPU, {use.memory:.0%} of the memory, "
        f"{use.network:,.0f} B/s"
        for share, use in zip(profile.shares, profile.uses, strict=True)
    )
    return [indented(f"{profile.summary}\n\n{uses}\n\nSource: {profile.source}."), ""]


def _of_users_like(share: float) -> str:
    return "" if share == 1 else f"{share:.0%} of users: "


def _entry(rule: Any) -> tuple[str, str]:  # noqa: ANN401  (any rule)
    name, text = entry(rule)
    return name, f"{text}\n"
