# Public names of `echelon.availability.traces`: made by docs/generator from the table in its __init__.py.

from echelon.availability.traces.failure_trace import FailureTrace as FailureTrace
from echelon.availability.traces.placing import PlacedTrace as PlacedTrace
from echelon.availability.traces.placing import place_trace as place_trace
from echelon.availability.traces.recognition import FIRST_LINES as FIRST_LINES
from echelon.availability.traces.recognition import is_trace as is_trace
from echelon.availability.traces.recognition import recognize_trace as recognize_trace
from echelon.availability.traces.trace_reader import TRACE_READERS as TRACE_READERS
from echelon.availability.traces.trace_reader import parse_trace as parse_trace
from echelon.availability.traces.trace_reader import read_failure_trace as read_failure_trace
