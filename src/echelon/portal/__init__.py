"""Portal: the metascheduler's selection call, fed by real sites instead of a simulation."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.portal.criteria import Criteria
    from echelon.portal.metascheduler import MetaScheduler
    from echelon.portal.ranking import Ranked

__all__ = ["Criteria", "MetaScheduler", "Ranked"]

lazily(
    __name__,
    {
        "criteria": ("Criteria",),
        "metascheduler": ("MetaScheduler",),
        "ranking": ("Ranked",),
    },
)
