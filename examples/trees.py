"""A grid of clusters: brokers of inner sites, from Python."""

from __future__ import annotations

from pathlib import Path

import echelon as ec

PLATFORM = Path(__file__).parent / "platforms" / "two-regions.toml"

jobs = ec.read_workload("lublin:jobs=500,processors=64,seed=1")
grid = ec.read_platform(PLATFORM)
print("Inner sites:", ", ".join(repr(path) for path in grid.inner_paths))

# The broker of the root, then that of an inner site, by its path.
result = ec.simulate(jobs, platform=grid, policy="easy", broker={"": "mpl", "south": "mct"})
print(result.label)
print(result.sites.select("site", "jobs", "mean_wait"))

# What the sites of an inner site tell is what its broker may know.
try:
    ec.simulate(jobs, platform=grid, broker={"north": "mct"})
except ec.EchelonError as error:
    print(error)

# Each alternative of a comparison may name brokers of inner sites.
found = ec.compare(jobs, platform=grid, policy="easy", brokers=["mpl", "mpl@south=random", "mct@*=ml"])
print(found.to_frame().select("run", "mean_wait", "mean_bounded_slowdown"))
