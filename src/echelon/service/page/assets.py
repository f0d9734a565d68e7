"""Assets: what the live page is made of; the charts are drawn by the scripts of reports, as they are."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from echelon.reports.page_files import library, page_file, vendored_file

if TYPE_CHECKING:
    from collections.abc import Callable

_HERE = Path(__file__).parent

OF_REPORTS = (
    "base/format.js",
    "base/theme.js",
    "base/elements.js",
    "gantt/view.js",
    "charts/ticks.js",
    "charts/chart.js",
    "gantt/colors.js",
    "gantt/rectangles.js",
    "gantt/stack.js",
    "gantt/tiles.js",
    "gantt/gantt.js",
    "gantt/card.js",
    "charts/log_chart.js",
    "charts/scatter.js",
)
"""Scripts of reports, in the order in which they are joined."""

OWN = (
    "texts.js",
    "interface.js",
    "stream.js",
    "jobs.js",
    "job_table.js",
    "clusters.js",
    "rows.js",
    "live_gantt.js",
    "outlook.js",
    "job_card.js",
    "forecast_errors.js",
    "live.js",
)
"""Scripts of the live page; each uses only those before it, and those of reports."""

STYLES = ("report.css", "gantt/schedule.css", "gantt/closed.css")
"""Style sheets of reports, which the page's own follows."""


class Asset(NamedTuple):
    """A file that the page loads.

    Attributes
    ----------
    content : bytes
        What is in it.
    media_type : str
        What it is.
    etag : str
        Another one for every other content.
    """

    content: bytes
    media_type: str
    etag: str


@cache
def asset(name: str) -> Asset | None:
    """Return a file of the page by its name, None if there is none; ``page.html`` is the page itself."""
    if name not in _MAKERS:
        return None
    media_type, make = _MAKERS[name]
    content = make().encode()
    return Asset(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def _own(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _script() -> str:
    parts = "\n".join((*map(page_file, OF_REPORTS), *map(_own, OWN)))
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def _style() -> str:
    return "\n".join((vendored_file("uPlot.min.css"), *map(page_file, STYLES), _own("page.css")))


_JAVASCRIPT = "text/javascript; charset=utf-8"
_MAKERS: dict[str, tuple[str, Callable[[], str]]] = {
    "page.html": ("text/html; charset=utf-8", lambda: _own("page.html")),
    "page.css": ("text/css; charset=utf-8", _style),
    "page.js": (_JAVASCRIPT, _script),
    "first.js": (_JAVASCRIPT, lambda: _own("first.js")),
    "library.js": (_JAVASCRIPT, library),
    "icon.svg": ("image/svg+xml", lambda: _own("icon.svg")),
}
