"""SVG by hand: marks in the page's own colors, an axis with round values."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.plotting.study.column import value_limits
from echelon.quantities import format_tick

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 480
"""Units of a chart's width; it is drawn as wide as there is room."""

LOG_FROM = 12.0
"""Ratio of the largest value to the smallest from which an axis is logarithmic."""

COLORS = 8
"""Colors of the page; the ninth line has the first one again, dashed, see `DASHES`."""

DASHES = ("", "6 4", "2 3", "10 3 2 3", "14 4")
"""Dashes of lines, as of SVG: one for each time that the colors begin again."""


def chart(parts: Sequence[str], height: float, label: str, *, width: float = WIDTH) -> str:
    """Return a whole chart; `label` says what it shows to those who do not see it."""
    kind = "plot broad" if width > WIDTH else "plot"
    return (
        f'<svg class="{kind}" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{html.escape(label)}">{"".join(parts)}</svg>'
    )


def text(x: float, y: float, content: str, *, anchor: str = "start", kind: str = "") -> str:
    """Return a text; `anchor` is start, middle or end."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{html.escape(content)}</text>'


def line(start: tuple[float, float], end: tuple[float, float], *, kind: str = "grid") -> str:
    """Return a straight line."""
    return (
        f'<line class="{kind}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
    )


def dot(x: float, y: float, *, place: int | None = 0, size: float = 4, title: str = "") -> str:
    """Return a round mark in the color of a place of a list, without one in gray."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" {fill_style(place)}>'
        f"{f'<title>{html.escape(title)}</title>' if title else ''}</circle>"
    )


def path(points: Sequence[tuple[float, float]], style: str, *, closed: bool = False) -> str:
    """Return a line through points, or the area that it encloses."""
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<{"polygon" if closed else "polyline"} points="{steps}" {style}/>'


def fill_style(place: int | None, *, opacity: float = 1.0) -> str:
    """Return the attribute that fills a mark with the color of a place."""
    color = "var(--soft)" if place is None else f"var(--run-{place % COLORS})"
    faint = f";fill-opacity:{opacity:g}" if opacity < 1 else ""
    return f'style="fill:{color}{faint}"'


def stroke_style(place: int | None, *, width: float = 2.0) -> str:
    """Return the attribute that draws a line in the color of a place."""
    color = "var(--soft)" if place is None else f"var(--run-{place % COLORS})"
    dash = dash_of(place)
    dashed = f";stroke-dasharray:{dash}" if dash else ""
    return f'style="fill:none;stroke:{color};stroke-width:{width:g}{dashed}"'


def dash_of(place: int | None) -> str:
    """Return the dashes of the line at a place of a list; empty: it is solid."""
    return "" if place is None else DASHES[place // COLORS % len(DASHES)]


@dataclass(frozen=True, slots=True)
class Axis:
    """From values to places.

    Parameters
    ----------
    low, high : float
        Values at its ends, low < high.
    start, end : float
        Their places.
    is_log : bool, default False
        Whether equal ratios have equal lengths; needs low > 0.
    """

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float, *, logarithmic: bool = True) -> Axis:
        """Return an axis on which all finite values have a place; logarithmic if their range asks for it."""
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(finite), max(finite)
        if logarithmic and low > 0 and high / low > LOG_FROM:
            return cls(low / 1.15, high * 1.15, start, end, is_log=True)
        return cls(*value_limits(finite), start, end)

    def at(self, value: float) -> float:
        """Return the place of a value; beyond an end that end."""
        if self.is_log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Return round values on it, at most about so many."""
        return self._decades(most) if self.is_log else self._steps(most)

    def _steps(self, most: int) -> list[float]:
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(digit for digit in (1, 2, 5, 10) if digit * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        count = math.floor(self.high / step + 1e-9) - first + 1
        return [float(f"{(first + place) * step:.12g}") for place in range(count)]

    def _decades(self, most: int) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for digits in ((1, 2, 5), (1, 3), (1,)):
            ticks = [digit * 10.0**power for power in range(first, last + 1) for digit in digits]
            inside = [value for value in ticks if self.low <= value <= self.high]
            if len(inside) <= most:
                break
        return inside[:: max(1, -(-len(inside) // most))]


def across(axis: Axis, top: float, bottom: float, *, title: str = "") -> str:
    """Return the marks of an axis from left to right, with lines through the chart and its title below."""
    parts = []
    for tick in axis.ticks():
        parts += [
            line((axis.at(tick), top), (axis.at(tick), bottom)),
            text(axis.at(tick), bottom + 15, format_tick(tick), anchor="middle"),
        ]
    if title:
        parts.append(text((axis.start + axis.end) / 2, bottom + 31, title, anchor="middle"))
    return "".join(parts)


def upwards(axis: Axis, left: float, right: float, *, title: str = "") -> str:
    """Return the marks of an axis from the bottom up, with lines through the chart and its title above."""
    parts = []
    for tick in axis.ticks():
        parts += [
            line((left, axis.at(tick)), (right, axis.at(tick))),
            text(left - 6, axis.at(tick) + 4, format_tick(tick), anchor="end"),
        ]
    if title:
        parts.append(text(left - 40, axis.end - 10, title))
    return "".join(parts)


def clip_name(name: str, letters: int) -> str:
    """Return a name of at most so many letters: of a longer one both ends, where names differ."""
    if len(name) <= letters:
        return name
    half = (letters - 1) // 2
    return f"{name[: letters - 1 - half]}…{name[-half:]}"


_NARROW, _WIDE = frozenset("iljtfrI.,:;|!'()[] "), frozenset("mwMW@%–—…")


def text_room(content: str) -> float:
    """Return units of width that a text takes at most, in whatever font the reader has."""
    return sum(map(_letter_room, content))


def _letter_room(letter: str) -> float:
    if letter in _NARROW:
        return 5.0
    # From the scripts of East Asia on, letters are as wide as they are high.
    return 12.5 if letter in _WIDE or letter >= "\u2e80" else 7.6
