"""The laws by name; a new law is added here."""

from __future__ import annotations

from dataclasses import MISSING
from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.availability.laws.law import Law
from echelon.availability.laws.own_law import looks_like_law, own_law
from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.rules.family import Family
from echelon.rules.parameter import parameters
from echelon.rules.spec import normalize, split_outside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.availability.laws.distributions import Constant, Exponential, Gamma, Lognormal, Weibull

    BuiltIn: TypeAlias = Exponential | Weibull | Lognormal | Gamma | Constant

LAWS: Rules[type[BuiltIn]] = Rules(
    __package__,
    {
        "exponential": "distributions.Exponential",
        "weibull": "distributions.Weibull",
        "lognormal": "distributions.Lognormal",
        "gamma": "distributions.Gamma",
        "constant": "distributions.Constant",
    },
)
"""In the sequence of the tables."""


class _Laws(Family[Law]):
    """Laws, whose parameters may also be separated by commas, as papers print them."""

    def parse(self, text: str) -> Law:
        """Return the law of the spec `text`.

        Examples
        --------
        >>> LAW.parse("weibull:shape=0.5,scale=24h") == LAW.parse("weibull(shape=0.5, scale=1d)")
        True
        """
        return super().parse(":".join(split_outside(text, ",")))

    def make(self, name: str, rule_object: Any, settings: Mapping[str, str]) -> Any:  # noqa: ANN401  (any law)
        """Return the law found under a name with these settings, once none is missing."""
        names = set(map(normalize, settings))
        takes = parameters(rule_object) if isinstance(rule_object, type) else {}
        missing = [word for word, one in takes.items() if one.default is MISSING and word not in names]
        if missing and names <= takes.keys():
            raise InputError(
                f"needs {' and '.join(missing)}, got {', '.join(settings) or 'nothing'}; {_EXAMPLES}",
                field=f"{self.kind} {name}",
            )
        return super().make(name, rule_object, settings)


_EXAMPLES = "laws are weibull:shape=0.48,scale=817h, lognormal:mu=0.05,sigma=1.4,unit=h, constant:3d ..."


LAW: Family[Law] = _Laws(
    "law",
    [LAWS],
    example="weibull:shape=0.4822,scale=816.603h",
    is_rule=looks_like_law,
    is_ready=looks_like_law,
    must="have mean, in seconds, and sample(rng, n)",
    groups=["echelon.laws"],
    own=own_law,
)
law, law_named, format_law = LAW.of, LAW.parse, LAW.format
