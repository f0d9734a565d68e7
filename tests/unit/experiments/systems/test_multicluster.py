"""simulate and compare on multiclusters: what they are told, what they refuse, and that they repeat."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.execution import TimeShared, time_shared_of
from echelon.experiments import manifest
from echelon.experiments.folders.manifest import without_passwords
from echelon.experiments.settings.multicluster import ON_SHARED_NODES
from echelon.experiments.settings.setting import OF_SITES
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.resolved_case import resolve
from echelon.experiments.systems.multicluster import (
    global_queue_label,
    multicluster_rules_of,
    multicluster_settings,
)
from echelon.history import experiences_of, open_history
from echelon.model import Platform, SharedCluster, Site, SocialContract, Workstation
from echelon.policies.global_queue.limit import AtMost

CHOICES = tuple(setting.stored for setting in ON_SHARED_NODES)
TWO = Platform(
    tuple(
        Site(name, SharedCluster((Workstation(),) * nodes, SocialContract(mpl=2)))
        for name, nodes in (("a", 2), ("b", 3))
    ),
    "two",
)


@pytest.fixture
def jobs():
    """Return eight jobs of one to four tasks, submitted faster than they end; the last is too large."""
    return ec.Workload.from_columns(
        name="eight",
        submit_time=range(8),
        run_time=[20, 10, 30, 10, 20, 10, 5, 10],
        requested_time=[40, 20, 30, 20, 40, 20, 10, 20],
        processors=[2, 1, 3, 2, 1, 4, 3, 6],
        user=[1, 2, 1, 2, 1, 2, 1, 2],
    )


def test_what_is_told_is_in_the_rules():
    """Specs become rules, and rules the same specs."""
    given = {
        "global_queue": "nb.rs",
        "queue_limit": 3,
        "co_allocate": "threshold",
        "two_phase": True,
        "longest_stay": 60.0,
        "local_users": "xwindows+internet:share=0.3",
        "watch": "ibl,li",
        "execution": "time-shared:noise=0.1",
    }
    rules = multicluster_rules_of(TWO, given, decision_time=9)
    assert multicluster_settings(rules) == {
        "upper_queue": "nb.rs",
        "queue_limit": "3",
        "co_allocate": "threshold",
        "two_phase": True,
        "longest_stay": 60,
        "local_users": "xwin-internet:share=0.3",
        "execution": "time-shared:noise=0.1",
        "watch": ["ibl", "li"],
        "past_experiences": 0,
        "decision_time": 9.0,
        **dict.fromkeys(("queues", "queue_order", "site_filter")),
    }
    assert global_queue_label(rules) == "nb.rs limit=3 co=threshold two-phase"


def test_the_usual_rules():
    """By default first come, first served, to queues without limit; no label is needed for that."""
    rules = multicluster_rules_of(TWO, {})
    assert (rules.global_queue.name, rules.limit, rules.co_allocation) == ("fcfs", AtMost(), None)
    assert (rules.longest_stay, rules.local_users.spec, rules.watched) == (math.inf, "none", ())
    assert rules.execution == TimeShared()
    assert global_queue_label(rules) == ""
    assert multicluster_settings(None) == dict.fromkeys(CHOICES)


@pytest.mark.parametrize("field", ["global_queue", "queue_limit", "longest_stay"])
def test_one_machine_has_no_global_queue(jobs, field):
    """A global queue stands above several sites, of any kind."""
    with pytest.raises(InputError, match=rf"{field.replace('_', '-')}: .* applies to several sites"):
        ec.simulate(jobs, processors=8, **{field: "fcfs"})


@pytest.mark.parametrize(
    "field", [setting.name for setting in ON_SHARED_NODES if setting.scope is not OF_SITES]
)
def test_elsewhere_it_is_refused(jobs, field):
    """On one machine and on a grid each option is one sentence."""
    given = {"two_phase": True}.get(field, "fcfs")
    for machine in ({"processors": 8}, {"platform": [4, 8]}):
        with pytest.raises(InputError, match=rf"{field.replace('_', '-')}: .* applies to a multicluster"):
            ec.simulate(jobs, **machine, **{field: given})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"place": "best-fit"}, "place: 'best-fit' applies to nodes of which jobs hold cores"),
        ({"power_cap": 30.0}, "power-cap: 30.0 applies to nodes of which jobs hold cores"),
        ({"execution": "speed"}, "no execution on shared nodes is named 'speed'"),
        ({"execution": 3}, "must be a spec or an execution on shared nodes"),
        ({"admissible": 2}, "must be a number with 0 < a <= 1"),
        ({"two_phase": True}, "needs a co-allocation"),
        ({"longest_stay": 0.0}, "expected seconds > 0"),
        ({"longest_stay": "an hour"}, "longest-stay: got 'an hour', expected seconds > 0"),
        ({"history": 5}, "history: must be a file, .*, got 5"),
        ({"queue_limit": "-1"}, "must be a whole number >= 0, got -1"),
        ({"watch": "ibl,ibl"}, "must all be different"),
        ({"broker": "exchange:latency=3"}, "shared with owners and other jobs and cannot be held"),
        ({"strict": True}, "strict: a simulation would drop jobs"),
    ],
)
def test_wrong_choices_are_one_sentence(jobs, given, problem):
    """What a multicluster cannot do is told before anything is simulated."""
    with pytest.raises((InputError, UnknownNameError), match=problem):
        ec.simulate(jobs, platform=TWO, **given)


def test_shared_execution_is_refused_elsewhere(jobs):
    """Time sharing is for shared nodes."""
    with pytest.raises(InputError, match="is for shared nodes"):
        ec.simulate(jobs, platform="irmasim-a", execution="time-shared")
    assert time_shared_of(TimeShared(noise=0.1)).noise == 0.1


def test_a_run_and_its_repetition(jobs):
    """The same seed gives the same tables; only the time that forecasts took differs."""
    told = {
        "platform": TWO, "estimator": "sdpn", "watch": "ibl,hanzich", "upper_queue": "nb.rs",
        "queue_limit": 2, "local_users": "xwin:share=0.5:period=10", "co_allocate": "threshold",
        "execution": "time-shared:noise=0.2", "seed": 3,
    }  # fmt: skip
    one, two = ec.simulate(jobs, **told), ec.simulate(jobs, **told)
    for table in ("jobs", "sites", "nodes", "places"):
        assert getattr(one, table).equals(getattr(two, table))
    assert one.forecasts.drop("seconds").equals(two.forecasts.drop("seconds"))
    assert one.metrics == two.metrics
    assert one.label == "nb.rs limit=2 co=threshold + tat + fcfs"
    assert one.accuracy["estimator"].unique(maintain_order=True).to_list() == ["sdpn", "ibl", "hanzich"]
    assert one.metrics["co_allocated_share"] > 0
    assert one.metrics["local_slowdown"] > 1
    assert [drop.count for drop in one.instance.dropped] == [1]
    other = ec.simulate(jobs, **{**told, "seed": 4})
    assert not one.jobs.equals(other.jobs)


def test_the_manifest_tells_all_of_it(jobs):
    """run.json has the value of every option; of a run elsewhere they are null."""
    run = manifest(ec.simulate(jobs, platform=TWO, broker="ptt:w=0.25", queue_limit="stable", watch=["li"]))
    assert (run["broker"], run["upper_queue"], run["queue_limit"]) == ("ptt:w=0.25", "fcfs", "stable")
    assert (run["execution"], run["watch"], run["history"]) == ("time-shared", ["li"], None)
    assert run["past_experiences"] == 0
    elsewhere = manifest(ec.simulate(jobs, processors=8))
    assert {elsewhere[name] for name in (*CHOICES, "past_experiences")} == {None}


def test_a_history_is_learned_from_and_added_to(jobs, tmp_path):
    """A second run knows the jobs of the first, on a platform of the same name; runs are numbered."""
    history = tmp_path / "past.db"
    first = ec.simulate(jobs, platform=TWO, estimator="li", history=history)
    second = ec.simulate(jobs, platform=TWO, estimator="li", history=str(history))
    assert [run.metrics["jobs"] for run in (first, second)] == [6, 6]
    assert [len(run.scenario.multicluster.past) for run in (first, second)] == [0, 6]
    assert second.metrics["run_deviation"] < first.metrics["run_deviation"]
    assert manifest(second)["past_experiences"] == 6
    assert manifest(second)["history"] == str(history)
    elsewhere = ec.simulate(jobs, platform=replace(TWO, name="three"), estimator="li", history=history)
    assert len(elsewhere.scenario.multicluster.past) == 0


@pytest.mark.slow
def test_no_run_of_a_comparison_learns_from_another(jobs, tmp_path):
    """All know the same past, and all are recorded."""
    history = tmp_path / "past.db"
    told = {"platform": TWO, "estimator": "li", "history": history}
    found = ec.compare(jobs, global_queue=["nb", "nb.rs"], queue_limit=[1, "unlimited"], **told)
    assert [len(run.scenario.multicluster.past) for run in found.results] == [0] * 4
    assert [run.label for run in found.results] == [
        "nb limit=1 + tat + fcfs", "nb + tat + fcfs", "nb.rs limit=1 + tat + fcfs", "nb.rs + tat + fcfs",
    ]  # fmt: skip
    assert found.to_frame()["queue_limit"].to_list() == ["1", "unlimited"] * 2
    again = ec.simulate(jobs, **told)
    assert len(again.scenario.multicluster.past) == 4 * 6


def test_several_brokers_and_policies(jobs):
    """Each is run with each; the same upper queue twice is refused."""
    found = ec.compare(jobs, platform=TWO, brokers=["tat", "round-robin"], policies=["fcfs", "easy"])
    assert len(found.results) == 4
    with pytest.raises(InputError, match="must all be different, got 'nb' twice"):
        ec.compare(jobs, platform=TWO, global_queue=["nb", "nb"])
    with pytest.raises(InputError, match="needs at least one, got none"):
        ec.compare(jobs, platform=TWO, queue_limit=[])


def test_passwords_are_in_no_manifest():
    """An address of a database on the command line is told without its password."""
    arguments = ["echelon", "run", "--history", "postgresql://me:s3cr3t@host/db?x=1", "a@b:c"]
    assert without_passwords(arguments)[3] == "postgresql://me:***@host/db?x=1"
    assert without_passwords(arguments)[4] == "a@b:c"


def test_the_own_estimator_is_asked_once(jobs):
    """Watching the run's own estimator changes nothing: it is asked anyway."""
    one = ec.simulate(jobs, platform=TWO, estimator="sdpn", watch="sdpn,li")
    assert one.accuracy["estimator"].unique(maintain_order=True).to_list() == ["sdpn", "li"]
    assert one.accuracy["jobs"].to_list() == [6] * 6


def test_one_job_and_no_job():
    """One job runs at once; a workload none of whose jobs fits is refused with the reason."""
    one = ec.Workload.from_columns(submit_time=[0], run_time=[10], requested_time=[10], processors=[2])
    result = ec.simulate(one, platform=TWO, estimator="sdpn")
    assert result.metrics["mean_mpl"] == 1
    assert result.accuracy["deviation"].to_list() == [0, 0, 0]
    large = ec.Workload.from_columns(submit_time=[0], run_time=[10], requested_time=[10], processors=[9])
    with pytest.raises(InputError, match="no job is left to simulate"):
        ec.simulate(large, platform=TWO)


def test_clusters_may_exchange_jobs_without_a_global_queue(jobs):
    """A protocol right above clusters of shared nodes names each job's home; there is no global queue."""
    result = ec.simulate(jobs, platform=TWO, broker="exchange:easy")
    told = ec.experiments.manifest(result)
    assert (told["broker"], result.label) == ("exchange:easy", "exchange:easy")
    assert "global_queue" not in told
    assert (result.schedule.home_site >= 0).all()
    assert result.schedule.places is not None


@pytest.mark.slow
def test_what_may_be_chosen_from_and_what_clusters_tell(jobs, tmp_path):
    """Of two clusters the smaller takes all that it can hold; run.json, axes and a history keep both."""
    said = {"admissible": 0.4, "information": "job-counts", "broker": "ml"}
    free = ec.simulate(jobs, platform=TWO, broker="ml").schedule.site.tolist()
    result = ec.simulate(jobs, platform=TWO, **said)
    assert result.label == "ml a=0.4 + fcfs"
    told = manifest(result)
    assert {name: told[name] for name in said} == said
    small = jobs.processors[result.instance.kept] <= 2
    assert result.schedule.site.tolist() == np.where(small, 0, 1).tolist() != free
    again = ec.simulate(jobs, platform=TWO, **{name: told[name] for name in said})
    assert again.schedule.start_time.tolist() == result.schedule.start_time.tolist()
    assert manifest(ec.simulate(jobs, platform=TWO)).get("information") is None
    with pytest.raises(InputError, match="the broker tat needs schedules, but the sites below the root give"):
        ec.simulate(jobs, platform=TWO, information="estimates")
    past = ec.simulate(jobs, platform=TWO, history=f"sqlite:///{tmp_path / 'past.db'}", **said)
    assert (past.scenario.admissible.factor, manifest(past)["information"]) == (0.4, "job-counts")
    both = ec.compare(jobs, platform=TWO, broker="ml", admissible=[1, 0.4])
    assert [run.schedule.site.tolist() for run in both.results] == [free, result.schedule.site.tolist()]


def test_keys_of_cases_tell_what_clusters_may_be_chosen_from(tmp_path):
    """A study runs each share and each level once, whatever texts say them."""
    file = tmp_path / "two.toml"
    nodes = '[[site]]\nname = "{}"\ncontract = {{ mpl = 2 }}\n[[site.node]]\ncount = {}\n'
    file.write_text(nodes.format("a", 2) + nodes.format("b", 3))
    base = {"workload": "lublin:jobs=12,processors=2,seed=3", "platform": str(file), "broker": "ml"}

    def key(**said):
        return resolve(Case({**base, **said})).key

    assert key() == key(admissible=1) == key(information="schedules")
    assert len({key(), key(admissible=0.5), key(information="job-sizes"), key(information="job-counts")}) == 4


def test_a_mixed_tree_is_kept_whole_and_forecasts_learn_from_shared_nodes(jobs, tmp_path):
    """All jobs are in the history, those on shared nodes as they were learned; a second run knows these."""
    shared, beside = TWO.sites[0], Site("center", 4)
    told = {"platform": Platform((shared, beside), "mixed"), "broker": "round-robin", "estimator": "li"}
    history = tmp_path / "past.db"
    first = ec.simulate(jobs, **told, history=history)
    schedule = first.schedule
    beside = sorted(set(range(len(schedule.instance))) - set(schedule.places.job.tolist()))
    with open_history(history) as past:
        kept = past.experiences(platform="mixed")
        learned = past.experiences(platform="mixed", sites=[shared.name])
    assert 0 < len(beside) < len(kept) == len(schedule.instance)
    assert sorted(learned) == sorted(schedule.experiences)
    told_of = experiences_of(schedule)
    assert sorted(kept) == sorted([*learned, *(told_of[job] for job in beside)])
    waits = schedule.start_time - schedule.instance.submit_time
    assert [told_of[job].wait for job in beside] == waits[beside].tolist()
    second = ec.simulate(jobs, **told, history=history)
    assert list(second.scenario.system_model.rules.shared.past) == learned
    assert manifest(second)["past_experiences"] == len(learned)
