"""Planting: the inner site that each kind of built-in controller makes, with its queues and its filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.engine.tree.broker_choice import SiteScreen
from echelon.engine.tree.brokerage import Brokerage, SlowBrokerage
from echelon.engine.tree.protocol_site import ProtocolSite
from echelon.engine.tree.queues.global_queue import GlobalQueue
from echelon.engine.tree.queues.global_queue_view import Rate, TreeQueueView
from echelon.engine.tree.queues.membership import takes
from echelon.engine.tree.queues.queue_lines import QueueLine, QueueLines
from echelon.engine.tree.views.statistics import StaleStatistics
from echelon.policies import Decentralized, Dispatcher

if TYPE_CHECKING:
    from echelon.engine.controllers import Controller, QueueRules
    from echelon.engine.tree.controlled_site import ControlledSite
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.policies.broker.site_filter import EveryFilter


class QueueAssembly:
    """Builds the queues of one inner site.

    Its rules know of the sites below what `statistics` says.
    """

    def __init__(
        self,
        controller: Controller,
        site: InnerSite,
        statistics: Any,  # noqa: ANN401  (statistics, or what stands for them)
    ) -> None:
        self._controller, self._site, self._statistics = controller, site, statistics
        self._joined, self._left = ([Rate() for _ in statistics.sizes] for _ in range(2))
        self._sent: set[int] = set()

    def screen(self, rule: EveryFilter | None) -> SiteScreen | None:
        """Return the filter with its view; None if it leaves no site out."""
        return (
            None
            if rule is None or not rule.filters
            else SiteScreen(rule, self._site.view(rule, self._statistics))
        )

    def lines(self, rules: QueueRules) -> QueueLines:
        """Return its queues: those that are named, or the one without criteria.

        What is not said of a queue is as in the inner site. Each has its own view, so that a broker that goes
        round does so among the jobs of its queue.
        """
        filters = self._controller.site_filter
        if not rules.queues:
            view = self._view(self._controller.broker, rules.limit, filters)
            return QueueLines([QueueLine(rules.rule, view, lambda job: True)])
        site = self._site
        return QueueLines(
            [
                QueueLine(
                    queue.rule or rules.rule,
                    self._view(
                        queue.broker or self._controller.broker,
                        queue.limit or rules.limit,
                        filters if queue.sites is None else queue.sites,
                    ),
                    takes(queue, lambda: site.scenario.instance),
                )
                for queue in rules.queues
            ],
            rules.order,
        )

    def _view(self, broker: Any, limit: Any, filters: EveryFilter | None) -> TreeQueueView:  # noqa: ANN401
        view = self._site.view(broker, self._statistics)
        return TreeQueueView(
            self._statistics.sites, self._site.allowed, broker, view=view, limit=limit,
            screen=self.screen(filters), joined=self._joined, left=self._left, sent=self._sent,
        )  # fmt: skip


def plant(controller: Controller, site: InnerSite) -> ControlledSite:
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
