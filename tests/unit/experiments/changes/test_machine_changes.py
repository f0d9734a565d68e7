"""Settings of machines that change, made the changes of a scenario."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest

import echelon as ec
from echelon.availability import NO_CHANGES, CheckpointRule
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.experiments.changes.idle_changes import idle_changes
from echelon.experiments.changes.machine_changes import first_horizon
from echelon.experiments.changes.planned_changes import PlannedChanges
from echelon.experiments.scenario import scenario_of
from echelon.experiments.settings.availability import IN_TIME
from echelon.model import Header, Platform
from echelon.model.machines.outages import OutageKind, Outages
from echelon.model.machines.platform import Site
from echelon.model.machines.reservations import Reservation
from echelon.model.machines.time_shared import TimeSharedMachine

JOBS = ec.Workload.from_columns(submit_time=[0, 5000], run_time=[100, 1000], processors=[2, 1])
DOWN = [{"nodes": "1-2", "down": 10, "up": "+5min"}]
LAW = {"failures": "exponential:mean=1h", "repair_times": "constant:10min"}


def changes(jobs=JOBS, processors=4, **settings):
    """Return the changes of a scenario on a machine of four processors."""
    machine = {} if "platform" in settings else {"processors": processors}
    return scenario_of(jobs, **machine, **settings).changes


def test_nothing_asked_for_is_nothing():
    """Without any of it, and with the word none, a machine never changes: the very same value."""
    assert changes() is NO_CHANGES
    nothing = dict.fromkeys(("outages", "failures", "maintenance", "reservations", "checkpoint"), "none")
    assert changes(**nothing) is NO_CHANGES


def test_every_setting_reaches_the_changes():
    """Each word has its place in what the engine takes, and in the values that are kept."""
    found = changes(
        outages=DOWN,
        **LAW,
        repair="estimate:2h",
        on_failure="requeue",
        requeue_order="back",
        requeue_delay=30,
        max_requeues=4,
        maintenance="86400/8h",
        reservations=[{"name": "a", "nodes": 2, "start": 50, "end": 100}],
        reservation_conflict="wait",
        checkpoint="young",
        checkpoint_cost=5,
        restart_cost=7,
        checkpoint_mtbf=3600,
        limit_per="job",
    )
    assert (found.repair, found.conflict, found.limit_per) == (7200.0, "wait", "job")
    asked = found.requeueing
    assert (asked.on_failure, asked.order, asked.delay, asked.most) == ("requeue", "back", 30.0, 4)
    assert found.checkpoint == CheckpointRule("young", 5.0, 7.0, 3600.0)
    assert {*found.outages.kind.tolist()} == {OutageKind.FAIL, OutageKind.MAINTENANCE}
    assert [one.nodes for one in found.reservations] == [(0, 1)]
    assert found.asked.keys() == {one.name for one in IN_TIME}
    assert found.asked["failures"] == "exponential:mean=3600"
    assert found.asked["repair"] == "estimate:7200"


def test_seconds_have_units_in_every_setting():
    """Wherever seconds are asked for, a unit may follow the number, and the number alone is the same."""
    lengths = {
        "repair": ("2h", 7200.0),
        "requeue_delay": ("2min", 120.0),
        "checkpoint": ("90min", 5400.0),
        "checkpoint_cost": ("0.5min", 30.0),
        "restart_cost": ("1h", 3600.0),
        "checkpoint_mtbf": ("1w", 604800.0),
    }
    with_units = changes(outages=DOWN, **{name: text for name, (text, _) in lengths.items()})
    plain = changes(outages=DOWN, **{name: number for name, (_, number) in lengths.items()})
    assert with_units.asked == plain.asked
    assert (with_units.checkpoint, with_units.requeueing) == (plain.checkpoint, plain.requeueing)
    assert with_units.requeueing.delay == 120.0
    assert (with_units.checkpoint.cost, with_units.checkpoint.mtbf) == (30.0, 604800.0)


def test_a_setting_may_be_a_value():
    """Python gives values where texts would do."""
    outages = Outages.of([(10, 20, (0,), OutageKind.DRAIN, 0.0, 0)])
    kept = Reservation("r", 5, 9, (1,))
    found = changes(outages=outages, reservations=[kept], checkpoint=CheckpointRule(90.0), repair=60)
    assert found.outages.start.tolist() == [10.0]
    assert found.reservations == (kept,)
    assert (found.checkpoint, found.repair) == (CheckpointRule(90.0), 60.0)


def test_dates_are_on_the_clock_of_the_log():
    """Maintenance at eight in the morning is where the log's header says eight is."""
    header = Header((("UnixStartTime", "1796079600"), ("TimeZoneString", "Europe/Madrid")))
    dated = ec.Workload.from_columns(header=header, submit_time=[0], run_time=[1], processors=[1])
    assert changes(dated, maintenance="2026-12-01T08:00/8h").outages.start.tolist() == [8 * 3600.0]
    with pytest.raises(InputError, match="UnixStartTime"):
        changes(maintenance="2026-12-01T08:00/8h")


def test_failures_are_those_of_the_seed_and_longer_horizons_keep_them():
    """The same seed gives the same failures; twice the horizon adds some and changes none before it."""
    one, again, other = changes(**LAW), changes(**LAW), changes(**LAW, seed=1)
    assert one.outages.start.tolist() == again.outages.start.tolist() != other.outages.start.tolist()
    assert one.up_to is not None
    longer = one.up_to(2 * one.horizon)
    before = longer.outages.start < one.horizon
    assert longer.outages.start[before].tolist() == one.outages.start.tolist()
    assert not before.all()
    assert longer.first_horizon == one.first_horizon == one.horizon
    assert one.streams == ("failures", "repairs")


def test_the_first_horizon_is_generous():
    """It is over twice the end that the jobs could have without any failure."""
    instance = scenario_of(JOBS, processors=4).instance
    assert first_horizon(instance) > 2 * 6000
    assert math.isinf(changes(outages=DOWN).horizon)
    assert changes(maintenance="0/1h/weekly").horizon == first_horizon(instance)


def test_the_rule_of_checkpoints_knows_how_often_nodes_fail():
    """By the law; of a machine's failures each node has its share; by a trace as measured; or by both."""
    by = {"checkpoint": "daly", "checkpoint_cost": 5}

    def mtbf(nodes, **settings):
        return changes(**settings, **by).checkpoint.job_mtbf(nodes)

    assert [mtbf(nodes, **LAW) for nodes in (1, 4)] == [3600, 900]
    machine = {**LAW, "failures": "exponential:mean=1h,of=machine"}
    assert [mtbf(nodes, **machine) for nodes in (1, 4)] == [pytest.approx(4 * 3600), pytest.approx(3600)]
    trace = [{"nodes": "1", "down": 100 * k, "up": "+5"} for k in range(5)]
    assert mtbf(1, outages=trace) == pytest.approx(4 * 400 / 4)
    assert mtbf(1, outages=trace, **LAW) == pytest.approx(360)
    assert changes(outages=trace, checkpoint=90).checkpoint == CheckpointRule(90.0)


def test_failures_of_a_whole_site_hit_every_job():
    """The time between failures of a site or link is that of its jobs, whatever the number of their nodes."""
    by = {"checkpoint": "young", "checkpoint_cost": 5, "repair_times": "constant:10min"}
    for of in ("site", "link"):
        rule = changes(failures=f"exponential:mean=1h,of={of}", **by).checkpoint
        assert [rule.job_mtbf(nodes) for nodes in (1, 2, 4)] == pytest.approx([3600] * 3)
        assert rule.of(1).interval == rule.of(4).interval == pytest.approx(math.sqrt(2 * 5 * 3600))
    everything = [{"down": 100 * k, "up": "+5"} for k in range(5)]
    rule = changes(outages=everything, checkpoint="young", checkpoint_cost=5).checkpoint
    assert [rule.job_mtbf(nodes) for nodes in (1, 4)] == pytest.approx([100, 100])


def test_jobs_that_a_failing_site_never_lets_end_are_counted_by_their_run_time():
    """Whether a run is hopeless does not depend on the nodes of a job where all of them fail together."""
    found = changes(failures="exponential:mean=1h,of=site", repair_times="constant:10min")
    assert found.failures_of_an_attempt == pytest.approx(1000 / 3600)
    assert changes(**LAW).failures_of_an_attempt == pytest.approx(1000 / 3600)


def test_an_unknown_mtbf_is_said_before_the_run():
    """One failure is no measurement: the message names the setting that helps."""
    with pytest.raises(InputError, match="checkpoint-mtbf"):
        changes(outages=DOWN, checkpoint="daly", checkpoint_cost=5)


def test_restart_costs_need_no_checkpoints():
    """A job that begins again may need a while for it."""
    assert changes(outages=DOWN, restart_cost=30).checkpoint == CheckpointRule("none", 0.0, 30.0)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"repair": "known"}, "repair: 'known' applies to failures"),
        ({"maintenance": "5/3", "max_requeues": 2}, "max-requeues: 2 applies to failures"),
        ({"repair_times": "constant:5"}, "repair-times: 'constant:5' applies to failures by a law"),
        ({"failures": "constant:5"}, "failures: .*not for how long; give --repair-times"),
        ({"outages": DOWN, "checkpoint_cost": 4}, "checkpoint-cost: 4 applies to checkpoints"),
        ({"outages": DOWN, "checkpoint": "none", "checkpoint_cost": 4}, "applies to checkpoints"),
        ({"checkpoint": "daly"}, "checkpoint: 'daly' applies to failures"),
        ({"reservation_conflict": "wait"}, "reservation-conflict: 'wait' applies where nodes"),
        ({"outages": DOWN, "on_failure": "kill", "requeue_delay": 1}, "requeue-delay: 1 would not be used"),
        ({"outages": DOWN, "on_failure": "slurm", "requeue_order": "keep"}, "back of the queue"),
        ({"outages": DOWN, "cycles": "event"}, "cycles: 'event' has no order for failures"),
        ({"maintenance": "5/3", "cycles": "pyss"}, "cycles: 'pyss' has no order"),
        ({"outages": DOWN, "repair": "maybe"}, "no knowledge of repairs is named 'maybe'"),
        ({"outages": DOWN, "repair": "estimate:0"}, "expected a length of time > 0"),
        ({"outages": DOWN, "on_failure": "wait"}, "no rule for failures is named 'wait'"),
        ({"outages": DOWN, "requeue_delay": -1}, "requeue-delay: got -1, expected seconds >= 0"),
        ({"outages": DOWN, "checkpoint": "often"}, "no rule for checkpoints is named 'often'"),
        ({"outages": DOWN, "checkpoint": 0}, "checkpoint: must be a number of seconds > 0"),
        ({"outages": DOWN, "checkpoint": "young"}, "checkpoint-cost: must be > 0"),
        ({"outages": [{"node": 9, "down": 1}]}, "names node 9, but there are 4"),
        ({"outages": Outages.of([(1, 2, (4,), OutageKind.FAIL, 0.0, 0)])}, "names node 5, but there are 4"),
        ({"outages": Outages.of([(1, 2, (0,), OutageKind.FAIL, 0.0, 3)])}, "names site 3 of 1"),
        ({"outages": 7}, "outages: must be a file, tables or Outages, got 7"),
        ({"outages": "no-such.csv"}, "no-such.csv: no such file"),
        ({"reservations": "no-such.csv"}, "no-such.csv: no such file"),
        ({"reservations": [Reservation("r", 0, 1, (4,))]}, "'r': the machine has no such nodes"),
        ({"reservations": [{"start": 1}]}, "reservation 1, end: is missing"),
        ({"maintenance": 5}, "maintenance: must be a spec"),
    ],
)
def test_what_has_no_use_or_is_wrong_is_refused(settings, sentence):
    """Each refusal names the setting, its value and what to do; nothing is dropped silently."""
    with pytest.raises(EchelonError, match=sentence):
        changes(**settings)


def test_jobs_longer_than_the_time_between_maintenance_are_refused():
    """They could never start; on a part of the machine, or with a late announcement, they may."""
    with pytest.raises(
        InputError, match=r"leaves 16\.33 min between two.*1 job, first job 2, would never start"
    ):
        changes(maintenance="0/20/every=1000")
    assert len(changes(maintenance="0/20/every=1000/nodes=1").outages) > 1
    assert len(changes(maintenance="0/20/every=1000/announced=50").outages) > 1
    assert len(changes(maintenance="6000/20/every=1000").outages) > 1


def test_unknown_laws_are_named():
    """The families of laws know their members."""
    with pytest.raises(UnknownNameError, match=r"weibul.*did you mean 'weibull'"):
        changes(failures="weibul:shape=1,scale=1", repair_times="constant:1")


def test_what_is_idle_is_left_out_of_a_run_of_a_comparison():
    """Beside runs without failures, what is for failures is told to be idle, each once."""
    idle = idle_changes({"failures": "none", "repair": "known", "repair_times": "constant:5", "seed": 3})
    assert [*idle] == ["repair_times", "repair"]
    assert idle_changes({**LAW, "repair": "known"}) == {}


def test_time_shared_machines_have_no_reservations():
    """They have no queue that could hold jobs back; the message says so. Outages they may have."""
    desks = Platform((Site("desks", TimeSharedMachine(4)), Site("more", TimeSharedMachine(2))))
    with pytest.raises(InputError, match="site 'desks' is a time-shared machine"):
        changes(platform=desks, reservations=[{"start": 0, "end": 9, "nodes": "1", "site": "desks"}])
    assert len(changes(platform=desks, outages=[{"down": 0, "up": 9}]).outages) == 2


def test_plans_tell_their_settings_alone():
    """What was not asked for is not among the settings, so that identities of runs stay."""
    found = changes(maintenance="5/3")
    assert isinstance(found, PlannedChanges)
    assert dict(found.asked) == {"maintenance": "5/3"}
    assert np.isinf(found.horizon)


@pytest.mark.parametrize("name", [one.name for one in IN_TIME])
def test_whatever_python_gives_is_refused_by_a_sentence(name):
    """Values of wrong types and odd texts never raise anything else."""
    base = {"outages": DOWN, "maintenance": "5/3", **LAW, "checkpoint": 90}
    odd = [
        *(-1, True, math.nan, math.inf, b"x"),
        [],
        {},
        [5],
        ["x"],
        object(),
        "",
        " ",
        "\0",
        "a" * 300,
        ":",
        "@",
        ";",
    ]
    for value in odd:
        with suppress(EchelonError):
            changes(**{**base, name: value})


def test_what_only_an_idle_setting_would_use_is_idle():
    """Without failures checkpoints have no use, and then neither has their cost."""
    given = {"failures": "none", "checkpoint": "daly", "checkpoint_cost": 30, "restart_cost": 5}
    assert set(idle_changes(given)) == {"checkpoint", "checkpoint_cost", "restart_cost"}
    # The message says what is missing, not what was given.
    assert {
        error.problem.partition("applies to ")[2].partition(";")[0] for error in idle_changes(given).values()
    } == {"failures"}
