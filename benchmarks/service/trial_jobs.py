"""Jobs of a trial on real clusters: short ones of a few applications, with limits far above that."""

from __future__ import annotations

import random
from dataclasses import dataclass

SIZES = (1, 2, 3, 4, 6, 8)
APPLICATIONS = 8
SHORTEST, LONGEST = 1.0, 5.0
"""Seconds of a payload."""
PAUSE = 0.25
"""Mean seconds between two submissions."""


@dataclass(frozen=True)
class TrialJob:
    """One job.

    Attributes
    ----------
    number : int
        From 1, in the order of submission.
    at : float
        Seconds from the begin of the round to its submission.
    application : str
        Jobs of one take about the same time.
    processors : int
        Of each cluster that may run it.
    seconds : float
        That it sleeps.
    minutes : int
        Its time limit.
    """

    number: int
    at: float
    application: str
    processors: int
    seconds: float
    minutes: int


def jobs_of(seed: int, round_: str, count: int = 80) -> list[TrialJob]:
    """Return the jobs of a round; rounds of one seed share their applications.

    Each of eight applications has a run time of its own between 1 and 5 s, from which its jobs differ by up
    to 15 %, and two sizes. Limits of 1 to 5 min say nothing about the run time. Submissions come at random
    (Poisson), four a second: twice what both clusters can take, so a queue builds up.
    """
    shared = random.Random(f"applications {seed}")
    known = [
        (f"app-{number}", shared.uniform(SHORTEST, LONGEST), shared.sample(SIZES, 2))
        for number in range(APPLICATIONS)
    ]
    chance, at, made = random.Random(f"jobs {seed} {round_}"), 0.0, []
    for number in range(1, count + 1):
        name, usual, sizes = chance.choice(known)
        seconds = min(max(usual * chance.uniform(0.85, 1.15), SHORTEST), LONGEST)
        made.append(
            TrialJob(
                number, round(at, 3), name, chance.choice(sizes), round(seconds, 2), chance.randint(1, 5)
            )
        )
        at += chance.expovariate(1 / PAUSE)
    return made
