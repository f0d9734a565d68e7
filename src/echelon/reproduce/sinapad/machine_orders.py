"""Machine orders: in which order a metascheduler learns of the machines, which the study does not say.

The order decides ties, so it matters to the policies that have ties: CPULoad, which sees equal loads all the
time, and WallTime. Those that draw lots draw the same however their lots are numbered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.reproduce.machinery.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.reproduce.sinapad.setups import Setup


class MachineOrder(NamedTuple):
    """One reading of the order.

    Parameters
    ----------
    phrase : str
        For a sentence: ``"with the fastest machine listed first"``.
    changes : mapping of str to str
        Of the fields of a `Setup`.
    policies : tuple of str
        The policies that it concerns.
    """

    phrase: str
    changes: Mapping[str, str]
    policies: tuple[str, ...] = ("CPULoad", "WallTime")

    def apply_to(self, setup: Setup) -> Setup:
        """Return a setup under this reading."""
        return setup._replace(**self.changes)  # type: ignore[arg-type]


ANY_ORDER = "any order"
"""The reading of all other tables: every repetition has a list of its own."""

ORDERS: Mapping[str, MachineOrder] = {
    ANY_ORDER: MachineOrder("with another list of machines in each repetition", {}, ()),
    "fastest first": MachineOrder("with the fastest machine listed first", {"listed": "fastest first"}),
    "slowest first": MachineOrder("with the slowest machine listed first", {"listed": "slowest first"}),
    "ties drawn": MachineOrder(
        "with lots drawn among equal loads", {"broker": "cpu-load:ties=random"}, ("CPULoad",)
    ),
}
"""All readings by name, the one of all other tables first."""


def whatever_order(statements_by_order: Mapping[str, Sequence[Statement]]) -> Iterator[Statement]:
    """Yield each statement of a claim as it stands whatever the order of machines.

    It is supported if every reading supports it; what speaks against it is the largest of their p-values, so
    that it does not hold only if no reading saves it (an intersection-union test, both ways). Else it is not
    decided, since it is unknown which reading was the study's. Its numbers are those of the first reading;
    readings with another outcome are named with theirs.
    """
    among = max(map(len, statements_by_order.values()))
    for row in zip(*statements_by_order.values(), strict=True):
        other = [
            f"{one.outcome(among)} {ORDERS[order].phrase}: {one.text}"
            for order, one in zip(statements_by_order, row, strict=True)
            if one.outcome(among) != row[0].outcome(among)
        ]
        yield Statement(
            f"{row[0].text} ({'; '.join(other)})" if other else row[0].text,
            all(one.supported for one in row),
            max(one.against for one in row),
        )
