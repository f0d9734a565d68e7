"""What a reader must know of how the M-CISNE thesis is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.multicluster.claims_clusters import same_as_tat
from echelon.reproduce.multicluster.world import BURST, INTERFERENCE, NOISE, PERIOD, WORDS

if TYPE_CHECKING:
    from echelon.reproduce.multicluster.experiments import Experiments
    from echelon.reproduce.multicluster.settings import MulticlusterSettings

_FIXED = (
    "The thesis measured laboratories; no digit of it can come out of a simulation, and agreement is by "
    "order, direction and claim. Its figures of E2 to E4 are lost: what its text says of them is used.",
    f"The world in which jobs run is {WORDS}: a job loses {INTERFERENCE:g} times its communication time to "
    f"each further parallel task in its fullest node, and the same program varies by {100 * NOISE:g} %. No "
    "estimator knows of either. Both were set once, by two numbers of the thesis: the interference so that "
    "the slope of SDPN's execution times under sharing is near the printed 0.2319 (table 3.5), the noise "
    "so that Li's deviation without sharing is the printed 0.01 (table 3.4). All else follows.",
    f"Owners use 15 % of a processor, 35 % of the memory and 0.5 MB/s on average, in bursts of {BURST:g} s "
    f"(ours); moving ones are at other nodes every {PERIOD:g} s (ours).",
    "The profile of an application is exact here: its time alone is its printed time. In the laboratory it "
    "was not: all printed times but one end in 9, so they were taken in steps of 10 s, and analytic "
    "estimators are 23 to 24 % off even without sharing.",
    "Jobs are drawn uniformly from the 18 applications. Jobs of eight tasks fit into no cluster of 555; "
    "there only the other twelve are drawn, but for co-allocation.",
    "The history has as many runs of each load as of the others, with seeds of their own; each load's jobs "
    "go to the queue that the thesis names, BASIC or FCFS. Corrected estimators and the Decisor are "
    "replayed from what the others said: they change nothing of a run.",
    "FFIT is taken literally, as our first-site: the first cluster that is large enough, however busy, so "
    "that all jobs of 555 go to one. Clusters stand by size here, the smallest first.",
    "A statement that one thing is lower than another counts as so if the 95 % interval of the difference, "
    "seed by seed, leaves no doubt; what can not be told apart does not hold.",
)


def notes(found: Experiments, settings: MulticlusterSettings) -> list[str]:
    """Return the notes, in the order of a reader's questions."""
    same, runs = same_as_tat(found.evidence)
    equal = (
        "PTT with w = 1 ranks clusters by the square of what TAT ranks by, so the two must choose alike: "
        f"in {same} of {runs} runs here every measure is the same. The thesis' 5.4 % between them are from "
        "run to run, or of a formula other than the printed one."
    )
    few = "" if settings.seeds >= 30 and not settings.quick else _few(settings)
    return [*([few] if few else []), *_FIXED, equal]


def _few(settings: MulticlusterSettings) -> str:
    short = ", fewer jobs, a shorter history and fewer cases" if settings.quick else ""
    return f"A look only: {settings.seeds} seeds instead of 30{short}."
