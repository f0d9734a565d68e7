"""Jobs are kept once, with numbers that have no gaps, however often and by how many they are submitted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from echelon.errors import InputError
from echelon.service.records import Event, JobRecord, JobSpec, JobState
from echelon.service.store import Store

PLAIN = JobSpec(command=("solver", "--cells", "10"))
HELD = JobSpec(script="#!/bin/sh\necho 'ä \"$HOME\"'\n", is_held=True, after=("a", "b"), retries=2)


def test_jobs_are_kept_as_they_were_asked_for(address):
    """A job comes back field by field after the store was opened again, with an event of who did it."""
    with Store.open(address) as store:
        kept = store.add_jobs("ann", [PLAIN, HELD], [None, "k"], 7.5, ["1" * 32, "2" * 32])
    assert [is_new for _, is_new in kept] == [True, True]
    assert kept[0][0] == JobRecord("1" * 32, 1, "ann", PLAIN, 7.5, reason="Submitted by ann.")
    held = kept[1][0]
    assert (held.state, held.wanted, held.number) == (JobState.HELD, "hold", 2)
    with Store.open(address, create=False) as store:
        assert store.jobs() == [job for job, _ in kept]
        assert store.job("2" * 32) == store.job(2) == store.job("2") == held
        assert store.events() == [
            Event(7.5, "job", "1" * 32, "QUEUED", "Submitted by ann.", 1),
            Event(7.5, "job", "2" * 32, "HELD", "Submitted by ann, held.", 2),
        ]


def test_a_key_names_a_job_of_its_owner(store):
    """The same key and spec are the same job; of another owner they are another one."""
    first = store.add_jobs("ann", [PLAIN], ["k"], 1.0, ["1" * 32])
    again = store.add_jobs("ann", [PLAIN], ["k"], 2.0, ["2" * 32])
    other = store.add_jobs("bob", [PLAIN], ["k"], 3.0, ["3" * 32])
    assert again == [(first[0][0], False)]
    assert [job.number for job, is_new in other if is_new] == [2]
    assert store.last_event() == 2


def test_a_key_of_another_job_is_refused(store):
    """The same key with another spec is an error that names it, and no job of the submission is kept."""
    store.add_jobs("ann", [PLAIN], ["k"], 1.0, ["1" * 32])
    with pytest.raises(InputError, match=r"idempotency_key: 'k' was used for another job") as caught:
        store.add_jobs("ann", [HELD, HELD], ["new", "k"], 2.0, ["2" * 32, "3" * 32])
    assert caught.value.field == "idempotency_key"
    with pytest.raises(InputError, match="idempotency_key"):
        store.add_jobs("ann", [PLAIN, HELD], ["two", "two"], 2.0, ["2" * 32, "3" * 32])
    assert [job.number for job in store.jobs()] == [1]
    assert store.add_jobs("ann", [HELD], [None], 3.0, ["4" * 32])[0][0].number == 2


def test_a_key_twice_in_one_batch_is_one_job(store):
    """Equal keys of one submission are one job, which is new once."""
    kept = store.add_jobs("ann", [PLAIN, HELD, PLAIN], ["k", None, "k"], 1.0, ["1" * 32, "2" * 32, "3" * 32])
    assert [(job.number, is_new) for job, is_new in kept] == [(1, True), (2, True), (1, False)]


def test_a_submission_whose_answer_was_lost_may_be_repeated(store):
    """The same ids are the same jobs, also without keys; an id of another owner's job is refused."""
    first = store.add_jobs("ann", [PLAIN, HELD], [None, None], 1.0, ["1" * 32, "2" * 32])
    again = store.add_jobs("ann", [PLAIN, HELD], [None, None], 2.0, ["1" * 32, "2" * 32])
    assert again == [(job, False) for job, _ in first]
    with pytest.raises(InputError, match="id: "):
        store.add_jobs("bob", [PLAIN], [None], 2.0, ["1" * 32])


@pytest.mark.slow
def test_numbers_have_no_gaps(store):
    """Jobs of 8 users at once, some of them refused, have the numbers from 1 on, and so have events."""

    def submit(user):
        got = []
        for k in range(12):
            specs = [PLAIN] * (1 + k % 3)
            keys = [f"{k}"] + [None] * (len(specs) - 1)
            got += store.add_jobs(user, specs, keys, 1.0, [uuid4().hex for _ in specs])
            with pytest.raises(InputError):
                store.add_jobs(user, [PLAIN, HELD], [None, f"{k}"], 1.0, [uuid4().hex, uuid4().hex])
        return [job.number for job, _ in got]

    with ThreadPoolExecutor(8) as pool:
        numbers = [n for found in pool.map(submit, [f"user{k}" for k in range(8)]) for n in found]
    assert sorted(numbers) == list(range(1, 8 * 24 + 1))
    assert [job.number for job in store.jobs(limit=1000)] == sorted(numbers)
    assert [event.number for event in store.events()] == sorted(numbers)


@pytest.mark.slow
def test_two_stores_give_no_number_twice(address):
    """Two programs that have the same store open follow each other: no number is given twice, or left out."""
    with Store.open(address) as one, Store.open(address) as two:

        def submit(store):
            return [
                store.add_jobs("ann", [PLAIN], [None], 1.0, [uuid4().hex])[0][0].number for _ in range(40)
            ]

        with ThreadPoolExecutor(4) as pool:
            found = [n for numbers in pool.map(submit, (one, two, one, two)) for n in numbers]
        assert sorted(found) == list(range(1, 161))


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"])
def test_names_that_no_database_keeps_are_refused(store, bad):
    """An owner or a key that would not be found again is an error, not another name."""
    with pytest.raises(InputError, match="owner"):
        store.add_jobs(bad, [PLAIN], [None], 1.0, ["1" * 32])
    with pytest.raises(InputError, match="idempotency_key"):
        store.add_jobs("ann", [PLAIN], [bad], 1.0, ["1" * 32])
    assert store.jobs() == []


def test_strange_arguments_are_kept(store):
    """Zeros, halves of characters and quotes in arguments and environments come back as they were."""
    spec = JobSpec(command=("a\0b", "\ud800", "'\";--\n\t"), environment=(("A", "\x7fé"), ("B", "")))
    store.add_jobs("ann", [spec], [None], 1.0, ["1" * 32])
    assert store.job(1).spec == spec
