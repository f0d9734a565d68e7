"""``echelon policies``: the values of ``--policy``, and the rules of multiclusters."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.listing.documents import about, entry, indent, names_in, of_packages, plain, summary
from echelon.cli.terminal import facts, show
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from echelon.policies import Order
    from echelon.rules import Family

_FAMILIES = ("policies", "estimators", "global-queues", "queue-limits", "memberships", "site-filters")

_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Show the details of one policy.",
        autocompletion=names_in(*_FAMILIES, "co-allocations", "local-users"),
    ),
]


def policies(name: _Name = None) -> None:
    """List orders, backfillings, estimators and the rules of multiclusters, or show the details of one."""
    if name is None:
        _list()
    else:
        _describe(name)


def _list() -> None:
    from echelon.policies import BACKFILLS, ESTIMATORS, ORDERS, PREEMPTIVE
    from echelon.policies.estimators.registry import ESTIMATOR
    from echelon.policies.policy import POLICY

    show(
        "Orders: which waiting job is next. Alone, no job overtakes another: shortest-first",
        "",
        facts(map(_order, ORDERS)),
        "Backfillings: which jobs may overtake. Alone, the order is fcfs: easy",
        "",
        facts(map(_policy, BACKFILLS)),
        "Preemptive: choose again and again which jobs run. Alone: round-robin:quantum=60",
        "",
        facts(map(_policy, PREEMPTIVE)),
        *of_packages(POLICY),
        "Both together: easy:shortest-first. Your own: FILE.py:NAME or easy:FILE.py:NAME",
        "",
        "Estimators: predict how long jobs will run. After --estimator: average:alpha=0.5",
        "",
        facts(map(_policy, ESTIMATORS)),
        *of_packages(ESTIMATOR),
        *_multicluster_lists(),
        "Details of one: echelon policies NAME",
    )


def _order(order: "Order") -> tuple[str, str]:
    also = f" (also {', '.join(order.aliases)})" if order.aliases else ""
    return order.name, f"{plain(order.summary)}{also}\nSource: {order.source}\n"


def _policy(rule: Any) -> tuple[str, str]:  # noqa: ANN401  (any rule)
    from echelon.policies.policy import POLICY

    return _entry(rule, POLICY.aliases(rule.name))


def _entry(rule: Any, also: "Iterable[str]" = ()) -> tuple[str, str]:  # noqa: ANN401  (any rule)
    name, text = entry(rule, also)
    return name, f"{text}\n"


def _describe(name: str) -> None:
    """Show the details of a name; a policy and a global queue may have the same name, such as fcfs."""
    from echelon.policies.estimators.registry import ESTIMATOR

    others = _descriptions(name)
    if ESTIMATOR.means(name):
        estimator = ESTIMATOR.parse(name)
        show(f"--estimator {ESTIMATOR.format(estimator)}", "", *about(estimator, ESTIMATOR), "")
    else:
        try:
            _describe_policy(name)
        except InputError:  # of a file's rule that is none of these
            if not others:
                raise
        except UnknownNameError as error:
            if not others and error.kind == "policy":
                names = {*error.known, *ESTIMATOR.names, *_multicluster_names()}
                raise UnknownNameError(error.kind, error.name, names) from None
            if not others:
                raise
    for parts in others:
        show(*parts, "")


def _describe_policy(name: str) -> None:
    from echelon.policies import capabilities
    from echelon.policies.policy import POLICY

    policy = POLICY.parse(name)
    order, scheduler = policy.order, policy.scheduler
    also = POLICY.aliases(scheduler.name)
    kind = "Preemptive" if capabilities(scheduler).preempts else "Backfilling"
    show(
        policy.name,
        "",
        f"Order of the queue: {order.name}"
        + (f" (also {', '.join(order.aliases)})" if order.aliases else ""),
        "",
        *about(order, POLICY),
        indent(f"Source: {order.source}"),
        "",
        f"{kind}: {scheduler.name}" + (f" (also {', '.join(also)})" if also else ""),
        "",
        *about(scheduler, POLICY),
        "",
    )


def _multicluster_lists() -> "list[str | Table]":
    """Return the further rules of multiclusters, family by family."""
    from echelon.policies.broker.site_filter import SITE_FILTERS
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.global_queue.limit import AtMost, Held, Stable
    from echelon.policies.global_queue.registry import GLOBAL_QUEUES
    from echelon.policies.global_queue.several import MEMBERSHIPS
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
        facts(map(_entry, GLOBAL_QUEUES)),
        "Limits of the clusters' queues. After --queue-limit",
        "",
        facts((specs, f"{summary(kind)}\n") for specs, kind in limits),
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


def _multicluster_names() -> "list[str]":
    """Return the names of all these rules."""
    return [name for family in _families().values() for name in family.names if name != "none"]


def _descriptions(spec: str) -> "list[list[str | Table]]":
    """Return the details of the rule of a spec, for each option that takes it."""
    sections: list[list[str | Table]] = []
    for option, family in _families().items():
        if family.means(spec) and (name := family.head(family.spec(spec))[0]) != "none":
            # A name alone is enough, also of a rule that needs a value.
            rule = family.find(name) if spec.strip() == name and family.has(name) else None
            rule = family.parse(spec) if rule is None else rule
            sections.append([f"{option} {spec}", "", *_profile(rule), *about(rule, family)])
    return sections


def _families() -> "dict[str, Family[Any]]":
    """Return the families of these rules, by the option that takes them."""
    from echelon.policies.broker.site_filter import SITE_FILTER
    from echelon.policies.coallocation import CO_ALLOCATION
    from echelon.policies.global_queue import GLOBAL_QUEUE, QUEUE_LIMIT
    from echelon.policies.global_queue.several import MEMBERSHIP
    from echelon.workloads.local_users import LOCAL_USER

    return {
        "--global-queue": GLOBAL_QUEUE,
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
    return [indent(f"{profile.summary}\n\n{uses}\n\nSource: {profile.source}."), ""]


def _of_users_like(share: float) -> str:
    return "" if share == 1 else f"{share:.0%} of users: "
