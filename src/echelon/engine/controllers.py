"""Controllers: what chooses among the sites right below an inner site, and how."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.tree.controlled_site import ControlledSite
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.model import SiteTree
    from echelon.policies import Information, Metascheduler
    from echelon.policies.broker.admissible import Admissible
    from echelon.policies.broker.site_filter import EveryFilter
    from echelon.policies.global_queue.contract import GlobalQueueRule
    from echelon.policies.global_queue.limit import QueueLimit
    from echelon.policies.global_queue.several import JobQueue


class QueueRules(NamedTuple):
    """A global queue above sites that have queues of their own.

    Parameters
    ----------
    rule : GlobalQueueRule
        Selects the next job and its site.
    limit : QueueLimit
        Limits the queue of a site.
    longest_stay : float, default infinity
        A job that has not started this long after its submission is rejected, in seconds, > 0.
    two_phase : bool, default False
        Whether jobs that wait in a site are offered parts of several.
    queues : tuple of JobQueue, default empty
        Several queues, of which each job joins the first that takes it; what is not said of one is as here.
        Empty: one queue for all jobs.
    order : str, default "listed"
        Which queue is served first, one of `echelon.policies.global_queue.several.SERVING_ORDERS`.
    """

    rule: GlobalQueueRule
    limit: QueueLimit
    longest_stay: float = math.inf
    two_phase: bool = False
    queues: tuple[JobQueue, ...] = ()
    order: str = "listed"


class ControllerKind(Protocol):
    """What a tree asks of the controller of an inner site; a new kind overrides `plant` and what it needs."""

    @property
    def broker(self) -> Metascheduler:
        """What chooses, in labels and tables."""

    @property
    def admissible(self) -> Admissible:
        """Which sites it may choose from, by the job's size."""

    @property
    def keeps_jobs(self) -> bool:
        """Whether jobs may wait here until something happens below: then all information is actual."""
        return False

    @property
    def wants_plans(self) -> bool:
        """Whether it uses the schedule in which jobs run for their planned times."""
        return False

    @property
    def copies_jobs(self) -> bool:
        """Whether jobs may run in several copies below."""
        return False

    def check(self, tree: SiteTree, scenario: Scenario) -> None:
        """Refuse what it cannot do at the inner site `tree`."""

    def plant(self, site: InnerSite) -> ControlledSite:
        """Return the inner site during a run."""
        raise NotImplementedError


class Controller(NamedTuple):
    """A broker, perhaps with a global queue; a decentralized protocol; or a dispatcher.

    Parameters
    ----------
    broker : Broker, Decentralized or Dispatcher
        Chooses the site of each job, or is the protocol under which the sites exchange jobs.
    admissible : Admissible
        Which sites it may choose from, by the job's size.
    decision_time : float, optional
        Time that it takes for each decision, in seconds, >= 0; default: jobs are sent on as they come.
    queue : QueueRules, optional
        The global queue in which jobs wait here until they are dispatched; default: none.
    refresh : float, default 0
        How old what is known of a site below may become, in seconds, >= 0: its status is asked for at most
        every so many seconds.
    information : Information, optional
        The highest level of information that the sites below give; default: all. A broker that needs more
        cannot choose among them.
    site_filter : EveryFilter, optional
        Leaves sites out before a broker or a queue chooses; default: none.
    """

    broker: Metascheduler
    admissible: Admissible
    decision_time: float | None = None
    queue: QueueRules | None = None
    refresh: float = 0.0
    information: Information | None = None
    site_filter: EveryFilter | None = None

    @property
    def keeps_jobs(self) -> bool:
        """See `ControllerKind`."""
        from echelon.policies import Decentralized, Dispatcher

        return self.queue is not None or isinstance(self.broker, Decentralized | Dispatcher)

    @property
    def wants_plans(self) -> bool:
        """See `ControllerKind`: one that uses loads has no planned schedule."""
        from echelon.policies.broker.contract import grid_state_of

        by_load = getattr(self.broker, "immediate", False)
        return grid_state_of(self.broker) == "planned" and not by_load

    @property
    def copies_jobs(self) -> bool:
        """See `ControllerKind`."""
        from echelon.policies import Dispatcher

        return isinstance(self.broker, Dispatcher)

    def check(self, tree: SiteTree, scenario: Scenario) -> None:
        """See `ControllerKind.check`.

        Raises
        ------
        InputError
            If a broker needs more information than the sites below give, or a protocol or a dispatcher cannot
            decide for them.
        """
        from echelon.policies import Broker, Decentralized, Dispatcher, incompatibility

        rule: Any = self.broker
        if isinstance(rule, Decentralized | Dispatcher):
            from echelon.engine.tree.direct_control import check_direct

            check_direct(self, tree, scenario)
            return
        time_shared = [hasattr(tree.sites[leaf].resource, "speed") for leaf in tree.leaves()]
        where = f"broker of inner site {tree.path!r}" if tree.path else "broker"
        for broker in self._brokers():
            if not isinstance(broker, Broker):
                raise InputError(
                    f"a global queue is served by a broker, and {broker.name!r} is none", field=where
                )
            by_load = any(time_shared) and getattr(broker, "immediate", False)
            reason = incompatibility(broker, immediate=all(time_shared) or by_load, shared=True)
            if reason is not None:
                raise InputError(reason, field=where)
            self._check_level("broker", broker, tree)
        for one in self._filters():
            self._check_level("site filter", one, tree)

    def _brokers(self) -> list[Any]:
        """Return the brokers here: its own, and those of its queues."""
        queues = () if self.queue is None else self.queue.queues
        return [self.broker, *(queue.broker for queue in queues if queue.broker is not None)]

    def _filters(self) -> list[EveryFilter]:
        """Return the site filters here: its own, and those of its queues."""
        queues = () if self.queue is None else self.queue.queues
        return [one for one in (self.site_filter, *(queue.sites for queue in queues)) if one is not None]

    def _check_level(self, kind: str, rule: Any, tree: SiteTree) -> None:  # noqa: ANN401  (a broker, or filters)
        """Refuse a rule that needs more information than the sites below the inner site `tree` give."""
        if self.information is None or rule.information <= self.information:
            return
        from echelon.policies.broker.contract import format_information

        level, here = format_information(self.information), tree.described
        places = here.places if here.settings.get("information") == level else {}
        raise InputError(
            f"the {kind} {rule.name} needs {format_information(rule.information)}, but the sites below "
            f"{repr(tree.path) if tree.path else 'the root'} give {level} "
            f"at most; choose a {kind} that needs no more, or raise their level",
            field=places.get("information", "information"),
        )

    def plant(self, site: InnerSite) -> ControlledSite:
        """See `ControllerKind.plant`."""
        from echelon.engine.tree.planting import plant

        return plant(self, site)
