"""A workflow under two policies: jobs that wait for others, and what that does to the rest."""

import numpy as np

import echelon as ec

# Three workflows of a split, four parts and a merge each, on a machine that others use as well.
WORKFLOWS, PARTS = 3, 4
SIZE = PARTS + 2
split = np.arange(WORKFLOWS) * SIZE
before = [job for job in split for _ in range(PARTS)] + [job + 1 + k for job in split for k in range(PARTS)]
after = [job + 1 + k for job in split for k in range(PARTS)] + [
    job + 1 + PARTS for job in split for _ in range(PARTS)
]
one = {"run_time": [60, *[300] * PARTS, 30], "processors": [1, *[4] * PARTS, 1]}
others = 20
jobs = ec.Workload.from_columns(
    name="three workflows among others",
    submit_time=[*np.repeat([0, 100, 200], SIZE), *(30 * np.arange(others))],
    run_time=[*one["run_time"] * WORKFLOWS, *[200] * others],
    processors=[*one["processors"] * WORKFLOWS, *[3] * others],
)
jobs = jobs.with_dependencies(before, after)

for policy in ("fcfs", "easy", "sjf"):
    result = ec.simulate(jobs, processors=16, policy=policy)
    ends = result.jobs["end_time"].to_numpy()[split + SIZE - 1]
    held = result.metrics["mean_held"]
    print(f"{policy:>5}: workflows end at {ends.tolist()} s; jobs were held for {held:.0f} s in the mean")
