"""A simulated cluster answers as a real one: tags, claims, ends, listings, and it outlives its process."""

from __future__ import annotations

import pytest

from echelon.backends.contract import (
    Accepted,
    Backend,
    Description,
    EndRecord,
    Outcome,
    OwnJob,
    Refused,
    Submission,
)
from echelon.backends.registry import backend_of
from echelon.backends.simulated.backend import make
from echelon.errors import InputError, UnknownNameError
from echelon.testing.backends import BACKEND_CHECKS, BackendCase, check_backend


class Site:
    """A cluster of four processors, in a folder, under a clock that the test sets."""

    def __init__(self, folder, **settings):
        self.folder, self.settings, self.now = folder, {"slots": 4} | settings, 1000.0
        self.open()

    def open(self):
        self.backend = make("a", self.settings, self.folder, clock=lambda: self.now)

    def submit(self, *jobs):
        return self.backend.submit([Submission(*job[:2], **job[2]) for job in jobs])

    def states(self):
        return {one.tag: one.state for one in self.backend.look().own}

    def after(self, seconds):
        self.now += seconds
        return self.states()


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def sleeps(tag, seconds, processors=1, limit=600.0):
    return tag, ("sleep", str(seconds)), {"processors": processors, "time_limit": limit}


def test_it_is_a_back_end(site):
    """It has every method of the contract, and says that its jobs claim themselves."""
    assert isinstance(site.backend, Backend)
    assert site.backend.describe() == Description(4, has_claims=True, patience=0.0, version="simulated")


def test_jobs_start_and_end_by_their_policy(tmp_path):
    """A small job passes a large one that waits, and looks list starts, ends and reservations."""
    site = Site(tmp_path, policy="conservative")
    answers = site.submit(sleeps("a", 100, 3, 100.0), sleeps("b", 50, 4), sleeps("c", 80, 1, 90.0))
    assert answers == [Accepted("1"), Accepted("2"), Accepted("3")]
    seen = site.backend.look()
    assert [(one.tag, one.state) for one in seen.own] == [
        ("a", "running"),
        ("c", "running"),
        ("b", "waiting"),
    ]
    assert seen.reserved == (("b", 1100.0),)
    assert (seen.began_at, seen.is_complete, seen.processors) == (1000.0, True, 4)
    site.now = 1100.0
    ended = OwnJob("a", "1", "ended", 3, 1000.0, 1100.0, Outcome.COMPLETED)
    running = OwnJob("b", "2", "running", 4, 1100.0)
    assert set(site.backend.look().own) >= {ended, running}


def test_what_a_cluster_can_never_run_is_refused_for_good(site):
    """A job with more processors than the cluster has is refused permanently; the others are not."""
    refused, taken = site.submit(sleeps("large", 1, 5), sleeps("small", 1))
    assert refused == Refused("asks for 5 processors of 4", is_permanent=True)
    assert taken == Accepted("1")


def test_ends_have_outcomes(site):
    """Exit codes, limits and cancellations are in the records; they stay when the job is not listed."""
    site.submit(
        ("ok", ("true",), {}),
        ("bad", ("false",), {}),
        ("three", ("x",), {"environment": (("ECHELON_RUN_TIME", "2"), ("ECHELON_EXIT_CODE", "3"))}),
        sleeps("long", 50, 1, 20.0),
    )
    site.after(5)
    site.submit(sleeps("unwanted", 50))
    site.backend.cancel([("unwanted", "")])
    assert site.after(1000) == {}
    found = site.backend.evidence(["ok", "bad", "three", "long", "unwanted", "never"])
    assert found.is_complete
    assert found.records == {
        "ok": EndRecord(Outcome.COMPLETED, 0, None, 1000.0, 1001.0, "exit record"),
        "bad": EndRecord(Outcome.FAILED, 1, None, 1000.0, 1001.0, "exit record"),
        "three": EndRecord(Outcome.FAILED, 3, None, 1000.0, 1002.0, "exit record"),
        "long": EndRecord(Outcome.TIMED_OUT, None, 15, 1000.0, 1020.0, "exit record"),
        "unwanted": EndRecord(Outcome.CANCELED, None, 15, 1005.0, 1005.0, "exit record"),
    }
    assert found.claimed == {"ok", "bad", "three", "long", "unwanted"}


def test_a_tag_runs_once(site):
    """A second submission of a tag finds the claim taken when it starts, and exits; the record stays."""
    site.submit(sleeps("a", 10), sleeps("a", 10))
    seen = site.backend.look().own
    assert [(one.native_id, one.state, one.outcome) for one in seen] == [
        ("1", "running", None),
        ("2", "ended", Outcome.UNCLAIMED),
    ]
    site.after(10)
    assert site.backend.evidence(["a"]).records["a"].outcome == Outcome.COMPLETED


def test_claims_are_taken_once(site):
    """A claim that the service took keeps the job from running for good; one that runs keeps its own."""
    site.submit(sleeps("runs", 50, 4), sleeps("waits", 50, 4))
    assert site.backend.revoke(["runs", "waits", "unknown"]) == {
        "runs": False,
        "waits": True,
        "unknown": True,
    }
    assert site.backend.revoke(["waits"]) == {"waits": True}
    site.after(50)
    site.after(50)
    found = site.backend.evidence(["runs", "waits"])
    assert set(found.records) == {"runs"}
    assert found.claimed == {"runs"}


def test_cancellations_need_the_tag(site):
    """A number with another tag cancels nothing, and unknown or ended jobs are no error."""
    site.submit(sleeps("a", 100, 4), sleeps("b", 100, 4))
    site.backend.cancel([("b", "1"), ("never", ""), ("never", "1")])
    assert site.states() == {"a": "running", "b": "waiting"}
    site.backend.cancel([("b", "2")])
    site.backend.cancel([("b", "2"), ("a", "1")])
    assert site.states() == {"a": "ended", "b": "ended"}
    assert {one.tag: one.outcome for one in site.backend.look().own} == dict.fromkeys("ab", Outcome.CANCELED)


def test_what_a_canceled_job_held_is_used_at_once(site):
    """Processors of a canceled job start the next one at the same instant."""
    site.submit(sleeps("a", 100, 4), sleeps("b", 100, 4))
    site.backend.cancel([("a", "")])
    assert site.states() == {"a": "ended", "b": "running"}


def test_it_outlives_its_process(site):
    """A new object over the same folder goes on where the old one is, also after a line cut by a crash."""
    site.submit(sleeps("a", 10), sleeps("b", 30, 4), ("q", ("echo", "a b\n\"'$x"), {}))
    site.after(5)
    site.backend.revoke(["later"])
    site.backend.cancel([("q", "")])
    before = site.backend.look(), site.backend.evidence(["a", "b", "q", "later"])
    site.backend.close()
    with (site.folder / "a.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"at": 1006.0, "submit": [{"tag": "half')
    site.open()
    assert (site.backend.look(), site.backend.evidence(["a", "b", "q", "later"])) == before
    assert site.after(20)["b"] == "running"
    assert site.backend.revoke(["later"]) == {"later": True}


def test_a_clock_that_is_set_back_stands_still(site):
    """No look begins before the one before it."""
    site.submit(sleeps("a", 10))
    site.after(3)
    assert site.after(-100) == {"a": "running"}
    assert site.backend.look().began_at == 1003.0


def test_a_faster_cluster_ends_sooner(tmp_path):
    """Run times and limits are divided by the speed."""
    site = Site(tmp_path, speed=100)
    site.submit(sleeps("a", 1000, 1, 2000.0), sleeps("long", 1000, 1, 500.0))
    assert site.after(5) == {"a": "running", "long": "ended"}
    site.after(5)
    records = site.backend.evidence(["a", "long"]).records
    assert records["a"].ended_at == 1010.0
    assert (records["long"].outcome, records["long"].ended_at) == (Outcome.TIMED_OUT, 1005.0)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"slot": 4}, UnknownNameError, "slots"),
        ({"slots": 0}, InputError, "cluster 'a', slots: is 0, expected a whole number >= 1"),
        ({"slots": 4, "speed": 0}, InputError, "cluster 'a', speed"),
        ({"slots": 4, "policy": "eazy"}, UnknownNameError, "easy"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, settings, error, message):
    """An unknown or wrong setting of the kind "simulated" is an error that names it."""
    with pytest.raises(error, match=message):
        backend_of("simulated", "a", settings, tmp_path)


class Simulated(BackendCase):
    """Two processors under a clock that passes when the check waits."""

    runs_commands = False
    time = 1000.0

    def open(self):
        return make("a", {"slots": 2}, self.directory, clock=self.now)

    def now(self):
        return self.time

    def wait(self, seconds):
        self.time += seconds

    def job(self, *, seconds=0.0, exit_code=0, **given):
        said = (("ECHELON_RUN_TIME", str(max(seconds, 0.01))), ("ECHELON_EXIT_CODE", str(exit_code)))
        return super().job(**{"environment": said, **given})


@pytest.mark.parametrize("name", BACKEND_CHECKS)
def test_conforms(tmp_path, name):
    """The back end does what every back end must."""
    check_backend(Simulated(tmp_path), [name]).require()
