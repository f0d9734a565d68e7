"""Names that a setting's value may begin with: for schemas of files, and for completion in shells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.setting import load

if TYPE_CHECKING:
    from echelon.experiments.settings.setting import Setting


def only(setting: Setting) -> list[str]:
    """Return the choices of a setting; none if it takes other values."""
    return _names(load(setting.choices)) if setting.choices else []


def offers_of(setting: Setting) -> list[str]:
    """Return the names that a value may begin with; parameters and files are also accepted."""
    families = (name for family in setting.families for name in _names(load(family)))
    return list(dict.fromkeys((*setting.offers, *families)))


def placements() -> list[str]:
    """Return the names of the placements."""
    from echelon.policies.placement import placement_names

    return placement_names()


def _names(things: Any) -> list[str]:  # noqa: ANN401  (a list of rules or names, a rule, or what lists them)
    if isinstance(things, type):
        return [str(getattr(things, "name", things))]
    listed = things() if callable(things) else things
    return list(dict.fromkeys(str(getattr(thing, "name", thing)) for thing in listed))
