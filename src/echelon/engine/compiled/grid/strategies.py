"""Strategies: what brokers decide by, as the numbers that kernels know."""

from __future__ import annotations

# Strategies of sums and counts, by number.
RANDOM, ROUND_ROBIN, ML, MLP, MPL, LBAL_S, LBAL_T, LBAL_W, MLB, FIRST_FIT, MAX_AR = range(11)
FIRST_SITE, HOME = 11, 12
SCHEDULES = 13
"""Strategies of schedules; which one is decided by the times they read off a schedule."""

# What is read off a schedule. ENDED: when the jobs there end. The rest is evaluated with the arriving job.
ENDED, ENDED_WITH_JOB, JOB_ENDED, JOB_STARTED = 0, 1, 2, 3
# And means, from MEANS on: of waits, turnarounds, completions, by the weight of a job.
WAIT, WAIT_SIZE, WAIT_TIME, WAIT_AREA, TURNAROUND, TURNAROUND_SIZE, COMPLETION_AREA = 4, 5, 6, 7, 8, 9, 10
MEANS = WAIT
