"""Tables of a study on real clusters: means over seeds with intervals, and paired differences."""

from __future__ import annotations

import csv
from statistics import fmean, median
from typing import TYPE_CHECKING

from echelon.analysis import paired_comparison, t_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ways import Outcome

    Found = Mapping[tuple[int, str], Sequence[Outcome]]

FIELDS = (
    *("seed", "way", "jobs", "mean_wait", "median_wait", "share_at_beta"),
    *("test_only_error", "forecast_error", "median_forecast_error", "with_interval", "in_interval"),
)
"""Of a run; times in seconds, errors are means of absolute differences unless they say median."""
BASELINE = "sbatch -M"


def row_of(seed: int, way: str, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return what one run came to."""
    waits = [one.wait for one in outcomes]
    slurm = [abs(one.expected - one.wait) for one in outcomes if one.expected is not None]
    own = [abs(one.forecast - one.decided_wait) for one in outcomes if one.forecast is not None]
    ranged = [one for one in outcomes if one.earliest is not None and one.latest is not None]
    inside = sum(one.earliest <= one.decided_wait <= one.latest for one in ranged)
    values = (
        *(seed, way, len(outcomes), fmean(waits), median(waits)),
        fmean(one.cluster == "beta" for one in outcomes),
        fmean(slurm),
        *((fmean(own), median(own)) if own else ("", "")),
        *((len(ranged), inside) if own else ("", "")),
    )
    return {
        name: round(value, 3) if isinstance(value, float) else value
        for name, value in zip(FIELDS, values, strict=True)
    }


def write_csv(path: Path, found: Found) -> None:
    """Write a row a run."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row_of(seed, way, outcomes) for (seed, way), outcomes in found.items())


def told(found: Found) -> Iterator[str]:
    """Yield the lines of the tables."""
    ways = list(dict.fromkeys(way for _, way in found))
    seeds = sorted({seed for seed, _ in found})
    rows = {(seed, way): row_of(seed, way, found[seed, way]) for seed in seeds for way in ways}

    def of(way: str, field: str) -> list[float]:
        return [rows[seed, way][field] for seed in seeds]

    yield "| Chosen by | Mean wait, s | Beside `sbatch -M`, s | p (t) | Better in |"
    yield "| --- | --- | --- | --- | --- |"
    for way in ways:
        line = f"| {way} | {_mean(of(way, 'mean_wait'))} |"
        if way == BASELINE or BASELINE not in ways:
            yield f"{line} | | |"
            continue
        pair = paired_comparison(of(BASELINE, "mean_wait"), of(way, "mean_wait"))
        yield (
            f"{line} {pair.difference:+.1f} ({pair.low:+.1f} to {pair.high:+.1f}) | {pair.t_p_value:.3f} | "
            f"{pair.below} of {pair.experiments} |"
        )
    yield ""
    yield (
        "| Chosen by | Error of `--test-only`, s | Error of the service, s | Median error, s | "
        "Ratio of means | Coverage of 80 %, % |"
    )
    yield "| --- | --- | --- | --- | --- | --- |"
    for way in ways:
        slurm = of(way, "test_only_error")
        line = f"| {way} | {_mean(slurm)} |"
        if not way.startswith("service"):
            yield f"{line} | | | |"
            continue
        own = of(way, "forecast_error")
        ranged = sum(of(way, "with_interval"))
        shares = [
            100 * one["in_interval"] / one["with_interval"]
            for one in (rows[seed, way] for seed in seeds)
            if one["with_interval"]
        ]
        cover = f"{_mean(shares)} of {ranged:,}" if shares else "none"
        ratio = fmean(own) / fmean(slurm)
        middle = _mean(of(way, "median_forecast_error"))
        yield f"{line} {_mean(own)} | {middle} | 1/{1 / ratio:.0f} | {cover} |"


def _mean(values: Sequence[float]) -> str:
    if len(values) < 2:
        return f"{values[0]:.1f}"
    found = t_interval(values)
    return f"{float(found.mean):.1f} ({float(found.low):.1f} to {float(found.high):.1f})"
