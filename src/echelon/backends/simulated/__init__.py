"""Simulated clusters as back ends: the engine's own, under a clock that is given."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backend": "SimulatedBackend make",
        "clock": "Driven RealTime",
        "roster": "ArrivingJobs KnownJobs",
        "simulation": "Simulation",
        "trial": "Trial trial_of",
    },
)
