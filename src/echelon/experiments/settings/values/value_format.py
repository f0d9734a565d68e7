"""How values of settings are written in canonical form, where no family of rules says it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.values.value_reader import number_of_seconds
from echelon.rules.parameter import own_spec

if TYPE_CHECKING:
    from echelon.policies import Admissible


def name(rule: Any) -> str:  # noqa: ANN401  (whatever has one)
    """Return the name of a rule that is named in its canonical spec."""
    return str(rule.name)


def spec(rule: Any) -> str:  # noqa: ANN401  (whatever has one)
    """Return the canonical spec that a rule has itself, or its name, or that of its class."""
    text = own_spec(rule)
    return text if isinstance(text, str) else str(getattr(rule, "name", type(rule).__name__))


def finite(number: float) -> float | None:
    """Return a limit, None where there is none."""
    return number if math.isfinite(number) else None


def seconds(number: float | str) -> float | str:
    """Return a time in seconds, perhaps with a unit (``5min``), as a float; any other text unchanged."""
    duration = number_of_seconds(number)
    return number if math.isnan(duration) else duration


def window(times: tuple[float, float]) -> str:
    """Return the two times of a window, ``0,604800``."""
    return ",".join(f"{time:.15g}" for time in times)


def format_time(number: float) -> str:
    """Return a time in the largest unit that divides it, days from three on: ``24h``, ``90min``, ``7d``."""
    from echelon.quantities import TIME_UNITS

    least = {"d": 3}
    fits = [
        unit
        for unit in TIME_UNITS
        if not number % unit.seconds and number >= least.get(unit.sign, 1) * unit.seconds
    ]
    return f"{number / fits[0].seconds:.15g}{fits[0].sign}" if fits else f"{number:.15g}s"


def format_admissible(rule: Admissible) -> str:
    """Return the text of an admissibility, which `echelon.policies.admissible` reads back exactly."""
    return f"{float(rule.factor)!r}{':equal-sizes' if rule.equal_sizes else ''}"


def platform(choice: Any) -> str:  # noqa: ANN401  (what `echelon.platforms.platform` takes)
    """Return what a run on a platform is called by: the text given, or the platform's name."""
    return str(getattr(choice, "name", choice))
