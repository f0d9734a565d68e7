"""An example of a study file, with comments on what it may contain."""

EXAMPLE = """\
#:schema study.schema.json
# A study: many runs that this file describes.
#   echelon study check THIS_FILE    shows how many runs it describes
#   echelon study run THIS_FILE      runs it, or resumes it
#   echelon study schema > study.schema.json    lets editors offer keys and names, by the line at the top

name = "backfilling"
description = "How much backfilling gains as the load grows."

# Folder for the results, relative to this file; finished runs are not repeated.
out = "results/backfilling"

# Metrics that tables and comparisons show, the most important first: see `echelon metrics`.
measures = ["mean_wait", "mean_bounded_slowdown", "utilization"]

# What all runs share: any option of `echelon run` (with _ for -), and what is done to the jobs before:
# window, skip, first, scale_size, load, estimates_model.
[fixed]
workload = "lublin:jobs=2000:processors=64"
estimates_model = "factor:f=3"

# What varies: every combination is run. A list of values, each as an option of `echelon run` takes it ...
[axes]
load = [0.8, 1.0, 1.2]
policy = [
    "fcfs",
    # ... or a name with its parameters, a list of which means one value each ...
    { name = "easy", reservations = [1, 4] },
    # ... or with your own label ...
    { policy = "easy:shortest-first", label = "EASY-SJF" },
    # ... or a template, which an axis of that name fills in.
    "selective:threshold={threshold}",
]
threshold = [2, 8]

# Replications, here with seeds 0 to 9. The seed also draws the jobs: all policies get the same ones.
# On a log, where seeds change nothing unless a rule draws: shake = 30, or blocks = "30d", instead.
seeds = 10

# Combinations that are not run.
[[exclude]]
policy = "fcfs"
load = 1.2

# How the runs are compared.
[statistics]
baseline = { policy = "easy:reservations=1" }
warm_up = 0.1
cool_down = 0.1
"""
