"""What a reader must know of how the M-CISNE thesis is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.multicluster.claims_clusters import same_as_tat
from echelon.reproduce.multicluster.world import BURST, DECISION, FITTED, ONE_SLOPE, PERIOD

if TYPE_CHECKING:
    from echelon.reproduce.multicluster.experiments import Experiments
    from echelon.reproduce.multicluster.settings import MulticlusterSettings

_FIXED = (
    "The thesis measured laboratories; no digit of it can come out of a simulation, and agreement is by "
    "order, direction and claim. Its figures of E2 to E4 are lost: what its text says of them is used.",
    f"The world in which jobs run is {FITTED.words}; contracts leave tasks all memory. Tasks share "
    "processors by what they use of them; a job loses 0.4 times its communication time to each further "
    "parallel task in its fullest node; the same program varies by 1.25 %, and its profile is off by a "
    "lognormal factor; an owner costs tasks 2.25 times the processor time that he uses. No estimator knows "
    "of the last four. They were fitted to twelve printed numbers on the world itself (listing fit); all "
    "else follows.",
    "Predictions take the time of table 3.11: a job of E1 joins the queue 3.48, 8.95 or 9.05 s after the one "
    f"before it at the earliest, and each choice of TAT and PTT in E2 and E3 takes {DECISION:g} s, one "
    "after the other. Round robin and first fit take none. Turnaround from delivery, which the thesis "
    "reports for E2, does not count the wait for a decision; that from submission does, and stands beside "
    "it.",
    "A limit of a queue in E3 counts the jobs that run in the cluster, too. Read as a limit of waiting jobs "
    "alone, as in the other worlds, it hardly ever binds.",
    f"The world of earlier versions, {ONE_SLOPE.words} with contracts of 65 % of memory, decisions that take "
    "no time and limits of waiting jobs, was set by one slope (SDPN's, table 3.5). It is run and judged "
    "beside, with fewer seeds and cases, and so is one in which jobs run as SDPN believes.",
    f"Owners use 15 % of a processor, 35 % of the memory and 0.5 MB/s on average, in bursts of {BURST:g} s "
    f"(ours); moving ones are at other nodes every {PERIOD:g} s (ours).",
    "Jobs are drawn uniformly from the 18 applications. Jobs of eight tasks fit into no cluster of 555; "
    "there only the other twelve are drawn, but for co-allocation.",
    "The history has as many runs of each load as of the others, with seeds of their own; each load's jobs "
    "go to the queue that the thesis names, BASIC or FCFS. Corrected estimators and the Decisor are "
    "replayed from what the others said: they change nothing of a run.",
    "FFIT is taken literally, as our first-site: the first cluster that is large enough, however busy, so "
    "that all jobs of 555 go to one. Clusters stand by size here, the smallest first.",
    "E0, the baselines, other estimators and co-allocation are run with decisions that take no time: nobody "
    "measured them.",
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
