"""What kernels know of machines that change, and how they say what they do not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.availability import Changes, Requeueing
from echelon.engine.compiled import simulate, supports
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine, tree_of_sites
from echelon.errors import UnsupportedError
from echelon.execution import Execution, execution_named
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    OutageKind,
    Outages,
    Platform,
    Processor,
    Reservation,
    Site,
    Sleep,
    TaskGroup,
    Workload,
)
from echelon.policies import Easy, Policy, broker_named, placement_of, policy
from echelon.policies.sharing import RoundRobinSharing

JOBS = Workload.from_columns(
    submit_time=[0, 1], run_time=[5, 5], processors=[1, 2], user=[1, 2], reservation=[-1, 1]
)
JOBS = replace(JOBS, names={**JOBS.names, "reservation": ("alpha",)})
FAILURE = Changes(Outages.of([(2.0, 4.0, [0], OutageKind.FAIL, -np.inf, 0)]))
KEPT = Reservation("alpha", 10.0, 20.0, (0, 1))


def scenario(how="easy", changes=FAILURE, jobs=JOBS, **others):
    chosen = policy(how) if isinstance(how, str) else how
    return Scenario(Instance.of(jobs, 2), chosen, changes=changes, **others)


@pytest.mark.parametrize("how", ["fcfs", "first-fit", "easy", "easy:shortest-first", "easy:fit=best-fit"])
def test_known_policies(how):
    """No backfilling, first-fit and EASY with one reservation are known, in fixed orders."""
    assert supports(scenario(how)) is None


@pytest.mark.parametrize("how", ["easy:reservations=2", "conservative", "plan", "selective"])
def test_policies_that_reserve_starts(how):
    """They are known, but neither with deadlines nor with reservations that slide."""
    assert supports(scenario(how)) is None
    assert "deadlines" in supports(scenario(how, jobs=JOBS.with_columns(deadline=[30, -1])))
    assert "sliding" in supports(scenario(how, Changes(reservations=(replace(KEPT, slide=3600.0),))))


@pytest.mark.parametrize("how", ["slack", "relaxed", "easy:wfp3", "conservative:wfp3"])
def test_other_policies_stay_with_the_reference_engine(how):
    """Other backfillings and orders that change with time are refused, in one sentence."""
    reason = supports(scenario(how))
    assert "where the machine changes" in reason
    with pytest.raises(UnsupportedError, match="the compiled engine cannot run this"):
        simulate(scenario(how))


def test_submit_times_in_orders_of_jobs_that_are_submitted_again():
    """An order by submit times is known unless requeued jobs count as submitted again."""
    back = replace(FAILURE, requeueing=Requeueing(order="back"))
    assert supports(scenario("easy:f1")) is None
    assert "'f1' uses submit times" in supports(scenario("easy:f1", back))
    assert supports(scenario("easy", back)) is None


def test_jobs_that_leave():
    """Cancellations and deadlines are known, those of jobs that wait for others, too."""
    canceled = JOBS.with_columns(cancel_time=[3, -1])
    bound = JOBS.with_columns(deadline=[30, -1])
    assert supports(scenario(jobs=canceled, changes=Changes())) is None
    assert supports(scenario(jobs=bound)) is None
    chain = JOBS.with_columns(cancel_time=[3, 9], deadline=[30, 40], preceding_job=[-1, 1])
    assert supports(scenario(jobs=chain)) is None


def test_reservations():
    """Reservations are known, those that slide, too, and under best-fit beside jobs that name them."""
    kept = Changes(reservations=(KEPT,))
    assert supports(scenario(changes=kept)) is None
    best_fit = Policy.of(policy("easy").order, Easy(fit="best-fit"))
    assert supports(scenario(best_fit, kept)) is None
    assert supports(scenario(changes=Changes(reservations=(replace(KEPT, slide=3600.0),)))) is None


def test_many_groups_stay_with_the_reference_engine():
    """A job has one bit for each group of jobs with the same access, so there may not be too many."""
    users = np.arange(1, 64)
    jobs = Workload.from_columns(
        submit_time=np.zeros(63), run_time=np.ones(63), processors=np.ones(63, dtype=int), user=users
    )
    kept = tuple(replace(KEPT, name=f"r{user}", users=(str(user),)) for user in users)
    assert "at most 62 groups" in supports(scenario(changes=Changes(reservations=kept), jobs=jobs))
    assert supports(scenario(changes=Changes(reservations=kept[1:]), jobs=jobs)) is None


def test_sites_that_change_stay_with_the_reference_engine():
    """Kernels know one machine that changes, not several."""
    sites = Instance.of(JOBS, Platform((Site("a", 2), Site("b", 2))))
    grid = Scenario(
        sites, policy("easy"), system_model=tree_of_sites(broker_named("random")), changes=FAILURE
    )
    assert "one machine, of counted processors or of nodes" in supports(grid)


def test_what_else_stays_with_the_reference_engine():
    """Cycles after every event are refused where the machine changes."""
    assert "once an instant" in supports(scenario(cycles="event"))


NODE = Node((Processor((Core(1.0), Core(1.0))),), memory=8.0)
NODE_JOBS = Workload.from_columns(submit_time=[0, 1], run_time=[5, 5], processors=[1, 2])
FIXED = Execution(fixed=True)
NODE_FAILURE = Changes(Outages.of([(2.0, 4.0, [1], OutageKind.FAIL, -np.inf, 0)]))


class Lowest:
    """A placement of the user's own."""

    name = "lowest"

    def place(self, job, cores, room):
        """Return the first idle cores of the first node."""
        return room.idle(0)[:cores]


def reason(place="first-fit", *, how="easy", node=NODE, demands=(), execution=FIXED, **rules):
    """Return why kernels cannot run two jobs on two nodes of which one fails; None if they can."""
    table = replace(NODE_JOBS, demands=Demands.of(demands)) if demands else NODE_JOBS
    instance = Instance.of(table, Hardware((Cluster((node, node)),)))
    model = NodeLevelMachine(NodeRules(placement_of(place), execution, **rules))
    return supports(Scenario(instance, policy(how), system_model=model, changes=NODE_FAILURE))


@pytest.mark.parametrize("place", ["first-fit", "best-fit", "worst-fit", "high-memory", "best-fit:low-power"])
def test_known_searches(place):
    """The three node searches are known, in orders that keep the cores of a node together."""
    assert reason(place) is None


@pytest.mark.parametrize(
    "asked", [{"memory": 3.0}, {"nodes": 2}, {"tasks_per_node": 1}, {"sequential": True}], ids=str
)
def test_known_demands(asked):
    """Memory, numbers of nodes, tasks per node and jobs in one node are known."""
    memory = asked.pop("memory", 0.0)
    demands = [Demand((TaskGroup(size, 1.0, memory=memory),), **asked) for size in (1, 2)]
    assert reason(demands=[Demand((TaskGroup(1, 1.0),)), demands[1]]) is None


@pytest.mark.parametrize(
    ("why", "case"),
    [
        ("'conservative' is in the reference engine only", {"how": "conservative"}),
        ("one reservation in each cycle", {"how": "easy:reservations=2"}),
        ("fixed run times", {"execution": execution_named("speed")}),
        ("share cores", {"sharing": RoundRobinSharing()}),
        ("power cap", {"node": replace(NODE, processors=(replace(NODE.processors[0], static_power=1.0),)),
                       "power_cap": 100.0}),
        ("switched off", {"node": replace(NODE, sleep=Sleep(1.0, 1.0, 1.0, 1.0))}),
        ("'lowest' is in the reference engine only", {"place": Lowest()}),
        ("'random' depends on more than the machine", {"place": "random"}),
        ("mixes the cores of several nodes", {
            "place": "high-gigaflops",
            "node": Node((Processor((Core(1.0),)), Processor((Core(2.0),)))),
        }),
        ("several kinds of tasks", {
            "demands": [Demand((TaskGroup(1, 1.0),)), Demand((TaskGroup(1, 1.0), TaskGroup(1, 2.0)))],
        }),
        ("memory traffic", {
            "demands": [Demand((TaskGroup(1, 1.0),)), Demand((TaskGroup(2, 1.0, memory_volume=1.0),))],
        }),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_what_stays_with_the_reference_engine(why, case):
    """Each thing that kernels do not know of nodes that change is refused in one sentence that names it."""
    assert why in reason(**case)
