"""Portal: the metascheduler's selection call, fed by real sites instead of a simulation."""

from echelon.portal.criteria import Criteria
from echelon.portal.metascheduler import MetaScheduler
from echelon.portal.ranking import Ranked

__all__ = ["Criteria", "MetaScheduler", "Ranked"]
