"""``echelon policies``: the values of ``--policy``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.listing import multicluster_rules
from echelon.cli.listing.documents import about, entry, indented, names_in, of_packages, plain

if TYPE_CHECKING:
    from echelon.policies import Order

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
    from echelon.cli.terminal import facts, show
    from echelon.policies import BACKFILLS, ESTIMATORS, ORDERS, PREEMPTIVE
    from echelon.policies.estimators.registry import ESTIMATOR
    from echelon.policies.policy import POLICY

    show(
        "Orders: which waiting job is next. Alone, no job overtakes another: shortest-first",
        "",
        facts(map(_order, ORDERS)),
        "Backfillings: which jobs may overtake. Alone, the order is fcfs: easy",
        "",
        facts(map(_entry, BACKFILLS)),
        "Preemptive: choose again and again which jobs run. Alone: round-robin:quantum=60",
        "",
        facts(map(_entry, PREEMPTIVE)),
        *of_packages(POLICY),
        "Both together: easy:shortest-first. Your own: FILE.py:NAME or easy:FILE.py:NAME",
        "",
        "Estimators: predict how long jobs will run. After --estimator: average:alpha=0.5",
        "",
        facts(map(_entry, ESTIMATORS)),
        *of_packages(ESTIMATOR),
        *multicluster_rules.lists(),
        "Details of one: echelon policies NAME",
    )


def _order(order: "Order") -> tuple[str, str]:
    also = f" (also {', '.join(order.aliases)})" if order.aliases else ""
    return order.name, f"{plain(order.summary)}{also}\nSource: {order.source}\n"


def _entry(kind: Any) -> tuple[str, str]:  # noqa: ANN401  (the class of a scheduler or of an estimator)
    from echelon.policies.policy import POLICY

    name, text = entry(kind, POLICY.aliases(kind.name))
    return name, f"{text}\n"


def _describe(name: str) -> None:
    """Show the details of a name; a policy and a global queue may have the same name, such as fcfs."""
    from echelon.cli.terminal import show
    from echelon.errors import InputError, UnknownNameError
    from echelon.policies.estimators.registry import ESTIMATOR

    others = multicluster_rules.descriptions(name)
    if ESTIMATOR.means(name):
        found = ESTIMATOR.parse(name)
        show(f"--estimator {ESTIMATOR.format(found)}", "", *about(found, ESTIMATOR), "")
    else:
        try:
            _describe_policy(name)
        except InputError:  # of a file's rule that is none of these
            if not others:
                raise
        except UnknownNameError as error:
            if not others and error.kind == "policy":
                known = {*error.known, *ESTIMATOR.names, *multicluster_rules.names()}
                raise UnknownNameError(error.kind, error.name, known) from None
            if not others:
                raise
    for parts in others:
        show(*parts, "")


def _describe_policy(name: str) -> None:
    from echelon.cli.terminal import show
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
        indented(f"Source: {order.source}"),
        "",
        f"{kind}: {scheduler.name}" + (f" (also {', '.join(also)})" if also else ""),
        "",
        *about(scheduler, POLICY),
        "",
    )
