# Public names of `echelon.availability.processes`: made by docs/generator from the table in its __init__.py.

from echelon.availability.processes.drawing import MOST_FAILURES as MOST_FAILURES
from echelon.availability.processes.drawing import FailingUnit as FailingUnit
from echelon.availability.processes.drawing import draw_failures as draw_failures
from echelon.availability.processes.drawing import failing_units as failing_units
from echelon.availability.processes.failure_process import FailureProcess as FailureProcess
from echelon.availability.processes.renewal import Downtimes as Downtimes
from echelon.availability.processes.renewal import draw_alternating as draw_alternating
from echelon.availability.processes.renewal import draw_in_sequence as draw_in_sequence
