"""The critical-difference diagram of the page: whole names, inside the chart, none upon another."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

from echelon.analysis import Friedman
from echelon.reports.study.rank_chart import rank_diagram
from echelon.reports.study.svg import text_room


def diagram(names, difference=1.1):
    """Return the diagram of names with ranks in even steps, as XML."""
    ranks = np.linspace(1.2, len(names) - 0.2, len(names)) if len(names) > 2 else np.array([1.4, 1.6])
    return ET.fromstring(rank_diagram(Friedman(ranks, 10, 0, 0, 0, 0, 0.05, difference), names))


def named(count):
    return [f"easy:order=smallest-area-first,reservations={k}" for k in range(count)]


@pytest.mark.parametrize("count", [2, 3, 12, 40])
def test_names_are_whole_inside_and_apart(count):
    """No name is cut, each line has room to the edge, and lines of a side are a line's height apart."""
    chart = diagram(named(count))
    width, height = map(float, chart.get("viewBox").split()[2:])
    texts = chart.findall("text[@class='name']")
    for side in ("end", "start"):
        lines = [text for text in texts if text.get("text-anchor") == side]
        said = "".join("".join(text.text.split()) for text in lines)
        assert len(re.findall(r"reservations=\d+", said)) == (count + (side == "end")) // 2
        heights = [float(text.get("y")) for text in lines]
        assert all(after - before >= 14 for before, after in pairwise(heights))
        assert max(heights) < height
        for text in lines:
            at, room = float(text.get("x")), text_room(text.text)
            assert (at - room >= 0) if side == "end" else (at + room <= width)


def test_names_that_differ_at_their_ends_differ():
    """One reservation and four are not the same."""
    shown = "".join(diagram(["easy:reservations=1", "easy:reservations=4", "fcfs"]).itertext())
    assert {"reservations=1", "reservations=4"} <= set(re.findall(r"reservations=\d", shown))


def test_a_difference_beyond_the_scale():
    """A ruler that is longer than the line of ranks says so and has no end."""
    assert "critical difference 5.00, beyond the scale" in "".join(diagram(named(3), 5.0).itertext())
    assert "beyond" not in "".join(diagram(named(3), 0.5).itertext())
