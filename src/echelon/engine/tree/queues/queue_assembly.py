"""QueueAssembly: the queues of an inner site and the filters of its sites, from what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.engine.tree.queues.global_queue_view import GlobalQueueView
from echelon.engine.tree.queues.membership import takes
from echelon.engine.tree.queues.queue_lines import QueueLine, QueueLines
from echelon.engine.tree.queues.rates import Rate
from echelon.engine.tree.views.site_screen import SiteScreen

if TYPE_CHECKING:
    from echelon.engine.controllers import Controller, QueueRules
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.policies.broker.site_filter import EveryFilter


class QueueAssembly:
    """Builds the queues of one inner site.

    Parameters
    ----------
    controller : Controller
        What is said of the inner site.
    site : InnerSite
        Where it stands.
    statistics : SiteStatistics
        What its rules know of the sites below.
    """

    def __init__(
        self,
        controller: Controller,
        site: InnerSite,
        statistics: Any,  # noqa: ANN401  (statistics, or what stands for them)
    ) -> None:
        self._controller, self._site, self._known = controller, site, statistics
        self._joined, self._left = ([Rate() for _ in statistics.sizes] for _ in range(2))
        self._sent: set[int] = set()

    def screen(self, rule: EveryFilter | None) -> SiteScreen | None:
        """Return the filter with its view; None if it leaves no site out."""
        return (
            None if rule is None or not rule.filters else SiteScreen(rule, self._site.view(rule, self._known))
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

    def _view(self, broker: Any, limit: Any, filters: EveryFilter | None) -> GlobalQueueView:  # noqa: ANN401
        view = self._site.view(broker, self._known)
        return GlobalQueueView(
            self._known.sites, self._site.allowed, broker, view=view, limit=limit,
            screen=self.screen(filters), joined=self._joined, left=self._left, sent=self._sent,
        )  # fmt: skip
