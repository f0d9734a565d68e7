"""Categories: jobs that agree in a template of characteristics, and predictions from their times."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from echelon.errors import InputError, UnknownNameError
from echelon.model import Forecast
from echelon.policies.estimators.recollection import Recalling
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model import Experience


Statistic = Literal["mean", "linear", "log"]
"""What is made of a category's times: their mean, or a line through them by nodes or by their logarithm."""


@dataclass(frozen=True, slots=True)
class Categories(Recalling):
    """The common base of `smith` and `li`, which differ in the template.

    Parameters
    ----------
    of : {"mean", "linear", "log"}, default "mean"
        The mean of the category's times; or, in categories in which jobs may differ in their nodes, the line
        of least squares through them by the number of nodes, or by its logarithm.
    most : int or "unlimited", default "unlimited"
        Number of newest experiences that count in a category, >= 1.
    """

    of: Statistic = "mean"
    most: int | Literal["unlimited"] = "unlimited"

    name: ClassVar[str]
    template: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        if self.of not in get_args(Statistic):
            raise UnknownNameError(f"statistic of {self.name}", self.of, get_args(Statistic))
        check_most(self.most, self.name)

    def recollection(self) -> CategoryTable:
        """Return a table without experiences."""
        template = self.template if self.of == "mean" else tuple(a for a in self.template if a != "nodes")
        return CategoryTable(template, self.of, most_of(self.most))


def check_most(most: int | str, name: str) -> None:
    """Reject an invalid maximum number of experiences of the estimator `name`."""
    if most != "unlimited" and (not is_whole(most) or most < 1):
        raise InputError(f"must be a whole number >= 1 or unlimited, got {most!r}", field=f"{name}, most")


def most_of(most: int | Literal["unlimited"]) -> int | None:
    """Return a maximum number of experiences, None for no limit."""
    return most if isinstance(most, int) else None


class CategoryTable:
    """Experiences by category; see `Categories` for what is predicted from them."""

    def __init__(self, template: tuple[str, ...], statistic: Statistic, most: int | None) -> None:
        self._template = template
        self._statistic = statistic
        self._most = most
        self._lines: defaultdict[tuple[object, ...], _Lines] = defaultdict(_Lines)
        self._kept: defaultdict[tuple[object, ...], deque[Experience]] = defaultdict(
            lambda: deque(maxlen=self._most)
        )

    def add(self, experience: Experience) -> None:
        """Remember a job that has ended."""
        key = self._category(experience)
        if self._most is None:
            self._lines[key].add(self._place(experience), experience)
            return
        kept = self._kept[key]
        kept.append(experience)
        self._lines[key] = _Lines((self._place(one), one) for one in kept)

    def recall(self, case: Experience) -> Forecast | None:
        """Return wait and run by the category of `case`, None if it is empty."""
        lines = self._lines.get(self._category(case))
        return None if lines is None else lines.at(self._place(case))

    def _category(self, case: Experience) -> tuple[object, ...]:
        return tuple([getattr(case, attribute) for attribute in self._template])

    def _place(self, case: Experience) -> float:
        if self._statistic == "mean":
            return 0.0
        return float(case.nodes) if self._statistic == "linear" else math.log(max(case.nodes, 1))


class _Lines:
    """The lines of least squares of waits and of runs over x, from running means and sums of products.

    Where all x are equal it is the mean. A negative value of the line counts as 0.
    """

    def __init__(self, pairs: Iterable[tuple[float, Experience]] = ()) -> None:
        self._n = 0
        self._x = self._wait = self._run = 0.0
        self._xx = self._x_wait = self._x_run = 0.0
        for x, experience in pairs:
            self.add(x, experience)

    def add(self, x: float, experience: Experience) -> None:
        # Welford's recurrences: sums of products about the means do not cancel.
        self._n += 1
        step = x - self._x
        self._x += step / self._n
        self._wait += (experience.wait - self._wait) / self._n
        self._run += (experience.run - self._run) / self._n
        self._xx += step * (x - self._x)
        self._x_wait += step * (experience.wait - self._wait)
        self._x_run += step * (experience.run - self._run)

    def at(self, x: float) -> Forecast:
        reach = (x - self._x) / self._xx if self._xx > 0 else 0.0
        return Forecast(
            max(0.0, self._wait + reach * self._x_wait), max(0.0, self._run + reach * self._x_run)
        )


@dataclass(frozen=True, slots=True)
class Smith(Categories):
    """Predict by the past jobs of the same user, application and number of nodes: the mean of their times.

    Parameters
    ----------
    of : {"mean", "linear", "log"}, default "mean"
        The mean; or categories of user and application alone, with the line of least squares through their
        times by the number of nodes, or by its logarithm (the mean while all have equally many; at least 0).
    most : int or "unlimited", default "unlimited"
        Experiences that count in a category, >= 1, the newest.

    Raises
    ------
    UnknownNameError, InputError
        If a parameter is invalid.

    Notes
    -----
    What is unknown, of two jobs, is equal. A category without experiences gives no prediction: the request
    counts, on a multicluster the dedicated time and the work of the queue over the nodes.

    **Ties**: none.
    **Cost**: O(1) a job, with `most` O(most) a job that ends.
    **Source**: Gibbons, JSSPP 1997; Smith, Foster and Taylor, JSSPP 1998; this template and the mean as in
    Lérida Monsó, UAB 2009, section 3.2.1.
    """

    name: ClassVar[str] = "smith"
    template: ClassVar[tuple[str, ...]] = ("user", "application", "nodes")
    source: ClassVar[str] = "Gibbons, JSSPP 1997; Lérida Monsó, UAB 2009, 3.2.1"


@dataclass(frozen=True, slots=True)
class Li(Categories):
    """Predict by the past jobs of the same user, queue, application and number of nodes: their mean times.

    Parameters
    ----------
    of : {"mean", "linear", "log"}, default "mean"
        The mean; or categories without the number of nodes, with the line of least squares through their
        times by the number of nodes, or by its logarithm (the mean while all have equally many; at least 0).
    most : int or "unlimited", default "unlimited"
        Experiences that count in a category, >= 1, the newest.

    Raises
    ------
    UnknownNameError, InputError
        If a parameter is invalid.

    Notes
    -----
    As `smith`, with one characteristic more.

    **Ties**: none.
    **Cost**: O(1) a job, with `most` O(most) a job that ends.
    **Source**: Li, Groep, Templon and Wolters, CCGrid 2004, as described by Lérida Monsó, UAB 2009, section
    3.2.1.
    """

    name: ClassVar[str] = "li"
    template: ClassVar[tuple[str, ...]] = ("user", "queue", "application", "nodes")
    source: ClassVar[str] = "Li et al., CCGrid 2004; Lérida Monsó, UAB 2009, 3.2.1"
