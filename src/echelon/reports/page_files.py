"""The files that pages are made of: style sheets, scripts, and the vendored library."""

from __future__ import annotations

import re
from pathlib import Path

_HERE = Path(__file__).parent


def page_file(name: str) -> str:
    """Return the text of a file in ``reports/page``, such as ``gantt/tiles.js``.

    The rooms: ``base`` is what every page uses, ``gantt`` the schedule over time, ``charts`` axes and kinds
    of charts, ``tables`` what is sorted and filtered, ``panels`` HTML and scripts of each panel, ``study``
    the page of a study.
    """
    return (_HERE / "page" / name).read_text(encoding="utf-8")


_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def lean_script(name: str) -> str:
    """Return a script as pages carry it: without comments on lines of their own, and without indents.

    No script of pages has a text of several lines.
    """
    return _INDENT.sub("", _COMMENT.sub("", page_file(name)))


def vendored_file(name: str) -> str:
    """Return the text of a file of uPlot, the library that draws axes and lines."""
    return (_HERE / "vendor" / "uplot" / name).read_text(encoding="utf-8")


def library() -> str:
    """Return uPlot's script with its license, which asks to travel with every copy."""
    return f"/*\n{vendored_file('LICENSE')}*/\n{vendored_file('uPlot.iife.min.js')}"
