"""IBL: instance-based learning from the experiences nearest to a job and to the queue it joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.policies.estimators.categories import check_most, most_of
from echelon.policies.estimators.heom import QUEUE_STATE
from echelon.policies.estimators.recollection import Recalling

if TYPE_CHECKING:
    from echelon.policies.estimators.instances import Instances


@dataclass(frozen=True, slots=True)
class InstanceBased(Recalling):
    """Predict by the most similar past jobs: the mean of the nearest by names, nodes and state of the queue.

    An experience is user, queue, application, number of nodes, and the work and the number of the jobs that
    waited when it joined the queue; with them its wait and its run. Distance is HEOM: names 0 or 1 apart,
    numbers by their range over all experiences, what is unknown 1.

    Parameters
    ----------
    radius : float, default 0
        Distance by which an experience may be farther than the nearest and still count, >= 0. With 0 the
        nearest alone, and those exactly as near.
    most : int or "unlimited", default "unlimited"
        Experiences that count at most, >= 1: the nearest of those, of equals the newest.

    Raises
    ------
    InputError
        If a parameter is out of its range.

    Notes
    -----
    Without any experience nothing is predicted: the request counts, on a multicluster the dedicated time
    and the work of the queue over the nodes.

    **Ties**: averaged.
    **Cost**: O(experiences) numbers compared a job, of the same user, queue and application if one of those
    is less than 1 away; a fraction of a millisecond for 50,000.
    **Source**: Lérida Monsó, UAB 2009, section 3.2.2; the distance by Wilson and Martinez, JAIR 1997.
    """

    radius: float = 0.0
    most: int | Literal["unlimited"] = "unlimited"

    name: ClassVar[str] = "ibl"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.2.2; Wilson and Martinez, JAIR 1997"
    numeric: ClassVar[tuple[str, ...]] = QUEUE_STATE
    """Attributes that are numbers, by which experiences differ."""

    def __post_init__(self) -> None:
        if not self.radius >= 0:
            raise InputError(f"must be at least 0, got {self.radius!r}", field=f"{self.name}, radius")
        check_most(self.most, self.name)

    def recollection(self) -> Instances:
        """Return an empty experience base."""
        from echelon.policies.estimators.instances import Instances

        return Instances(self.numeric, radius=self.radius, most=most_of(self.most))
