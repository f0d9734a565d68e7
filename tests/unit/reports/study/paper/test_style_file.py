"""Style files: what they say, their defaults, and every mistake with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from echelon.errors import InputError
from echelon.metrics import Metric
from echelon.plotting import MetricStyle, Style
from echelon.reports.study.paper.style_file import FiguresTable, read_style

PAGE = Path(__file__).parents[5] / "docs" / "how-to" / "study-in-a-paper.md"


def style(tmp_path, text, **options):
    """Return the style that this text describes."""
    file = tmp_path / "paper.toml"
    file.write_text(text)
    return read_style(file, **options)


def test_an_empty_file_is_the_default(tmp_path):
    """All keys are optional."""
    assert style(tmp_path, "") == Style(file=str(tmp_path / "paper.toml"))


def test_all_keys(tmp_path):
    """Widths, font, labels of values and axes, labels and units of metrics."""
    found = style(
        tmp_path,
        '[figures]\ncolumns = 2\none_column = 80\ntwo_columns = 170.5\nfont = ["Times", "serif"]\n'
        "font_size = 9\nline_width = 0.8\nresolution = 600\n"
        '[labels]\n"easy:reservations=4" = "EASY"\n[axes]\nload = "Load"\n'
        '[metrics.mean_wait]\nlabel = "Wait"\nunit = "h"\n[metrics.mine]\nlabel = "Mine"\n',
        own=[Metric("mine", "1", "", "none", None, lambda _: None)],
    )
    assert found == Style(
        columns=2,
        one_column=80,
        two_columns=170.5,
        font=("Times", "serif"),
        font_size=9,
        line_width=0.8,
        resolution=600,
        labels={"easy:reservations=4": "EASY"},
        axes={"load": "Load"},
        metrics={"mean_wait": MetricStyle("Wait", "h"), "mine": MetricStyle("Mine")},
        file=str(tmp_path / "paper.toml"),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[figures]\ncolumns = 3", "line 2, figures.columns: got 3, expected 1 or 2"),
        ("[figures]\ncolumns = true", "line 2, figures.columns: got True, expected 1 or 2"),
        ("[figures]\none_column = 20", "line 2, figures.one_column: got 20, expected a width in mm"),
        ('[figures]\nfont_size = "8"', "line 2, figures.font_size: got '8', expected a size in pt"),
        ("[figures]\nline_width = 0", "line 2, figures.line_width: got 0, expected a width in pt above 0"),
        ("[figures]\nresolution = 72.5", "line 2, figures.resolution: got 72.5, expected dots an inch"),
        ("[figures]\nfont = []", "line 2, figures.font: got [], expected the name of an installed font"),
        ("[figures]\nwide = 1", "line 2, figures: unknown key 'wide' (got 1), known are columns"),
        ("[lables]\na = 'b'", "line 1: unknown key 'lables' (got {'a': 'b'}), did you mean 'labels'?"),
        ("figures = 3", "line 1, figures: got 3, expected a table"),
        ("[labels]\neasy = ''", "line 2, labels.easy: got '', expected a string of one line"),
        ('[labels]\neasy = "a\\nb"', "line 2, labels.easy: got 'a\\nb', expected a string of one line"),
        ("[labels]\na = 'X'\nb = 'X'", "line 3, labels.b: got 'X' as for 'a', expected another label"),
        ("[axes]\nload = 3", "line 2, axes.load: got 3, expected a string of one line"),
        ("[metrics.mean_wiat]\nlabel = 'w'", "line 1, metrics.mean_wiat: no metric is named 'mean_wiat'"),
        ("[metrics]\nmean_wait = 'w'", "line 2, metrics.mean_wait: got 'w', expected a table with"),
        ("[metrics.mean_wait]\nunit = 'hours'", "line 2, metrics.mean_wait.unit: got 'hours', expected one"),
        ("[metrics.mean_wait]\nnit = 'h'", "line 2, metrics.mean_wait: unknown key 'nit' (got 'h')"),
        ("[metrics.utilization]\nunit = 's'", "line 2, metrics.utilization.unit: got 's', expected no unit"),
        ("[figures", "is not TOML: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, problem):
    """File, line, key, the value got and what is expected."""
    with pytest.raises(InputError, match=re.escape(problem)) as caught:
        style(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'paper.toml'}: ")


def test_all_mistakes_at_once(tmp_path):
    """Each mistake of a file is reported, by line."""
    with pytest.raises(InputError, match=r"line 2, .*; line 4, ") as caught:
        style(tmp_path, "[figures]\ncolumns = 3\n[axes]\nload = 1\n")
    assert str(caught.value).count("line ") == 2


def test_no_file(tmp_path):
    """A file that is not there is said to be missing, with what it should be."""
    with pytest.raises(InputError, match=r"none\.toml: no such file, expected a style in TOML"):
        read_style(tmp_path / "none.toml")


def test_the_page_has_every_key_with_its_default():
    """The table of the how-to page has the keys of the file, and the defaults that the file has."""
    rows = re.findall(r"^\| `figures\.(\w+)` \|.*\| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    defaults = {name: field.default for name, field in FiguresTable.model_fields.items()}
    assert {name: default.split(" (")[0] for name, default in rows} == {
        name: f"{value:g}" if isinstance(value, int | float) else value for name, value in defaults.items()
    }
    made = {name: getattr(Style(), name) for name in defaults}
    assert made | {"font": made["font"][0]} == defaults
