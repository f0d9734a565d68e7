"""Does a limit of the clusters' queues pay? Forecasts and turnarounds by limit, over several draws."""

from statistics import mean

import echelon as ec

SEEDS = range(3)

print("limit      turnaround (s)  forecast off by (%)  owners slowed down")
for limit in (1, 2, 3, "unlimited"):
    runs = [
        ec.simulate(
            f"nas:jobs=60:gap=3:seed={seed}",
            platform="cisne-888",
            broker="tat",
            estimator="sdpn",
            global_queue="nb.rs",
            queue_limit=limit,
            local_users="xwindows+internet:share=0.6:period=60",
            seed=seed,
        )
        for seed in SEEDS
    ]
    turnaround, deviation, slowdown = (
        mean(run.metrics[name] for run in runs)
        for name in ("mean_turnaround", "turnaround_deviation", "local_slowdown")
    )
    print(f"{limit!s:9} {turnaround:15.1f} {100 * deviation:20.1f} {slowdown:19.2f}")
