"""Experiments: all that the reproduction of the SINAPAD study simulates, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from echelon.experiments.processes import Processes
from echelon.reproduce.machinery.experiments import SeedSettings
from echelon.reproduce.sinapad.decisions import decision_costs
from echelon.reproduce.sinapad.evidence import Case, Evidence, Extended, Paced, Reading
from echelon.reproduce.sinapad.machine_orders import ORDERS
from echelon.reproduce.sinapad.setups import (
    BASELINES,
    INTERLEAVED,
    MODES,
    POLICIES,
    SCENARIOS,
    SIMULTANEOUS,
    Setup,
    measure_setups,
    study_setup,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from echelon.reproduce.machinery.experiments import FloatTable, Parts


FEW_SEEDS = 30
FEW_QUICK_SEEDS = 3
TIMINGS = 20
QUICK_TIMINGS = 5


class SinapadSettings(SeedSettings):
    """How much of the study is run, which had 5 repetitions of each case."""

    __slots__ = ()

    @property
    def few(self) -> int:
        """Repetitions of readings, baselines and what the study's future work asks for."""
        return min(self.seeds, FEW_QUICK_SEEDS if self.quick else FEW_SEEDS)

    @property
    def timings(self) -> int:
        """How often decisions are timed."""
        return QUICK_TIMINGS if self.quick else TIMINGS


Named = TypeVar("Named", bound="Hashable")

TESTED = ("RAU", "RH")
"""Scenarios of the authors' test of decision times."""

TESTED_POLICIES = ("Random", "LotteryWithLoad")
"""Its policies: the fastest and the slowest."""

PACES = (0.0, 0.320, 0.831, 2.0, 5.0)
"""Seconds of a decision: none, the two policies' own, and more."""

READINGS: Mapping[str, dict[str, str]] = {
    "as in figures 3 and 4": {},
    "load averages exponential": {"monitoring": "exponential"},
    "daemons publish all at once": {"monitoring": "linear:phase=zero"},
    "nothing is known before": {"experience": "cold"},
}
"""What the study leaves open in addition to the order of machines, and how it may be read."""

FINISHED: Mapping[str, str] = {
    "jobs that ended are taken out as if all had run a minute": "linear:ended=full",
    "jobs that ended are not taken out": "linear:ended=none",
}
"""Readings of fin_ratio, which has no formula, beside ours: what the job really adds to the average."""

STUDIED_JOBS = "as in the study"

JOBS: Mapping[str, tuple[str, str]] = {
    STUDIED_JOBS: ("", "full"),
    "four applications, 1 to 27": (":applications=4:spread=27", "full"),
    "half of the jobs I/O-bound": (":io=0.75:io_jobs=0.5", "log"),
    "chains of five jobs": (":flow=chain", "full"),
    "fork and join of five jobs": (":flow=fork-join", "full"),
}
"""Jobs that the study's future work asks for: the model's spec, and how much of a core they use."""

RULES: Mapping[str, str] = {**{name: spec for name, (spec, _) in POLICIES.items()}, **BASELINES}
"""The five policies and what the study cites, by our specs."""


def experiments(settings: SinapadSettings, parts: Parts) -> Evidence:
    """Run everything, what is timed first and alone, so that nothing else disturbs it."""
    cost = parts("decision times", lambda _: decision_costs(settings.timings))
    with Processes() as processes:

        def run(name: str, setups: Mapping[Named, Setup], seeds: int) -> dict[Named, FloatTable]:
            return parts(name, lambda progress: measure_setups(setups, seeds, processes, progress))

        return Evidence(
            study=run("figures 3 and 4", study_cases(), settings.seeds),
            paced=run("decision times made equal", paced_cases(), settings.seeds),
            orders=run("other orders of machines", order_cases(), settings.seeds),
            readings=run("other readings", reading_cases(quick=settings.quick), settings.few),
            extended=run("other rules and jobs", extended_cases(quick=settings.quick), settings.few),
            cost=cost,
        )


def study_cases() -> dict[Case, Setup]:
    """Return the cases of figures 3 and 4."""
    return {
        Case(scenario, mode, policy): study_setup(scenario, mode, policy)
        for mode in MODES
        for scenario in SCENARIOS
        for policy in POLICIES
    }


def paced_cases() -> dict[Paced, Setup]:
    """Return the cases of the test of decision times, which take longer and longer.

    Jobs come at once; and one by one, where the study says that nothing was to be found.
    """
    return {
        Paced(scenario, policy, pace, mode): Setup(scenario, interval, POLICIES[policy][0], pace)
        for mode, interval in MODES.items()
        for scenario in TESTED
        for policy in TESTED_POLICIES
        for pace in PACES
    }


def order_cases() -> dict[Reading, Setup]:
    """Return the cases of figures 3 and 4 under other orders of machines, of those that break ties."""
    return {
        Reading(name, case): order.apply_to(setup)
        for name, order in ORDERS.items()
        for case, setup in study_cases().items()
        if case.policy in order.policies
    }


def reading_cases(*, quick: bool) -> dict[Reading, Setup]:
    """Return the cases that are read in other ways: all policies; if `quick`, in RAU alone."""
    scenarios = ("RAU",) if quick else ("RH", "RBU", "RAU", "RAD")
    setups: dict[Reading, Setup] = {}
    for case, setup in study_cases().items():
        if case.scenario not in scenarios:
            continue
        for name, changes in READINGS.items():
            setups[Reading(name, case)] = setup._replace(**changes)  # type: ignore[arg-type]
        if case.policy in ("LotteryWithLoad", "WallTime"):
            for name, spec in FINISHED.items():
                setups[Reading(name, case)] = setup._replace(monitoring=spec)
    return setups


def extended_cases(*, quick: bool) -> dict[Extended, Setup]:
    """Return every rule on every kind of jobs; if `quick`, one every 20 s and in RAU alone."""
    scenarios = ("RAU",) if quick else ("RBU", "RAU")
    modes = {INTERLEAVED: MODES[INTERLEAVED]} if quick else MODES
    return {
        Extended(jobs, scenario, mode, rule): Setup(
            scenario,
            interval,
            spec,
            POLICIES["LotteryWithLoad"][1] if mode == SIMULTANEOUS else 0.0,
            more,
            cpu_use,
        )
        for jobs, (more, cpu_use) in JOBS.items()
        for scenario in scenarios
        for mode, interval in modes.items()
        for rule, spec in RULES.items()
    }
