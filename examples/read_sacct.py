"""Replay Slurm's accounting: python examples/read_sacct.py [FILE], a file as sacct --parsable2 prints it."""

import sys
from pathlib import Path

import echelon as ec

SAMPLE = """\
JobID|User|Partition|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|State
101|ada|main|2024-01-31T12:00:00|2024-01-31T12:00:05|2024-01-31T13:00:05|01:00:00|02:00:00|48|COMPLETED
101.batch||||2024-01-31T12:00:05|2024-01-31T13:00:05|01:00:00||48|COMPLETED
102|bob|main|2024-01-31T12:10:00|2024-01-31T13:00:05|2024-01-31T13:30:05|00:30:00|01:00:00|64|COMPLETED
103|ada|main|2024-01-31T12:15:00|2024-01-31T13:30:05|2024-01-31T13:40:05|00:10:00|00:15:00|16|COMPLETED
"""

if len(sys.argv) > 1:
    file = Path(sys.argv[1])
else:
    file = Path("sample.sacct")
    file.write_text(SAMPLE)

workload = ec.read_workload(file, format="sacct")
for anomaly in workload.anomalies:
    print("note:", anomaly.sentence)
result = ec.simulate(workload, processors=int(workload.processors.max()), policy="easy")
print(result.jobs.select("job_id", "user", "wait_time", "start_time"))
print("mean wait in the log:", workload.columns["wait_time"].mean(), "s; here:", result.metrics["mean_wait"])
