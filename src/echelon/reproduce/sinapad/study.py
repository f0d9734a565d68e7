"""The SINAPAD study: policies by chance and by the state of resources, for a metascheduler of web portals.

Source: Rodrigues, Ishii, Gomes & dos Reis, "Implementação e Experimentação de Políticas de Escalonamento
Baseadas na Aleatoriedade e nos Estados dos Recursos", Universidade Federal de Mato Grosso do Sul and LNCC,
about 2014. It measured ten virtual machines; decision 47 says how simulated ones stand in for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claims import Point
from echelon.reproduce.machinery.published_study import PublishedStudy
from echelon.reproduce.sinapad import listings
from echelon.reproduce.sinapad.claims import judge_claims
from echelon.reproduce.sinapad.data import print_against_itself
from echelon.reproduce.sinapad.experiments import SinapadSettings, experiments
from echelon.reproduce.sinapad.order_listings import order_listings
from echelon.reproduce.sinapad.pictures import pictures
from echelon.reproduce.sinapad.setups import MODES, SLOWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.machinery.claims import Claim
    from echelon.reproduce.machinery.listing import Listing
    from echelon.reproduce.sinapad.evidence import Evidence


_LOST = "Nothing that it printed can be compared: its execution times are lost, and only orders are known."

POINTS = (
    # Of no claim: it is said in any case.
    Point((), _LOST, _LOST),
    Point(
        ("C1",),
        "The estimated wall time is the best of the five policies in every mix of machines.",
        "The estimated wall time is not the best policy everywhere.",
        "That the estimated wall time is the best policy is not settled in every mix of machines.",
    ),
    Point(
        ("C2",),
        "It also varies least.",
        "It does not vary least everywhere.",
        "That it varies least is not settled everywhere.",
    ),
    Point(
        ("C5", "C15"),
        "The load alone is second where jobs come one by one.",
        "That the load alone is second where jobs come one by one is not confirmed.",
        "Whether the load alone is second where jobs come one by one is not settled: it depends on the order "
        "in which machines are listed, which is not stated.",
        "That the load alone is second where jobs come one by one is true of some mixes of machines; of "
        "others it is false, or depends on the order in which machines are listed, which is not stated.",
    ),
    Point(
        ("C12",),
        "Policies that look at loads decide better than chance, as the abstracts have it.",
        "That policies which look at loads decide better than chance, as the abstracts have it, is not true "
        "of all of them however jobs are submitted.",
        "Whether policies that look at loads decide better than chance is not settled.",
    ),
    Point(
        ("C13",),
        "Random choice is the worst policy.",
        "Random choice is not always the worst policy.",
        "Whether random choice is the worst policy is not settled.",
    ),
    Point(
        ("C11", "C18"),
        "Slowing all policies down to one pace was right where jobs come at once, and unnecessary elsewhere.",
        "Its claims on the pace of decisions are not fully confirmed.",
        "Its claims on the pace of decisions are not settled.",
    ),
)


NOTES = (
    "Figures 3 and 4, the only results on execution times, are pictures without numbers; claims are judged "
    "by the text.",
    "The study measured ten virtual machines under CSGrid; here they are simulated: every job starts at once "
    "and shares its machine's one core evenly, loads are means of the last minute, published every 15 s at "
    "times of each machine's own.",
    "Where jobs come at once every policy decides at the pace of the slowest, 0.831 s; where they come every "
    "20 s each takes its own time of Table 2.",
    "Mean CPU times are known before: without them no policy could choose before the last of 40 jobs "
    "submitted at once is dispatched, and every policy that uses them would be RandomScheduler.",
    "The order in which the metascheduler learns of the machines decides ties and is not stated. Four "
    "readings are run: another list in each repetition, the fastest first, the slowest first, and lots among "
    "equal loads. A statement is settled only if it is settled alike under all of them; else it is not "
    "decided.",
    "No execution time was printed, and a decision of a rule in one process has nothing in common with one "
    "of a bus over ten machines: no printed number can be compared with ours. Sentences that only repeat "
    "Table 2 are compared with it, as a check of consistency.",
    "All policies of a repetition meet the same jobs, lists of machines, phases and lots.",
)


def _listings(evidence: Evidence, _: Sequence[Claim]) -> list[Listing]:
    figures = zip(MODES, ("3", "4"), strict=True)
    return [
        listings.scenarios_listing(),
        *(listings.execution_listing(evidence, mode, number) for mode, number in figures),
        listings.decision_listing(evidence),
        listings.paced_listing(evidence),
        print_against_itself(),
        *order_listings(evidence),
        listings.readings_listing(evidence),
        listings.independent_listing(evidence),
        *listings.extended_listings(evidence),
        listings.misprints_listing(),
    ]


PUBLISHED = PublishedStudy(
    name="sinapad",
    title="Metascheduling by chance and by the state of time-shared machines",
    source="Rodrigues, Ishii, Gomes & dos Reis, Implementação e Experimentação de Políticas de Escalonamento "
    "Baseadas na Aleatoriedade e nos Estados dos Recursos, UFMS and LNCC, about 2014",
    needs="nothing; the extra stats",
    takes="160 s",
    # The study measured virtual machines, and its figures are lost.
    to_the_digit=False,
    options=("seeds", "quick"),
    settings=SinapadSettings.of,
    experiments=experiments,
    judged=judge_claims,
    points=POINTS,
    setting=lambda _, settings: {
        "seeds": settings.seeds,
        "seeds_of_the_rest": settings.few,
        "decision_time_at_once": SLOWEST,
    },
    listings=_listings,
    pictures=pictures,
    notes=NOTES,
)
SINAPAD = PUBLISHED.study
