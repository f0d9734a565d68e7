"""Order: which waiting job is next; with the decorator that makes an order from a function."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from echelon.rules.own_rule import check_rule
from echelon.rules.parameter import configure

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from echelon.model import Job
    from echelon.policies.contract import SystemView

Key: TypeAlias = "float | tuple[float, ...]"


@dataclass(frozen=True, slots=True)
class Order:
    """A named order of the queue: the waiting job with the smallest key is the head.

    Ties are broken by submit time, then by position in the workload, under every rule.

    Parameters
    ----------
    name : str
        Kebab-case, as typed after ``--policy``.
    rule : callable (job, view) -> float or tuple of float
        The key; finite. A rule that reads nothing of the view (but `SystemView.draw`) is computed once per
        job, any other in every scheduling cycle.
    source : str
        The paper that defines it, or ``"none"``.
    aliases : tuple of str, default empty
        Other names of the same rule.
    columnar : bool, default False
        Whether the rule also takes whole columns in place of a job's numbers (plain arithmetic does).
    """

    name: str
    rule: Callable[[Any, Any], Any]
    source: str
    aliases: tuple[str, ...] = ()
    columnar: bool = False

    made_of: ClassVar[str] = "rule"

    def __call__(self, job: Job, view: SystemView) -> Key:
        """Return the key of `job`: seconds, processors ... as the rule says."""
        key: Key = self.rule(job, view)
        return key

    def with_parameters(self, **parameters: object) -> Order:
        """Return this order with other parameters of its rule.

        Raises
        ------
        InputError
            If a value is out of its range.
        """
        rule: Order = configure(self, parameters)
        return rule

    configure = with_parameters
    """An earlier name."""

    @property
    def summary(self) -> str:
        """First sentence of the rule's docstring."""
        return (inspect.getdoc(self.rule) or "").split("\n\n")[0].replace("\n", " ")


def order(
    name: str, *, source: str, aliases: tuple[str, ...] = (), columnar: bool = False
) -> Callable[[Callable[[Any, Any], Any]], Order]:
    """Make an `Order` from a function of (job, view).

    Parameters
    ----------
    name : str
        Kebab-case name.
    source : str
        The paper that defines it, or ``"none"``.
    aliases : tuple of str, default empty
        Other names for it.
    columnar : bool, default False
        See `Order`; leave it out unless the rule is plain arithmetic.

    Raises
    ------
    InputError
        If the function does not take exactly (job, view) or has no docstring.

    Notes
    -----
    Keyword-only arguments of the function are its parameters, ``FILE.py:my-area:weight=2``; so are the fields
    of a dataclass that can be called with (job, view).

    Examples
    --------
    >>> from echelon import order
    >>> @order("my-area", source="none")
    ... def my_area(job, view):
    ...     '''Requested processors times planned time, in processor-seconds; the smallest first.'''
    ...     return job.processors * job.planned_time
    >>> my_area.name
    'my-area'
    """

    def make(rule: Callable[[Any, Any], Any]) -> Order:
        if isinstance(rule, type):
            rule = rule()
        says = "what comes first and in which unit"
        check_rule(rule, kind="an order", takes=("job", "view"), says=says, name=name)
        return Order(name, rule, source, aliases, columnar)

    return make
