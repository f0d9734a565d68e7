"""Jobs: submitted once, listed by pages, and what is wished of them."""

from __future__ import annotations

import pytest

from echelon.errors import StoreError, UnknownNameError
from echelon.service.records import JobState

JOB = {"command": ["/bin/true"]}


def keyed(key):
    """Return the header of a key."""
    return [("idempotency-key", key)]


def test_a_key_makes_it_safe_to_submit_again(api):
    """The same job with the same key is one job, 201 first and 200 then; another job with it is 422."""
    first = api.call("POST", "/v1/jobs", JOB, headers=keyed("night-1"))
    again = api.call("POST", "/v1/jobs", JOB, headers=keyed("night-1"))
    assert (first.status, again.status) == (201, 200)
    assert first.content["id"] == again.content["id"]
    assert first.headers["location"] == f"/v1/jobs/{first.content['id']}"
    other = api.call("POST", "/v1/jobs", {"command": ["/bin/false"]}, headers=keyed("night-1"))
    assert (other.status, other.content["field"]) == (422, "idempotency_key")
    batch = {"jobs": [{**JOB, "idempotency_key": key} for key in ("night-1", "night-2")]}
    answer = api.call("POST", "/v1/jobs:batch", batch)
    assert [job["number"] for job in answer.content["jobs"]] == [1, 2]
    assert len(api.service.store.kept) == 2


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "tab\t", "\xe9", "nul\0", "esc\x1b[2J"])
def test_keys_that_are_none(api, key):
    """A key that is empty, too long or of other characters than ASCII that prints is refused."""
    assert api.call("POST", "/v1/jobs", JOB, headers=keyed(key)).status == 422
    assert not api.service.store.kept


def test_two_keys_are_none(api):
    """Two keys in one request could be read as either, so it is refused."""
    answer = api.call("POST", "/v1/jobs", JOB, headers=[*keyed("a"), *keyed("b")])
    assert (answer.status, answer.content["field"]) == (400, "Idempotency-Key")


def test_pages_have_every_job_once(api):
    """Following the cursor gives each job once, in order, though jobs arrive in between."""
    for _ in range(7):
        api.call("POST", "/v1/jobs", JOB)
    seen, cursor = [], ""
    while cursor is not None:
        page = api.call("GET", f"/v1/jobs?limit=3&cursor={cursor or 0}").content
        seen += [job["number"] for job in page["jobs"]]
        cursor = page["next"]
        if len(seen) == 3:
            api.call("POST", "/v1/jobs", JOB)
    assert seen == list(range(1, 9))
    first = api.call("GET", "/v1/jobs?limit=3&newest=true").content
    second = api.call("GET", f"/v1/jobs?limit=3&newest=true&cursor={first['next']}").content
    assert [job["number"] for job in first["jobs"] + second["jobs"]] == [8, 7, 6, 5, 4, 3]


def test_filters(api):
    """States by name, several, with commas, `open` and `ended`, and clusters choose jobs."""
    states = (JobState.RUNNING, JobState.COMPLETED, JobState.QUEUED)
    for number, state in enumerate(states, 1):
        api.call("POST", "/v1/jobs", JOB)
        api.service.change(number, state=state, cluster="alpha" if number == 1 else "")

    def numbers(query):
        return [job["number"] for job in api.call("GET", f"/v1/jobs?{query}").content["jobs"]]

    assert numbers("state=running") == [1]
    assert numbers("state=RUNNING,QUEUED") == [1, 3]
    assert numbers("state=COMPLETED&state=queued") == [2, 3]
    assert numbers("state=open") == [1, 3]
    assert numbers("state=ended") == [2]
    assert numbers("cluster=alpha") == [1]
    for query in (
        "state=FLYING",
        "limit=0",
        "limit=1001",
        "cursor=x",
        "cursor=-1",
        "limit=%00",
        "cluster=%00",
    ):
        assert api.call("GET", f"/v1/jobs?{query}").status == 422


def test_a_job_says_how_old_its_news_is(api):
    """While a job is at a cluster, it has the time of the cluster's last look; then no more."""
    api.call("POST", "/v1/jobs", JOB)
    api.service.change(1, state=JobState.WAITING, cluster="alpha", assigned_at=100.0)
    job = api.call("GET", "/v1/jobs/1").content
    assert (job["as_of"], job["stale"]) == (1000.0, False)
    assert job["forecast"] == {"start": 160.0, "earliest": 150.0, "latest": 180.0, "run_time": 10.0}
    api.service.change(1, state=JobState.COMPLETED)
    assert api.call("GET", "/v1/jobs/1").content["as_of"] is None


def test_why_a_job_is_where_it_is(api):
    """The decision has its candidates with their starts, the attempts, and the events of this job alone."""
    for _ in range(2):
        api.call("POST", "/v1/jobs", JOB)
    found = api.call("GET", "/v1/jobs/1/decision").content
    assert [one["start"] for one in found["decisions"][0]["candidates"]] == [160.0, None]
    assert [one["native_id"] for one in found["attempts"]] == ["7"]
    assert [one["number"] for one in found["events"]] == [1]


def test_wishes(api):
    """Wishes are noted; one that the state does not allow is 409."""
    api.call("POST", "/v1/jobs", JOB)
    assert api.call("POST", "/v1/jobs/1:hold").content["wanted"] == "hold"
    assert api.call("POST", "/v1/jobs/1:release").content["wanted"] == "run"
    api.service.change(1, state=JobState.RUNNING)
    answer = api.call("POST", "/v1/jobs/1:hold")
    assert (answer.status, answer.content["detail"]) == (409, "job 1 is RUNNING; it cannot be held")
    assert api.call("POST", "/v1/jobs/1:cancel").content["wanted"] == "cancel"


@pytest.mark.parametrize(
    "name",
    ["0", "-1", "01", "1%20", "1%00", "%00", "x", "9" * 40, "A" * 32, "..", "1.0", "%2e%2e%2f1", "1:x", "٣"],
)
def test_what_names_no_job(api, name):
    """What is no id and no number is 404, without a question to the store."""
    from urllib.parse import unquote

    api.service.store.job = None
    for method, action in (("GET", ""), ("POST", ":cancel"), ("GET", "/decision")):
        assert api.call(method, f"/v1/jobs/{unquote(name)}{action}").status == 404


def test_too_many_jobs_are_put_off(make):
    """Above its limit the service says 429 and when to come again; one too many in a batch keeps all out."""
    api = make(most=2)
    answer = api.call("POST", "/v1/jobs:batch", {"jobs": [JOB] * 3})
    assert (answer.status, answer.headers["retry-after"]) == (429, "8")
    assert api.call("POST", "/v1/jobs:batch", {"jobs": [JOB] * 2}).status == 201


def test_a_fault_is_answered_without_details(make):
    """What fails inside is 500 and says nothing of it; the next request is answered."""
    api = make(fault=RuntimeError("on purpose: password=hunter2"))
    answer = api.call("POST", "/v1/jobs", JOB)
    assert answer.status == 500
    assert "hunter2" not in str(answer.content)
    assert answer.headers["content-type"] == "application/problem+json"
    api.service.fault = UnknownNameError("cluster", "alpa", ["alpha"], where="clusters")
    answer = api.call("POST", "/v1/jobs", JOB)
    assert (answer.status, answer.content["field"]) == (422, "clusters")


def test_a_store_that_takes_nothing(make):
    """A full disk is 503 with what is wrong, not where the store is, and a delay says that it is unclear."""
    api = make(fault=StoreError("the disk is full; nothing of it was kept", file="/secret/echelon.db"))
    answer = api.call("POST", "/v1/jobs", JOB)
    assert (answer.status, answer.content["detail"]) == (503, "the disk is full; nothing of it was kept")
    assert "retry-after" in answer.headers
    api.service.fault = TimeoutError()
    answer = api.call("POST", "/v1/jobs", JOB)
    assert (answer.status, "may still be done" in answer.content["detail"]) == (503, True)
