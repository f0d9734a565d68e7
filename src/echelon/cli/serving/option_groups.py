"""Groups of options: a command takes one as ``**asked``, and shows each of its options."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

Function = TypeVar("Function", bound=Callable[..., Any])


def with_options(group: type) -> Callable[[Function], Function]:
    """Return what gives a command the options of a group, which it takes as ``**asked``, before its own.

    Parameters
    ----------
    group : type
        A ``TypedDict`` with an annotated option each; those not given are None, flags False.
    """
    hints = get_type_hints(group, include_extras=True)

    def give(function: Function) -> Function:
        taken = inspect.signature(function).parameters.values()
        own = [one for one in taken if one.kind is not one.VAR_KEYWORD]
        defaults = {name: False if hint.__origin__ is bool else None for name, hint in hints.items()}
        asked = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint)
            for name, hint in hints.items()
        ]
        arguments = [one for one in own if one.kind is not one.KEYWORD_ONLY]
        rest = [one for one in own if one.kind is one.KEYWORD_ONLY]
        function.__signature__ = inspect.Signature([*arguments, *asked, *rest])  # type: ignore[attr-defined]
        function.__annotations__ = {**{one.name: one.annotation for one in own}, **hints}
        return function

    return give
