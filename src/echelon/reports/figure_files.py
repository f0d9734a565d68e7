"""Writing drawn figures as files, each whole or not at all."""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.extras import MATPLOTLIB
from echelon.plotting import FILE_FORMATS, figure_bytes
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Drawing = Callable[[], Axes | Figure]
    """Draws one figure when called."""

_GLYPH = re.compile(r"Glyph (\d+) ")
"""How a warning begins on a letter that is in no font of the style."""


def check_figure_format(kind: str) -> None:
    """Refuse a format that figures are not written in, and a machine without matplotlib.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    MissingExtraError
        If matplotlib is not installed; the message says what to install.
    """
    if kind not in FILE_FORMATS:
        raise UnknownNameError("figure format", kind, FILE_FORMATS)
    MATPLOTLIB.load()


def write_drawings(
    drawings: Iterable[tuple[str, Drawing]], folder: Path, kind: str, *, resolution: int = 150
) -> tuple[list[Path], list[str]]:
    """Draw figures one after the other and write each into `folder`.

    Parameters
    ----------
    drawings : iterable of (str, callable)
        The file's name without its ending, and what draws the figure.
    folder : Path
        Made if need be; files of the same names in it are replaced.
    kind : {"png", "svg", "pdf"}
        The format; also the files' ending.
    resolution : int, default 150
        Of PNG, in dots an inch.

    Returns
    -------
    list of Path, list of str
        The files, and a sentence for each figure that could not be drawn, with the reason, and one on letters
        that the font lacks.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created as a folder: {error.strerror}", file=str(folder)) from error
    written, missing, lacking = [], [], set[str]()
    for name, draw in drawings:
        path = folder / f"{name}.{kind}"
        try:
            with _collect_letters(lacking):
                figure = draw().figure
            content = figure_bytes(figure, kind, resolution=resolution)
        except InputError as error:
            missing.append(f"No {path.name}: {error}.")
            continue
        with replacing(path) as file:
            file.write(content)
        written.append(path)
    if lacking:
        letters = "".join(sorted(lacking))
        missing.append(
            f"The font lacks {letters}; a box stands for each. Add a font that has them to the style."
        )
    return written, missing


@contextmanager
def _collect_letters(lacking: set[str]) -> Iterator[None]:
    """Collect letters that the font lacks; matplotlib warns at each place where one stands."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", message=_GLYPH.pattern)
        yield
    for warning in caught:
        if match := _GLYPH.match(str(warning.message)):
            lacking.add(chr(int(match[1])))
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
