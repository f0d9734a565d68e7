# Public names of `echelon.engine.live`: made by docs/generator from the table in its __init__.py.

from echelon.engine.live.core import Core as Core
from echelon.engine.live.messages import Canceled as Canceled
from echelon.engine.live.messages import Closed as Closed
from echelon.engine.live.messages import Effect as Effect
from echelon.engine.live.messages import Ended as Ended
from echelon.engine.live.messages import Joined as Joined
from echelon.engine.live.messages import Observation as Observation
from echelon.engine.live.messages import Opened as Opened
from echelon.engine.live.messages import Recall as Recall
from echelon.engine.live.messages import Refused as Refused
from echelon.engine.live.messages import Reject as Reject
from echelon.engine.live.messages import Requeued as Requeued
from echelon.engine.live.messages import Reserved as Reserved
from echelon.engine.live.messages import Resized as Resized
from echelon.engine.live.messages import Started as Started
from echelon.engine.live.messages import Stop as Stop
from echelon.engine.live.messages import Submit as Submit
from echelon.engine.live.messages import Submitted as Submitted
from echelon.engine.live.messages import Suspended as Suspended
from echelon.engine.live.open_scenario import why_not_live as why_not_live
from echelon.engine.live.simulated_clusters import SimulatedClusters as SimulatedClusters
from echelon.engine.live.simulated_clusters import replay as replay
