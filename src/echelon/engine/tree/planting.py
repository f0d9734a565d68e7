"""Planting: the inner site that each kind of built-in controller makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.engine.tree.brokerage import Brokerage, SlowBrokerage
from echelon.engine.tree.protocol_site import ProtocolSite
from echelon.engine.tree.queues.global_queue import GlobalQueue
from echelon.engine.tree.queues.queue_assembly import QueueAssembly
from echelon.engine.tree.views.stale_statistics import StaleStatistics
from echelon.policies import Decentralized, Dispatcher

if TYPE_CHECKING:
    from echelon.engine.controllers import Controller
    from echelon.engine.tree.controlled import Controlled
    from echelon.engine.tree.inner_site import InnerSite


def plant(controller: Controller, site: InnerSite) -> Controlled:
    """Return the inner site `site` under `controller` during a run."""
    rule: Any = controller.broker
    if isinstance(rule, Decentralized):
        return ProtocolSite(rule, site)
    if isinstance(rule, Dispatcher):
        from echelon.engine.immediate.dispatch_site import DispatchSite

        return DispatchSite(rule, site, controller.decision_time or 0.0)
    # Where there are planned times, they are the second state.
    statistics: Any = site.sums[-1 if controller.wants_plans else 0]
    stale = StaleStatistics(statistics, site.ledger, controller.refresh) if controller.refresh else None
    queues = QueueAssembly(controller, site, stale or statistics)
    if (rules := controller.queue) is None:
        screen = queues.screen(controller.site_filter)
        view = site.view(rule, stale or statistics)
        if (time := controller.decision_time) is None:
            return Brokerage(rule, site, view, screen=screen)
        return SlowBrokerage(rule, site, view, screen=screen, decision_time=time)
    return GlobalQueue(
        queues.lines(rules), site,
        decision_time=controller.decision_time or 0.0,
        longest_stay=rules.longest_stay, two_phase=rules.two_phase, stale=stale,
    )  # fmt: skip
