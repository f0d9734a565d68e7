"""Rules: one registry for every family of named rules, built in, in a user's file or in another package."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.rules.description import parameter_rows
    from echelon.rules.family import Family
    from echelon.rules.parameter import Named, Parameter, arguments, parameters, settings_of, text_of
    from echelon.rules.spec import Spec, split_outside

__all__ = [
    "Family",
    "Named",
    "Parameter",
    "Spec",
    "arguments",
    "parameter_rows",
    "parameters",
    "settings_of",
    "split_outside",
    "text_of",
]

lazily(
    __name__,
    {
        "description": ("parameter_rows",),
        "entry_points": (),
        "family": ("Family",),
        "parameter": ("Named", "Parameter", "arguments", "parameters", "settings_of", "text_of"),
        "spec": ("Spec", "split_outside"),
    },
)
