"""Words such as ``grid1:week=3:days=mon-thu``: a grid's recipe, its settings and the week wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import Rules, by_word
from echelon.user_file import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload
    from echelon.workloads.files.datasets import Progress
    from echelon.workloads.grid.recipe import GridRecipe

_READY: Rules[GridRecipe] = Rules(
    __package__, {"grid1": "recipe.GRID1", "grid2": "recipe.GRID2", "grid3": "recipe.GRID3"}
)

RECIPES: Mapping[str, GridRecipe] = by_word(_READY)
"""Every ready recipe, in the order in which tables show them."""


class RecipeField(NamedTuple):
    """A field of `GridRecipe` as specs and the command line set it.

    Parameters
    ----------
    name : str
        Of the field; with dashes, as typed.
    kind : type
        Of its value: str, int or float.
    metavar : str
        How help spells the value.
    help : str
        What it is, and its default.
    choices : tuple of str, default empty
        The only values that it takes, the default first.
    option : str, default ""
        Its option, where that is not the name with dashes, which is then read, too.
    """

    name: str
    kind: type
    metavar: str
    help: str
    choices: tuple[str, ...] = ()
    option: str = ""


FIELDS: tuple[RecipeField, ...] = (
    RecipeField("name", str, "NAME", "Name of the grid and its files. Default: grid."),
    RecipeField("days", str, "DAYS", "Weekdays of each week. Default: mon-fri, or the grid's."),
    RecipeField("weeks", int, "N", "How many weekly experiments. Default: 30."),
    RecipeField("first_week", int, "K", "Begin with full week K of every log. Default: 1."),
    RecipeField(
        "time_zone",
        str,
        "ZONE",
        "Of the grid's clock. Default: America/Los_Angeles.",
        option="--timezone",  # as other commands have it
    ),
    RecipeField(
        "hours",
        str,
        "converted|own",
        "Moments by the grid's clock (the default), or each log by its own site's.",
        ("converted", "own"),
    ),
    RecipeField(
        "filters",
        str,
        "known|literal|completed|none",
        "Drop jobs that lack a field which their log knows (the default), those and jobs that failed or "
        "were canceled (completed), jobs that lack any field (literal), or none.",
        ("known", "literal", "completed", "none"),
    ),
    RecipeField(
        "sizes",
        str,
        "allocated|requested",
        "Which processors count where both are known; the first.",
        ("allocated", "requested"),
    ),
    RecipeField("largest", int, "N", "Only jobs of at most N processors."),
    RecipeField(
        "run_times", float, "FACTOR", "Multiply run and requested times, for another load. Default: 1."
    ),
    RecipeField(
        "short_logs",
        str,
        "refuse|wrap|leave-out",
        "A log of too few weeks is an error (the default), begins again, or gives no more jobs.",
        ("refuse", "wrap", "leave-out"),
    ),
    RecipeField(
        "stand_ins",
        str,
        "refuse|lublin",
        "A log that is not to be had is an error (the default), or a model's jobs stand in for it.",
        ("refuse", "lublin"),
    ),
    RecipeField("seed", int, "N", "Seed of all random choices. Default: 0."),
)
"""What may be set of a recipe, beside its logs and its platform."""

SETTINGS: dict[str, type] = {
    "week": int,
    **{one.name.replace("_", "-"): one.kind for one in FIELDS if one.name != "name"},
}
"""What may be set after a colon, and its kind: ``week``, and fields of `GridRecipe`."""


def names_grid(source: str) -> bool:
    """Return whether `source` is the spec of a grid's workload, and no file of that name is there."""
    return source.partition(":")[0].strip().lower() in RECIPES and not is_file(source)


def grid_jobs(spec: str, *, progress: Progress | None = None) -> Workload:
    """Return the jobs of a grid's experiment, or of all of them where no week is named.

    Parameters
    ----------
    spec : str
        A ready recipe, alone or with settings after colons: ``"grid1:week=3"``, ``"grid2:stand-ins=lublin"``.
    progress : callable (bytes_done: int, bytes_total: int or None) -> None, optional
        Called while a data set is downloaded.

    Raises
    ------
    InputError
        If a setting is not ``key=value`` or not the number it must be, or a log is missing.
    UnknownNameError
        If there is no such recipe or setting.
    """
    from echelon.workloads.grid.builder import grid_workload  # reads logs, and readers ask for grids

    name, *settings = (part.strip() for part in spec.split(":"))
    values = _settings(settings)
    week = values.pop("week", None)
    fields = {key.replace("-", "_"): value for key, value in values.items()}
    grid = grid_workload(name.lower(), progress=progress, **fields)
    return grid.jobs if week is None else grid.week(week)


def _settings(parts: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for setting in parts:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals or not text:
            raise InputError(f"must be key=value, got {setting!r}", field="setting of a grid")
        if key not in SETTINGS:
            raise UnknownNameError("setting of a grid", key, SETTINGS)
        if key in values:
            raise InputError("is set twice", field=f"setting {key}")
        values[key] = text if SETTINGS[key] is str else _number(text, key)
    return values


def _number(text: str, key: str) -> float:
    kind = SETTINGS[key]
    try:
        return float(text) if kind is float else int(text)
    except ValueError:
        what = "number" if kind is float else "whole number"
        raise InputError(f"must be a {what}, got {text!r}", field=f"setting {key}") from None
