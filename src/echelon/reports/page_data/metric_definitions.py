"""Definitions of metrics as the page shows them: label, unit, formula, source, which way is better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics import METRICS
from echelon.metrics.registry.labels import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFINED = ("unit", "formula", "source", "better")
"""What a definition says of a metric."""

_UNITS = {
    "s": "seconds; shown as minutes, hours or days where these read better",
    "1": "a ratio, without unit",
}
_REGISTERED = {metric.name: metric for metric in METRICS}


def metric_definitions(
    names: Iterable[str], own: Iterable[Mapping[str, Any]] = ()
) -> dict[str, dict[str, str]]:
    """Return what is known of these metrics by their names, for `definitions.js`; of unknown ones nothing.

    `own` are the user's own metrics as a run records them: ``name`` and what is `DEFINED`.
    """
    recorded = {str(one.get("name")): one for one in own}
    definitions: dict[str, dict[str, str]] = {}
    for name in names:
        if name in _REGISTERED:
            definition = {key: getattr(_REGISTERED[name], key) for key in DEFINED}
        elif name in recorded:
            definition = {key: recorded[name].get(key) for key in DEFINED}
        else:
            continue
        unit = str(definition["unit"] or "1")
        texts = {key: str(value) for key, value in definition.items() if value}
        definitions[name] = {**texts, "label": label_of(name, unit), "unit": _UNITS.get(unit, unit)}
    return definitions
