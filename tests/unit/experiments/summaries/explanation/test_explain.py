"""Explanations of single jobs, worked out by hand; all claims at once are checked in tests/properties."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.summaries.explanation.explain import explain, explain_scenario
from echelon.model import Header
from echelon.policies import Easy, Policy, Start


@pytest.fixture
def three_jobs():
    """Return jobs of 3, 4 and 1 of 4 processors; the last may run beside the first."""
    return ec.Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[100, 100, 150], requested_time=[100, 100, 150], processors=[3, 4, 1]
    )


def test_a_reservation_holds_a_job_back(three_jobs):
    """There is room for the third job, but it would delay the second from 100 s to 152 s."""
    told = explain(three_jobs, 3, processors=4, policy="easy")
    (obstacle, later) = told.waits[0].obstacles
    assert (obstacle.kind, obstacle.since, obstacle.until) == ("start", 2, 100)
    conflict = obstacle.conflict
    assert (conflict.job.label, conflict.start, conflict.moved_to) == ("2", 100, 152)
    assert (conflict.is_ahead, conflict.is_reserved) == (True, False)
    assert (later.kind, later.since, later.until) == ("processors", 100, 200)
    assert told.start == 200
    assert (
        "From 2 s to 100 s there was room for it, but job 2 (4 processors), ahead of it, was planned to "
        "start at 100 s. Started at 2 s, it would have run until 152 s as planned, and job 2 could not have "
        "started before 152 s."
    ) in told.sentences


def test_a_log_with_dates_has_them_in_its_zone(three_jobs):
    """The dates of submission and start follow the opening; seconds stay. Otherwise there is none."""
    header = Header((("UnixStartTime", "1706702400"), ("TimeZoneString", "Europe/Madrid")))
    dated = explain(replace(three_jobs, header=header), 2, processors=4, policy="fcfs")
    plain = explain(three_jobs, 2, processors=4, policy="fcfs")
    said = "On the log's clock it was submitted at 2024-01-31 13:00 CET and started at 2024-01-31 13:01 CET."
    assert dated.sentences == [plain.sentences[0], said, *plain.sentences[1:]]
    assert dated.to_dict()["time_zone"] == "Europe/Madrid"


def test_conservative_reservations_last(three_jobs):
    """Under conservative the same start is a reservation, and the job has one itself."""
    told = explain(three_jobs, 3, processors=4, policy="conservative")
    obstacle = told.waits[0].obstacles[0]
    assert obstacle.conflict.is_reserved
    assert obstacle.own_start == 200
    assert "had a reservation for 100 s" in str(told)


def test_results_explain_their_jobs(three_jobs):
    """Whichever engine ran; by number or name; a notebook shows paragraphs without markup of the log's."""
    result = ec.simulate(three_jobs, processors=4, policy="easy")
    assert result.engine == "compiled"
    assert result.explain(3) == explain(three_jobs, 3, processors=4, policy="easy")
    assert result.explain("3").to_dict()["waits"][0]["began"]["time"] == 200
    from dataclasses import replace

    named = replace(three_jobs, labels=("a", "<b>", "c"))
    shown = ec.simulate(named, processors=4).explain("<b>")._repr_html_()
    assert shown.startswith("<p>Job &lt;b&gt; was submitted at 1 s")


def test_nodes_may_have_room_in_all_but_not_in_one():
    """Two cores are free in each node, and three tasks that must share a node wait for one of them."""
    from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup

    node = Node((Processor((Core(1e9),) * 4),))
    jobs = ec.Workload.from_columns(submit_time=[0, 0, 1], run_time=[10, 20, 5], processors=[2, 2, 3])
    work = ((2, 1e10), (2, 2e10), (3, 5e9))
    demands = [Demand((TaskGroup(size, operations),), sequential=True) for size, operations in work]
    from dataclasses import replace

    jobs = replace(jobs, demands=Demands.of(demands))
    told = explain(
        jobs, 3, platform=Hardware((Cluster((node, node)),)), place="worst-fit", policy="first-fit"
    )
    first = told.waits[0].obstacles[0]
    assert (first.kind, first.room.free, first.room.in_one_node) == ("place", 4, 2)
    assert "4 at first, at most 2 in one node, but its placement found no room" in str(told)


def test_dependencies_say_for_which_job_it_waited():
    """The second job follows the first after 3 s of think time, and the log's submit time is told."""
    jobs = ec.Workload.from_columns(
        submit_time=[0, 0], run_time=[10, 5], processors=[1, 1], preceding_job=[-1, 1], think_time=[-1, 3]
    )
    told = explain(jobs, 2, processors=1)
    (before,) = told.predecessors
    assert (before.job.label, before.end, before.delay) == ("1", 10, 3)
    assert told.sentences[1] == (
        "The log submits it at 0 s. It had to wait for job 1 (ended at 10 s, with 3 s of think time), and "
        "was released at 13 s."
    )


def test_on_a_grid_the_site_and_its_broker_are_named():
    """The job is explained where it ran."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0, 0], run_time=[9, 5, 5], processors=[2, 2, 2])
    told = explain(jobs, 3, platform=[2, 2], broker="mct", policy="fcfs")
    assert told.waits[0].site == "site-2"
    assert told.sentences[1] == "It went to site site-2; sites were chosen by mct."
    assert told.start == 5


def test_where_no_queue_decides_nothing_is_claimed():
    """On time-shared machines a job starts as it comes, and no cycle is seen."""
    from echelon.model import Platform, Site, TimeSharedMachine

    jobs = ec.Workload.from_columns(submit_time=[0, 0], run_time=[9, 5], processors=[1, 1])
    told = explain(jobs, 2, platform=Platform((Site("desk", TimeSharedMachine(1, speed=1.0)),)))
    (wait,) = told.waits
    assert (wait.obstacles, wait.began.is_seen, wait.began.time) == ((), False, 0)
    assert "It started at 0 s; no queue was seen to decide that." in told.sentences


class Idle:
    """A scheduler of a user's own: it starts one job at a time, whatever fits."""

    name = "one-by-one"

    def decide(self, view):
        """Start the first job of an idle machine."""
        if not view.running:
            yield Start(view.queue[0])


def test_a_scheduler_that_gives_no_reason_is_quoted_with_none():
    """There is room, nothing is planned: the explanation says that it does not know."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0], run_time=[9, 5], processors=[1, 1])
    told = explain(jobs, 2, processors=2, policy=Policy.of(backfill=Idle()))
    (obstacle,) = told.waits[0].obstacles
    assert (obstacle.kind, obstacle.until) == ("scheduler", 9)
    assert "Nothing that it asked or decided says why." in str(told)


def test_a_run_that_fails_says_so():
    """If no job can ever start, the explanation has the error of the run."""

    class Never(Idle):
        def decide(self, view):
            return []

    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[9], processors=[1])
    told = explain(jobs, 1, processors=2, policy=Policy.of(backfill=Never()))
    assert told.start is None
    assert told.sentences[-1].startswith(
        "What became of it: the run ended with an error: policy 'one-by-one'"
    )


def test_failures_interrupt_and_what_became_of_it_is_said():
    """A node fails at 5 s: the job loses its processors by no decision of the scheduler, and runs again."""
    from echelon.availability import Changes
    from echelon.engine.contract import Scenario
    from echelon.model import Instance, OutageKind, Outages

    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[10], processors=[2])
    outages = Outages.of([(5.0, 8.0, (0,), OutageKind.FAIL, -np.inf, 0)])
    scenario = Scenario(Instance.of(jobs, 2), Policy.of(backfill=Easy()), changes=Changes(outages))
    told = explain_scenario(scenario, 1, is_settled=True)
    assert [wait.began.time for wait in told.waits] == [0, 8]
    assert told.waits[0].stop.by_scheduler is False
    assert told.end == 18


def test_unknown_jobs_and_settings_are_refused(three_jobs):
    """As `simulate` does."""
    with pytest.raises(InputError, match="there is no job '9' in workload; it has 3 jobs, from 1 to 3"):
        explain(three_jobs, 9, processors=4)
    with pytest.raises(TypeError, match="explain\\(\\) has no setting 'polcy'; did you mean 'policy'"):
        explain(three_jobs, 1, polcy="easy")


def test_an_observer_of_the_run_hears_nothing(three_jobs):
    """Another run explains; observers of the first are not told again."""

    class Counter:
        heard = 0

        def submitted(self, time, job, place):
            self.heard += 1

        def started(self, time, job, place):
            """Nothing."""

        def ended(self, time, job, place):
            """Nothing."""

        def decided(self, time, waiting, free, place):
            """Nothing."""

    counter = Counter()
    result = ec.simulate(three_jobs, processors=4, policy=Policy.of(backfill=Easy()), observers=[counter])
    result.explain(2)
    assert counter.heard == 3
