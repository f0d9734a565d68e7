"""Policy: an order and a backfilling, or a whole scheduler, with the specs that name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.policies.backfill import BACKFILLS, NoBackfill
from echelon.policies.contract import Scheduler
from echelon.policies.order import ORDER, ORDERS, Order
from echelon.policies.order.one_formula import fcfs
from echelon.policies.order.registry import is_order
from echelon.policies.preemptive import PREEMPTIVE
from echelon.rules.family import Family
from echelon.rules.parameter import canonical_spec, parameters, settings_of
from echelon.rules.spec import Spec, normalize
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Policy:
    """How one queue is served: the order of the queue, and which jobs may overtake.

    Parameters
    ----------
    order : Order
        Which job is next.
    scheduler : Scheduler
        A backfilling of `echelon.policies.backfill`, a scheduler of `echelon.policies.preemptive`, or a
        user's own.
    name : str
        The canonical spec. `policy_named` parses it, unless a part is a user's own rule, which appears under
        its own name, not under its file.
    elsewhere : tuple of (str, Policy), default empty
        The policy of every site of a platform with a queue, by path, where not all have this one; the
        name is that of all of them then.
    """

    order: Order
    scheduler: Scheduler
    name: str
    elsewhere: tuple[tuple[str, Policy], ...] = ()

    def at(self, site: str) -> Policy:
        """Return the policy of the site at this path."""
        return next((policy for path, policy in self.elsewhere if path == site), self)

    def distinct_at(self, sites: Iterable[str]) -> list[Policy]:
        """Return the different policies of the sites at these paths."""
        if not self.elsewhere:
            return [self]
        return list({id(policy): policy for policy in map(self.at, sites)}.values())

    @classmethod
    def of(cls, order: Order = fcfs, backfill: Scheduler | None = None) -> Policy:
        """Return the policy of that order (default `fcfs`) and backfilling (default none)."""
        scheduler: Scheduler = NoBackfill() if backfill is None else backfill
        return cls(order, scheduler, _spec(order, scheduler))


class _Policies(Family[Policy]):
    """Orders, backfillings and preemptive schedulers: a scheduler may be followed by an order."""

    def assemble(
        self,
        name: str,
        rule_object: Any,  # noqa: ANN401  (a class, or a rule that is ready)
        rest: Sequence[str],
        settings: Mapping[str, str],
        spec: Spec,
    ) -> Policy:
        """Return the policy of an order alone, or of a scheduler and the order that follows it.

        A setting belongs to the scheduler if it has a parameter of that name, else to the order.
        """
        if isinstance(rule_object, Order):
            if rest and (self.has(rest[0]) and not ORDER.has(rest[0])):
                right = ":".join([*rest, name, *(f"{key}={value}" for key, value in settings.items())])
                raise InputError(
                    f"must name the backfilling before the order: {right}", field=f"policy {spec.text!r}"
                )
            return Policy.of(ORDER.assemble(name, rule_object, rest, settings, spec))
        own_parameters = parameters(rule_object) if isinstance(rule_object, type) else {}
        mine = {
            key: value for key, value in settings.items() if normalize(key) in map(normalize, own_parameters)
        }
        others = {key: value for key, value in settings.items() if key not in mine}
        order = ORDER.parse(":".join(rest) or "fcfs")
        if others and not parameters(order):
            raise _refuse_parameters(name, tuple(own_parameters), ":".join(rest), list(others))
        if others:
            order_settings = [f"{key}={value}" for key, value in others.items()]
            order = ORDER.parse(":".join([*(rest or ["fcfs"]), *order_settings]))
        scheduler = self.make(name, rule_object, mine)
        return (
            Policy.of(order, scheduler)
            if self.has(name)
            else Policy(order, scheduler, _label(name, rest, spec))
        )

    def format(self, rule: Policy) -> str:
        """Return the canonical spec of a policy, which is its name."""
        return rule.name

    def of(self, rule: object) -> Policy:
        """Return `rule` as a policy: a spec, an order, a backfilling or scheduler, or a policy itself."""
        if isinstance(rule, Policy):
            return rule
        if isinstance(rule, str):
            return self.parse(rule)
        if isinstance(rule, Order):
            return Policy.of(rule)
        if isinstance(rule, Scheduler):
            return Policy.of(backfill=rule() if isinstance(rule, type) else rule)
        raise InputError(f"must be a spec, an order or a scheduler, got {rule!r:.80}", field="policy")


def _label(name: str, rest: Sequence[str], spec: Spec) -> str:
    """Return the spec of a scheduler that is not built in; names that are read in any case are in theirs."""
    head, text = name if is_in_file(name) else normalize(name), spec.text.strip()[len(name) :]
    for order in rest[:1]:
        if not order.endswith(".py"):
            text = re.sub(rf"(?<![\w.=-]){re.escape(order)}(?![\w.=-])", normalize(order), text, count=1)
    return head + text


def _refuse_parameters(
    scheduler: str, own_parameters: Sequence[str], order: str, got: Sequence[str]
) -> EchelonError:
    """Return the refusal of parameters that neither a scheduler nor the order after it has.

    They are the order's if one is named, unless the first is near to a parameter of the scheduler.
    """
    if own_parameters and (not order or get_close_matches(got[0], own_parameters, n=1)):
        return UnknownNameError(f"parameter of {scheduler.rpartition(':')[2]}", got[0], own_parameters)
    field = f"order {order}" if order else f"policy {scheduler}"
    return InputError(f"takes no parameters, got {', '.join(got)}", field=field)


def _is_policy(thing: object) -> bool:
    # A protocol that a file imports has the method, too.
    return is_order(thing) or (hasattr(thing, "decide") and not getattr(thing, "_is_protocol", False))


POLICY: Family[Policy] = _Policies(
    "policy",
    [ORDERS, BACKFILLS, PREEMPTIVE],
    example="easy:shortest-first",
    is_rule=_is_policy,
    is_ready=lambda rule: isinstance(rule, Order | Scheduler) and not isinstance(rule, type),
    must="be an order (use @order) or have a name and decide(view)",
    groups=["echelon.orders", "echelon.schedulers"],
)
policy_named, policy = POLICY.parse, POLICY.of


def policy_names() -> list[str]:
    """Return all names of policies, including aliases."""
    return sorted(POLICY.names_and_aliases)


def split_policies(specs: str, *, field: str = "policies") -> list[str]:
    """Split a comma-separated list of policies, or of another `field`; commas in parentheses do not separate.

    Raises
    ------
    InputError
        If an entry is empty.
    """
    parts = [part.strip() for part in re.split(r",(?![^()]*\))", specs)]
    if not all(parts):
        raise InputError(f"must be names joined by single commas, got {specs!r}", field=field)
    return parts


def _spec(order: Order, scheduler: Scheduler) -> str:
    if type(scheduler) is NoBackfill:
        return canonical_spec(order)
    ordering = [] if order is fcfs else [order.name, *settings_of(order)]
    return ":".join([scheduler.name, *ordering, *settings_of(scheduler)])


__all__ = ["POLICY", "Policy", "policy", "policy_named", "policy_names", "split_policies"]
