"""Files of figures, and what importing the room leaves alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.plotting import COLORS, figure_bytes, plot_bars, save_figure
from echelon.plotting.canvas import color, ink_on

HEADS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def figure():
    return plot_bars({"": {"a": 1.0}}, label="s").figure


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADS)
def test_three_formats_the_same_bytes_each_time(figure, tmp_path, kind):
    """A figure is written in the format that the ending names, and again as the same bytes."""
    path = save_figure(figure, tmp_path / f"bars.{kind.upper()}")
    assert path.read_bytes().startswith(HEADS[kind])
    assert figure_bytes(plot_bars({"": {"a": 1.0}}, label="s").figure, kind) == path.read_bytes()


def test_unknown_formats_and_folders(figure, tmp_path):
    """Another ending, or a folder that is not there, is one sentence."""
    with pytest.raises(UnknownNameError, match="gif"):
        save_figure(figure, tmp_path / "bars.gif")
    with pytest.raises(InputError, match="cannot be written"):
        save_figure(figure, tmp_path / "none" / "bars.png")


@pytest.mark.parametrize(
    ("ground", "ink"),
    [
        ((0, 0, 0), "white"),
        ((1, 1, 1, 0.5), "black"),
        ((0.45, 0.45, 0.45), "white"),
        ((0.47, 0.47, 0.47), "black"),
        ((0, 0, 1), "white"),
        ((0, 1, 0), "black"),
    ],
)
def test_ink_stands_out(ground, ink):
    """Black or white, whichever has more contrast: grays change over at a luminance of 0.179."""
    assert ink_on(ground) == ink


def test_colors_come_again():
    """The eighth thing has the color of the first."""
    assert color(len(COLORS)) == color(0) == COLORS[0]
    assert len(set(COLORS)) == len(COLORS)


@pytest.mark.slow
def test_nothing_global_is_touched():
    """Importing the room loads no matplotlib; drawing and saving open no window and change no setting."""
    code = """
import sys, echelon.plotting as p
assert "matplotlib" not in sys.modules
import matplotlib
before = matplotlib.rcParams.copy()  # reading the backend would choose one
p.figure_bytes(p.plot_bars({"": {"a": 1.0}}, label="s").figure, "svg")
assert matplotlib.rcParams.copy() == before
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
