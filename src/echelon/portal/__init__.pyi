# Public names of `echelon.portal`: made by docs/generator from the table in its __init__.py.

from echelon.portal.criteria import Criteria as Criteria
from echelon.portal.metascheduler import MetaScheduler as MetaScheduler
from echelon.portal.ranking import Ranked as Ranked
