"""``echelon cancel``, ``hold`` and ``release``."""

from __future__ import annotations


def test_each_wish_is_asked_for(echelon, service):
    """Each job is reported with its state; one named twice is asked for once."""
    for _ in range(2):
        service.add({"command": ["a"]}, None)
    assert echelon("hold", 1, 2, 1) == (
        0,
        "Job 1 is HELD: Its owner wants it.\nJob 2 is HELD: Its owner wants it.\n",
        "",
    )
    assert echelon("release", 1, "--json").json["jobs"][0]["state"] == "QUEUED"
    assert echelon("cancel", "--quiet", service.jobs[1]["id"]) == (0, "", "")
    assert [job["state"] for job in service.jobs] == ["QUEUED", "CANCELED"]


def test_one_refusal_does_not_keep_the_others(echelon, service):
    """All are asked for; what was refused is one sentence and exit code 2."""
    for _ in range(2):
        service.add({"command": ["a"]}, None)
    service.change(1, state="RUNNING")
    said = echelon("hold", 1, 9, 2)
    assert said.code == 2
    assert said.out == "Job 2 is HELD: Its owner wants it.\n"
    assert said.err == (
        "echelon: job 1: job 1 runs; only a job that waits can be held; job 9: there is no job 9\n"
    )


def test_the_services_own_words_alone(echelon, service):
    """With one job its name is not said twice."""
    assert echelon("cancel", 9).sentence == "echelon: there is no job 9"
    assert service.jobs == []
