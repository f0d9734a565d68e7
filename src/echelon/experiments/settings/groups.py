"""What settings are for: the headings under which help and the reference list them, in this order."""

from __future__ import annotations

from echelon.experiments.settings.setting import Group

JOBS = Group("Jobs")
MACHINE = Group("Machine")
SCHEDULING = Group("Scheduling")
INSIDE = Group("Nodes and power")
SHARED = Group("Multiclusters")
DESKS = Group("Time-shared machines, without queues")
SIMULATION = Group("Simulation")
RESULTS = Group("Results")

GROUPS = (SCHEDULING, MACHINE, JOBS, INSIDE, SHARED, DESKS, SIMULATION, RESULTS)
