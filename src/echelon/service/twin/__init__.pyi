# Public names of `echelon.service.twin`: made by docs/generator from the table in its __init__.py.

from echelon.service.twin.continuation import Present as Present
from echelon.service.twin.continuation import go_on as go_on
from echelon.service.twin.continuation import present_of as present_of
from echelon.service.twin.made_day import make_day as make_day
from echelon.service.twin.recorded_day import RecordedDay as RecordedDay
from echelon.service.twin.recorded_day import recorded_day as recorded_day
from echelon.service.twin.twin import Twin as Twin
from echelon.service.twin.twin import TwinDay as TwinDay
from echelon.service.twin.twin_run import TwinRun as TwinRun
from echelon.service.twin.twin_run import run_twin as run_twin
from echelon.service.twin.what_if import change_rules as change_rules
