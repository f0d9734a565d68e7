"""Picture: charts of a study's report other than bars, as values; the reports draw them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from echelon.experiments import Result


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of one quantity of several rivals, families side by side.

    Parameters
    ----------
    name : str
        Of the file: ``"degradation-grid-1"``; unique in its study.
    title : str
        What is seen.
    label : str
        Of the axis of values, with its unit.
    bars : mapping of str to mapping of str to float
        Family, then rival, then value; every family has the same rivals.
    intervals : mapping of str to mapping of str to (float, float), optional
        Ends of an interval around each value. Default: none is drawn.
    """

    name: str
    title: str
    label: str
    bars: Mapping[str, Mapping[str, float]]
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] | None = None


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over one axis.

    Parameters
    ----------
    name, title : str
        As of `Bars`.
    x_label, y_label : str
        Of the axes, with units.
    x : sequence of float
        Ascending.
    lines : mapping of str to sequence of float
        One value for each of `x`; what is not finite is not drawn.
    logarithmic : bool, default False
        The axis of values.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    x: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """A number for each pair, as colors and figures.

    Parameters
    ----------
    name, title : str
        As of `Bars`.
    rows, columns : tuple of str
        Names.
    row_label, column_label : str
        What they are.
    values : sequence of sequence of float
        Row by row, >= 0.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_label: str
    column_label: str
    values: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of brokers under adaptive admissibility, over its factor.

    Parameters
    ----------
    name, title : str
        As of `Bars`.
    online : bool
        Of jobs that arrive over time, or of jobs that are all there.
    """

    name: str
    title: str
    online: bool


@dataclass(frozen=True, slots=True)
class Rivals:
    """Values of rivals in many experiments, drawn as mean ranks or as a performance profile.

    Parameters
    ----------
    name, title : str
        As of `Bars`.
    kind : {"critical-difference", "profile"}
        Which drawing.
    rivals : tuple of str
        The columns of `values`.
    values : ndarray of float, shape (n_experiments, n_rivals)
        Low is good.
    """

    name: str
    title: str
    kind: Literal["critical-difference", "profile"]
    rivals: tuple[str, ...]
    values: NDArray[np.float64] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Gantt:
    """The tasks of a run on the cores that they held, over time.

    Parameters
    ----------
    name, title : str
        As of `Bars`.
    run : Result
        A run on nodes.
    """

    name: str
    title: str
    run: Result = field(compare=False)


Picture: TypeAlias = Bars | Bounds | Curves | Gantt | Matrix | Rivals
"""What can be drawn."""
