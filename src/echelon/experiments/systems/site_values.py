"""What a platform says of a setting at a site, as the engine takes it; a wrong spec names its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.setting import load

if TYPE_CHECKING:
    from echelon.experiments.settings.setting import Setting
    from echelon.model import InnerSite, Site


def site_value(here: Site | InnerSite, setting: Setting) -> Any:  # noqa: ANN401  (what the setting takes)
    """Return what a site says of a setting, read from its spec; None if it says nothing.

    Raises
    ------
    InputError, UnknownNameError
        If the spec is wrong: with file, line and table, else with the path of the site.
    """
    spec = here.settings.get(setting.name)
    if spec is None or not setting.read:
        return spec
    try:
        return load(setting.read)(spec)
    except UnknownNameError as error:
        where = _place(here, setting, error.where)
        raise UnknownNameError(error.kind, error.name, error.known, where=where) from error
    except InputError as error:
        if error.file is not None:
            raise InputError(f"{here.place_of(setting.name)}: {error}") from error
        raise InputError(f"{_place(here, setting, error.field)}: {error.problem}") from error


def _place(here: Site | InnerSite, setting: Setting, detail: str | None) -> str:
    """Return where a wrong spec is: in a file, or in a site; and what of it is wrong."""
    if detail in here.places:  # of a queue that has a table of its own
        return here.place_of(str(detail))
    where = here.place_of(setting.name)
    return where if detail in (None, setting.name, setting.dashed) else f"{where}: {detail}"
