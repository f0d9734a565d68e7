"""The table of policies in the README, between two marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sources
from tables import codes, summary, table

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGIN = "<!-- policies: made from the code by `make docs` -->\n"
END = "<!-- end of policies -->\n"


def with_policies(text: str) -> str:
    """Return the README with its table of policies as the code has it.

    Raises
    ------
    ValueError
        If a mark is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md needs the lines {BEGIN.strip()!r} and {END.strip()!r}")
    return f"{before}{begin}\n{policy_tables()}\n\n{end}{after}"


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
