"""All rules in tables: the page `rules.md`, and the README's short tables of families and of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import published
import sources
from tables import between_marks, codes, summary, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHOWN = 3
"""How many rules of a family the README names."""


def page() -> str:
    """Return the page of all rules: a table a kind of policy, placement and broker."""
    return (
        "# All rules\n\n"
        "Each rule with the first sentence of its description and its source. `echelon policies`, `echelon "
        "brokers` and their like print the same lists; with a NAME they show the details of one rule.\n\n"
        f"## Policies\n\n{_POLICIES}\n\n{policy_tables()}\n\n"
        f"## Placements\n\n{_PLACEMENTS}\n\n{placement_tables()}\n\n"
        f"## Brokers and protocols\n\n{_BROKERS}\n\n{broker_tables()}"
    )


_POLICIES = (
    "A policy is an order (which waiting job is next?), a backfilling (which jobs may overtake, under "
    "which reservation?), or both: `shortest-first`, `easy`, `easy:shortest-first`. Any order goes with "
    "any backfilling. A preemptive scheduler suspends running jobs. In formulas w is the wait, e the "
    "planned time and s the submit time, in seconds; n is the number of processors. Many rules take "
    "parameters: `easy:reservations=2`, `easy(candidates=shortest-first, fit=best-fit)`. Common aliases "
    "such as `fifo`, `sjf`, `saf` and `fpfs` work. Details: [policies](policies.md), "
    "[semantics](../explanation/semantics.md)."
)
_PLACEMENTS = (
    "On a platform of nodes and cores a placement chooses the cores of each job that starts: a node "
    "search in a resource order (`best-fit:low-power`), or an allocator that considers the network. "
    "Details: [placements](placements.md)."
)
_BROKERS = (
    "On a platform of several sites a broker chooses the site of each job when it arrives; in a "
    "decentralized run the sites exchange waiting jobs by a protocol. Details: [brokers](brokers.md), "
    "[grids under a broker](../explanation/grids.md)."
)


def with_tables(text: str) -> str:
    """Return the README with its tables of families and of studies as the code has them.

    Raises
    ------
    ValueError
        If a mark is missing.
    """
    for what, made in {"families": family_table(), "studies": published.readme_table()}.items():
        text = between_marks(text, what, made)
    return text


def family_table() -> str:
    """Return a line a family of rules: what it decides, how many there are, the first of them, its page."""
    from echelon.metrics import METRICS
    from echelon.policies import (
        ALLOCATORS,
        DISPATCHERS,
        IMMEDIATE_STRATEGIES,
        PROTOCOLS,
        RESOURCE_ORDERS,
        SEARCHES,
        STRATEGIES,
    )
    from echelon.policies.backfill import BACKFILLS
    from echelon.policies.estimators import ESTIMATORS
    from echelon.policies.order import ORDERS
    from echelon.policies.preemptive import PREEMPTIVE
    from echelon.workloads import FORMATS, MODELS

    families = [
        ("Orders", "which job next?", ORDERS, "policies"),
        ("Backfillings", "which jobs may overtake?", BACKFILLS, "policies"),
        ("Preemptive schedulers", "which jobs hold the processors?", PREEMPTIVE, "policies"),
        ("Placements", "which cores?", (*SEARCHES, *RESOURCE_ORDERS, *ALLOCATORS), "placements"),
        ("Brokers", "which site?", (*STRATEGIES, *IMMEDIATE_STRATEGIES, *DISPATCHERS), "brokers"),
        ("Protocols", "which jobs do sites exchange?", tuple(PROTOCOLS.values()), "brokers"),
        ("Estimators", "how long will it run, and wait?", ESTIMATORS, "policies"),
        ("Workload models", "which jobs arrive?", MODELS, "models"),
        ("File formats", "where are the jobs read?", FORMATS, "formats"),
        ("Metrics", "how good is the schedule?", METRICS, "metrics"),
    ]
    rows = [
        (family, question, f"{len(rules)}: {_first(rules)}", f"[{where}](docs/reference/{where}.md)")
        for family, question, rules, where in families
    ]
    return table(("Family", "Decides", "Rules", "Reference"), rows)


def _first(rules: Sequence[Any]) -> str:
    return codes(rule.name for rule in rules[:SHOWN]) + (" ..." if len(rules) > SHOWN else "")


def policy_tables() -> str:
    """Return a table a kind of policy: word, what it does, where it is from."""
    from echelon.policies.backfill import BACKFILLS
    from echelon.policies.order import ORDERS
    from echelon.policies.preemptive import PREEMPTIVE

    orders = [(rule.name, rule.summary, rule.source) for rule in ORDERS]
    return "\n\n".join(
        (
            _table(("Order", "First job"), orders),
            _table(("Backfilling", "Which jobs may overtake"), map(_rule, BACKFILLS)),
            _table(("Preemptive", "Which jobs hold the processors"), map(_rule, PREEMPTIVE)),
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
    """Return a table of brokers, by the information they need, and one of decentralized protocols."""
    from echelon.policies import DISPATCHERS, IMMEDIATE_STRATEGIES, PROTOCOLS, STRATEGIES

    ordered = sorted(STRATEGIES, key=lambda kind: kind.information)
    return "\n\n".join(
        (
            _table(("Broker", "Which site"), map(_rule, ordered)),
            _table(
                ("On time-shared machines", "Which site, or which job where"),
                map(_rule, (*IMMEDIATE_STRATEGIES, *DISPATCHERS)),
            ),
            _table(("Protocol", "How sites share jobs"), map(_rule, PROTOCOLS.values())),
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
    return sources.cited(source, name).partition(";")[0]
