"""Choices in the plane of two measures: those on the front, and by color a third measure."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from echelon.reports.study.svg import (
    WIDTH,
    Axis,
    across,
    chart,
    clip_name,
    fill_style,
    path,
    stroke_style,
    text,
    upwards,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.findings import Choice
    from echelon.reports.study.quantity import Quantity

_TOP, _BOTTOM, _LEFT, _RIGHT = 28.0, 290.0, 58.0, WIDTH - 14.0

MOST_NAMED = 12
"""Choices that have their names beside them: all if there are so few, else those in front."""

RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""Viridis at five points (van der Walt and Smith, 2015): even in lightness."""


def front_chart(choices: Sequence[Choice], quantities: Sequence[Quantity], places: tuple[int, int]) -> str:
    """Return choices in the plane of two measures.

    Of two measures those in front are colored and joined; of three they are ringed, and the color of every
    choice is its third measure. `places` are the two that are drawn, to the right and upwards.
    """
    right, up = (quantities[place] for place in places)
    x_axis = Axis.around([right.scale(one.values[places[0]]) for one in choices], _LEFT, _RIGHT)
    y_axis = Axis.around([up.scale(one.values[places[1]]) for one in choices], _BOTTOM, _TOP)
    at = [
        (x_axis.at(right.scale(one.values[places[0]])), y_axis.at(up.scale(one.values[places[1]])))
        for one in choices
    ]
    parts = [
        across(x_axis, _TOP, _BOTTOM, title=_toward(right)),
        upwards(y_axis, _LEFT, _RIGHT, title=_toward(up)),
    ]
    third = [place for place in range(len(quantities)) if place not in places]
    if not third:
        ahead = [point for point, one in zip(at, choices, strict=True) if one.is_front]
        parts.append(path(sorted(ahead), stroke_style(0, width=1.5)))
    colors = _colors([one.values[third[0]] for one in choices]) if third else None
    # Those in front are drawn last, upon the others.
    for place in sorted(range(len(choices)), key=lambda place: choices[place].is_front):
        one = choices[place]
        style = colors[place] if colors else fill_style(0 if one.is_front else None)
        parts.append(_mark(at[place], style, one, _tooltip(one, quantities)))
    named = [place for place, one in enumerate(choices) if one.is_front or len(choices) <= MOST_NAMED]
    if len(named) <= MOST_NAMED:
        parts += _names([choices[place].name for place in named], [at[place] for place in named])
    label = f"{right.label} and {up.label} of {len(choices)} choices"
    return chart(parts, _BOTTOM + 40, label)


def color_sentence(choices: Sequence[Choice], quantity: Quantity, place: int) -> str:
    """Return what the colors say of a measure: dark the least, bright the most."""
    values = [one.values[place] for one in choices]
    return (
        f"color: {quantity.label}, {quantity.whole(min(values))} dark to {quantity.whole(max(values))} bright"
    )


def _mark(at: tuple[float, float], style: str, one: Choice, title: str) -> str:
    kind = ' class="ahead"' if one.is_front else ""
    size = 5.5 if one.is_front else 4
    return (
        f'<circle{kind} cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{size:g}" {style}>'
        f"<title>{html.escape(title)}</title></circle>"
    )


def _tooltip(one: Choice, quantities: Sequence[Quantity]) -> str:
    values = zip(quantities, one.values, strict=True)
    return f"{one.name}: " + ", ".join(
        f"{quantity.label} {quantity.whole(value)}" for quantity, value in values
    )


def _colors(values: Sequence[float]) -> list[str]:
    low, high = min(values), max(values)
    return [_color((value - low) / (high - low) if high > low else 0.5) for value in values]


def _color(share: float) -> str:
    """Return the attribute that fills a mark with the color at a share of the ramp."""
    at = share * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    rgb = (a + (at - low) * (b - a) for a, b in zip(RAMP[low], RAMP[low + 1], strict=True))
    return f'style="fill:rgb({" ".join(f"{part:.0f}" for part in rgb)})"'


def _names(names: Sequence[str], at: Sequence[tuple[float, float]]) -> list[str]:
    """Return names beside their points, on the side with room, none upon another."""
    places_in_use: list[tuple[float, bool]] = []
    parts = []
    for name, (x, y) in sorted(zip(names, at, strict=True), key=lambda pair: pair[1][1]):
        height, is_right = y - 8, x < WIDTH * 0.6
        while any(abs(height - other) < 13 and is_right == side for other, side in places_in_use):
            height += 13
        places_in_use.append((height, is_right))
        place, anchor = (x + 8, "start") if is_right else (x - 8, "end")
        parts.append(text(place, height, clip_name(name, 34), anchor=anchor, kind="name"))
    return parts


def _toward(quantity: Quantity) -> str:
    return f"{quantity.title} ({'higher' if quantity.better == 'high' else 'lower'} is better)"
