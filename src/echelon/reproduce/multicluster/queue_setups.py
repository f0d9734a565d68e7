"""E0, E2, E3 and what the thesis announces: the setups that are run, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.reproduce.multicluster.evidence import BROKERS, LIMITS, RULES, Central, Choice, Queueing
from echelon.reproduce.multicluster.setups import Setup, owners_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Named = dict[tuple[str, str], Setup]
    """Setups by group and name; the others of a group are compared with its first."""

PLATFORMS = {"555": ("cisne-555", 4), "844": ("cisne-844", 8)}
"""Presets of E0 and E2, and the most tasks of a job: none of eight fits into a cluster of five."""

BROKER_SPECS = {
    "FFIT": "first-site",
    "RR": "round-robin",
    "TAT": "tat",
    "PTT w = 0": "ptt:w=0",
    "PTT w = 0.5": "ptt:w=0.5",
    "PTT w = 1": "ptt:w=1",
}

TWO_LEVELS = "a queue in each cluster"
CENTRAL: dict[str, dict[str, str]] = {
    TWO_LEVELS: {},
    "one queue, cluster by TAT": {"limit": "0"},
    "one queue, first fit": {"limit": "0", "broker": "first-fit"},
}
"""Setups of E0: jobs leave a central queue for a cluster when they start there."""

STABLE = ("stable", "stable:predicted")
"""Limits by rho < 1, which the thesis defines and never runs."""

WAITING = ("waiting:1", "waiting:3")
"""Limits of the jobs that wait alone, whatever a limit counts in the world."""


def base(platform: str, owners: str = "none", **settings: Any) -> Setup:  # noqa: ANN401
    """Return a setup on one of `PLATFORMS`."""
    preset, most_tasks = PLATFORMS[platform]
    return Setup(preset, most_tasks=most_tasks, owners=owners)._replace(**settings)


def central(owners: Sequence[int]) -> dict[Central, Setup]:
    """Return every case of E0; the time of a choice is not published, so it is 0."""
    return {
        Central(platform, percent, name): base(platform, owners_spec(percent), decision=0.0, **settings)
        for platform in PLATFORMS
        for percent in owners
        for name, settings in CENTRAL.items()
    }


def selection(owners: Sequence[int]) -> dict[Choice, Setup]:
    """Return every case of E2; where no or every node has an owner, both ways to spread them are one."""
    return {
        Choice(platform, spread, percent, broker): base(
            platform, owners_spec(percent, spread=spread), broker=BROKER_SPECS[broker]
        )
        for platform in PLATFORMS
        for percent in owners
        for spread in _spreads(percent)
        for broker in BROKERS
    }


def _spreads(percent: int) -> tuple[Any, ...]:
    return ("uniform",) if percent in (0, 100) else ("uniform", "grouped")


def queueing(owners: Sequence[int], *, more: bool = True) -> dict[Queueing, Setup]:
    """Return every case of E3; if `more`, beside them limits never run there, or read in another way."""
    return dict(_make_setups(owners, (*WAITING, *STABLE) if more else ()))


def _make_setups(owners: Sequence[int], more: tuple[str, ...]) -> Iterator[tuple[Queueing, Setup]]:
    least = min(set(owners) - {0, 100}, default=0)
    for percent in owners:
        for moving in (False, True) if percent not in (0, 100) else (False,):
            for limit in (*LIMITS, *more) if moving and percent == least else LIMITS:
                for rule in RULES:
                    spec = owners_spec(percent, moving=moving)
                    yield (
                        Queueing(rule, limit, percent, moving),
                        Setup("cisne-888", global_queue=rule.lower(), limit=limit, owners=spec),
                    )


def baselines() -> Named:
    """Return the baselines of the literature, beside TAT with a queue in each cluster."""
    settings_by_name: dict[str, dict[str, Any]] = {
        "TAT": {},
        "several requests, the first start counts": {"global_queue": "requests"},
        "clusters pull": {"global_queue": "pull"},
        "FPFS, limit 1": {"global_queue": "fpfs", "limit": "waiting:1"},
        "backfilling, limit 1": {"global_queue": "backfilling", "limit": "waiting:1"},
        "FCFS, limit 1": {"limit": "waiting:1"},
        "one queue": {"limit": "0"},
        "TAT, clusters by first-fit": {"policy": "first-fit"},
        "TAT, clusters by EASY": {"policy": "easy"},
    }
    return {
        (platform, name): base(platform, owners_spec(30), decision=0.0, **settings)
        for platform in PLATFORMS
        for name, settings in settings_by_name.items()
    }


def predictors() -> Named:
    """Return TAT with each estimator, which learns from the run alone."""
    estimators = ("sdpn", "corrected", "hanzich", "ibl", "smith", "hybrid", "decisor")
    return {
        (platform, f"TAT by {estimator}"): base(platform, owners_spec(30), decision=0.0, estimator=estimator)
        for platform in PLATFORMS
        for estimator in estimators
    }


def co_allocations() -> Named:
    """Return two-phase meta-scheduling by several ways to co-allocate, beside none and beside one phase.

    On 844 every job fits into some cluster. On 555 those of eight tasks do not: without co-allocation, and by
    Jones's rule, they are rejected, and the rest is no match for runs with them.
    """
    two: dict[str, dict[str, Any]] = {
        f"two phases, {rule}": {"co_allocate": rule, "two_phase": True}
        for rule in ("optimal", "non-saturated", "heuristic")
    }
    jones = {"two phases, rule-85": {"co_allocate": "rule-85", "two_phase": True}}
    setups: Named = {
        ("844", name): base("844", owners_spec(30), decision=0.0, **settings)
        for name, settings in {"none": {}, **two, **jones}.items()
    }
    one = {"one phase, optimal": {"co_allocate": "optimal"}}
    return setups | {
        ("555, with jobs of 8 tasks", name): base(
            "555", owners_spec(30), most_tasks=8, decision=0.0, **settings
        )
        for name, settings in {**one, **two}.items()
    }
