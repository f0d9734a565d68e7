"""Claims on estimators: how exact and how dear they are, and whether correction helps (C1 to C9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.multicluster.evidence import (
    ANALYTIC,
    CORRECTED,
    DEVIATION,
    LOADS,
    SCATTER,
    SIX,
    SLOPE,
    STATISTICAL,
)
from echelon.reproduce.parts import Part, lower, measured, together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.reproduce.multicluster.evidence import Evidence, Quantity

    Judged = tuple[bool, str]

ALMOST = 0.05
"""Deviation up to which estimates count as almost exact."""
STRAIGHT = 0.9
"""Ra from which on scatter counts as small; the thesis' own corrected estimates have 0.934 and more."""
NOTHING = 1e-5
"""Deviation below which estimates differ by rounding alone."""
UNEQUAL = 0.05
"""By how much a corrected slope may miss 1."""
SHARED = LOADS[1:]


def _deviations(
    evidence: Evidence, load: str, quantity: Quantity, names: Sequence[str] = SIX
) -> dict[str, float]:
    """Return the mean deviations, the least first."""
    found = {name: float(evidence.statistic(load, quantity, name, DEVIATION).mean()) for name in names}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _in_order(values: dict[str, float]) -> str:
    return " < ".join(f"{name} {_percent(value)}" for name, value in values.items())


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if NOTHING < share < 10 else f"{100 * share:,.0f} %"


def _best(evidence: Evidence, load: str, quantity: Quantity, best: str, names: Sequence[str] = SIX) -> Part:
    found = _deviations(evidence, load, quantity, names)
    return Part(f"{load}: {_in_order(found)}", next(iter(found)) == best)


def history_is_exact(evidence: Evidence) -> Judged:
    """C1."""
    found = _deviations(evidence, "dedicated", "run")
    slope = measured(evidence.statistic("dedicated", "run", "Smith", SLOPE))
    others = min(found[name] for name in (*ANALYTIC, "Smith"))
    return together(
        [
            Part(
                f"Li {_percent(found['Li'])}, IBL {_percent(found['IBL'])}",
                max(found["Li"], found["IBL"]) <= ALMOST,
            ),
            Part(f"both below the others: {_in_order(found)}", max(found["Li"], found["IBL"]) < others),
            Part(f"Smith is the worst, slope {slope.text()}", [*found][-1] == "Smith" and slope.low > 1),
        ]
    )


def over_and_under(evidence: Evidence) -> Judged:
    """C2."""
    return together(_sides(evidence))


def _sides(evidence: Evidence) -> Iterable[Part]:
    for name in SIX:
        slope = measured(evidence.statistic("shared", "run", name, SLOPE))
        over = name in STATISTICAL
        yield Part(f"slope of {name} {slope.text()}", slope.low > 1 if over else slope.high < 1)


def ibl_for_runs(evidence: Evidence) -> Judged:
    """C3."""
    return together([_best(evidence, "high load", "run", "IBL")])


def simulation_for_waits(evidence: Evidence) -> Judged:
    """C4."""
    found = _deviations(evidence, "dedicated", "wait")
    two = max(found["Hanzich"], found["SDPN"])
    return together(
        [
            Part(f"Hanzich {_percent(found['Hanzich'])}, SDPN {_percent(found['SDPN'])}", two <= ALMOST),
            Part(
                f"below the statistical ones: {_in_order(found)}",
                two < min(found[name] for name in STATISTICAL),
            ),
            Part("Smith and Li are the two worst", {*[*found][-2:]} == {"Smith", "Li"}),
        ]
    )


def ibl_for_waits(evidence: Evidence) -> Judged:
    """C5."""
    return together(_best(evidence, load, "wait", "IBL") for load in SHARED)


def biased_and_straight(evidence: Evidence) -> Judged:
    """C6."""
    return together(part for load in SHARED for name in ANALYTIC for part in _bias(evidence, load, name))


def _bias(evidence: Evidence, load: str, name: str) -> Iterable[Part]:
    slope, scatter, deviation = (
        measured(evidence.statistic(load, "wait", name, column)) for column in (SLOPE, SCATTER, DEVIATION)
    )
    yield Part(f"{load}, {name}: Ra {scatter.text()}", scatter.mean >= STRAIGHT)
    yield Part(
        f"{load}, {name}: slope {slope.text()}, deviation {_percent(deviation.mean)}",
        slope.high < 1 and deviation.mean >= 0.5,
    )


def correction_helps(evidence: Evidence) -> Judged:
    """C7."""
    return together(part for load in SHARED for part in _corrected(evidence, load))


def _corrected(evidence: Evidence, load: str) -> Iterable[Part]:
    name = f"{CORRECTED} SDPN"
    yield _best(evidence, load, "wait", name, (*SIX, name))
    slope = measured(evidence.statistic(load, "wait", name, SLOPE))
    yield Part(f"{load}: its slope {slope.text()}", abs(slope.mean - 1) <= UNEQUAL)
    for one in ("SDPN", "Hybrid"):
        values = [evidence.statistic(load, "wait", which, DEVIATION) for which in (f"{CORRECTED} {one}", one)]
        yield lower((f"{load}: deviation of corrected {one}", "raw"), (values[0], values[1]))


def nobody_wins_twice(evidence: Evidence) -> Judged:
    """C8."""
    names = (*SIX, f"{CORRECTED} SDPN", f"{CORRECTED} Hybrid")
    parts = []
    for load in SHARED:
        run, wait = (next(iter(_deviations(evidence, load, kind, names))) for kind in ("run", "wait"))
        parts.append(Part(f"{load}: {run} for runs, {wait} for waits", run != wait))
    return together(parts)


def cost_order(evidence: Evidence) -> Judged:
    """C9."""
    return together([*(_cost(evidence, load) for load in LOADS), *_jump(evidence)])


def _cost(evidence: Evidence, load: str) -> Part:
    found = {name: 1000 * float(evidence.cost[load, name].mean()) for name in SIX}
    categories, simulators = (max(found["Smith"], found["Li"]), min(found["Hanzich"], found["SDPN"]))
    said = ", ".join(f"{name} {value:.3g} ms" for name, value in found.items())
    ordered = (
        categories < found["IBL"] < simulators and max(found["Hanzich"], found["SDPN"]) < found["Hybrid"]
    )
    return Part(f"{load}: {said}", ordered)


def _jump(evidence: Evidence) -> Iterable[Part]:
    for name in ("Hanzich", "SDPN"):
        cost = [1000 * float(evidence.cost[load, name].mean()) for load in LOADS]
        said = " -> ".join(f"{one:.3g}" for one in cost)
        yield Part(f"{name} by load {said} ms", cost[1] > 1.5 * cost[0] and 2 / 3 < cost[2] / cost[1] < 1.5)


STATED = (
    (
        "C1",
        "§ 3.5.3.1, table 3.4",
        "Without sharing, history predicts execution almost exactly: Li and IBL within a few percent and "
        "better than the rest; Smith, who does not know the queue, overestimates most",
        history_is_exact,
    ),
    (
        "C2",
        "§ 3.5.3.2, table 3.5",
        "Under sharing, history overestimates execution and simulation underestimates it",
        over_and_under,
    ),
    ("C3", "§ 3.5.3.3, table 3.6", "IBL is the best for execution under high local load", ibl_for_runs),
    (
        "C4",
        "§ 3.5.4.1, table 3.7",
        "Without sharing, simulation predicts waits almost exactly and better than history; Smith and Li "
        "are worst",
        simulation_for_waits,
    ),
    (
        "C5",
        "§ 3.5.4.2-3, tables 3.8 and 3.9",
        "Uncorrected, IBL is the best predictor of waits under sharing",
        ibl_for_waits,
    ),
    (
        "C6",
        "§ 3.5.5, tables 3.8 and 3.9",
        "Simulated waits under sharing are far too short, but lie near a straight line (Ra above 0.9)",
        biased_and_straight,
    ),
    (
        "C7",
        "§ 3.5.6, table 3.10",
        "Correction by the slope makes SDPN the best predictor of waits, with a slope near 1; Hybrid "
        "gains, too",
        correction_helps,
    ),
    (
        "C8",
        "§ 3.6",
        "No estimator is the best for both execution and waits, so they should be combined",
        nobody_wins_twice,
    ),
    (
        "C9",
        "§ 3.5.7, table 3.11",
        "Cost: Smith and Li below IBL, that below Hanzich and SDPN, those below Hybrid; simulation is "
        "dearer under sharing, and no dearer with owners",
        cost_order,
    ),
)
