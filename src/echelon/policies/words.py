"""Words of policies: those of any rule, whose settings may also be orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.policies.order.priorities import Priorities
from echelon.policies.order.rule import Order
from echelon.words import Named, Words, parameters, settings_of, text_of
from echelon.words import arguments as any_arguments
from echelon.words import made as any_made

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Words", "arguments", "made", "parameters", "settings_of", "text_of"]


def arguments(
    rule: object, name: str, settings: Mapping[str, str], order_named: Callable[[str], Order]
) -> dict[str, Any]:
    """Return the arguments that `settings` give to a rule, some of whose fields may be orders.

    Parameters
    ----------
    rule, name, settings
        As of `echelon.words.arguments`.
    order_named : callable
        What reads an order's words.

    Raises
    ------
    UnknownNameError
        If a key is no parameter.
    InputError
        If a value does not fit its field.
    """
    return any_arguments(rule, name, settings, _named(order_named))


def made(
    kind: type, name: str, settings: Mapping[str, str], order_named: Callable[[str], Order], *, field: str
) -> Any:  # noqa: ANN401  (a user's class may be anything)
    """Return an instance of `kind`, a class of the user's own, with these settings.

    Parameters
    ----------
    kind, name, settings, field
        As of `echelon.words.made`.
    order_named : callable
        What reads an order's words.

    Raises
    ------
    UnknownNameError
        If a key is no parameter.
    InputError
        If it takes no parameters, a value does not fit, or the class fails.
    """
    return any_made(kind, name, settings, _named(order_named), field=field)


def _named(order_named: Callable[[str], Order]) -> tuple[Named, ...]:
    """Return the types that a field of a rule may have besides numbers and words."""
    return (
        Named(Order, "an order", order_named),
        Named(Priorities, "names and factors such as high=1+normal=0.5", Priorities.read),
    )
