# Public names of `echelon.service.core`: made by docs/generator from the table in its __init__.py.

from echelon.service.core.controllers.choices import Assign as Assign
from echelon.service.core.controllers.choices import Choice as Choice
from echelon.service.core.controllers.choices import Recall as Recall
from echelon.service.core.controllers.choices import Reject as Reject
from echelon.service.core.controllers.choices import Stop as Stop
from echelon.service.core.service_core import ServiceCore as ServiceCore
from echelon.service.core.submissions import submission_of as submission_of
