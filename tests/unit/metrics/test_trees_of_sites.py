"""What a run on a tree of sites measures: figures by hand, sums over sites, and sites run alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.metrics.schedule.node_metrics import INSIDE_METRICS
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Node,
    Platform,
    Processor,
    Site,
    TaskGroup,
    TimeSharedMachine,
    Workload,
)
from echelon.model.machines.power import idle_power


def nodes(count: int, cores: int, *, power: float = 0.0) -> Hardware:
    """Return nodes of one processor; if they draw `power`, each held core draws 5 W more."""
    core = Core(1e9, dynamic_power=5.0 if power else 0.0)
    return Hardware((Cluster((Node((Processor((core,) * cores, static_power=power),)),) * count),))


def run_at_home(platform: Platform, homes: list[str], **columns: list[int]) -> ec.Result:
    """Return a run in which each job goes to the site that is its home."""
    codes = [platform.index(name) + 1 for name in homes]
    jobs = replace(
        Workload.from_columns(**columns).with_columns(partition=codes), names={"partition": platform.names}
    )
    return ec.simulate(jobs, platform=platform, broker="home", policy="easy")


BESIDES = Platform(
    (Site("x/known", nodes(1, 2, power=10)), Site("x/unknown", nodes(1, 2)), Site("plain", 3)), "three"
)


@pytest.fixture(scope="module")
def by_hand():
    """Return a run of a job in a node of known power, one in a node of unknown power, one on processors."""
    return run_at_home(
        BESIDES,
        ["x/known", "x/unknown", "plain"],
        submit_time=[0, 0, 0],
        run_time=[100, 50, 200],
        requested_time=[200, 200, 200],
        processors=[1, 2, 3],
    )


def test_energy_is_that_of_sites_of_known_power(by_hand):
    """10 W for 200 s and 5 W more for 100 s: the job has 1500 J of it, and no other job or site has any."""
    found = by_hand.metrics
    assert (found["energy"], found["idle_energy"], found["mean_job_energy"]) == (2500, 1000, 1500)
    assert (found["mean_power"], found["peak_power"]) == (12.5, 15)
    assert by_hand.sites["energy"].to_list() == [2500, None, None]
    assert by_hand.nodes["energy"].to_list() == [2500, None]
    assert by_hand.jobs["energy"].to_list() == [1500, None, None]


def test_measures_of_nodes_are_over_the_jobs_in_nodes(by_hand):
    """Half and a quarter of the request ran in nodes; four cores were held for 200 of 800 core-seconds."""
    found = by_hand.metrics
    assert found["core_utilization"] == 200 / 800
    assert found["mean_relative_execution_time"] == found["mean_user_slowdown"] == (0.5 + 0.25) / 2
    assert (found["mean_nodes"], found["multi_node_jobs"], found["mean_speed_factor"]) == (1, 0, 1)
    assert found["utilization"] == (100 + 100 + 600) / (7 * 200)
    assert by_hand.sites["utilization"].to_list() == [100 / 400, 100 / 400, 600 / 600]


def test_a_tree_in_whose_nodes_no_job_ran_has_no_means_of_them(recwarn):
    """Means over no job are absent, shares of cores are 0, and idle nodes draw power all the same."""
    platform = Platform((Site("wide", 8), Site("nodes", nodes(1, 2, power=10))), "p")
    result = run_at_home(platform, ["wide"], submit_time=[0], run_time=[100], processors=[8])
    found = result.metrics
    assert not {"mean_nodes", "mean_speed_factor", "mean_job_energy", "mean_user_slowdown"} & found.keys()
    assert (found["core_utilization"], found["blocked_share"]) == (0, 0)
    assert found["energy"] == found["idle_energy"] == 1000
    assert result.jobs["energy"].to_list() == [None]
    assert len(recwarn) == 0


def random_jobs(count: int, seed: int, most: int = 3) -> Workload:
    """Return message-passing jobs, and jobs of up to `most` sequential tasks, which need one node."""
    draw = np.random.default_rng(seed)
    size, run = draw.integers(1, 7, count), draw.integers(10, 400, count)
    demands = []
    for tasks, seconds in zip(size.tolist(), run.tolist(), strict=True):
        rest = (TaskGroup(tasks - 1, seconds * 3e8),) if tasks > 1 else ()
        sequential = tasks <= most and bool(draw.random() < 0.5)
        groups = (TaskGroup(tasks, seconds * 1e9),) if sequential else (TaskGroup(1, seconds * 1e9), *rest)
        demands.append(Demand(groups, sequential=sequential))
    jobs = Workload.from_columns(
        submit_time=np.cumsum(draw.integers(0, 60, count)),
        run_time=run,
        requested_time=2 * run,
        processors=size,
    )
    return replace(jobs, demands=Demands.of(tuple(demands)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_energy_of_a_tree_is_that_of_its_sites_alone(seed):
    """Each site alone runs its jobs alike; beyond its own jobs' time it draws what idle nodes draw."""
    jobs = random_jobs(40, seed)
    sites = (Site("a/one", nodes(3, 4, power=20)), Site("a/two", nodes(2, 6, power=35)), Site("other", 8))
    tree = ec.simulate(jobs, platform=Platform(sites, "tree"), policy="easy", broker="mct")
    expected = 0.0
    for place, site in enumerate(sites[:2]):
        here = np.flatnonzero(tree.schedule.site == place)
        alone = ec.simulate(jobs.take(tree.instance.kept[here]), platform=site.resource, policy="easy")
        assert alone.schedule.start_time.tolist() == tree.schedule.start_time[here].tolist()
        busy = tree.nodes.filter(tree.nodes["site"] == site.name)["busy_core_time"]
        assert busy.to_list() == pytest.approx(alone.nodes["busy_core_time"].to_list())
        idle = sum(map(idle_power, site.resource.nodes))
        energy = alone.metrics["energy"] + idle * (tree.metrics["makespan"] - alone.metrics["makespan"])
        assert tree.sites["energy"][place] == pytest.approx(energy)
        expected += energy
    assert tree.metrics["energy"] == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_parts_of_a_tree_add_up(seed):
    """Energy is the same by site, by node, by job with what is idle, and over time; so is busy time.

    Tasks in processors of two speeds end at different times, and give their cores back as they do.
    """
    slow, fast = Processor((Core(1e9),) * 3), Processor((Core(3e9),) * 3)
    sites = (
        Site("a/one", nodes(3, 4, power=20)),
        Site("a/two", Hardware((Cluster((Node((slow, fast)),) * 2),))),
        Site("other", 8),
        Site("desk", TimeSharedMachine(6, 0.5)),
    )
    grid = Platform(sites, "tree")
    tree = ec.simulate(random_jobs(40, seed, most=6), platform=grid, policy="easy", broker="mct")
    energy, power = tree.metrics["energy"], tree.power
    over_time = power["power"].to_numpy()[:-1] @ np.diff(power["time"].to_numpy())
    charged = tree.jobs["energy"].sum() + tree.metrics["idle_energy"]
    assert [tree.sites["energy"].sum(), tree.nodes["energy"].sum(), charged, over_time] == pytest.approx(
        [energy] * 4
    )
    capacity = tree.platform.sizes * np.array([site.speed for site in sites])
    mean = tree.sites["utilization"].to_numpy() @ capacity / capacity.sum()
    assert mean == pytest.approx(tree.metrics["utilization"])
    held = tree.nodes["busy_core_time"].sum()
    assert held == pytest.approx(tree.metrics["core_utilization"] * 24 * tree.metrics["makespan"])
    assert held < tree.sites["area"][:2].sum()


def test_a_tree_of_one_site_of_nodes_says_what_the_machine_says():
    """Beside a processor that is too small for any job, all measures of nodes are those of the machine."""
    jobs = random_jobs(80, 5)
    jobs = jobs.take(np.flatnonzero(jobs.processors > 1))
    machine = nodes(3, 4, power=20)
    sites = Platform((Site("x/nodes", machine), Site("small", 1)), "tree")
    tree, alone = (ec.simulate(jobs, platform=one, policy="easy") for one in (sites, machine))
    names = [metric.name for metric in INSIDE_METRICS]
    assert {name: tree.metrics.get(name) for name in names} == {
        name: alone.metrics.get(name) for name in names
    }
    assert sum(name in tree.metrics for name in names) > 15
    for table in ("jobs", "nodes", "holdings", "power"):
        one, other = getattr(tree, table), getattr(alone, table)
        same = [name for name in other.columns if name != "site"]
        assert one.select(same).equals(other.select(same)), table


def test_preempted_jobs_beside_a_time_shared_machine_have_their_attempts():
    """A long job is suspended for a short one; its two spans are told although the desk preempts nothing."""
    platform = Platform((Site("queue", 2), Site("desk", TimeSharedMachine(1, 1.0))), "p")
    jobs = Workload.from_columns(
        submit_time=[0, 10, 20],
        run_time=[100, 20, 30],
        requested_time=[100, 20, 30],
        processors=[2, 2, 1],
    ).with_columns(partition=[1, 1, 2])
    jobs = replace(jobs, names={"partition": platform.names})
    result = ec.simulate(jobs, platform=platform, broker="home", policy="srtf")
    rows = result.segments.select("row", "start_time", "end_time").rows()
    assert rows == [(0, 0, 10), (0, 30, 120), (1, 10, 30), (2, 20, 50)]
    assert result.metrics["preemptions"] == 1
    assert result.jobs["suspended_time"].to_list() == [20, 0, 0]
    assert result.jobs["cpu_time"].to_list() == [None, None, 30]
    assert result.trace("utilization").value[-1] == pytest.approx(result.metrics["utilization"])
