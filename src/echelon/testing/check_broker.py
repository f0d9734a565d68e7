"""Check a broker of one's own: whether it chooses allowed sites, by what it may know, and always the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import EchelonError
from echelon.model import Instance, Platform
from echelon.policies import Admissible, Decentralized, broker_of, broker_words, policy
from echelon.testing.finding import Check, Finding
from echelon.testing.workloads import CASES, crowd

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Schedule
    from echelon.model.columns import IntColumn
    from echelon.policies import Broker

_CROWDS = 3
_LOCAL = ("easy", "fcfs")
_FACTORS = (1.0, 0.5)


def check_broker(given: str | Broker | Decentralized, *, seed: int = 0) -> Check:
    """Check a broker, or an arrangement without one, in the reference engine, on small grids.

    Parameters
    ----------
    given : str, Broker or Decentralized
        Words (``"mct:of=job"``, ``"my.py:rule"``) or the rule itself.
    seed : int, default 0
        Of the crowds of jobs; equal seeds check the same.

    Returns
    -------
    Check
        What was found. A broker that fails is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `given` names no broker, or its file can not be loaded.

    Notes
    -----
    Looked at: it chooses one of the sites allowed and asks for nothing above its level of information; a
    second run sends every job to the same site; other job numbers change no site. As a note: how many jobs
    went elsewhere than to the smallest site that may have them.

    Cost: some hundred simulations of up to 100 jobs on four sites.
    """
    checked = broker_of(given)
    crowds = [crowd(_CROWDS * seed + k, processors=4**k + 3) for k in range(_CROWDS)]
    instances = [Instance.of(tiny.workload, _grid(tiny.processors)) for tiny in (*CASES, *crowds)]
    lone = isinstance(checked, Decentralized)
    scenarios = [
        Scenario(instance, policy(local), broker=checked, admissible=Admissible(1.0 if lone else factor))
        for instance in instances
        for local, factor in zip(_LOCAL, _FACTORS, strict=True)
    ]
    return Check("broker", broker_words(checked), tuple(_findings(scenarios)))


def _grid(largest: int) -> Platform:
    """Return four sites, two of them equal, the largest as large as the case's machine."""
    return Platform.of_sizes([max(1, largest // part) for part in (4, 2, 2, 1)])


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    runs = len(scenarios)
    try:
        schedules = [simulate(scenario) for scenario in scenarios]
    except EchelonError as error:
        yield Finding("sites", False, str(error))
        return
    yield Finding("sites", True, f"allowed ones, by what it may know, in {runs} runs")
    for name, sentence, again in (
        ("same again", "a second run sends every job to the same site", scenarios),
        ("job numbers", "other job numbers change no site", [_renumbered(one) for one in scenarios]),
    ):
        fault = _first_difference(schedules, again)
        yield Finding(name, fault is None, fault or f"{sentence}, in {runs} runs")
    elsewhere = sum(map(_elsewhere, schedules))
    jobs = sum(len(schedule.instance) for schedule in schedules)
    yield Finding(
        "use", elsewhere > 0, f"{elsewhere} of {jobs} jobs not at the smallest site for them", False
    )


def _first_difference(schedules: Sequence[Schedule], scenarios: Sequence[Scenario]) -> str | None:
    """Return where a run of one of `scenarios` has a job at another site, or what goes wrong in it."""
    for before, scenario in zip(schedules, scenarios, strict=True):
        where = scenario.instance.workload.name
        try:
            after = simulate(scenario)
        except EchelonError as error:
            return f"{where}: {error}"
        first, second = _sites(before), _sites(after)
        moved = np.flatnonzero(first != second)
        if len(moved):
            job = before.instance.label(int(moved[0]))
            return f"{where}: job {job} ran at site {first[moved[0]]}, but then at site {second[moved[0]]}"
    return None


def _elsewhere(schedule: Schedule) -> int:
    platform = schedule.instance.platform
    assert platform is not None
    smallest = np.searchsorted(platform.sizes, schedule.instance.size)
    return int(np.count_nonzero(_sites(schedule) != smallest))


def _sites(schedule: Schedule) -> IntColumn:
    assert schedule.site is not None
    return schedule.site


def _renumbered(scenario: Scenario) -> Scenario:
    """Return `scenario` with its jobs' numbers in another order."""
    old = scenario.instance
    assert old.platform is not None
    ids = old.workload.job_id
    table = old.workload.with_columns(job_id=ids.max() + 1 + np.arange(len(ids))[::-1])
    return replace(scenario, instance=Instance.of(table, old.platform, estimates=old.estimates))
