"""Claims of the M-CISNE thesis: judged by numbers, each way."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from echelon.reproduce.multicluster.claims_clusters import same_as_tat
from echelon.reproduce.multicluster.claims_spanning import follows, growth
from echelon.reproduce.multicluster.evidence import SIX, TURNAROUND, Choice, Queueing, Spanning
from echelon.reproduce.multicluster.study import CLAIMS


def verdicts(evidence):
    """Return the verdict of each claim by name."""
    return {claim.name: claim.verdict for claim in CLAIMS.judge(evidence)}


def test_all_claims_hold_on_what_was_printed(as_printed):
    """C1 to C26, in order, hold on the printed tables and on numbers with the sizes that the text gives."""
    claims = CLAIMS.judge(as_printed)
    assert [claim.name for claim in claims] == [f"C{number}" for number in range(1, 27)]
    assert {claim.name: claim.finding for claim in claims if claim.verdict != "holds"} == {}
    assert all(outcome == "holds" for claim in claims for _, outcome in claim.statements)


def _swapped(names):
    """Return a change that swaps two estimators everywhere."""

    def change(evidence):
        accuracy = dict(evidence.accuracy)
        for load, quantity, name in evidence.accuracy:
            if name == names[0]:
                pair = (load, quantity, names[0]), (load, quantity, names[1])
                accuracy[pair[0]], accuracy[pair[1]] = (evidence.accuracy[key] for key in reversed(pair))
        return dataclasses.replace(evidence, accuracy=accuracy)

    return change


def _costs_equal(evidence):
    return dataclasses.replace(evidence, cost=dict.fromkeys(evidence.cost, np.ones(5)))


def _brokers_equal(evidence):
    first = next(values for case, values in evidence.selection.items() if case.owners)
    return dataclasses.replace(evidence, selection=dict.fromkeys(evidence.selection, first))


def _limits_equal(evidence):
    first = next(iter(evidence.queueing.values()))
    return dataclasses.replace(evidence, queueing=dict.fromkeys(evidence.queueing, first))


def _program_saturates(evidence):
    first = evidence.program[Spanning("optimal", 75, 0)]
    return dataclasses.replace(evidence, program=dict.fromkeys(evidence.program, first))


def _program_is_polynomial(evidence):
    scaling = {key: np.full(5, key[1] ** 2.0) for key in evidence.scaling}
    return dataclasses.replace(evidence, scaling=scaling)


def _model_exact(evidence):
    return dataclasses.replace(evidence, spanned=evidence.spanned[:, [0, 2, 2]])


def _one_queue_better(evidence):
    central = {
        case: values if case.arrangement == "two levels" else values / 2
        for case, values in evidence.central.items()
    }
    return dataclasses.replace(evidence, central=central)


def _gains_equal(evidence):
    selection = {case: evidence.selection[case._replace(platform="844")] for case in evidence.selection}
    return dataclasses.replace(evidence, selection=selection)


def _classical_swapped(evidence):
    other = {"RR": "FFIT", "FFIT": "RR"}
    selection = {
        case: evidence.selection[case._replace(broker=other.get(case.broker, case.broker))]
        for case in evidence.selection
    }
    return dataclasses.replace(evidence, selection=selection)


def _nodes_do_not_matter(evidence):
    return dataclasses.replace(evidence, by_nodes=dict.fromkeys(evidence.by_nodes, np.ones(5)))


def _weights_apart(evidence):
    selection = {
        case: values * 1.3 if case.broker.startswith("PTT") else values
        for case, values in evidence.selection.items()
    }
    return dataclasses.replace(evidence, selection=selection)


@pytest.mark.parametrize(
    ("change", "refuted"),
    [
        (_swapped(("IBL", "Smith")), {"C1", "C3", "C5"}),
        (_swapped(("Smith", "SDPN")), {"C1", "C2", "C4", "C6"}),
        (_swapped(("corrected SDPN", "SDPN")), {"C6", "C7"}),
        (_costs_equal, {"C9"}),
        (_brokers_equal, {"C10", "C11", "C12", "C21", "C23", "C24"}),
        (_gains_equal, {"C23"}),
        (_classical_swapped, {"C24"}),
        (_weights_apart, {"C22"}),
        (_nodes_do_not_matter, {"C26"}),
        (_limits_equal, {"C13", "C14", "C15", "C16", "C25"}),
        (_program_saturates, {"C17"}),
        (_program_is_polynomial, {"C18"}),
        (_model_exact, {"C19"}),
        (_one_queue_better, {"C20"}),
    ],
)
def test_each_claim_can_fail(as_printed, change, refuted):
    """Numbers that say otherwise refute statements of the claims that they are about."""
    claims = {claim.name: claim for claim in CLAIMS.judge(change(as_printed))}
    failed = {name for name, claim in claims.items() if claim.verdict in {"does not hold", "holds in part"}}
    assert refuted <= failed
    assert all("does not hold" in dict(claims[name].statements).values() for name in failed)


def test_best_of_both_refutes_c8(as_printed):
    """If one estimator is the best for runs and for waits, there is nothing to combine."""
    best = np.outer(np.ones(5), [1.0, 1.0, 0.0])
    accuracy = {key: best if key[2] == "IBL" else values for key, values in as_printed.accuracy.items()}
    assert verdicts(dataclasses.replace(as_printed, accuracy=accuracy))["C8"] == "does not hold"


def test_a_best_by_means_alone_leaves_c8_open(as_printed):
    """The same name first for runs and for waits settles nothing where it is not told apart from others."""
    lots = np.random.default_rng(1)
    deviations = {
        key: np.full(5, 0.2) if key[2] == "IBL" else 0.3 + 0.1 * lots.normal(size=5)
        for key in as_printed.accuracy
    }
    ones = np.ones(5)
    accuracy = {key: np.column_stack([ones, ones, values]) for key, values in deviations.items()}
    assert verdicts(dataclasses.replace(as_printed, accuracy=accuracy))["C8"] == "not decided"


def test_no_co_allocated_job_is_not_testable(as_printed):
    """Without a job over several clusters, how long those take cannot be compared."""
    assert verdicts(dataclasses.replace(as_printed, spanned=None))["C19"] == "not testable"


def test_same_as_tat(as_printed):
    """PTT with w = 1 is the same as TAT where every measure is, nan counting as nan."""
    assert same_as_tat(as_printed) == (0, 40)
    same = {
        case: as_printed.selection[Choice(case.platform, case.spread, case.owners, "TAT")]
        if case.broker == "PTT w = 1"
        else values
        for case, values in as_printed.selection.items()
    }
    assert same_as_tat(dataclasses.replace(as_printed, selection=same)) == (40, 40)


def test_rules_apart_without_a_limit_refute_c16(as_printed):
    """One run in which the rules differ without a limit is enough."""
    case = Queueing("NB", "unlimited", 30)
    values = as_printed.queueing[case].copy()
    values[2, TURNAROUND] *= 1.02
    changed = {**as_printed.queueing, case: values}
    assert verdicts(dataclasses.replace(as_printed, queueing=changed))["C16"] == "holds in part"


def test_both_turnarounds_are_told(as_printed):
    """Each statement on turnaround says what it is from delivery and from submission."""
    claims = {claim.name: claim for claim in CLAIMS.judge(as_printed)}
    for name in ("C10", "C11", "C12", "C14", "C15", "C16", "C20", "C22", "C23", "C24", "C25"):
        told = [
            text for text, _ in claims[name].statements if "turnaround with" in text or "gains more" in text
        ]
        assert told or name in {"C14", "C15"}
        assert all("submission" in text for text in told)
    gain = next(text for text, _ in claims["C10"].statements if "with TAT" in text and "RR" in text)
    assert "43.3 % (" in gain
    assert "from submission 43.2 % lower" in gain


def _runs(noise, *, jobs, seeds):
    """Return jobs of several seeds, what they took with some noise beside what is said of them."""
    line, lots = np.linspace(0, 10, jobs), np.random.default_rng(1)
    return [np.column_stack([line, line + noise * lots.normal(size=jobs)]) for _ in range(seeds)]


def test_a_correlation_is_told_apart_by_its_interval():
    """One of 0.79 in 4 runs of 10 jobs may be 0.7; in 30 of 100 it is above, and one of 0.5 below."""
    assert follows(_runs(2.2, jobs=10, seeds=4)).outcome() == "not decided"
    assert follows(_runs(2.2, jobs=100, seeds=30)).outcome() == "holds"
    assert follows(_runs(5, jobs=100, seeds=30)).outcome() == "does not hold"


def test_jobs_of_one_run_are_no_repetitions(as_printed):
    """A hundred jobs of two runs, one said too short and one too long, do not settle which is the rule."""
    took = np.linspace(100, 900, 50)
    runs = [np.column_stack([np.full(50, seed), took * share, took]) for seed, share in ((0, 0.7), (1, 1.1))]
    evidence = dataclasses.replace(as_printed, spanned=np.concatenate(runs))
    claim = next(claim for claim in CLAIMS.judge(evidence) if claim.name == "C19")
    assert claim.statements[0][1] == "not decided"


def test_growth_is_judged_by_seed(as_printed):
    """Means that grow exponentially because of one seed of five do not show that programs do."""
    scaling = {
        key: np.array([1.3 ** key[1], *[key[1] ** power for power in (1.0, 1.5, 2.0, 2.5)]])
        for key in as_printed.scaling
    }
    evidence = dataclasses.replace(as_printed, scaling=scaling)
    claim = next(claim for claim in CLAIMS.judge(evidence) if claim.name == "C18")
    assert {dict(claim.statements)[text] for text, _ in claim.statements if "expon" in text} == {
        "not decided"
    }


def test_growth_is_the_exponent():
    """Seconds of the square of the clusters have a growth of 2."""
    assert growth([2, 4, 8], np.array([4.0, 16.0, 64.0])) == pytest.approx(2)


def test_all_six_are_needed(as_printed):
    """Every estimator of every load is printed and has evidence."""
    assert {key[2] for key in as_printed.accuracy} >= set(SIX)


def test_what_must_be_alike_is_no_statement(as_printed):
    """PTT with w = 1 chooses as TAT by its equation, so that C22 is of the other weights alone."""
    claim = next(claim for claim in CLAIMS.judge(as_printed) if claim.name == "C22")
    assert len(claim.statements) == 4
    assert not [text for text, _ in claim.statements if "w = 1 " in text]


def test_the_slowest_weight_is_slower_than_each_other(as_printed):
    """C11 fails in part where w = 0.5 is slower than w = 0, whatever w = 1 is."""
    selection = {
        case: values * 2 if case.broker == "PTT w = 0.5" else values
        for case, values in as_printed.selection.items()
    }
    assert verdicts(dataclasses.replace(as_printed, selection=selection))["C11"] == "holds in part"
