"""Make a workload from columns, run it, and read what happened to each job."""

import numpy as np

import echelon as ec

rng = np.random.default_rng(7)
n_jobs = 1_000
run_time = np.ceil(rng.lognormal(mean=6.0, sigma=1.5, size=n_jobs))
workload = ec.Workload.from_columns(
    name="made up",
    submit_time=np.floor(np.cumsum(rng.exponential(scale=120.0, size=n_jobs))),
    run_time=run_time,
    requested_time=run_time * rng.choice([1, 2, 5, 10], size=n_jobs),
    processors=2 ** rng.integers(0, 6, size=n_jobs),
    user=rng.integers(1, 9, size=n_jobs),
)
for estimates in ("raise", "exact"):
    result = ec.simulate(workload, processors=64, policy="easy", estimates=estimates)
    print(f"estimates {estimates}: mean wait {result.metrics['mean_wait']:.0f} s")

print(ec.per_user(result.schedule).select("user", "jobs", "area_share", "mean_wait"))
ec.write_swf(workload, "made-up.swf")
