"""Runs on trees of sites: who decides where, how it is said, what runs are called, and what they leave."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import echelon as ec
from echelon.errors import EchelonError
from echelon.experiments import manifest
from echelon.experiments.scenario import scenario_of
from echelon.experiments.scenario_file import scenario_from
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.resolved_case import resolve
from echelon.experiments.systems.grid import label_of_scenario
from echelon.experiments.systems.site_trees import control_settings, controller_table
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    InnerSite,
    Node,
    Processor,
    SharedCluster,
    TimeSharedMachine,
    Workstation,
)
from echelon.policies import Information

NODES = Hardware((Cluster((Node((Processor((Core(1e9),) * 4),)),) * 2),))
DESK = TimeSharedMachine(4)
LAB = SharedCluster((Workstation(),) * 4)


@pytest.fixture
def jobs():
    """Return a dozen jobs of one to four processors."""
    return ec.read_workload("lublin:jobs=12,processors=4,seed=3")


def tree(*inner, **sites):
    """Return a platform of sites, ``__`` in whose names stands for ``/``."""
    named = tuple(ec.Site(name.replace("__", "/"), resource) for name, resource in sites.items())
    return ec.Platform(named, "tree", inner=inner)


NESTED = tree(
    InnerSite("spain", broker="ml", admissible=0.5),
    desk=DESK,
    spain__a=4,
    spain__uab__n=NODES,
    spain__uab__m=8,
)


def brokers(jobs, platform, **said):
    """Return the broker of every inner site, by path."""
    table = controller_table(scenario_of(jobs, platform=platform, **said))
    return {path: one["broker"] for path, one in table.items()}


@pytest.mark.parametrize(
    ("said", "root", "spain", "uab"),
    [
        (None, "mpl", "ml", "mpl"),
        ("mct", "mct", "ml", "mct"),
        ("mct@spain/uab=mst", "mct", "ml", "mst"),
        ("@spain=mwt", "mpl", "mwt", "mpl"),
        ("@=mct@spain=mwt", "mct", "mwt", "mct"),
        ("mct@*=random", "mct", "random", "random"),
        ("mct@*=random@spain=ptt:w=0.2", "mct", "ptt:w=0.2", "random"),
        ({"": "mct", "spain/uab": ec.policies.broker_named("mst")}, "mct", "ml", "mst"),
    ],
)
def test_who_decides_where(jobs, said, root, spain, uab):
    """A run's word for an inner site goes before the platform's, that before the run's word for the root."""
    assert brokers(jobs, NESTED, broker=said) == {"": root, "spain": spain, "spain/uab": uab}


def test_defaults_of_each_inner_site(jobs):
    """Where all leaves below are time-shared machines that is `wall-time`, else `mpl`."""
    mixed = tree(lab__one=DESK, lab__two=DESK, grid__one=4, grid__two=DESK)
    assert brokers(jobs, mixed) == {"": "mpl", "lab": "wall-time", "grid": "mpl"}
    assert brokers(jobs, tree(lab__one=DESK, desk=DESK)) == {"": "wall-time", "lab": "wall-time"}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"broker": "mct@span=ml"}, "no inner site is named 'span'; did you mean 'spain'"),
        ({"broker": "mct@spain=lbal"}, "no broker is named 'lbal'"),
        ({"broker": "mct@spain="}, "broker: says nothing after 'spain'"),
        ({"broker": "a@spain=b@spain=c"}, "broker: names inner site 'spain' twice"),
        ({"broker": {1: "mct"}}, "broker: must name inner sites by their paths, got 1"),
        ({"broker": "exchange"}, "broker: exchange exchanges jobs that wait .* such as 'desk'"),
        ({"broker": "mct@spain=exchange"}, "'spain': exchange decides by itself .*'spain/uab' is a site of"),
        ({"broker": "mct@spain=min-min"}, "inner site 'spain': min-min (starts a copy)"),
        ({"broker": "wall-time"}, "inner site 'spain/uab': wall-time is for time-shared machines"),
        ({"admissible": "1@spain=2"}, "must be a number with 0 < a <= 1, alone or .* got '2'"),
        ({"decision_time": "soon"}, "decision-time: must be own, equal or a time"),
        ({"information": "all"}, "no level of information is named 'all'"),
        ({"information": "job-counts"}, "mpl needs job-sizes, but the sites below the root give job-counts"),
        ({"information": "@spain=sites"}, "ml needs job-counts, but the sites below 'spain' give sites at"),
        ({"cycles": "pyss"}, "pyss is the order of one machine"),
        ({"two_phase": True}, "applies to a multicluster"),
        ({"queue_limit": 3}, "queue-limit: limits the queues below a global queue, but there is none"),
        ({"refresh": "@spain=-1"}, "refresh: got '-1', expected seconds >= 0"),
    ],
)  # fmt: skip
def test_what_a_tree_refuses(jobs, said, problem):
    """Every wrong word is told in a sentence, with the site that it is about."""
    with pytest.raises(EchelonError, match=problem):
        scenario_of(jobs, platform=NESTED, **said)


def test_a_protocol_or_a_dispatcher_stands_where_a_broker_could(jobs):
    """What decides for the leaves right below is named as brokers are, by the run and by the platform."""
    platform = tree(
        InnerSite("spain/uab", broker="stealing:50"),
        desk__a=DESK,
        desk__b=DESK,
        spain__a=4,
        spain__uab__n=NODES,
    )
    given = {"broker": "mct@desk=wqr@spain/uab=exchange", "policy": "easy"}
    result = ec.simulate(jobs, platform=platform, **given)
    assert manifest(result)["broker"] == "mct@desk=wqr@spain/uab=exchange:easy"
    assert brokers(jobs, platform) == {
        "": "mpl",
        "desk": "wall-time",
        "spain": "mpl",
        "spain/uab": "stealing:50",
    }
    assert result.label.startswith("mct@desk=wqr")


@pytest.mark.parametrize(
    ("platform", "said", "problem"),
    [
        ([4, 4], {"broker": "mct@spain=ml"}, "all sites of platform .* are right below the root"),
        (None, {"broker": "mct@spain=ml"}, "applies to several sites"),
        (tree(a__b=4, c=4), {"place": "best-fit"}, "applies to nodes"),
        (tree(a__b=4, c=4), {"monitoring": "linear"}, "applies to time-shared machines"),
        (tree(a=DESK, b=DESK), {"policy": "easy"}, "applies to sites with queues"),
        ("cisne-16", {"information": "sites"}, "tat needs schedules, but the sites below the root"),
        ([4, 4], {"broker": "exchange", "information": "sites"}, "would not be used: under exchange"),
        ([4, 4], {"broker": "exchange", "decision_time": 1}, "would not be used: under exchange"),
        (tree(a=DESK, b=DESK), {"broker": "min-min", "information": "sites"}, "under min-min waiting jobs"),
    ],
)
def test_what_other_machines_refuse(jobs, platform, said, problem):
    """What a run would not use is refused in a sentence."""
    with pytest.raises(EchelonError, match=problem):
        scenario_of(jobs, platform=platform, **said)


def test_settings_apply_where_one_site_has_the_part(jobs):
    """Placement is for nodes, monitoring for time-shared machines, a policy for queues, wherever they are."""
    found = scenario_of(
        jobs, platform=NESTED, place="best-fit", monitoring="exponential", policy="easy", decision_time=2
    )
    assert found.nodes.placement.name == "best-fit"
    assert found.immediate.monitoring != scenario_of(jobs, platform=NESTED).immediate.monitoring
    assert {one.decision_time for one in found.system_model.controllers.values()} == {2.0}


def test_decisions_take_time_at_each_inner_site(jobs):
    """The run's word for a site, else the platform's, else the run's for the root, else the broker's own."""
    timed = tree(InnerSite("a", decision_time=3), a__one=4, b__one=4, c__one=4)
    said = {"decision_time": "1@b=2", "broker": "mct@c=mct:decision=7"}
    found = scenario_of(jobs, platform=timed, **said).system_model.controllers
    assert {path: one.decision_time for path, one in found.items()} == {"": 1, "a": 3, "b": 2, "c": 1}
    found = scenario_of(jobs, platform=timed, broker=said["broker"]).system_model.controllers
    assert {path: one.decision_time for path, one in found.items()} == {"": None, "a": 3, "b": None, "c": 7}


def test_a_global_queue_stands_where_it_is_named(jobs):
    """The run's word for the root is for the root alone; a limit holds below every global queue."""
    queued = tree(InnerSite("a", global_queue="fpfs", queue_limit=1), a__one=4, b__one=4, c=4)
    found = scenario_of(jobs, platform=queued, global_queue="nb", queue_limit=2).system_model.controllers
    told = {path: one.queue and (one.queue.rule.name, one.queue.limit.spec) for path, one in found.items()}
    assert told == {"": ("nb", "2"), "a": ("fpfs", "1"), "b": None}
    found = scenario_of(jobs, platform=queued, global_queue="@b=nb.rs").system_model.controllers
    assert [one.queue and one.queue.rule.name for one in found.values()] == [None, "fpfs", "nb.rs"]
    result = ec.simulate(jobs, platform=[4, 8], global_queue="fpfs", queue_limit=0, policy="easy")
    assert result.label == "fpfs limit=0 + mpl + easy"


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ({}, "@a=fpfs limit=1 + mpl + fcfs"),
        ({"global_queue": "nb"}, "nb @a=fpfs limit=1 + mpl + fcfs"),
        ({"global_queue": "@a=fpfs", "queue_limit": "@a=1"}, "@a=fpfs limit=1 + mpl + fcfs"),
        ({"co_allocate": "threshold"}, "@a=fpfs limit=1 co=threshold + mpl + fcfs"),
        (
            {"global_queue": "nb", "co_allocate": "threshold", "two_phase": True},
            "nb @a=fpfs limit=1 co=threshold two-phase + mpl + fcfs",
        ),
    ],
)
def test_every_global_queue_of_a_tree_is_in_its_label(jobs, said, label):
    """The run and the platform may name it: the label is the same, and tells how queues spread jobs."""
    queued = tree(InnerSite("a", global_queue="fpfs", queue_limit=1), a__one=LAB, a__two=LAB, b=4)
    assert label_of_scenario(scenario_of(jobs, platform=queued, **said)) == label


def test_a_flat_grid_whose_broker_takes_time(jobs):
    """Jobs of a flat grid wait for a broker that takes time, and for none that takes none."""
    at_once = ec.simulate(jobs, platform=[4, 8])
    slow = ec.simulate(jobs, platform=[4, 8], decision_time=10)
    assert slow.jobs["wait_time"].min() == 10
    assert at_once.jobs["wait_time"].min() == 0
    assert ec.simulate(jobs, platform=[4, 8], decision_time="own").engine == at_once.engine


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ({}, "mpl@spain=ml a=1.0@spain=0.5 + fcfs"),
        ({"broker": "ml", "admissible": "@*=1"}, "ml + fcfs"),
        ({"broker": "mct@*=ml", "admissible": 0.5, "policy": "easy"}, "mct@*=ml a=0.5 + easy"),
        ({"broker": "mct@spain=mct", "admissible": "@spain=1"}, "mct@spain=mct + fcfs"),
        (
            {"place": "best-fit", "policy": "easy", "admissible": "@spain=1"},
            "mpl@spain=ml + easy + best-fit",
        ),
    ],
)
def test_what_runs_on_a_tree_are_called(jobs, said, label):
    """Brokers and placement are named, those of inner sites where they are not the root's."""
    result = ec.simulate(jobs, platform=NESTED, **said)
    assert (result.label, result.engine) == (label, "reference")


def test_a_tree_of_time_shared_machines_names_no_policy(jobs):
    """No job waits there, so that no local policy has a say."""
    result = ec.simulate(jobs, platform=tree(lab__one=DESK, desk=DESK))
    assert result.label == "wall-time"
    assert manifest(result)["policy"] is None


@pytest.mark.slow
@pytest.mark.parametrize("platform", [NESTED, tree(a__one=4, a__two=4, b__one=4, b__two=DESK, c=4)])
def test_what_a_run_left_makes_it_again(jobs, platform):
    """The texts in `run.json` are those of the same run, whatever decided in which inner site."""
    inner = [path for path in platform.inner_paths if path]
    keys = ("broker", "admissible", "decision_time", "information", "refresh", "upper_queue", "queue_limit")
    choices = ["mct", "mpl", "ml", None]
    # At any two inner sites every two specs come together.
    for first, second in product(range(4), repeat=2):
        specs = [choices[place] for place in (first, second, (first + second) % 4)]
        said = {path: spec for path, spec in zip(["", *inner], specs, strict=True) if spec}
        times = {path: 2 for path, word in said.items() if word == "ml"}
        levels = {path: "job-counts" for path, word in said.items() if word == "ml" and path}
        made = ec.simulate(
            jobs,
            platform=platform,
            broker=said or None,
            decision_time=times or None,
            information=levels or None,
            refresh={path: 5 for path in times if path} or None,
            global_queue={path: "fpfs" for path, word in said.items() if word == "mpl"} or None,
            queue_limit={inner[0]: 3} if said.get(inner[0]) == "mpl" else None,
        )
        told = json.loads(json.dumps(manifest(made)))
        again = ec.simulate(jobs, platform=platform, **{key: told[key] for key in keys})
        assert again.scenario.system_model.controllers == made.scenario.system_model.controllers, told
        assert control_settings(again.scenario) == control_settings(made.scenario)
        assert again.jobs.equals(made.jobs)


def test_run_json_lists_all_controllers(jobs):
    """Every inner site has its broker and all else that decides there, by its path."""
    told = manifest(ec.simulate(jobs, platform=NESTED, broker="mct@spain/uab=ml", decision_time="@spain=2"))
    assert (told["broker"], told["decision_time"]) == ("mct@*=ml", "own@spain=2")
    assert told["controllers"]["spain"] == {
        "broker": "ml",
        "admissible": "0.5",
        "decision_time": "2",
        "information": "schedules",
        "refresh": "0",
        "global_queue": None,
        "queue_limit": "unlimited",
        "queues": None,
        "queue_order": "listed",
        "site_filter": "none",
    }
    assert list(told["controllers"]) == ["", "spain", "spain/uab"]
    assert "controllers" not in manifest(ec.simulate(jobs, platform=[4, 4]))


def test_a_scenario_file_names_inner_sites():
    """In TOML a table names brokers by path; it comes out as the text of the command line."""
    content = {
        "workload": "w.swf",
        "broker": {"": "mct", "spain/uab": {"name": "ptt", "w": 0.5}},
        "admissible": {"spain": 0.5},
        "decision_time": "2@spain=own",
        "information": "@spain=job-sizes",
    }
    found = scenario_from(content, Path("there/run.toml"))
    assert found["broker"] == "mct@spain/uab=ptt:w=0.5"
    assert (found["admissible"], found["decision_time"]) == ("@spain=0.5", "2@spain=own")
    with pytest.raises(EchelonError, match="information: no level of information is named 'much'"):
        scenario_from({**content, "information": "@spain=much"}, Path("run.toml"))
    with pytest.raises(EchelonError, match=r"broker: got 3, expected a broker"):
        scenario_from({**content, "broker": {"": 3}}, Path("run.toml"))
    with pytest.raises(EchelonError, match="expected a path without any of"):
        scenario_from({**content, "broker": {"a=b": "mct"}}, Path("run.toml"))


@pytest.mark.slow
def test_a_comparison_varies_inner_brokers(jobs):
    """Each alternative is a run with a name of its own; the table has the brokers."""
    many = ec.read_workload("lublin:jobs=80,processors=8,seed=3")
    said = ["mct", "mct@spain=mct", {"spain": "mst"}]
    found = ec.compare(many, platform=NESTED, brokers=said, policies=["easy"])
    frame = found.to_frame()
    assert frame["broker"].to_list() == ["mct@spain=ml", "mct@spain=mct", "mpl@spain=mst"]
    assert frame["place"].to_list() == ["first-fit"] * 3
    assert len({result.label for result in found.results}) == 3


def test_equal_decision_times_are_those_of_the_slowest_inner_broker(jobs):
    """Brokers of inner sites are compared, too."""
    found = ec.compare(
        jobs,
        platform=NESTED,
        brokers=["mct", "ml@spain=mct:decision=7"],
        policies=["easy"],
        decision_time="equal",
    )
    times = [
        one.decision_time for run in found.results for one in run.scenario.system_model.controllers.values()
    ]
    assert times == [7] * 6


def test_the_identity_of_a_run_has_its_controllers(tmp_path):
    """Another broker of an inner site is another input; the same one said otherwise is the same."""
    file = tmp_path / "tree.toml"
    file.write_text('[[site]]\nname = "a/b"\nprocessors = 4\n[[site]]\nname = "c"\nprocessors = 4\n')
    base = {"workload": "lublin:jobs=12,processors=4,seed=3", "platform": str(file)}

    def key(**said):
        return resolve(Case({**base, **said})).key

    assert key() == key(broker="mpl") == key(broker="mpl@a=mpl")
    others = [key(broker="@a=ml"), key(broker="ml"), key(decision_time="@a=2"), key(decision_time=2)]
    others += [key(broker="@a=ml", information="@a=job-counts"), key(admissible="1@a=0.5")]
    assert len({key(), *others}) == 7


def test_the_root_of_a_multicluster_may_be_named_in_its_file(jobs):
    """A flat multicluster takes the broker of its file, and what is said there of what it may choose from."""
    plain = ec.read_platform("cisne-16")
    named = ec.Platform(plain.sites, inner=(InnerSite("", broker="least-memory"),))
    assert scenario_of(jobs, platform=named).broker.name == "least-memory"
    assert scenario_of(jobs, platform=named, broker="tat").broker.name == "tat"
    half = ec.Platform(
        plain.sites, inner=(InnerSite("", broker="ml", admissible=0.5, information="job-counts"),)
    )
    found = scenario_of(jobs, platform=half)
    root = found.system_model.controllers[""]
    assert (found.admissible.factor, root.information) == (0.5, Information.JOB_COUNTS)
    assert scenario_of(jobs, platform=half, admissible=0.7).admissible.factor == 0.7


def test_shared_nodes_beside_other_sites(jobs):
    """Each kind of site takes the execution that is for it; what only a multicluster can do is refused."""
    both = tree(a__nodes=NODES, a__lab=LAB, other=4)
    found = scenario_of(jobs, platform=both, execution="time-shared:noise=0.1")
    assert (found.system_model.rules.shared.execution.noise, found.nodes.execution.spec) == (0.1, "fixed")
    told = manifest(ec.simulate(jobs, platform=both, execution="time-shared:noise=0.1"))
    assert told["execution"] == "time-shared:noise=0.1"
    assert manifest(ec.simulate(jobs, platform=both, execution="speed"))["execution"] == "speed"
    with pytest.raises(EchelonError, match="no global queue is right above clusters"):
        scenario_of(jobs, platform=both, co_allocate="threshold")
    spread = scenario_of(jobs, platform=both, co_allocate="threshold", two_phase=True, global_queue="@a=fcfs")
    assert (
        spread.system_model.controllers["a"].queue.two_phase,
        spread.system_model.controllers[""].queue,
    ) == (True, None)
    with pytest.raises(EchelonError, match="wait in or below a global queue, but there is none"):
        scenario_of(jobs, platform=both, longest_stay=60)
    staying = scenario_of(jobs, platform=both, longest_stay=60, global_queue="@a=fcfs")
    assert staying.system_model.controllers["a"].queue.longest_stay == 60


def test_a_multicluster_within_another(jobs):
    """Nested clusters are a tree, whose inner sites may have queues and levels of their own."""
    nested = tree(a__lab=LAB, b=LAB)
    result = ec.simulate(jobs, platform=nested, global_queue="nb@a=fpfs", queue_limit=2, local_users="none")
    assert result.label == "nb limit=2 @a=fpfs limit=2 + mpl + fcfs"
    assert manifest(result)["upper_queue"] == "nb@a=fpfs"
    with pytest.raises(EchelonError, match="mpl needs job-sizes"):
        scenario_of(jobs, platform=nested, information="@a=sites")


def test_identities_tell_shared_nodes_and_nodes_apart(tmp_path):
    """The execution of shared nodes and that of nodes beside them are both part of the input."""
    file = tmp_path / "both.toml"
    node = 'processor = { cores = 4, clock = "2 GHz" }'
    lab = '[[site]]\nname = "lab"\ncontract = { mpl = 2, memory = 0.5 }\n[[site.node]]\ncount = 4\n'
    file.write_text(f'[[site]]\nname = "a/nodes"\n[[site.node]]\n{node}\n{lab}memory = "8 GB"\n')
    base = {"workload": "lublin:jobs=12,processors=4,seed=3", "platform": str(file)}
    models = [None, "time-shared:noise=0.1", "speed", "fixed"]
    keys = [resolve(Case({**base, **({"execution": one} if one else {})})).key for one in models]
    assert keys[0] == keys[3]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    "said",
    [
        {"refresh": "60"},
        {"admissible": 0.5},
        {"information": "job-sizes"},
        {"site_filter": "not-running:same"},
        {"decision_time": 2},
    ],
)
def test_what_is_said_of_the_root_does_not_hold_for_a_protocol_below(jobs, said):
    """It is for the root's broker, and run.json tells so in a text that makes the run again."""
    platform = tree(a__x=4, a__y=4, b=4)
    given = {"platform": platform, "broker": "mpl@a=common-pool", "policy": "easy"}
    result = ec.simulate(jobs, **given, **said)
    told = manifest(result)
    name = next(iter(said))
    assert told[name].split("@")[0] == told["controllers"][""][name]
    assert told["controllers"]["a"] == controller_table(scenario_of(jobs, **given))["a"]
    again = manifest(ec.simulate(jobs, **given, **{name: told[name]}))
    assert again["controllers"] == told["controllers"]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (
            {"site_filter": "@a=not-running:same"},
            "site-filter: is for brokers; common-pool .* site 'a'",
        ),
        ({"refresh": "@a=9"}, "refresh: is for brokers; common-pool decides by itself .* inner site 'a'"),
        ({"global_queue": "fcfs", "queue_limit": "1@a=2"}, "queue-limit: .* there is none at inner site 'a'"),
        ({"refresh": "-5"}, "refresh: got '-5', expected seconds >= 0"),
        ({"broker": "mct@=ml"}, "broker: names the root twice"),
    ],
)
def test_what_would_not_be_used_names_its_inner_site(jobs, said, problem):
    """What is said of a protocol, or of a queue that is not there, is refused and not passed over."""
    given = {"platform": tree(a__x=4, a__y=4, b=4), "broker": "mpl@a=common-pool"} | said
    with pytest.raises(EchelonError, match=problem):
        scenario_of(jobs, **given)


def test_an_order_of_queues_is_one_of_several_queues(jobs):
    """Said of the root, it changes no single queue below, nor what that is called."""
    platform = tree(InnerSite("a", global_queue="fcfs"), a__x=4, a__y=4, b=4)
    said = {"platform": platform, "queues": "small(tasks(most=2)); rest", "queue_order": "oldest"}
    result = ec.simulate(jobs, **said)
    assert result.label.startswith("fcfs queues=small,rest @a=fcfs + mpl")
    told = manifest(result)
    assert told["controllers"]["a"]["queue_order"] == "listed"
    assert ec.simulate(jobs, **(said | {"queue_order": told["queue_order"]})).label == result.label


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ({"queue_limit": 3}, "queue_limit"),
        ({"queue_order": "oldest"}, "queue_order"),
        ({"longest_stay": 60.0}, "longest_stay"),
    ],
)
def test_what_a_group_says_of_a_queue_that_it_lacks_is_refused(jobs, said, attribute):
    """A limit, an order or a stay of a global queue is refused at an inner site that has no such queue."""
    platform = tree(InnerSite("spain", **said), spain__a=4, spain__b=4)
    with pytest.raises(EchelonError, match=f"inner site 'spain', {attribute}: applies to a global queue"):
        scenario_of(jobs, platform=platform)
