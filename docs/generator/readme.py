"""The tables of policies, placements, brokers and studies in the README, each between two marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import published
import sources
from tables import codes, summary, table

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGIN = "<!-- {}: made from the code by `make docs` -->\n"
END = "<!-- end of {} -->\n"


def with_tables(text: str) -> str:
    """Return the README with its tables of policies, placements, brokers and studies as the code has them.

    Raises
    ------
    ValueError
        If a mark is missing.
    """
    tables = {
        "policies": policy_tables(),
        "placements": placement_tables(),
        "brokers": broker_tables(),
        "studies": published.readme_table(),
    }
    for what, made in tables.items():
        text = _between(text, what, made)
    return text


def _between(text: str, what: str, made: str) -> str:
    """Return `text` with what is `made` between the marks of that name."""
    first, last = BEGIN.format(what), END.format(what)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"README.md needs the lines {first.strip()!r} and {last.strip()!r}")
    return f"{before}{begin}\n{made}\n\n{end}{after}"


def policy_tables() -> str:
    """Return a table a kind of policy: word, what it does, where it is from."""
    from echelon.policies.backfill import BACKFILLS
    from echelon.policies.order import ORDERS
    from echelon.policies.preemptive import PREEMPTIVE

    orders = [(rule.name, rule.summary, rule.source) for rule in ORDERS]
    return "\n\n".join(
        (
            _table(("Order", "Who is first"), orders),
            _table(("Backfilling", "Who may overtake"), map(_rule, BACKFILLS)),
            _table(("Preemptive", "Who holds the processors"), map(_rule, PREEMPTIVE)),
        )
    )


def placement_tables() -> str:
    """Return a table a kind of placement: node searches, resource orders, allocators."""
    from echelon.policies import ALLOCATORS, RESOURCE_ORDERS, SEARCHES

    tables = [
        _table(("Node search", "Which node"), [(one.name, one.summary, one.source) for one in SEARCHES]),
        _table(("Resource order", "Which cores first"), map(_rule, RESOURCE_ORDERS)),
    ]
    if ALLOCATORS:
        tables.append(_table(("Allocator", "Which nodes, by the network"), map(_rule, ALLOCATORS)))
    return "\n\n".join(tables)


def broker_tables() -> str:
    """Return a table of brokers, by what they know, and one of arrangements without a broker."""
    from echelon.policies import ARRANGEMENTS, DISPATCHERS, IMMEDIATE_STRATEGIES, STRATEGIES

    ordered = sorted(STRATEGIES, key=lambda kind: kind.information)
    return "\n\n".join(
        (
            _table(("Broker", "Which site"), map(_rule, ordered)),
            _table(
                ("On machines without queues", "Which site, or which job where"),
                map(_rule, (*IMMEDIATE_STRATEGIES, *DISPATCHERS)),
            ),
            _table(("Without a broker", "How sites share jobs"), map(_rule, ARRANGEMENTS.values())),
        )
    )


def _rule(kind: Any) -> tuple[str, str, str]:  # noqa: ANN401  (any class with a name and a source)
    return kind.name, (kind.__doc__ or "").split("\n\n")[0], kind.source


def _table(heads: tuple[str, str], rules: Iterable[tuple[str, str, str]]) -> str:
    rows = [
        (codes((name,)), _short(name, summary(name, said)), _from(source, name))
        for name, said, source in rules
    ]
    return table((*heads, "From"), rows)


def _short(name: str, said: str) -> str:
    """Return the first clause of a summary, without the rule's own name before it."""
    head, colon, rest = " ".join(said.split()).rstrip(".").partition(": ")
    text = rest if colon and head.lower() == name else head
    return text[:1].upper() + text[1:]


def _from(source: str, name: str) -> str:
    return sources.cited(source, name).replace("(sources.md", "(docs/reference/sources.md").partition(";")[0]
