"""Ranking: all sites that may run a job, in a policy's order of preference."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from echelon.engine.tree.broker_choice import choose_site
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
        Value by which the policy ranks: tickets of a lottery, otherwise a cost in the policy's unit. None if
        the policy has no values.
    reason : str
        Explanation for people.
    """

    site: str
    value: float | None
    reason: str


def rule_of(policy: object) -> Broker:
    """Return the rule that ranks sites.

    Raises
    ------
    InputError
        If it is not a broker, or needs information that a portal does not have.
    UnknownNameError
        If a spec names nothing.
    """
    rule = broker_of(cast("str", policy))
    if not isinstance(rule, Broker):
        problem = f"must choose the site of one job; {rule.name} lets jobs wait, and a portal has no queue"
        raise InputError(problem, field="policy")
    by_cpu_times = getattr(rule, "immediate", False) or isinstance(rule, MinimumCompletionTime)
    if not by_cpu_times and rule.information > Information.JOB_SIZES:
        raise InputError(
            f"must do without planned times, which a portal does not know; {rule.name} needs level "
            f"{rule.information:d}, expected at most {Information.JOB_SIZES:d}",
            field="policy",
        )
    return rule


def ranking(rule: Broker, job: Job, view: PortalView) -> Iterator[tuple[int, float | None, str]]:
    """Yield site, value and reason of all allowed sites, the best first.

    If the rule has values, they decide, with ties as in the rule. Otherwise the rule chooses repeatedly, each
    time among the sites not chosen yet.
    """
    immediate_view = cast("ImmediateView", view)
    any_rule: object = rule
    if isinstance(any_rule, ImmediateStrategy):
        values = dict(zip(view.allowed, any_rule.values(job, immediate_view), strict=True))
        for site in any_rule.ranking(job, immediate_view):
            yield site, values[site], any_rule.reason(job, site, immediate_view)
    elif isinstance(rule, OwnStrategy | Strategy) and _has_values(rule):
        costs = {site: float(rule.value(job, site, immediate_view)) for site in view.allowed}
        for site in sorted(costs, key=lambda site: (costs[site], site)):
            yield site, costs[site], f"{rule.name} {costs[site]:.6g}"
    else:
        yield from _choose_in_turn(rule, job, view)


def _has_values(rule: OwnStrategy | Strategy) -> bool:
    return isinstance(rule, OwnStrategy) or type(rule).choose is Strategy.choose


def _choose_in_turn(rule: Broker, job: Job, view: PortalView) -> Iterator[tuple[int, None, str]]:
    left = list(view.allowed)
    while left:
        view.allowed = tuple(left)
        site = choose_site(rule, job, cast("GridView", view), left, expected="one of the sites left")
        yield site, None, f"choice {view.turn + 1} of {rule.name}"
        left.remove(site)
        view.turn += 1
