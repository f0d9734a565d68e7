"""Simulated clusters as back ends: the engine's own, under a clock that is given."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backend": "SimulatedBackend",
        "clock": "Driven RealTime",
        "making": "make",
        "roster": "ArrivingJobs KnownJobs",
        "simulation": "Simulation",
        "trial": "Trial trial_of",
    },
)
