# Public names of `echelon.backends.simulated`: made by docs/generator from the table in its __init__.py.

from echelon.backends.simulated.backend import SimulatedBackend as SimulatedBackend
from echelon.backends.simulated.backend import make as make
from echelon.backends.simulated.clock import Driven as Driven
from echelon.backends.simulated.clock import RealTime as RealTime
from echelon.backends.simulated.roster import ArrivingJobs as ArrivingJobs
from echelon.backends.simulated.roster import KnownJobs as KnownJobs
from echelon.backends.simulated.simulation import Simulation as Simulation
from echelon.backends.simulated.trial import Trial as Trial
from echelon.backends.simulated.trial import trial_of as trial_of
