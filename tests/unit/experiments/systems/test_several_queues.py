"""Several queues, filters, weights and old news as users say them: specs, files, manifests, refusals."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.experiments import manifest
from echelon.experiments.systems.site_trees import control_settings
from echelon.model import InnerSite, Platform, SharedCluster, Site, SocialContract, Workstation
from echelon.platforms.platform_writer import write_platform
from echelon.platforms.serialization import platform_from_dict, to_dict
from echelon.policies.global_queue.several import job_queues

LAB = SharedCluster((Workstation(),) * 2, SocialContract(mpl=2))
LABS = Platform((Site("a", LAB, ptt_weight=0.25), Site("b", LAB)), "labs")
QUEUES = "small(tasks(most=1), rule=fpfs, broker=round-robin); big(limit=2)"


@pytest.fixture
def jobs():
    """Return twelve jobs of one to two tasks that come faster than they end, of two executables."""
    return ec.Workload.from_columns(
        name="twelve",
        submit_time=range(12),
        run_time=[20, 10, 30, 10, 20, 10, 5, 10, 7, 9, 11, 13],
        requested_time=[40, 20, 30, 20, 40, 20, 10, 20, 14, 9, 11, 13],
        processors=[2, 1, 2, 1, 1, 2, 1, 2, 1, 2, 1, 2],
        executable=[1, 2] * 6,
    )


ON = {
    "grid": [2, 4],
    "multicluster": LABS,
    "tree": Platform((Site("g/a", 2), Site("g/b", 4), Site("c", 2)), "tree"),
}


@pytest.mark.parametrize("on", ON)
@pytest.mark.parametrize(
    "said",
    [
        {"queues": QUEUES, "queue_order": "rotating", "queue_limit": 0},
        {"queues": job_queues(QUEUES), "site_filter": "not-running:same"},
        {"site_filter": "not-running:same+not-running:7", "refresh": 15},
    ],
    ids=["queues", "rules", "filters"],
)
def test_a_manifest_makes_the_same_run_again(jobs, on, said):
    """On a grid, a multicluster and a tree: what run.json says gives the same starts at the same sites."""
    one = ec.simulate(jobs, platform=ON[on], broker="ml", **said)
    told = manifest(one)
    names = ("broker", "upper_queue", "queue_limit", "queues", "queue_order", "site_filter", "refresh")
    again = {name: told[name] for name in names if told.get(name) is not None}
    two = ec.simulate(jobs, platform=platform_from_dict(told["platform"]), **again)
    assert two.jobs.equals(one.jobs)
    assert two.label == one.label
    if "queues" in said:
        assert told["queues"] == QUEUES
        assert one.label.endswith("queues=small,big + ml + fcfs")


@pytest.mark.parametrize("on", ["grid", "multicluster"])
def test_specs_reach_the_run(jobs, on):
    """Each of them changes a schedule."""
    plain = ec.simulate(jobs, platform=ON[on], broker="ml", global_queue="fcfs", queue_limit=0)
    for said in (
        {"queues": "small(tasks(most=1)); big"},
        {"queues": "odd(type(1)); even", "queue_order": "rotating"},
        {"site_filter": "not-running:same"},
    ):
        other = ec.simulate(
            jobs, platform=ON[on], broker="ml", queue_limit=0, **{"global_queue": "fcfs"} | said
        )
        assert not other.jobs.equals(plain.jobs), said
        assert other.engine == "reference"


def test_an_inner_site_has_queues_of_its_own(jobs):
    """Of the platform or of the run; what is said of the root is for the root alone."""
    platform = Platform(
        ON["tree"].sites,
        "tree",
        inner=(InnerSite("g", queues="small(tasks(most=1)); big", queue_order="oldest", site_filter="none"),),
    )
    told = ec.simulate(jobs, platform=platform, broker="ml")
    controls = control_settings(told.scenario)
    assert controls["queues"] == "@g=small(tasks(most=1)); big"
    said = ec.simulate(
        jobs, platform=ON["tree"], broker="ml", queues="@g=small(tasks(most=1)); big", queue_order="@g=oldest"
    )
    assert said.jobs.equals(told.jobs)
    root = ec.simulate(jobs, platform=ON["tree"], broker="ml", queues="all")
    table = manifest(root)["controllers"]
    assert (table[""]["queues"], table["g"]["queues"]) == ("all", None)


def test_platform_files_have_them(tmp_path):
    """Queues, their order and filters of inner sites, and weights of both kinds come back."""
    platform = Platform(
        (Site("g/a", 4, ptt_weight=0.5), Site("g/b", LAB, ptt_weight=0.0), Site("c", 4)),
        "weighed",
        inner=(InnerSite("g", queues=QUEUES, queue_order="oldest", site_filter="mpl-below:3", ptt_weight=1),),
    )
    path = write_platform(platform, tmp_path / "weighed.toml")
    assert ec.read_platform(path) == platform
    assert platform_from_dict(to_dict(platform)) == platform
    assert "ptt_weight = 0.5" in path.read_text()


def test_queues_are_tables_of_a_platform_file(tmp_path):
    """They are the specs; what is wrong is told with its line."""
    path = tmp_path / "queues.toml"
    sites = '[[site]]\nname = "a"\nprocessors = 4\n[[site]]\nname = "b"\nprocessors = 4\n'
    path.write_text(
        '[[group]]\npath = ""\n[[group.queue]]\nname = "small"\njobs = ["tasks(most=1)", "time(most=2h)"]\n'
        'global_queue = "fpfs"\nbroker = "ptt:w=0.2"\nqueue_limit = 2\nsite_filter = "mpl-below:3"\n'
        f'[[group.queue]]\nname = "rest"\n{sites}'
    )
    (root,) = ec.read_platform(path).inner
    assert job_queues(root.settings["queues"]) == job_queues(
        "small(tasks(most=1), time(most=7200), rule=fpfs, broker=ptt:w=0.2, limit=2, sites=mpl-below:3); rest"
    )
    path.write_text(
        f'[[group]]\npath = ""\nqueues = "all"\n[[group.queue]]\njobs = 3\nrule = "fcfs"\n'
        f'[[group.queue]]\nname = "k; l"\n{sites}'
    )
    with pytest.raises(InputError) as refused:
        ec.read_platform(path)
    for part in (
        "line 3, group 1, queues: got both a spec and tables of queues",
        "line 5, group 1, queue 1, jobs: got 3, expected the spec of a criterion",
        "line 6, group 1, queue 1: unknown key 'rule'",
        "queue 1, name: is missing",
        "queue 2, name: got 'k; l', expected a name of letters, digits, - and _",
    ):
        assert part in str(refused.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ptt_weight = 2", "line 4, site 1, ptt_weight: got 2, expected a number from 0 to 1"),
        ('ptt_weight = "half"', "expected a number from 0 to 1"),
    ],
)
def test_a_wrong_weight_is_told_with_its_line(tmp_path, line, problem):
    """As all that is wrong in a platform file."""
    path = tmp_path / "wrong.toml"
    path.write_text(f'[[site]]\nname = "a"\nprocessors = 4\n{line}\n[[site]]\nname = "b"\nprocessors = 4\n')
    with pytest.raises(InputError, match=problem):
        ec.read_platform(path)


def test_a_weight_of_the_root_is_refused():
    """There is no broker above that could use it."""
    with pytest.raises(InputError, match="has no broker above it"):
        InnerSite("", ptt_weight=0.5)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"queue_order": "oldest"}, "queue-order: says which of several global queues"),
        ({"queues": "a; a"}, "names queue 'a' twice"),
        ({"queues": "a(broker=exchange:easy)"}, "global queue is served by a broker, and"),
        ({"queues": "a(tasks(least=99))"}, "no job is left to simulate"),
        ({"queues": "a@x=b"}, "names 'x', but all sites"),
        ({"queues": "a(broker=mct)", "information": "job-counts", "broker": "ml"}, "the broker mct needs"),
        ({"site_filter": "mpl-below:0"}, "must be a whole number >= 1"),
        ({"queue_order": "random", "queues": "a"}, "order of queues"),
        ({"site_filter": "load:3"}, "site filter"),
    ],
)
def test_wrong_specs_are_one_sentence(jobs, given, problem):
    """Before anything is simulated."""
    with pytest.raises((InputError, UnknownNameError), match=problem):
        ec.simulate(jobs, platform=[2, 4], **given)


def test_an_order_of_one_queue_is_refused_on_a_multicluster(jobs):
    """Nothing would follow it, so that it is refused as on other sites."""
    with pytest.raises(InputError, match="queue-order: says which of several global queues"):
        ec.simulate(jobs, platform="cisne-16", queue_order="oldest")


@pytest.mark.parametrize("name", ["queues", "queue_order", "site_filter"])
def test_they_are_for_several_sites_under_brokers(jobs, name):
    """One machine has no sites to choose from, and under a protocol nobody chooses."""
    given = {name: {"queues": "a", "queue_order": "oldest", "site_filter": "not-running:same"}[name]}
    with pytest.raises(InputError, match="applies to several sites"):
        ec.simulate(jobs, processors=4, **given)
    with pytest.raises(InputError, match="would not be used: under"):
        ec.simulate(jobs, platform=[2, 4], broker="exchange:easy", **given)


def test_a_broker_that_no_queue_asks_is_refused(jobs):
    """Clusters take jobs themselves under pull, unless another queue has a rule that asks."""
    with pytest.raises(InputError, match="would not be used: under the global queue pull"):
        ec.simulate(jobs, platform=LABS, broker="tat", queues="a(tasks(most=1), rule=pull); b(rule=pull)")
    ec.simulate(jobs, platform=LABS, broker="tat", queues="a(tasks(most=1), rule=pull); b")


@pytest.mark.parametrize("on", ON)
def test_strict_refuses_jobs_that_no_queue_takes(jobs, on):
    """As jobs that no site can hold; without it they are left out, and told in one sentence."""
    said = {"platform": ON[on], "queues": "small(tasks(most=1))"}
    (dropped,) = ec.simulate(jobs, **said).instance.dropped
    why = "no place in any global queue: they meet the criteria of none"
    assert (dropped.count, dropped.reason, dropped.first) == (6, why, "1")
    problem = rf"^twelve: strict: a simulation would drop jobs: 6 with {why} \(first: job 1\)$"
    with pytest.raises(InputError, match=problem):
        ec.simulate(jobs, strict=True, **said)
    assert len(ec.simulate(jobs, strict=True, platform=ON[on], queues=QUEUES).schedule.start_time) == 12


@pytest.mark.parametrize(
    "given",
    [
        {"site_filter": "mpl-below:2"},
        {"site_filter": "not-running:same+memory-below:0.5"},
        {"queues": "a(tasks(most=1), sites=mpl-below:2); b"},
    ],
)
def test_filters_of_shared_nodes_need_some(jobs, given):
    """Where no site has shared nodes every site would pass; beside one that has some they are of use."""
    with pytest.raises(InputError, match=r"would leave out no site: m.*-below is for sites of shared nodes"):
        ec.simulate(jobs, platform=[4, 4], **given)
    assert ec.simulate(jobs, platform=Platform((*LABS.sites, ec.Site("counted", 4))), **given)
    site = InnerSite("", **given)
    with pytest.raises(InputError, match=r"inner site '', .* would leave out no site"):
        ec.simulate(jobs, platform=Platform((ec.Site("a", 4), ec.Site("b", 4)), inner=(site,)))
