"""The time-shared machines of a run, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.immediate.accounting import CpuTimes, RecentJobs, warm_prior
from echelon.engine.immediate.computing import Computing
from echelon.engine.immediate.monitoring import daemons
from echelon.engine.immediate.record import Record
from echelon.engine.immediate.site import TimeSharedSite

if TYPE_CHECKING:
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.ledger.ledger import Ledger
    from echelon.model import Platform


class MachineParts(NamedTuple):
    """What the time-shared machines of a run share.

    Attributes
    ----------
    ledger : Ledger
        The ledger of the run.
    computing : Computing
        What each job computes.
    cpu_times : CpuTimes
        CPU times of jobs that have ended.
    record : Record
        What happens on these machines.
    """

    ledger: Ledger
    computing: Computing
    cpu_times: CpuTimes
    record: Record


def parts_of(ledger: Ledger, platform: Platform, rules: ImmediateRules) -> MachineParts:
    """Return what the time-shared machines of `platform` share in one run."""
    instance = ledger.scenario.instance
    computing, prior = Computing(instance, rules.cpu_use), None
    if rules.experience == "warm":
        work = np.array([computing.work(position) for position in range(len(instance))])
        speeds = tuple(getattr(site.resource, "speed", 1.0) for site in platform.sites)
        prior = warm_prior(instance, work, speeds)
    return MachineParts(ledger, computing, CpuTimes(prior), Record(instance))


def time_shared_sites(
    parts: MachineParts, platform: Platform, rules: ImmediateRules
) -> dict[int, TimeSharedSite]:
    """Return the time-shared machines of `platform`, by their index in it."""
    monitoring = rules.monitoring
    # Drawn by size, so that the order in the file does not matter.
    order = [site for site in platform.by_size.tolist() if hasattr(platform.sites[site].resource, "speed")]
    site_daemons = daemons(monitoring, len(order), parts.ledger.scenario.seed)
    return {
        index: TimeSharedSite(
            parts,
            index,
            platform.sites[index].name,
            platform.sites[index].processors,
            platform.sites[index].resource.speed,
            monitored=(daemon, RecentJobs(monitoring.window, monitoring.ended)),
        )
        for index, daemon in zip(order, site_daemons, strict=True)
    }
