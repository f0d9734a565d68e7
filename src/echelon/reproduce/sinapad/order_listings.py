"""Tables of what the order of machines changes, which the SINAPAD study does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.listing import Listing, listing
from echelon.reproduce.sinapad.claims import judge_by_order, statements
from echelon.reproduce.sinapad.comparisons import saving_of
from echelon.reproduce.sinapad.evidence import Case, Reading
from echelon.reproduce.sinapad.machine_orders import ANY_ORDER, ORDERS
from echelon.reproduce.sinapad.setups import EXECUTION, INTERLEAVED, MODES, POLICIES, SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.machinery.listing import Row
    from echelon.reproduce.sinapad.evidence import Evidence

_BY_MIX = ("C5", "C15")
"""Claims whose statements are the scenarios, one by one."""


def order_listings(evidence: Evidence) -> list[Listing]:
    """Return what the order of machines changes: claims, the second policy by mix, and execution times."""
    return [_claims(evidence), _second(evidence), _times(evidence)]


def _claims(evidence: Evidence) -> Listing:
    claims_by_name = judge_by_order(evidence)
    changing = {
        name: claims for name, claims in claims_by_name.items() if len({one.summary for one in claims}) > 1
    }
    rows: tuple[Row, ...] = tuple(
        (name, *(one.summary for one in claims)) for name, claims in changing.items()
    )
    return Listing(
        "machine-orders-claims",
        "Claims that would be judged otherwise under another order of machines",
        ("Claim", *ORDERS),
        rows,
        "In brackets how many of its statements hold. "
        f"All other {len(claims_by_name) - len(changing)} claims have as many that hold, and the same "
        "verdict, under every order.",
        labels=1 + len(ORDERS),
    )


@listing(
    "machine-orders-second",
    "CPULoad where jobs come one every 20 s, by the order of machines",
    ("Scenario", "", *ORDERS),
    "C5: it is below all but WallTime. C15: it is below LotteryWithLoad.",
    labels=2 + len(ORDERS),
)
def _second(evidence: Evidence) -> Iterator[Row]:
    """Return by mix what C5 and C15 come to under each order."""
    statements_by_claim = statements(evidence)
    for place, scenario in enumerate(SCENARIOS):
        for claim in _BY_MIX:
            ones = [statements_by_claim[claim][order][place] for order in ORDERS]
            yield (scenario, claim, *(one.outcome(len(SCENARIOS)) for one in ones))
        gains = [_gain(evidence.with_order(order), scenario) for order in ORDERS]
        yield ("", "below LotteryWithLoad by", *gains)


def _gain(evidence: Evidence, scenario: str) -> str:
    values = evidence.pair(scenario, INTERLEAVED, ("CPULoad", "LotteryWithLoad"))
    return saving_of(*values).text(" %", 1)


def _times(evidence: Evidence) -> Listing:
    rows: tuple[Row, ...] = tuple(
        (mode, scenario, policy, *_means(evidence, Case(scenario, mode, policy)))
        for mode in MODES
        for scenario in SCENARIOS
        for policy in _breaking_ties()
    )
    return Listing(
        "machine-orders-times",
        "Mean execution times, in s, by the order of machines",
        ("Submission", "Scenario", "Policy", *ORDERS),
        rows,
        f"A dash: the reading is of another policy. {' '.join(_largest_changes(evidence))} The three that "
        "draw lots are not in the table: they have no ties.",
        labels=3,
    )


def _breaking_ties() -> list[str]:
    return [name for name in POLICIES if any(name in order.policies for order in ORDERS.values())]


def _means(evidence: Evidence, case: Case) -> list[float]:
    """Return the mean execution times of a case under each order, NaN where an order is of another policy."""
    return [
        float(evidence.with_order(order).study[case][:, EXECUTION].mean())
        if order == ANY_ORDER or Reading(order, case) in evidence.orders
        else float("nan")
        for order in ORDERS
    ]


def _largest_changes(evidence: Evidence) -> Iterator[str]:
    """Yield for each policy and way of submission where the order changes most, in a sentence."""
    for policy in _breaking_ties():
        for mode in MODES:
            largest = max(_changes(evidence, policy, mode), default=None)
            if largest is not None:
                _, percent, base, value, scenario, order = largest
                yield (
                    f"{policy}, {mode}, changes most in {scenario}, from {base:,.1f} to {value:,.1f} s "
                    f"({percent:+.1f} %) {ORDERS[order].phrase}."
                )


def _changes(
    evidence: Evidence, policy: str, mode: str
) -> Iterator[tuple[float, float, float, float, str, str]]:
    """Yield size and percent of each change, the times before and after, the scenario and the order."""
    for scenario in SCENARIOS:
        means = dict(zip(ORDERS, _means(evidence, Case(scenario, mode, policy)), strict=True))
        base = means.pop(ANY_ORDER)
        for order, value in means.items():
            percent = 100 * (value / base - 1)
            if abs(percent) > 0:  # not of NaN, which is an order of another policy
                yield abs(percent), percent, base, value, scenario, order
