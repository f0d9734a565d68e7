"""simulate: from a workload and words to a result."""

from __future__ import annotations

import json
from time import sleep

import numpy as np
import pytest

from echelon import Workload, change_jobs, simulate
from echelon.cli.run_steps import outcome
from echelon.errors import InputError, UnknownNameError, UnsupportedError
from echelon.experiments.folders.manifest import manifest
from echelon.libraries.kernel import EntryKernel
from echelon.model import Header
from echelon.testing.multiclusters import random_cluster_case


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("policy", "starts"), [("fcfs", [0, 100, 200]), ("easy", [0, 100, 2])])
def test_starts_by_hand(four_jobs, engine, policy, starts):
    """Both engines start the jobs when a person would."""
    result = simulate(four_jobs, policy=policy, engine=engine)
    assert result.schedule.start_time.tolist() == starts
    assert (result.engine, result.policy) == (engine, policy)
    assert result.seconds > 0


def test_the_machine_is_the_one_given_else_the_headers(four_jobs):
    """MaxProcs is the default, processors= overrides it."""
    assert simulate(four_jobs).instance.processors == 4
    assert simulate(four_jobs, processors=8, policy="fcfs").schedule.start_time.tolist() == [0, 1, 2]


def test_a_machine_of_unknown_size(four_jobs):
    """Without both, the sentence says what to give."""
    nameless = Workload(four_jobs.columns, Header(), "four")
    with pytest.raises(InputError, match=r"^four: does not give the processors .* --processors N$"):
        simulate(nameless)


def test_a_path_is_read(four_jobs, tmp_path):
    """A path stands for its jobs."""
    from echelon import write_workload

    write_workload(four_jobs, tmp_path / "four.swf")
    assert simulate(tmp_path / "four.swf").metrics == simulate(four_jobs).metrics


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"engine": "fast"}, UnknownNameError),
        ({"policy": "esay"}, UnknownNameError),
        ({"estimates": "guess"}, UnknownNameError),
        ({"passes": "never"}, UnknownNameError),
        ({"seed": -1}, InputError),
        ({"processors": 0}, InputError),
        ({"strict": True}, InputError),
    ],
)
def test_wrong_options(four_jobs, options, error):
    """Each wrong option is refused by its own error."""
    with pytest.raises(error):
        simulate(four_jobs, **options)


def test_auto_takes_the_reference_engine_for_what_only_it_can(four_jobs):
    """Observers watch the reference engine; asked for by name, the compiled one refuses."""

    class Watcher:
        ended_jobs = 0

        def submitted(self, time, job, place): ...

        def started(self, time, job, place): ...

        def ended(self, time, job, place):
            self.ended_jobs += 1

        def decided(self, time, waiting, free, place): ...

    watcher = Watcher()
    assert simulate(four_jobs, observers=[watcher]).engine == "reference"
    assert watcher.ended_jobs == 3
    with pytest.raises(UnsupportedError, match="observers"):
        simulate(four_jobs, observers=[watcher], engine="compiled")


@pytest.mark.slow
def test_progress_is_told():
    """A run of many jobs tells now and then how many have ended, rising, and never more than there are."""
    n_jobs = 5000
    jobs = Workload.from_columns(submit_time=range(n_jobs), run_time=[1] * n_jobs, processors=[1] * n_jobs)
    heard = []
    simulate(jobs, processors=1, engine="reference", progress=lambda *told: heard.append(told))
    done = [ended for ended, _ in heard]
    assert 0 < max(done) <= n_jobs
    assert done == sorted(done)
    assert {total for _, total in heard} == {n_jobs}


def test_loading_kernels_is_no_part_of_the_seconds(four_jobs, monkeypatch):
    """What a first run waits for its kernels, built or loaded, does not count as simulation."""
    simulate(four_jobs, processors=4, engine="compiled")
    load = EntryKernel.load
    monkeypatch.setattr(EntryKernel, "load", lambda entry: sleep(0.5) or load(entry))
    assert simulate(four_jobs, processors=4, engine="compiled").seconds < 0.5


def test_the_engine_named_is_the_one_that_decides():
    """On a multicluster that is the reference engine, whatever projects its queues; compiled is refused."""
    case = random_cluster_case(4, forever=False)
    runs = {"platform": case.platform, "estimator": "sdpn", "broker": "tat"}
    result, slow = (simulate(case.workload, engine=engine, **runs) for engine in ("auto", "reference"))
    assert (result.engine, result.projections) == ("reference", "compiled")
    assert (slow.engine, slow.projections) == ("reference", "reference")
    assert result.schedule.start_time.tolist() == slow.schedule.start_time.tolist()
    told = manifest(result)
    assert (told["engine"], told["projections"]) == ("reference", "compiled")
    assert "reference engine (queues predicted in kernels)." in outcome([result], [])[0]
    with pytest.raises(UnsupportedError, match="clusters of a multicluster decide in the reference engine"):
        simulate(case.workload, engine="compiled", **runs)


def test_without_a_multicluster_nothing_is_projected(four_jobs):
    """The engine of one machine needs no second name."""
    result = simulate(four_jobs, processors=4)
    assert (result.engine, result.projections, manifest(result)["projections"]) == ("compiled", "", None)


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("estimates", [], "estimates: got [], expected one of raise, kill, exact, request"),
        ("dependencies", {"": "keep"}, "dependencies: got {'': 'keep'}, expected one of keep, ignore"),
        ("cycles", True, "cycles: got True, expected one of instant, event, pyss"),
        ("engine", 1, "engine: got 1, expected one of auto, reference, compiled"),
        ("strict", "false", "strict: got 'false', expected true or false"),
        ("load", "2", "load: got '2', expected a number > 0"),
        ("first", 2.5, "first: got 2.5, expected a whole number >= 1"),
        ("off_line", "yes", "off-line: got 'yes', expected true or false"),
        ("tasks", 3, "tasks: got 3, expected a kind of tasks, as after convert --tasks"),
    ],
)
def test_values_of_another_type_are_refused_in_a_sentence(four_jobs, setting, value, expected):
    """What Python gave for a choice or a truth is named with what it should have been."""
    with pytest.raises(InputError) as caught:
        simulate(four_jobs, processors=4, **{setting: value})
    assert str(caught.value) == expected


@pytest.mark.parametrize("setting", ["refresh", "decision_time", "longest_stay"])
def test_a_number_larger_than_any_time_is_refused(four_jobs, setting):
    """A whole number that cannot be seconds is an error of the setting, not of arithmetic."""
    given = {setting: 10**400, "global_queue": "fcfs"}
    with pytest.raises(InputError):
        simulate(four_jobs, platform=[4, 4], **given)


def test_numbers_of_numpy_are_numbers(four_jobs):
    """A time or a truth may come from an array."""
    plain = simulate(four_jobs, platform=[4, 4], refresh=2)
    found = simulate(four_jobs, platform=[4, 4], refresh=np.float32(2), strict=np.bool_(False))
    assert found.jobs.equals(plain.jobs)


@pytest.mark.parametrize("value", [[], {"": {}}, ["job-sizes"]])
def test_a_level_of_information_is_words(four_jobs, value):
    """A list or a table is no level, and is refused as a name that is not known."""
    with pytest.raises(UnknownNameError, match=r"^no level of information is named "):
        simulate(four_jobs, platform=[4, 4], information=value)


def test_changes_to_the_jobs_are_made_before_the_run(four_jobs):
    """They may come from numpy, are those of `change_jobs`, and are recorded with plain values."""
    changes = {"window": (0, 3), "first": np.int64(2), "load": np.float64(2), "off_line": np.bool_(False)}
    found = simulate(four_jobs, processors=4, **changes)
    by_hand = change_jobs(four_jobs, window_start=0, window_end=3, first=2, load=2)
    assert found.jobs.equals(simulate(by_hand, processors=4).jobs)
    record = json.loads(json.dumps(manifest(found)))
    changed = {"window": [0, 3], "first": 2, "load": 2, "off_line": False}
    assert {name: record[name] for name in changed} == changed
    again = simulate(four_jobs, processors=4, **{name: record[name] for name in changed})
    assert again.jobs.equals(found.jobs)
    assert "load" not in manifest(simulate(four_jobs, processors=4))


def test_sizes_are_scaled_before_the_machine_is_looked_up(four_jobs):
    """Without a machine named it is the one to which sizes are scaled."""
    assert simulate(four_jobs, scale_size=8).processors == 8
