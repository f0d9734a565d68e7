"""``echelon policies``: what can stand after ``--policy``."""

from typing import Annotated

import typer

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A policy, to be told all about it.")]


def policies(name: _Name = None) -> None:
    """List orders and backfillings, or say all about one policy."""
    if name is None:
        _list()
    else:
        _describe(name)


def _list() -> None:
    from echelon.cli.terminal import facts, show
    from echelon.policies import BACKFILLS, ORDERS
    from echelon.policies.backfill import ALIASES

    orders = [(rule.name, rule.aliases, rule.summary, rule.source) for rule in ORDERS]
    backfills = [
        (
            kind.name,
            tuple(alias for alias, name in ALIASES.items() if name == kind.name),
            _document(kind()).split("\n")[0],
            kind.source,
        )
        for kind in BACKFILLS
    ]
    show(
        "Orders: which waiting job is next. Alone, nobody overtakes: shortest-first",
        "",
        facts(map(_entry, orders)),
        "Backfillings: who may overtake. Alone, the order is fcfs: easy",
        "",
        facts(map(_entry, backfills)),
        "Both together: easy:shortest-first. Your own: FILE.py:NAME or easy:FILE.py:NAME",
        "All about one: echelon policies NAME",
    )


def _entry(rule: tuple[str, tuple[str, ...], str, str]) -> tuple[str, str]:
    name, aliases, summary, source = rule
    also = f" (also {', '.join(aliases)})" if aliases else ""
    return name, f"{_plain(summary)}{also}\nSource: {source}\n"


def _describe(name: str) -> None:
    from echelon.cli.terminal import show
    from echelon.policies import policy_named
    from echelon.policies.backfill import ALIASES

    policy = policy_named(name)
    order, scheduler = policy.order, policy.scheduler
    also = [alias for alias, known in ALIASES.items() if known == scheduler.name]
    show(
        policy.name,
        "",
        f"Order of the queue: {order.name}"
        + (f" (also {', '.join(order.aliases)})" if order.aliases else ""),
        "",
        _indented(_document(order.rule)),
        _indented(f"Source: {order.source}"),
        "",
        f"Backfilling: {scheduler.name}" + (f" (also {', '.join(also)})" if also else ""),
        "",
        _indented(_document(scheduler)),
    )


def _document(rule: object) -> str:
    import inspect

    return inspect.getdoc(rule) or "It says nothing of itself."


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in _plain(text).split("\n"))


def _plain(text: str) -> str:
    """Return a docstring without the marks that only a web page needs."""
    return text.replace("``", "").replace("**", "").replace("`", "")
