"""Your own metrics: two, to be named FILE.py:NAME on the command line.

echelon check examples/my_metrics.py:wide_wait
echelon compare kth-sp2 --policies easy,conservative --metric examples/my_metrics.py:wide_wait
"""

import numpy as np

from echelon import metric


@metric("wide_wait", unit="s", source="none", better="low")
def wide_wait(jobs):
    """Mean wait of the jobs that take more than half of the machine."""
    return jobs.wait[jobs.size > jobs.processors / 2].mean()


@metric("unfairness", unit="1", source="none", better="low")
def unfairness(jobs):
    """Coefficient of variation of the users' mean bounded slowdowns; 0 if all fare alike."""
    _, user = np.unique(jobs.user, return_inverse=True)
    means = np.bincount(user, weights=jobs.bounded_slowdown) / np.bincount(user)
    return means.std() / means.mean()


if __name__ == "__main__":
    from echelon import compare

    table = compare("kth-sp2", policies=["easy", "conservative"], metrics=[wide_wait, unfairness]).to_frame()
    print(table.select("policy", "mean_wait", "wide_wait", "unfairness"))
