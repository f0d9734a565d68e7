"""Compare policies on a real log and print the table: ``python examples/compare_policies.py``."""

import echelon as ec

POLICIES = ["fcfs", "first-fit", "easy", "easy:shortest-first", "conservative", "plan"]
COLUMNS = ["policy", "mean_wait", "p95_wait", "max_wait", "mean_bounded_slowdown", "utilization"]

comparison = ec.compare("kth-sp2", policies=POLICIES)
table = comparison.to_frame().select(COLUMNS)
for row in table.iter_rows(named=True):
    hours = f"{row['mean_wait'] / 3600:8.2f} h mean wait, {row['max_wait'] / 3600:8.1f} h at most"
    print(f"{row['policy']:20} {hours}, bounded slowdown {row['mean_bounded_slowdown']:8.1f}")
