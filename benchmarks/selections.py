"""How long a portal's selection takes, by policy and number of sites: ``python benchmarks/selections.py``.

Prints the table of docs/how-to/select-a-site.md. Every site has published a load, has a mean CPU time of the
application, and two jobs that began within the last minute. Seconds are of the processor, not of the wall
clock, so that others on the machine count less; of several turns the best and the median are shown.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

import machine

import echelon as ec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

POLICIES = ("random", "cpu-load", "lottery", "lottery-load", "wall-time", "met", "olb", "mct")
SITES = (10, 1000)
TURNS = 7
LEAST = 0.05
"""Seconds that a turn takes at least: as many selections are made."""


def portal(policy: str, sites: int) -> ec.MetaScheduler:
    """Return a portal's metascheduler in the middle of its work."""
    made = ec.MetaScheduler(policy, seed=1)
    for place in range(sites):
        made.register(f"site-{place}", cores=1 + place % 4)
        made.ended(made.started(f"site-{place}", "linpack", "1.0", at=0), 60.0 * 2 ** (place % 4), at=0)
    for place in range(sites):
        for _ in range(2):
            made.started(f"site-{place}", "linpack", "1.0", at=1000)
        made.publish(f"site-{place}", (place % 7) / 7, at=1015)
    return made


def seconds(policy: str, sites: int) -> list[float]:
    """Return the seconds of one selection, of each turn, ascending."""
    asked = portal(policy, sites)
    asked.select("linpack", "1.0", at=1020)
    return sorted(_turn(asked) for _ in range(TURNS))


def _turn(asked: ec.MetaScheduler) -> float:
    began, count = process_time(), 0
    while (taken := process_time() - began) < LEAST:
        asked.select("linpack", "1.0", at=1020)
        count += 1
    return taken / count


def rows(policies: Sequence[str] = POLICIES, sites: Sequence[int] = SITES) -> Iterator[str]:
    """Yield the lines of the table."""
    heads = " | ".join(f"{count:,} sites, ms" for count in sites)
    yield f"| Policy | {heads} |"
    yield "| --- " * (1 + len(sites)) + "|"
    for policy in policies:
        cells = (seconds(policy, count) for count in sites)
        shown = (f"{1e3 * found[0]:.3g} ({1e3 * median(found):.3g})" for found in cells)
        yield f"| `{policy}` | {' | '.join(shown)} |"


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(machine.description())
    for line in rows():
        print(line)


if __name__ == "__main__":
    main()
