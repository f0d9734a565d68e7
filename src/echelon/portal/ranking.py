"""Ranking: all sites that may run a job, the best first, as a policy has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from echelon.engine.broker_choice import chosen_site
from echelon.errors import InputError
from echelon.policies import Broker, ImmediateStrategy, Information, OwnStrategy, Strategy, broker_of
from echelon.policies.broker.completion import MinimumCompletionTime

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies import GridView, ImmediateView
    from echelon.portal.view import PortalView


class Ranked(NamedTuple):
    """A site in the order of preference.

    Attributes
    ----------
    site : str
        Its name.
    value : float or None
        What the policy goes by: tickets of a lottery, else what is least, in the policy's own unit. None of a
        policy that gives none.
    reason : str
        For people.
    """

    site: str
    value: float | None
    reason: str


def rule_of(policy: object) -> Broker:
    """Return the rule that ranks sites.

    Raises
    ------
    InputError
        If it is no broker, or asks for what no portal knows.
    UnknownNameError
        If words name nothing.
    """
    found = broker_of(cast("str", policy))
    if not isinstance(found, Broker):
        problem = f"must choose the site of one job; {found.name} lets jobs wait, and a portal has no queue"
        raise InputError(problem, field="policy")
    knows = getattr(found, "immediate", False) or isinstance(found, MinimumCompletionTime)
    if not knows and found.information > Information.JOB_SIZES:
        raise InputError(
            f"must do without planned times, which a portal does not know; {found.name} needs level "
            f"{found.information:d}, expected at most {Information.JOB_SIZES:d}",
            field="policy",
        )
    return found


def ranking(rule: Broker, job: Job, view: PortalView) -> Iterator[tuple[int, float | None, str]]:
    """Yield site, value and reason of all allowed sites, the best first.

    Where a rule gives values they decide, ties as in the rule. One that draws or only chooses is asked again
    and again, each time without those that it has chosen.
    """
    shown = cast("ImmediateView", view)
    known: object = rule
    if isinstance(known, ImmediateStrategy):
        values = dict(zip(view.allowed, known.values(job, shown), strict=True))
        for site in known.ranking(job, shown):
            yield site, values[site], known.reason(job, site, shown)
    elif isinstance(rule, OwnStrategy | Strategy) and _goes_by_values(rule):
        costs = {site: float(rule.value(job, site, shown)) for site in view.allowed}
        for site in sorted(costs, key=lambda site: (costs[site], site)):
            yield site, costs[site], f"{rule.name} {costs[site]:.6g}"
    else:
        yield from _chosen_in_turn(rule, job, view)


def _goes_by_values(rule: OwnStrategy | Strategy) -> bool:
    return isinstance(rule, OwnStrategy) or type(rule).choose is Strategy.choose


def _chosen_in_turn(rule: Broker, job: Job, view: PortalView) -> Iterator[tuple[int, None, str]]:
    left = list(view.allowed)
    while left:
        view.allowed = tuple(left)
        site = chosen_site(rule, job, cast("GridView", view), left, expected="one of the sites left")
        yield site, None, f"choice {view.turn + 1} of {rule.name}"
        left.remove(site)
        view.turn += 1
