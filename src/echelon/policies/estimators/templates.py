"""Smith and Li: the mean of past jobs of the same user, application and size, and of the same queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.estimators.categories import Categories


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
