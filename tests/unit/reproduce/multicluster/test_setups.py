"""What is simulated: setups, owners, the replay of corrected estimators, and jobs over several clusters."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.experiments.processes import Processes
from echelon.history import experiences_of
from echelon.metrics import forecast_accuracy
from echelon.policies.coallocation import co_allocation_named
from echelon.reproduce.multicluster import queue_setups
from echelon.reproduce.multicluster.accuracy import (
    DECIDED,
    Times,
    accuracies,
    choose_forecasts,
    correct_forecasts,
    history,
    setup_of,
)
from echelon.reproduce.multicluster.evidence import BROKERS, LIMITS, LOADS, MEASURES, RULES, SIX, TURNAROUND
from echelon.reproduce.multicluster.program import Noted, pairs
from echelon.reproduce.multicluster.setups import (
    BARE,
    FITTED,
    ONE_SLOPE,
    UNEQUAL,
    Setup,
    decision_of,
    jobs_of,
    limit_of,
    measure_setups,
    measures_of,
    owners_spec,
    part_of,
    platform_of,
    scenario_of,
    simulate_setup,
)
from echelon.workloads.local_users import local_users_named

SMALL = Setup("cisne-16", jobs=40, gap=4.0)


@pytest.fixture(scope="module")
def asked():
    """Return a run in which six estimators, both corrected ones and a Decisor of the same four are asked."""
    watch = (*(name.lower() for name in SIX), "corrected", "corrected(of=hybrid)")
    decisor = "decisor(of=ibl smith corrected corrected(of=hybrid))"
    setup = Setup(
        "cisne-16", jobs=150, gap=12.0, estimator="request", broker="first-fit", watch=(*watch, decisor)
    )
    return simulate_setup(setup, 3).schedule


def test_the_replay_is_what_the_estimators_say(asked):
    """Corrected and Decisor, worked out from what others said, equal those that were asked in the run."""
    said = dict(
        zip(("request", *SIX, "corrected SDPN", "corrected Hybrid", "Decisor"), asked.forecasts, strict=True)
    )
    times, changed = Times(asked.delivered, asked.start_time, asked.end), False
    for quantity, real in (("run", times.end - times.start), ("wait", times.start - times.delivered)):
        found = {name: getattr(forecasts, quantity) for name, forecasts in said.items()}
        for name in ("SDPN", "Hybrid"):
            again = correct_forecasts(found[name], real, times)
            np.testing.assert_array_equal(again, found[f"corrected {name}"])
            changed |= bool((again != found[name]).any())
        again = choose_forecasts([found[name] for name in DECIDED], real, times)
        np.testing.assert_array_equal(again, found["Decisor"])
    assert changed


def test_accuracies_are_of_each_estimator(asked):
    """Six, two corrected and the Decisor, for runs and for waits; each as `forecast_accuracy` says."""
    found = dict(accuracies(asked, ("request", *SIX, "x", "y", "z")))
    assert {name for _, name in found} >= {*SIX, "corrected SDPN", "corrected Hybrid", "Decisor"}
    hanzich = forecast_accuracy(asked.forecasts[4].run, asked.end - asked.start_time)
    assert found["run", "Hanzich"][2] == hanzich.deviation


@pytest.mark.slow
def test_history_is_of_all_loads():
    """Runs of each load take turns; each load's jobs are of its queue; the dedicated ones share nothing."""
    with Processes(1) as processes:
        past = history(1, 30, FITTED, processes)
    assert [one.queue for one in past] == ["1"] * 30 + ["2"] * 60
    assert {one.mpl for one in past[:30]} == {1}
    assert max(one.mpl for one in past[30:]) > 1
    assert past[:30] == tuple(experiences_of(simulate_setup(setup_of("dedicated", 30), 10_000).schedule))


@pytest.mark.slow
def test_ptt_of_weight_1_is_tat():
    """The two choose alike: start for start the same, with owners on other nodes again and again."""
    setups = [
        Setup("cisne-844", jobs=30, broker=broker, owners=owners_spec(30, moving=True))
        for broker in ("tat", "ptt:w=1")
    ]
    tat, ptt = (simulate_setup(setup, 5).schedule for setup in setups)
    np.testing.assert_array_equal(tat.start_time, ptt.start_time)
    np.testing.assert_array_equal(tat.site, ptt.site)


def test_jobs_are_those_of_the_seed():
    """Whatever decides, a seed has the same jobs; another seed has others; none is too large."""
    small = SMALL._replace(most_tasks=4)
    first, same, other = (
        jobs_of(small, 1),
        jobs_of(small._replace(broker="round-robin"), 1),
        jobs_of(small, 2),
    )
    np.testing.assert_array_equal(first.submit_time, same.submit_time)
    assert (first.submit_time != other.submit_time).any()
    assert first.columns["requested_processors"].max() == 4
    assert set(first.columns["queue"].tolist()) == {2}


@pytest.mark.slow
def test_measures_and_their_order():
    """A run has a number for each measure, nan for what it lacks; setups that are alike are run once."""
    result = simulate_setup(SMALL, 0)
    found = measures_of(result)
    assert len(found) == len(MEASURES)
    assert found[TURNAROUND] == result.metrics["mean_turnaround"]
    assert np.isnan(found[MEASURES.index("local_slowdown")])
    told = []
    with Processes(1) as processes:
        tables = measure_setups({"a": SMALL, "b": SMALL}, 2, processes, lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]
    np.testing.assert_array_equal(tables["a"], tables["b"])
    np.testing.assert_array_equal(tables["a"][0], found)


@pytest.mark.slow
def test_without_unknowns_jobs_run_as_sdpn_believes():
    """In the bare world, FCFS on one cluster without owners, SDPN's waits are what happens."""
    setup = SMALL._replace(world=BARE, broker="first-fit")
    schedule = simulate_setup(setup, 0).schedule
    wait = schedule.start_time - schedule.delivered
    np.testing.assert_allclose(schedule.forecasts[0].wait, wait, atol=1e-6)
    calibrated = simulate_setup(setup._replace(world=ONE_SLOPE), 0).schedule
    assert calibrated.forecasts[0].run.sum() < 0.5 * (calibrated.end - calibrated.start_time).sum()


def test_spec_of_owners():
    """A share in percent, spread and moving, as a known spec; none without any."""
    assert owners_spec(0) == "none"
    for text in (owners_spec(30), owners_spec(60, spread="grouped"), owners_spec(100, moving=True)):
        assert local_users_named(text).spec


def test_platforms():
    """A preset, some clusters of one, and unequal nodes of ours."""
    assert len(platform_of(part_of("cisne-555", 2))) == 2
    (cluster,) = platform_of(UNEQUAL).clusters
    assert sorted(set(cluster.power.tolist())) == [0.5, 1.0]
    assert len(cluster) == 16


def test_every_case_is_run():
    """E2 has six brokers a case, E3 four rules and five limits a case, and four more where owners move."""
    owners = (0, 30, 100)
    selection = queue_setups.selection(owners)
    assert len(selection) == 2 * (1 + 2 + 1) * len(BROKERS)
    assert {setup.most_tasks for case, setup in selection.items() if case.platform == "555"} == {4}
    queueing = queue_setups.queueing(owners)
    assert len(queueing) == 4 * len(RULES) * len(LIMITS) + 4 * len(RULES)
    assert len(queue_setups.queueing(owners, more=False)) == 4 * len(RULES) * len(LIMITS)
    assert len(queue_setups.central(owners)) == 2 * 3 * 3
    assert next(iter(queue_setups.central(owners))).arrangement == queue_setups.TWO_LEVELS


@pytest.mark.slow
@pytest.mark.parametrize(
    "named", [queue_setups.baselines, queue_setups.co_allocations, queue_setups.predictors]
)
def test_every_arrangement_runs(named):
    """Each of what the thesis cites, announces or leaves open can be run."""
    for setup in named().values():
        assert np.isfinite(measures_of(simulate_setup(setup._replace(jobs=6), 1))[TURNAROUND])


@pytest.mark.slow
def test_large_jobs_are_there_for_a_co_allocation():
    """On 555 jobs of eight tasks run over several clusters if there is a way to, and are left out if not."""
    setups = queue_setups.co_allocations()
    one_phase = setups["555, with jobs of 8 tasks", "one phase, optimal"]
    with_it = simulate_setup(one_phase._replace(jobs=30), 0)
    assert not with_it.schedule.instance.dropped
    assert with_it.metrics["co_allocated_share"] > 0
    without = simulate_setup(one_phase._replace(jobs=30, co_allocate="none"), 0)
    assert without.schedule.instance.size.max() == 4


@pytest.mark.slow
def test_what_is_said_of_jobs_over_several_clusters():
    """One pair for each of them: what the program said, and what it took."""
    rule = co_allocation_named("optimal")
    setup = Setup("cisne-844", co_allocate="optimal", two_phase=True, jobs=40, world=BARE)
    noted = Noted(rule)
    schedule = simulate_setup(setup, 0, co_allocation=noted).schedule
    found = pairs(schedule, noted)
    places = schedule.places
    spread = sum(
        len(set(places.site[places.job == job].tolist())) > 1 for job in range(len(schedule.instance))
    )
    assert len(found) == spread > 0
    assert all(said > 0 and took > 0 for said, took in found)
    assert noted.name == "optimal"


def test_decisions_take_time_where_a_world_says_so():
    """Nine seconds for each choice by prediction, none for others; E1 as table 3.11 has it; E0 none."""
    chosen = {case.broker: decision_of(setup) for case, setup in queue_setups.selection((60,)).items()}
    assert chosen == {name: 0.0 if name in {"FFIT", "RR"} else 9.0 for name in BROKERS}
    assert [decision_of(setup_of(load, 30)) for load in LOADS] == [3.48, 8.95, 9.05]
    assert decision_of(setup_of("shared", 30, ONE_SLOPE)) == 0.0
    assert {decision_of(setup) for setup in queue_setups.central((0, 60)).values()} == {0.0}
    queued = simulate_setup(Setup("cisne-888", jobs=12, global_queue="b", limit="3"), 0).schedule
    done = np.arange(1, 13) * 9 + queued.instance.submit_time[0]
    # One after the other; who is decided may have to wait for the chosen cluster, too.
    assert (queued.delivered >= done - 1e-9).all()
    assert queued.delivered[0] == queued.instance.submit_time[0] + 9


def test_what_a_limit_counts():
    """Jobs held in the fitted world, those that wait in others or where the limit says so."""
    setup = Setup("cisne-888", limit="3")
    assert limit_of(setup) == "held:3"
    assert limit_of(setup._replace(world=ONE_SLOPE)) == "3"
    assert limit_of(setup._replace(limit="waiting:3")) == "3"
    assert limit_of(setup._replace(limit="unlimited")) == "unlimited"
    assert limit_of(setup._replace(limit="0")) == "0"


def test_contracts_are_those_of_the_world():
    """All memory in the fitted world, 65 % of it in the other, whatever the platform's own contract says."""
    for world, share in ((FITTED, 1.0), (ONE_SLOPE, 0.65)):
        platform = scenario_of(SMALL._replace(world=world), 0).instance.platform
        assert {cluster.contract.memory for cluster in platform.clusters} == {share}
        assert {cluster.contract.mpl for cluster in platform.clusters} == {4}
