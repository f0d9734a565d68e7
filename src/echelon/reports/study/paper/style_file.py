"""Style file: widths, font and labels of a paper's figures and tables, in TOML.

::

    [figures]
    columns = 2
    font = "serif"

    [labels]
    "easy:shortest-first" = "EASY-SJF"

    [metrics.mean_wait]
    label = "Average wait"
    unit = "min"
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from echelon.errors import InputError
from echelon.experiments.study.file.valid_tables import OPEN, valid_tables
from echelon.experiments.study.results.measures import find_metric
from echelon.metrics import METRICS
from echelon.platforms.files.key_lines import item_lines, key_lines
from echelon.platforms.files.mistakes import Mistakes, format_got
from echelon.platforms.files.text_file import refuse_depth, text_of
from echelon.plotting import MetricStyle, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.metrics import Metric

_Label = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FiguresTable(_Table):
    """Widths, font and strokes."""

    columns: int = Field(
        default=1, ge=1, le=2, description="1 or 2; columns of the page that a figure is as wide as"
    )
    one_column: float = Field(
        default=89.0,
        ge=30,
        le=1000,
        description="a width in mm from 30 to 1000; width of a figure of one column",
    )
    two_columns: float = Field(
        default=183.0,
        ge=30,
        le=1000,
        description="a width in mm from 30 to 1000; width of a figure of two columns",
    )
    font: str | list[str] = Field(
        default="sans-serif",
        min_length=1,
        description="the name of an installed font, serif, sans-serif or monospace, or a list of such names; "
        "of a list the first that is installed",
    )
    font_size: float = Field(
        default=8.0,
        ge=4,
        le=40,
        description="a size in pt from 4 to 40; numbers and names are a sixth smaller",
    )
    line_width: float = Field(
        default=1.0, gt=0, le=10, description="a width in pt above 0, at most 10; of curves"
    )
    resolution: int = Field(
        default=300, ge=50, le=2400, description="dots an inch, a whole number from 50 to 2400; of PNG files"
    )


class MetricTable(_Table):
    """What a metric is called, and its unit."""

    label: _Label | None = Field(default=None, description="a string; what the metric is called")
    unit: Literal["s", "min", "h", "d"] | None = Field(
        default=None,
        description="one of s, min, h, d; unit of a metric in seconds, default the one that suits",
    )


class StyleFile(_Table):
    """A style: all of it is optional."""

    figures: FiguresTable = Field(default=FiguresTable(), description="a table; widths, font and strokes")
    labels: dict[str, _Label] = Field(
        default={},
        description="a string of one line; what a value of an axis is called",
        json_schema_extra=OPEN,
    )
    axes: dict[str, _Label] = Field(
        default={}, description="a string of one line; what an axis is called", json_schema_extra=OPEN
    )
    metrics: dict[str, MetricTable] = Field(
        default={}, description="a table with label and unit; how a metric is shown", json_schema_extra=OPEN
    )


def read_style(path: str | Path, *, own: Sequence[Metric] = ()) -> Style:
    """Return the style that a TOML file describes, for figures and tables of studies.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.
    own : sequence of Metric, default empty
        Metrics of the user's own that it may name: ``results.own``.

    Returns
    -------
    Style
        With the defaults of `Style` for what the file does not say.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or says something it may not: all such errors together, each
        with its line, the value got and what is expected.
    """
    shown = str(path)
    text = text_of(Path(path), shown, expected="a style in TOML")
    with refuse_depth(shown):
        try:
            content = tomllib.loads(text)
        except ValueError as error:
            raise InputError(f"is not TOML: {error}", file=shown) from error
        keys = key_lines(text)
        mistakes = Mistakes(keys | item_lines(text, keys))
        style = _style(content, shown, {metric.name: metric for metric in (*METRICS, *own)}, mistakes)
    if mistakes:
        raise InputError("; ".join(mistakes.sentences()), file=shown)
    return style


def _style(content: dict[str, Any], file: str, metrics: Mapping[str, Metric], mistakes: Mistakes) -> Style:
    for key in content.keys() - StyleFile.model_fields.keys():
        mistakes.note_unknown((key,), content[key], StyleFile.model_fields)
    right = {key: value for key, value in content.items() if key in StyleFile.model_fields}
    tables = valid_tables(StyleFile, right, mistakes)
    _note_twins(tables.labels, mistakes)
    figures = tables.figures.model_dump()
    font = figures.pop("font")
    return Style(
        **figures,
        font=(font,) if isinstance(font, str) else tuple(font),
        labels=tables.labels,
        axes=tables.axes,
        metrics=dict(_metrics(tables.metrics, metrics, mistakes)),
        file=file,
    )


def _note_twins(labels: Mapping[str, str], mistakes: Mistakes) -> None:
    """Note values that would look alike."""
    first: dict[str, str] = {}
    for value, label in labels.items():
        if label in first:
            problem = (
                f"{format_got(label)} as for {first[label]!r:.60}, expected another label for each value"
            )
            mistakes.note(("labels", value), problem)
        first.setdefault(label, value)


def _metrics(
    tables: Mapping[str, MetricTable], metrics: Mapping[str, Metric], mistakes: Mistakes
) -> Iterator[tuple[str, MetricStyle]]:
    for name, table in tables.items():
        metric = find_metric(name, metrics, ("metrics", name), mistakes)
        if metric is not None and table.unit is not None and metric.unit != "s":
            problem = f"{format_got(table.unit)}, expected no unit: {name} is not in seconds"
            mistakes.note(("metrics", name, "unit"), problem)
        yield name, MetricStyle(table.label, table.unit)
