"""QueueAssembly: the queues of an inner site and the filters of its sites, from what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.engine.tree.global_queue_view import GlobalQueueView
from echelon.engine.tree.membership import takes
from echelon.engine.tree.queue_lines import QueueLine, QueueLines
from echelon.engine.tree.rates import Rate
from echelon.engine.tree.site_screen import SiteScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.tree.broker_view import BrokerView
    from echelon.engine.worlds import Controller, QueueRules
    from echelon.policies import Broker
    from echelon.policies.broker.site_filter import EveryFilter


class QueueAssembly:
    """Builds the queues of one inner site.

    Parameters
    ----------
    scenario : Scenario
        The run.
    controller : Controller
        What is said of the inner site.
    known : SiteStatistics
        What its rules know of the sites below.
    allowed : sequence of sequence of int
        The sites that each job may go to, by position.
    view_of : callable (broker or filter) -> BrokerView
        What a rule sees of the sites below.
    """

    def __init__(
        self,
        scenario: Scenario,
        controller: Controller,
        known: Any,  # noqa: ANN401  (statistics, or what stands for them)
        allowed: Sequence[Sequence[int]],
        view_of: Callable[[Any], BrokerView],
    ) -> None:
        self._scenario, self._controller = scenario, controller
        self._known, self._allowed, self._view_of = known, allowed, view_of
        self._joined, self._left = ([Rate() for _ in known.members] for _ in range(2))
        self._sent: set[int] = set()

    def screen(self, rule: EveryFilter | None) -> SiteScreen | None:
        """Return the filter with its view; None if it leaves no site out."""
        return None if rule is None or not rule.filters else SiteScreen(rule, self._view_of(rule))

    def lines(self, rules: QueueRules) -> QueueLines:
        """Return its queues: those that are named, or the one without criteria.

        What is not said of a queue is as in the inner site. Each has its own view, so that a broker that goes
        round does so among the jobs of its queue.
        """
        filters = self._controller.site_filter
        if not rules.queues:
            view = self._view(self._controller.broker, rules.limit, filters)
            return QueueLines([QueueLine(rules.rule, view, lambda job: True)])
        instance = self._scenario.instance
        return QueueLines(
            [
                QueueLine(
                    queue.rule or rules.rule,
                    self._view(
                        queue.broker or self._controller.broker,
                        queue.limit or rules.limit,
                        filters if queue.sites is None else queue.sites,
                    ),
                    takes(queue, instance),
                )
                for queue in rules.queues
            ],
            rules.order,
        )

    def _view(self, broker: Broker, limit: Any, filters: EveryFilter | None) -> GlobalQueueView:  # noqa: ANN401
        return GlobalQueueView(
            self._known.members, self._allowed, broker, view=self._view_of(broker), limit=limit,
            screen=self.screen(filters), joined=self._joined, left=self._left, sent=self._sent,
        )  # fmt: skip
