"""``echelon policies``: what can stand after ``--policy``."""

from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.documents import document, indented, plain

if TYPE_CHECKING:
    from rich.table import Table

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A policy, to be told all about it.")]


def policies(name: _Name = None) -> None:
    """List orders, backfillings, estimators, and what multiclusters are told, or say all about one."""
    from echelon.policies import ESTIMATORS

    rule = None if name is None else _of_multiclusters(name)
    if name is None:
        _list()
    elif rule is not None:
        _describe_rule(*rule)
    elif name.split(":")[0] in [kind.name for kind in ESTIMATORS]:
        _describe_estimator(name)
    else:
        _describe(name)


def _list() -> None:
    from echelon.cli.terminal import facts, show
    from echelon.policies import BACKFILLS, ESTIMATORS, ORDERS, PREEMPTIVE
    from echelon.policies.backfill import ALIASES

    orders = [(rule.name, rule.aliases, rule.summary, rule.source) for rule in ORDERS]
    backfills = [
        (
            kind.name,
            tuple(alias for alias, name in ALIASES.items() if name == kind.name),
            document(kind()).split("\n")[0],
            kind.source,
        )
        for kind in BACKFILLS
    ]
    estimators = [(kind.name, (), document(kind).split("\n")[0], kind.source) for kind in ESTIMATORS]
    preemptive = [
        (kind.name, kind.aliases, document(kind()).split("\n")[0], kind.source) for kind in PREEMPTIVE
    ]
    show(
        "Orders: which waiting job is next. Alone, nobody overtakes: shortest-first",
        "",
        facts(map(_entry, orders)),
        "Backfillings: who may overtake. Alone, the order is fcfs: easy",
        "",
        facts(map(_entry, backfills)),
        "Preemptive: who runs now, decided again and again. Alone: round-robin:quantum=60",
        "",
        facts(map(_entry, preemptive)),
        "Both together: easy:shortest-first. Your own: FILE.py:NAME or easy:FILE.py:NAME",
        "",
        "Estimators: who says how long jobs will run. After --estimator: average:alpha=0.5",
        "",
        facts(map(_entry, estimators)),
        *_upper_lists(),
        "All about one: echelon policies NAME",
    )


def _upper_lists() -> "list[str | Table]":
    """Return what decides on multiclusters besides: upper queues, queue limits, co-allocations."""
    from echelon.cli.terminal import facts
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.limit import AtMost, Stable
    from echelon.policies.upper_queue.registry import UPPER_QUEUES

    limits: tuple[tuple[str, type], ...] = (("N, unlimited", AtMost), ("stable, stable:predicted", Stable))
    return [
        "Upper queues of multiclusters: which job is handed to which cluster next. After --upper-queue",
        "",
        facts(_entry((kind.name, (), _first_line(kind), kind.source)) for kind in UPPER_QUEUES),
        "Limits of the clusters' queues. After --queue-limit",
        "",
        facts((words, f"{plain(_first_line(kind))}\n") for words, kind in limits),
        "Co-allocations: nodes of several clusters for one job. After --co-allocate",
        "",
        facts(_entry((kind.name, (), _first_line(kind), kind.source)) for kind in CO_ALLOCATIONS),
    ]


def _first_line(kind: object) -> str:
    return document(kind).split("\n\n")[0].replace("\n", " ")


def _of_multiclusters(words: str) -> tuple[str, object] | None:
    """Return option and rule that words name, if they are of an upper queue, a limit or a co-allocation."""
    from echelon.policies.coallocation.named import co_allocation_named
    from echelon.policies.coallocation.registry import CO_ALLOCATIONS
    from echelon.policies.upper_queue.named import queue_limit, upper_queue
    from echelon.policies.upper_queue.registry import UPPER_QUEUES

    name = words.split(":")[0].split("(")[0]
    # Names that policies have, too, are theirs: fcfs.
    if name in [kind.name for kind in UPPER_QUEUES] and not _is_policy(name):
        return f"--upper-queue {words}", upper_queue(words)
    if name in [kind.name for kind in CO_ALLOCATIONS]:
        return f"--co-allocate {words}", co_allocation_named(words)
    if name in ("unlimited", "stable"):
        return f"--queue-limit {words}", queue_limit(words)
    return None


def _is_policy(name: str) -> bool:
    from echelon.errors import EchelonError
    from echelon.policies import policy_named

    try:
        policy_named(name)
    except EchelonError:
        return False
    return True


def _describe_rule(title: str, rule: object) -> None:
    from echelon.cli.terminal import show

    show(title, "", indented(document(rule)))


def _entry(rule: tuple[str, tuple[str, ...], str, str]) -> tuple[str, str]:
    name, aliases, summary, source = rule
    also = f" (also {', '.join(aliases)})" if aliases else ""
    return name, f"{plain(summary)}{also}\nSource: {source}\n"


def _describe(name: str) -> None:
    from echelon.cli.terminal import show
    from echelon.policies import PREEMPTIVE, policy_named
    from echelon.policies.backfill import ALIASES

    policy = policy_named(name)
    order, scheduler = policy.order, policy.scheduler
    also = [alias for alias, known in ALIASES.items() if known == scheduler.name]
    kind = "Preemptive" if isinstance(scheduler, PREEMPTIVE) else "Backfilling"
    also += getattr(scheduler, "aliases", ())
    show(
        policy.name,
        "",
        f"Order of the queue: {order.name}"
        + (f" (also {', '.join(order.aliases)})" if order.aliases else ""),
        "",
        indented(document(order.rule)),
        indented(f"Source: {order.source}"),
        "",
        f"{kind}: {scheduler.name}" + (f" (also {', '.join(also)})" if also else ""),
        "",
        indented(document(scheduler)),
    )


def _describe_estimator(words: str) -> None:
    from echelon.cli.terminal import show
    from echelon.policies import estimator_named, estimator_words

    found = estimator_named(words)
    show(f"--estimator {estimator_words(found)}", "", indented(document(found)))
