"""The thesis on IRMASim with MPI jobs: planning, communication, contention, release, and a global experiment.

Source: Borja Cuevas Cuesta, "Modelado de la Red de Interconexión en IRMASim", bachelor thesis, Universidad de
Cantabria, Santander 2022. It added message-passing jobs and a model of their network to IRMASim, a
simulator of heterogeneous clusters.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from echelon.analysis.scipy_stats import scipy_stats
from echelon.reproduce.irmasim import experiments as small
from echelon.reproduce.irmasim import global_experiment as large
from echelon.reproduce.irmasim.claims import CONCLUSIONS, judged
from echelon.reproduce.irmasim.figures import thesis_figures
from echelon.reproduce.irmasim.files import files
from echelon.reproduce.irmasim.global_table import global_printed
from echelon.reproduce.irmasim.listings import listings
from echelon.reproduce.irmasim.notes import NOTES
from echelon.reproduce.irmasim.pictures import pictures
from echelon.reproduce.irmasim.public_runs import public_figures, public_runs
from echelon.reproduce.machinery.conclusion import conclude
from echelon.reproduce.machinery.study import Reproduction, Study

if TYPE_CHECKING:
    from echelon.reproduce.machinery.parts import Step


def run(step: Step | None = None, *, quick: bool = False) -> Reproduction:
    """Run the experiments of chapter 4 and the public examples, and set figures and claims beside ours.

    Parameters
    ----------
    step : callable, optional
        As for `echelon.reproduce.reproduce`.
    quick : bool, default False
        Few seeds of what is drawn at random.

    Raises
    ------
    MissingExtraError
        If scipy, whose intervals the global experiment is judged by, is not installed.
    """
    began = perf_counter()
    scipy_stats()
    seeds = (small.QUICK_SEEDS, large.QUICK_SEEDS) if quick else (small.SEEDS, large.SEEDS)
    if step:
        step("planning, communication, contention and release")
    found = small.experiments(seeds[0])
    if step:
        step("examples of the public code")
    public = public_runs(found)
    told = step("global experiment") if step else None
    whole = large.global_experiment(seeds[1], told)
    claims = judged(found, whole)
    return Reproduction(
        study=IRMASIM,
        setting={
            "platforms": f"{small.SMALL}, {small.LARGE}",
            "network": small.NETWORK,
            "execution": "speed; public examples: memory-v1 and the rules of each manager",
            "seeds": {"planning": seeds[0], "global": seeds[1]},
            "seconds": perf_counter() - began,
        },
        printed=thesis_figures(found),
        independent=public_figures(public),
        claims=claims,
        tables=(global_printed(),),
        listings=listings(found, whole, public),
        pictures=pictures(found, whole),
        notes=NOTES,
        files=files(),
        conclusion=conclude(claims, CONCLUSIONS),
    )


IRMASIM = Study(
    name="irmasim",
    title="MPI jobs in IRMASim: planning, communication, contention, release, and all of it together",
    source='Cuevas Cuesta, "Modelado de la Red de Interconexión en IRMASim", bachelor thesis, Universidad de '
    "Cantabria, Santander 2022",
    needs="nothing; the extra stats",
    run=run,
    takes="30 s",
    settings=("quick",),
)
