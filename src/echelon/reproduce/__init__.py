"""Reproduced studies: what publications printed beside what we get, and which of their claims hold.

`STUDIES` lists them, each a folder of data, setups and claims. What they share is in `machinery`, and what
a run leaves for people in `report`. A run gives a `Reproduction`.

Nothing else in the package imports this one: only ``echelon reproduce`` loads it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from echelon.errors import UnknownNameError
from echelon.reproduce.daly.study import DALY
from echelon.reproduce.grid.study import GRID
from echelon.reproduce.irmasim.study import IRMASIM
from echelon.reproduce.javadi.study import JAVADI
from echelon.reproduce.machinery.claims import Claim, Claims, Point, Reason, Untested, Verdict, judge
from echelon.reproduce.machinery.figure import Agreement, Apart, Detour, Figure, Quantity, Sample
from echelon.reproduce.machinery.listing import Listing
from echelon.reproduce.machinery.order_agreement import OrderAgreement, order_agreement
from echelon.reproduce.machinery.picture import Bars, Bounds, Curves, Gantt, Matrix, Picture, Rivals
from echelon.reproduce.machinery.printed_table import Misprint, PrintedRow, PrintedTable
from echelon.reproduce.machinery.published_study import PublishedStudy
from echelon.reproduce.machinery.statement import Outcome, Statement, fact, lower
from echelon.reproduce.machinery.study import Chart, Reproduction, Study
from echelon.reproduce.multicluster.study import MULTICLUSTER
from echelon.reproduce.schedlyzer.study import SCHEDLYZER
from echelon.reproduce.sinapad.study import SINAPAD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.machinery.experiments import Step

__all__ = [
    "STUDIES",
    "Agreement",
    "Apart",
    "Bars",
    "Bounds",
    "Chart",
    "Claim",
    "Claims",
    "Curves",
    "Detour",
    "Figure",
    "Gantt",
    "Listing",
    "Matrix",
    "Misprint",
    "OrderAgreement",
    "Outcome",
    "Picture",
    "Point",
    "PrintedRow",
    "PrintedTable",
    "PublishedStudy",
    "Quantity",
    "Reason",
    "Reproduction",
    "Rivals",
    "Sample",
    "Statement",
    "Study",
    "Untested",
    "Verdict",
    "fact",
    "judge",
    "lower",
    "order_agreement",
    "reproduce",
    "study_named",
]

STUDIES: Mapping[str, Study] = MappingProxyType(
    {study.name: study for study in (SCHEDLYZER, GRID, IRMASIM, MULTICLUSTER, SINAPAD, DALY, JAVADI)}
)
"""All studies by name."""


def study_named(name: str) -> Study:
    """Return the study called `name` (case matters not).

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    try:
        return STUDIES[name.lower()]
    except KeyError:
        raise UnknownNameError("study", name, STUDIES) from None


def reproduce(name: str, *, step: Step | None = None, **settings: Any) -> Reproduction:  # noqa: ANN401
    """Run a published study again.

    Parameters
    ----------
    name : str
        One of `STUDIES`.
    step : callable, optional
        Called with what is done next; returns the progress callable of that step, or None.
    **settings : optional
        What the study lets one say of how it is run, see its `Study.settings`: ``weeks=5``.

    Returns
    -------
    Reproduction
        What was printed, what we get, whether they agree, and which claims hold.

    Raises
    ------
    UnknownNameError
        If there is no such study.
    InputError
        If a data set it needs can neither be found nor downloaded, or the study takes no such setting.
    """
    return study_named(name).reproduce(step, **settings)
