"""From a platform and controllers to the system of a run: who may go where, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.engine.tree.trees import RULES, instance, nodes, of, platform, run, scenario, time_shared

from echelon.engine.contract import Scenario
from echelon.engine.controllers import QueueRules
from echelon.engine.immediate.site import TimeSharedSite
from echelon.engine.machine import Machine
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.nodes.machine import NodeMachine
from echelon.engine.reference import simulate, system_of
from echelon.engine.system_model import LeafRules, TreeOfSites
from echelon.engine.tree.brokerage import Brokerage
from echelon.engine.tree.queues.global_queue import GlobalQueue
from echelon.errors import InputError
from echelon.model import (
    Demand,
    Demands,
    Instance,
    Platform,
    SharedCluster,
    Site,
    TaskGroup,
    Workload,
    Workstation,
)
from echelon.policies import estimator_named, policy
from echelon.policies.global_queue.registry import global_queue, queue_limit

SHARED = SharedCluster((Workstation(),) * 2)


class Told:
    """A broker that writes down where each job may go, and sends it to the last of these."""

    name, information, grid_state = "told", 0, "actual"

    def __init__(self):
        self.allowed = {}

    def choose(self, job, view):
        """Choose the last."""
        self.allowed[job.position] = list(view.allowed)
        return view.allowed[-1]


class Sends:
    """A broker that sends each job where it is told, by position."""

    name, information, grid_state = "sends", 0, "actual"

    def __init__(self, places):
        self.places = places

    def choose(self, job, view):
        """Choose it."""
        return self.places[job.position]


def test_leaves_are_of_the_kind_of_their_resource():
    """In the order of the file: a count, nodes, a time-shared machine."""
    on = platform(a=2, g__b=nodes(2), g__t=time_shared(2))
    leaves = system_of(scenario(instance(on, (0, 1, 1)), {"": of("ml"), "g": of("ml")}))._actual.leaves
    assert [type(leaf) for leaf in leaves] == [Machine, NodeMachine, TimeSharedSite]


def test_controllers_are_outer_before_inner():
    """The root comes first, and a site before those below it, whatever comes first in the file."""
    on = platform(g__h__a=2, g__b=2, k__c=2)
    named = {"": of("ml"), "g": of("ml", queue="fcfs"), "g/h": of("ml", queue="fcfs"), "k": of("ml")}
    system = system_of(scenario(instance(on, (0, 1, 1)), named))
    assert [type(one) for one in system._controllers] == [Brokerage, GlobalQueue, GlobalQueue, Brokerage]


@pytest.mark.parametrize(
    ("controllers", "schedules"),
    [
        ({"": of("ml"), "g": of("ml")}, 1),
        ({"": of("ml"), "g": of("mct")}, 2),
        ({"": of("mct"), "g": of("mct")}, 2),
        ({"": of("mct:grid-state=actual"), "g": of("ml")}, 1),
        # A global queue anywhere goes by what happens, and so does every broker then.
        ({"": of("mct"), "g": of("mct", queue="fcfs")}, 1),
    ],
)
def test_a_second_schedule_is_kept_where_a_broker_believes_in_one(controllers, schedules):
    """By actual times alone, or by planned times as well: once for all brokers."""
    on = platform(g__a=2, b=2)
    assert len(system_of(scenario(instance(on, (0, 1, 1)), controllers))._states) == schedules


def test_no_schedule_is_planned_where_no_job_waits():
    """On time-shared machines alone a broker that believes in planned times has none to believe in."""
    on = platform(t=time_shared(2), u=time_shared(2))
    assert len(system_of(scenario(instance(on, (0, 1, 1)), of("mct")))._states) == 1


def test_a_branch_takes_jobs_that_its_largest_leaf_can_hold():
    """A job of 3 fits g, whose largest leaf has 4 processors, and not c, of as many in two sites."""
    told = Told()
    on = platform(g__a=4, g__b=2, c__d=2, c__e=2)
    run(instance(on, (0, 1, 3), (0, 1, 2)), {"": of(told), "g": of("ml"), "c": of("ml")})
    # By largest job: c before g.
    assert told.allowed == {0: [0], 1: [1, 0]}


def test_admissibility_counts_all_processors_of_a_branch():
    """At 0.5 small jobs may go to c alone: its 4 processors are half of all 8."""
    told = Told()
    on = platform(g__a=4, c__d=2, c__e=2)
    run(instance(on, (0, 1, 1), (0, 1, 3)), {"": of(told, admissible=0.5), "g": of("ml"), "c": of("ml")})
    assert told.allowed == {0: [1], 1: [0]}


def test_each_inner_site_has_its_own_admissibility():
    """The root allows everything, g only the smallest site that is large enough for its factor."""
    root, group = Told(), Told()
    on = platform(g__a=2, g__b=4, c=4)
    run(instance(on, (0, 1, 1), user=[1]), {"": of(root), "g": of(group, admissible=0.1)})
    assert root.allowed == {0: [0, 1]}
    root.choose = lambda job, view: 0
    run(instance(on, (0, 1, 1)), {"": of(root), "g": of(group, admissible=0.1)})
    assert group.allowed == {0: [0]}


def test_a_branch_whose_nodes_cannot_hold_a_job_is_left_out():
    """A sequential job of 3 tasks needs a node of 3 cores: n has 4, but in nodes of 2."""
    table = Workload.from_columns(submit_time=[0], run_time=[5], processors=[3], requested_time=[5])
    table = replace(table, demands=Demands.of([Demand((TaskGroup(3, 5e9),), sequential=True)]))
    told = Told()
    on = platform(g__m=nodes(4), g__n=nodes(2, 2), k__o=nodes(2, 2))
    given = Instance.of(table, on)
    run(given, {"": of("first-site"), "g": of(told), "k": of("ml")})
    assert told.allowed == {0: [0]}


def test_the_home_of_a_job_is_the_branch_it_was_submitted_in():
    """Job 0 comes from g/b: for the root that is branch 1, for g its second site; job 1 comes from c."""
    on = platform(c=2, g__a=2, g__b=2)
    given = instance(on, (0, 1, 1), (0, 1, 1), (0, 1, 1), partition=[2, 1, -1])
    named = replace(given.workload, names={"partition": ("c", "g/b")})
    given = replace(given, workload=named)
    assert run(given, {"": of("home"), "g": of("home")}).site.tolist() == [2, 0, 0]


def test_every_inner_site_needs_a_controller():
    """The message names the first that has none."""
    with pytest.raises(InputError, match="inner site 'g/h' needs a broker"):
        scenario(instance(platform(g__h__a=2, b=2), (0, 1, 1)), {"": of("ml"), "g": of("ml")})


def beside_shared_nodes(**more):
    """Return a run on two workstations beside a queue of two processors; jobs 0 and 2 go to the former."""
    on = Platform((Site("a", SHARED), Site("b", 2)))
    rules = RULES._replace(shared=MulticlusterRules(global_queue("fcfs"), queue_limit("unlimited")))
    model = TreeOfSites({"": of("ml")}, rules)
    return Scenario(
        instance(on, (0, 10, 2), (0, 10, 2), (10, 5, 1)), policy("easy"), system_model=model, **more
    )


def test_shared_nodes_stand_beside_other_sites():
    """Both ends at 10 are one instant; job 2 comes to the first of two empty sites."""
    found = simulate(beside_shared_nodes())
    assert found.start_time.tolist() == [0, 0, 10]
    assert found.end_time.tolist() == [10, 10, 15]
    assert found.site.tolist() == [0, 1, 0]


def test_shared_nodes_decide_after_each_event():
    """Both ends at 10 are two events; what starts where is as after both, since job 2 comes after them."""
    found = simulate(beside_shared_nodes(cycles="event"))
    assert found.start_time.tolist() == [0, 0, 10]
    assert found.end_time.tolist() == [10, 10, 15]
    assert found.site.tolist() == [0, 1, 0]


def test_a_longest_stay_is_one_of_a_global_queue():
    """Said of shared nodes alone it would have no effect, so that it is refused; a queue may say it, too."""
    on = Platform((Site("a", SHARED), Site("b", 2)))
    rule, limit = global_queue("fcfs"), queue_limit(0)
    rules = RULES._replace(shared=MulticlusterRules(rule, limit, longest_stay=4))
    jobs = instance(on, (0, 10, 2), (0, 10, 2), (1, 5, 1))

    def below(root):
        return Scenario(jobs, policy("easy"), system_model=TreeOfSites({"": root}, rules))

    with pytest.raises(
        InputError, match="longest-stay: of 4 s is set for shared nodes, but only global queues"
    ):
        below(of("ml"))
    found = simulate(below(of("ml")._replace(queue=QueueRules(rule, limit, longest_stay=4))))
    assert [drop.reason for drop in found.instance.dropped] == [
        "a stay of 4 s in queues (the longest allowed)"
    ]


def test_pyss_is_the_order_of_one_machine():
    """Its JOINs come between ENDs of one queue; with several there is no such order."""
    with pytest.raises(InputError, match="pyss is the order of one machine"):
        scenario(instance(platform(a=2), (0, 1, 1)), of("ml"), cycles="pyss")


def test_a_level_that_needs_plans_needs_a_policy_that_can_be_foreseen():
    """An inner broker of level 4 above sites whose policy suspends jobs is refused before the run."""
    given = instance(platform(g__a=2, b=2), (0, 1, 1))
    with pytest.raises(InputError, match="mct needs planned schedules, but 'srtf' does not declare"):
        run(given, {"": of("ml"), "g": of("mct")}, "srtf")


def test_time_shared_machines_and_nodes_need_rules_of_their_own():
    """A leaf without rules for its kind is an error of the setting that lacks."""
    for kind, field in ((time_shared(2), "immediate"), (nodes(2), "nodes"), (SHARED, "multicluster")):
        given = instance(platform(a=2, g__b=kind), (0, 1, 1))
        model = TreeOfSites({"": of("ml"), "g": of("ml")}, LeafRules())
        with pytest.raises(InputError, match=f"^{field}: "):
            system_of(Scenario(given, policy("easy"), system_model=model))


def test_one_memory_learns_from_sites_of_all_kinds():
    """A user's jobs of 10 s on processors, nodes and a time-shared machine teach what the next will take.

    The machine has half the speed, and from 15 on two jobs share its core. Of requests of 90 s the averages
    are 50, 30, 20, 15, 12.5 and 11.25 s.
    """
    on = platform(a=2, g__b=nodes(2), g__t=time_shared(1, 0.5))
    given = instance(
        on, *((time, 10, 1, 90) for time in (0, 0, 0, 15, 19, 30, 40, 90)), user=[1, 1, 1, 2, 1, 1, 1, 1]
    )
    sent = {"": [0, 1, 1, 1, 0, 0, 0, 0], "g": [0, 0, 1, 1, 1, 0, 0, 0]}
    controllers = {path: of(Sends(places)) for path, places in sent.items()}
    found = run(given, controllers, estimator=estimator_named("average"))
    assert found.end_time.tolist() == [10, 10, 25, 40, 29, 40, 50, 100]
    assert found.planned_time.tolist() == [90, 90, 90, 90, 30, 15, 13, 12]


def test_planned_leaves_do_not_slow_each_other_down():
    """Under planned times a job on nodes runs for its planned time, whatever the execution model is."""
    assert RULES.for_planning().nodes.execution.fixed
    assert RULES.for_planning().nodes.network is None
    assert LeafRules().for_planning() == LeafRules()
