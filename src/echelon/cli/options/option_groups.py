"""The help of a command with many options: groups with headings, the common options first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.cli.options.setting_options import COMMON
from echelon.experiments.settings.setting import GROUPS, RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable

_OTHERS = "Options"
"""Of a command that is not about runs: those that no declaration is behind."""


def write_groups(params: Iterable[Any], ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer's)
    """Write arguments and options by group."""
    listed = list(params)
    titles = [title for one in listed if (title := getattr(one, "rich_help_panel", None))]
    is_of_run = RESULTS in titles
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], COMMON: []}
    groups |= {group: [] for group in (GROUPS if is_of_run else dict.fromkeys((*titles, _OTHERS)))}
    for param in listed:
        record = param.get_help_record(ctx)
        if record is not None:
            is_argument = param.param_type_name == "argument"
            rest = RESULTS if is_of_run else _OTHERS
            title = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or rest
            groups[title].append(record)
    for title, records in groups.items():
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
