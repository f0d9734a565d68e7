# Public names of `echelon.availability`: made by docs/generator from the table in its __init__.py.

from echelon.availability.changes import NO_CHANGES as NO_CHANGES
from echelon.availability.changes import Changes as Changes
from echelon.availability.changes import Requeueing as Requeueing
from echelon.availability.checkpoint import Checkpoint as Checkpoint
from echelon.availability.checkpoint_rule import CheckpointRule as CheckpointRule
from echelon.availability.expected_time import daly_time as daly_time
from echelon.availability.expected_time import expected_time as expected_time
from echelon.availability.intervals import daly_interval as daly_interval
from echelon.availability.intervals import optimal_interval as optimal_interval
from echelon.availability.intervals import young_interval as young_interval
