"""The SINAPAD study: policies by chance and by the state of resources, for a metascheduler of web portals.

Source: Rodrigues, Ishii, Gomes & dos Reis, "Implementação e Experimentação de Políticas de Escalonamento
Baseadas na Aleatoriedade e nos Estados dos Recursos", Universidade Federal de Mato Grosso do Sul and LNCC,
about 2014. It measured ten virtual machines; decision 47 says how simulated ones stand in for them.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from echelon.analysis.scipy_stats import scipy_stats
from echelon.experiments.processes import Processes
from echelon.reproduce.machinery.study import Reproduction, Study
from echelon.reproduce.sinapad import listings
from echelon.reproduce.sinapad.claims import judged
from echelon.reproduce.sinapad.conclusions import conclusion
from echelon.reproduce.sinapad.consistency import print_against_itself
from echelon.reproduce.sinapad.experiments import experiments
from echelon.reproduce.sinapad.notes import NOTES
from echelon.reproduce.sinapad.order_listings import order_listings
from echelon.reproduce.sinapad.pictures import pictures
from echelon.reproduce.sinapad.settings import QUICK_SEEDS, SEEDS, SinapadSettings
from echelon.reproduce.sinapad.setups import MODES, SLOWEST

if TYPE_CHECKING:
    from echelon.reproduce.machinery.study import Step
    from echelon.reproduce.sinapad.evidence import Evidence


def run(step: Step | None = None, *, seeds: int | None = None, quick: bool = False) -> Reproduction:
    """Run the experiments of section 4 and those that section 5 asks for, and judge the claims.

    Parameters
    ----------
    step : callable, optional
        As for `echelon.reproduce.reproduce`.
    seeds : int, optional
        Repetitions, >= 2. Default 100; 5, the study's own, if `quick`.
    quick : bool, default False
        Also fewer cases of other readings, rules and jobs.

    Raises
    ------
    InputError
        If `seeds` is out of its bounds.
    MissingExtraError
        If scipy, whose intervals claims are judged by, is not installed.
    """
    began = perf_counter()
    scipy_stats()
    settings = SinapadSettings((QUICK_SEEDS if quick else SEEDS) if seeds is None else seeds, quick=quick)
    with Processes() as processes:
        found = experiments(settings, processes, step)
    return reproduction(found, settings, perf_counter() - began)


def reproduction(found: Evidence, settings: SinapadSettings, seconds: float) -> Reproduction:
    """Return what came of experiments that took so many seconds."""
    figures = zip(MODES, ("3", "4"), strict=True)
    claims = judged(found)
    return Reproduction(
        study=SINAPAD,
        setting={
            "seeds": settings.seeds,
            "seeds_of_the_rest": settings.few,
            "decision_time_at_once": SLOWEST,
            "seconds": seconds,
        },
        # Its figures on execution times are lost, and what is printed of decisions is of another system.
        printed=(),
        claims=claims,
        listings=[
            listings.scenarios_listing(),
            *(listings.execution_listing(found, mode, number) for mode, number in figures),
            listings.decision_listing(found),
            listings.paced_listing(found),
            print_against_itself(),
            *order_listings(found),
            listings.readings_listing(found),
            listings.independent_listing(found),
            *listings.extended_listings(found),
            listings.misprints_listing(),
        ],
        pictures=pictures(found),
        notes=NOTES,
        conclusion=conclusion(claims),
    )


SINAPAD = Study(
    name="sinapad",
    title="Metascheduling by chance and by the state of machines without queues",
    source="Rodrigues, Ishii, Gomes & dos Reis, Implementação e Experimentação de Políticas de Escalonamento "
    "Baseadas na Aleatoriedade e nos Estados dos Recursos, UFMS and LNCC, about 2014",
    needs="nothing; the extra stats",
    run=run,
    takes="160 s",
    settings=("seeds", "quick"),
    # The study measured virtual machines, and its figures are lost.
    to_the_digit=False,
)
