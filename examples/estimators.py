"""What predictions are worth: plan with requests, with a user's past and with the truth."""

import echelon as ec
from echelon.workloads import transform

workload = transform.head(ec.read_workload("kth-sp2"), 8_000)
for estimator in ("request", "average:alpha=0.5", "exact"):
    for policy in ("easy", "easy:shortest-first"):
        metrics = ec.simulate(workload, policy=policy, estimator=estimator).metrics
        print(
            f"{policy:20} {estimator:18} accuracy {metrics['mean_prediction_accuracy']:.2f}, "
            f"mean wait {metrics['mean_wait'] / 60:6.1f} min, "
            f"slowdown {metrics['mean_bounded_slowdown']:5.1f}"
        )
