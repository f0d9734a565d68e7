"""What settings are for: the headings under which help and the reference list them, in this order."""

from __future__ import annotations

JOBS = "Jobs"
JOB_CHANGES = "Changes to the jobs, made in this order"
MACHINE = "Machine"
SCHEDULING = "Scheduling"
INSIDE = "Nodes and power"
SHARED = "Multiclusters"
DESKS = "Time-shared machines"
CHANGING = "Machines that change"
SIMULATION = "Simulation"
RESULTS = "Results"

GROUPS = (SCHEDULING, MACHINE, JOBS, JOB_CHANGES, INSIDE, SHARED, DESKS, CHANGING, SIMULATION, RESULTS)
