"""Keep runs in a history and learn from them: how long jobs waited behind how many."""

from collections import defaultdict

import echelon as ec
from echelon.history import open_history
from echelon.workloads import transform

jobs = transform.head(ec.read_workload("kth-sp2"), 2000)

with open_history("history.db") as history:
    for policy in ("fcfs", "easy"):
        run = ec.simulate(jobs, processors=100, policy=policy)
        number = history.record(run.schedule, policy=run.policy)
        print(f"run {number}: {policy}")

    for policy in ("fcfs", "easy"):
        waits = defaultdict(list)
        for job in history.experiences(policy=policy, last=2000):
            waits[min(job.waiting_jobs, 10) // 5 * 5].append(job.wait)
        for behind, found in sorted(waits.items()):
            mean = sum(found) / len(found) / 60
            print(f"{policy:5} behind {behind} and more: {len(found):5} jobs waited {mean:6.1f} min")
