"""The help of a command with many options: groups with headings, the common options first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.cli.options.setting_options import COMMON
from echelon.experiments.settings.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable

_REST = GROUPS[-1]


def write_groups(params: Iterable[Any], ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer's)
    """Write arguments and options by group."""
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], COMMON: []}
    groups |= {group: [] for group in GROUPS}
    for param in params:
        record = param.get_help_record(ctx)
        if record is not None:
            is_argument = param.param_type_name == "argument"
            title = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or _REST
            groups[title].append(record)
    for title, records in groups.items():
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
