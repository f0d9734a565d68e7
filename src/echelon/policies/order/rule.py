"""Order: which waiting job comes next. The decorator that makes one of a function."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from echelon.policies.own_rule import check_rule

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from echelon.model import Job
    from echelon.policies.contract import SystemView

Key: TypeAlias = "float | tuple[float, ...]"


@dataclass(frozen=True, slots=True)
class Order:
    """A named order of the queue: the waiting job with the smallest key is the head.

    Ties go by submit time, then by position in the workload, whatever the rule.

    Parameters
    ----------
    name : str
        Kebab-case, as typed after ``--policy``.
    rule : callable (job, view) -> float or tuple of float
        The key; finite. A rule that reads nothing of the view (but `SystemView.draw`) is computed once a
        job, any other again in every pass.
    source : str
        The paper that defines it, or ``"none"``.
    aliases : tuple of str, default empty
        Other words of the field for the same rule.
    columnar : bool, default False
        Whether the rule also takes whole columns in place of a job's numbers (plain arithmetic does).
    """

    name: str
    rule: Callable[[Any, Any], Any]
    source: str
    aliases: tuple[str, ...] = ()
    columnar: bool = False

    def __call__(self, job: Job, view: SystemView) -> Key:
        """Return the key of `job`: seconds, processors ... as the rule says."""
        key: Key = self.rule(job, view)
        return key

    def configured(self, **parameters: object) -> Order:
        """Return this order with other parameters of its rule, which must be a dataclass.

        Raises
        ------
        InputError
            If a value is out of its range.
        """
        return replace(self, rule=replace(self.rule, **parameters))  # type: ignore[type-var]

    @property
    def summary(self) -> str:
        """First sentence of the rule's docstring."""
        return (inspect.getdoc(self.rule) or "").split("\n\n")[0].replace("\n", " ")


def order(
    name: str, *, source: str, aliases: tuple[str, ...] = (), columnar: bool = False
) -> Callable[[Callable[[Any, Any], Any]], Order]:
    """Make an `Order` of a function of (job, view).

    Parameters
    ----------
    name : str
        Kebab-case name.
    source : str
        The paper that defines it, or ``"none"``.
    aliases : tuple of str, default empty
        Other words for it.
    columnar : bool, default False
        See `Order`; leave it out unless the rule is plain arithmetic.

    Raises
    ------
    InputError
        If the function does not take exactly (job, view) or has no docstring.

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
        says = "what comes first and in which unit"
        check_rule(rule, kind="an order", takes=("job", "view"), says=says, name=name)
        return Order(name, rule, source, aliases, columnar)

    return make
