"""JobBody: what a caller asks for, and the JobSpec that it becomes."""

from __future__ import annotations

import pytest

from echelon.service.records import JobSpec

FULL = {
    "command": ["/opt/solver", "a b", "$HOME;`rm -rf /`", "two\nlines", "q\"'", ""],
    "name": "mesh-7",
    "processors": 16,
    "time_limit": "1:00:00",
    "memory": "4G",
    "directory": "/data/my run",
    "environment": {"PATH": "/usr/bin", "_X1": "two\nlines = $X"},
    "output": "out.txt",
    "error": "err.txt",
    "clusters": ["alpha", "beta", "alpha"],
    "retries": 2,
    "hold": True,
    "options": {"partition": "fast"},
}


def submitted(api, body, **more):
    """Return the spec of a job that is submitted."""
    answer = api.call("POST", "/v1/jobs", body, **more)
    assert answer.status == 201, answer.content
    return api.service.store.kept[answer.content["number"]].spec


def test_all_fields_arrive_unchanged(api):
    """Each field becomes what it says; arguments and variables keep every character."""
    first = api.call("POST", "/v1/jobs", {"command": ["x"]}).content["id"]
    assert submitted(api, {**FULL, "after": [1, "1", first]}) == JobSpec(
        command=tuple(FULL["command"]),
        name="mesh-7",
        processors=16,
        time_limit=3600.0,
        memory=4 * 2**30,
        directory="/data/my run",
        environment=(("PATH", "/usr/bin"), ("_X1", "two\nlines = $X")),
        output="out.txt",
        error="err.txt",
        clusters=("alpha", "beta"),
        after=(first,),
        retries=2,
        is_held=True,
        options=(("partition", "fast"),),
    )


def test_an_application_becomes_its_command(api):
    """An application's command is made when it is submitted, with its defaults and its clusters."""
    spec = submitted(api, {"application": "solver", "parameters": {"cells": 7}})
    assert (spec.application, spec.parameters, spec.clusters) == ("solver", (("cells", "7"),), ("alpha",))
    assert (spec.command, spec.processors) == (("/opt/solver", "--cells", "7"), 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "command"),
        ({"command": ["x"], "script": "#!/bin/sh"}, "command"),
        ({"command": [""]}, "command"),
        ({"command": "sh -c x"}, "command"),
        ({"command": ["x\0y"]}, "command.0"),
        ({"command": ["x", 7]}, "command.1"),
        ({"command": ["x", "\ud800"]}, "command.1"),
        ({"command": ["x"] * 10_001}, "command"),
        ({"command": ["x" * 131_072]}, "command.0"),
        ({"script": "echo x"}, "script"),
        ({"command": ["x"], "parameters": {"cells": 1}}, "parameters"),
        ({"application": "slover"}, "application"),
        ({"application": "solver"}, "parameters.cells"),
        ({"application": "solver", "parameters": {"cells": 1001}}, "parameters.cells"),
        ({"application": "solver", "parameters": {"cells": "1; rm -rf /"}}, "parameters.cells"),
        ({"application": "solver", "parameters": {"cells": 5}, "processors": 65}, "processors"),
        ({"application": "solver", "parameters": {"cells": 5}, "clusters": ["beta"]}, "clusters"),
        ({"command": ["x"], "name": "two\nlines"}, "name"),
        ({"command": ["x"], "name": "ok\n"}, "name"),
        ({"command": ["x"], "name": "x" * 33}, "name"),
        ({"command": ["x"], "processors": 0}, "processors"),
        ({"command": ["x"], "processors": 1.5}, "processors"),
        ({"command": ["x"], "processors": True}, "processors"),
        ({"command": ["x"], "processors": 2**40}, "processors"),
        ({"command": ["x"], "time_limit": "60"}, "time_limit"),
        ({"command": ["x"], "time_limit": -1}, "time_limit"),
        ({"command": ["x"], "memory": "lots"}, "memory"),
        ({"command": ["x"], "directory": "relative"}, "directory"),
        ({"command": ["x"], "directory": "/a\0b"}, "directory"),
        ({"command": ["x"], "environment": {"A=B": "1"}}, "environment.A=B.[key]"),
        ({"command": ["x"], "environment": {"": "1"}}, "environment..[key]"),
        ({"command": ["x"], "environment": {"A\n": "1"}}, "environment.A\n.[key]"),
        ({"command": ["x"], "environment": {"A": "\0"}}, "environment.A"),
        ({"command": ["x"], "after": ["../1"]}, "after.0"),
        ({"command": ["x"], "after": [0]}, "after.0"),
        ({"command": ["x"], "after": [True]}, "after.0"),
        ({"command": ["x"], "after": [99]}, "after"),
        ({"command": ["x"], "time_limit": [60]}, "time_limit"),
        ({"command": ["x"], "memory": {"a": 1}}, "memory"),
        ({"command": ["x"], "retries": 101}, "retries"),
        ({"command": ["x"], "hold": "yes"}, "hold"),
        ({"command": ["x"], "options": {"partition": "a\nb"}}, "options.partition"),
        ({"command": ["x"], "options": {"--wrap": "sh"}}, "options.--wrap.[key]"),
        ({"command": ["x"], "owner": "root"}, "owner"),
        ([], "body"),
        ("x", "body"),
        (None, "body"),
    ],
)
def test_what_is_wrong_is_named(api, body, field):
    """Each mistake is 422 with its field and a sentence, and no job is kept."""
    answer = api.call("POST", "/v1/jobs", b"null" if body is None else body)
    assert answer.status == 422
    fields = [answer.content.get("field"), *(one["field"] for one in answer.content.get("errors", ()))]
    assert field in fields
    assert answer.headers["content-type"] == "application/problem+json"
    assert not api.service.store.kept


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"command": ["x"], "name": "a\nb"}, r"got 'a\nb', expected lower-case letters, digits and hyphens"),
        ({"command": ["x"], "processors": 0}, "got 0, expected at least 1"),
        ({"command": ["x"], "retries": 101}, "got 101, expected at most 100"),
        ({"command": ["x"], "after": ["foo"]}, "got 'foo', expected the number or the id of a job"),
        ({"command": [5]}, "got 5, expected a valid string"),
        ({"command": ["x"], "owner": "root"}, "is not known here; see /v1/openapi.json"),
        ([], "expected an object with fields"),
    ],
)
def test_what_is_wrong_is_a_sentence(api, body, sentence):
    """It says what was got and what is expected, without regular expressions."""
    assert api.call("POST", "/v1/jobs", body).content["detail"] == sentence


def test_a_batch_says_which_job_is_wrong(api):
    """One job that is wrong keeps all others of its batch out, and is named."""
    good = {"command": ["x"]}
    for bad, field in (
        ({"command": ["x"], "time_limit": "60"}, "jobs.1.time_limit"),
        ({"command": ["x"], "processors": 0}, "jobs.1.processors"),
        ({"application": "solver", "parameters": {"cells": 0}}, "jobs.1.parameters.cells"),
        ({"application": "slover"}, "jobs.1.application"),
        ({"command": ["x"], "idempotency_key": "a b"}, "jobs.1.idempotency_key"),
    ):
        answer = api.call("POST", "/v1/jobs:batch", {"jobs": [good, bad, good]})
        assert (answer.status, answer.content["field"]) == (422, field)
    token = api.token()
    batch = {"jobs": [{"application": "solver", "parameters": {"cells": 1}}, good]}
    answer = api.call("POST", "/v1/jobs:batch", batch, token=token)
    assert (answer.status, answer.content["field"]) == (403, "jobs.1")
    assert api.call("POST", "/v1/jobs:batch", {"jobs": []}).status == 422
    assert not api.service.store.kept
