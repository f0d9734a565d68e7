"""``echelon policies``: what can stand after ``--policy``."""

from typing import Annotated

import typer

from echelon.cli import multicluster_rules
from echelon.cli.documents import document, indented, plain

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A policy, to be told all about it.")]


def policies(name: _Name = None) -> None:
    """List orders, backfillings, estimators, and what multiclusters are told, or say all about one."""
    if name is None:
        _list()
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
        *multicluster_rules.lists(),
        "All about one: echelon policies NAME",
    )


def _entry(rule: tuple[str, tuple[str, ...], str, str]) -> tuple[str, str]:
    name, aliases, summary, source = rule
    also = f" (also {', '.join(aliases)})" if aliases else ""
    return name, f"{plain(summary)}{also}\nSource: {source}\n"


def _describe(name: str) -> None:
    """Say all about a name; one of a policy may be that of an upper queue, too: fcfs."""
    from echelon.cli.terminal import show
    from echelon.errors import UnknownNameError
    from echelon.policies import ESTIMATORS

    others = multicluster_rules.descriptions(name)
    estimators = [kind.name for kind in ESTIMATORS]
    if name.split(":")[0] in estimators:
        _describe_estimator(name)
    else:
        try:
            _describe_policy(name)
        except UnknownNameError as error:
            if not others and error.kind == "policy":
                known = {*error.known, *estimators, *multicluster_rules.names()}
                raise UnknownNameError(error.kind, error.name, known) from None
            if not others:
                raise
    for text in others:
        show(text, "")


def _describe_policy(name: str) -> None:
    from echelon.cli.terminal import show
    from echelon.policies import capabilities, policy_named
    from echelon.policies.backfill import ALIASES

    policy = policy_named(name)
    order, scheduler = policy.order, policy.scheduler
    also = [alias for alias, known in ALIASES.items() if known == scheduler.name]
    kind = "Preemptive" if capabilities(scheduler).preempts else "Backfilling"
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
        "",
    )


def _describe_estimator(words: str) -> None:
    from echelon.cli.terminal import show
    from echelon.policies import estimator_named, estimator_words

    found = estimator_named(words)
    show(f"--estimator {estimator_words(found)}", "", indented(document(found)), "")
