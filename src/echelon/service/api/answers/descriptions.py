"""What each route says of itself: the answers that any may give, and examples."""

from __future__ import annotations

import json
from typing import Any

from echelon.service.api.answers.problems import MEDIA_TYPE, ProblemAnswer, answer_of

_SAID = {
    400: "The request cannot be read.",
    401: "No token, or one that is worth nothing.",
    403: "The token does not allow it.",
    404: "There is no such thing, or it is not the caller's.",
    405: "The method is not possible here.",
    408: "The body did not arrive in time.",
    409: "Its state does not allow it.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "The request is for another host.",
    422: "A field is not what it must be.",
    429: "The service takes no more for now; `Retry-After` says when.",
    500: "The service failed; its log says why.",
    503: "The service does not decide at present.",
}
_DETAILS = {
    401: "a token is needed: Authorization: Bearer ech_...",
    403: "submissions and wishes need the scope submit; mara has read",
    404: "there is no job '4711'",
    409: "job 17 is RUNNING; it cannot be held",
    413: "the body is larger than 1000000 bytes; send less at once",
    422: "got 0, expected at least 1",
    429: "100000 jobs wait at the service, which takes 100000; try again later",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route says of the problems that it may answer with, in addition to those of all."""
    wanted = sorted({400, 401, 403, 421, 422, 500, 503, *statuses})
    return {status: _describe_problem(status) for status in wanted}


def _describe_problem(status: int) -> dict[str, Any]:
    example = bytes(answer_of(status, _DETAILS.get(status, _SAID[status])).body).decode()
    return {
        "description": _SAID[status],
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": f"#/components/schemas/{ProblemAnswer.__name__}"},
                "example": json.loads(example),
            }
        },
    }


def example(value: object, description: str) -> dict[str, Any]:
    """Return what a route says of its good answer."""
    return {"description": description, "content": {"application/json": {"example": value}}}


JOB: dict[str, Any] = {
    "id": "5e0ad2b1c9f44e7c8f5d1f6f5a3b2c1d",
    "number": 17,
    "owner": "mara",
    "name": "mesh-7",
    "state": "WAITING",
    "reason": "alpha has it as job 4711.",
    "wanted": "run",
    "cluster": "alpha",
    "submitted_at": 1767225600.0,
    "assigned_at": 1767225600.3,
    "started_at": None,
    "ended_at": None,
    "exit_code": None,
    "signal": None,
    "processors": 16,
    "time_limit": 3600.0,
    "run": 1,
    "attempt": 1,
    "command": ["/opt/solver", "--cells", "1000"],
    "application": None,
    "stale": False,
    "as_of": 1767225603.0,
    "forecast": {
        "start": 1767226200.3,
        "earliest": 1767226080.0,
        "latest": 1767226500.0,
        "run_time": 1800.0,
    },
}
CLUSTER: dict[str, Any] = {
    "name": "alpha",
    "backend": "slurm",
    "mode": "open",
    "reachable": True,
    "stale": False,
    "looked_at": 1767225603.0,
    "age": 1.4,
    "processors": 512,
    "busy": 500,
    "waiting": 31,
    "running": 40,
    "own_waiting": 12,
    "own_running": 9,
    "problem": "",
    "policy": "easy",
}
CANDIDATE: dict[str, Any] = {
    "cluster": "alpha",
    "why_not": "",
    "wait_time": 600.0,
    "run_time": 1800.0,
    "start": 1767226200.3,
    "earliest": 1767226080.0,
    "latest": 1767226500.0,
    "free": 12,
    "waiting": 31,
    "age": 1.4,
}
EVENT: dict[str, Any] = {
    "number": 901,
    "at": 1767225600.3,
    "kind": "job",
    "subject": JOB["id"],
    "state": "ASSIGNED",
    "reason": "alpha was forecast to start it first, in 10 min.",
}
ATTEMPT: dict[str, Any] = {
    "number": 1,
    "run": 1,
    "cluster": "alpha",
    "state": "SETTLED",
    "native_id": "4711",
    "reason": "alpha has had it for 6 s.",
    "intended_at": 1767225600.4,
    "answered_at": 1767225600.5,
    "seen_at": 1767225603.0,
    "settled_at": 1767225609.0,
    "started_at": None,
    "ended_at": None,
}
DECISION: dict[str, Any] = {
    "number": 1,
    "at": 1767225600.3,
    "broker": "tat",
    "candidates": [CANDIDATE],
    "chosen": "alpha",
    "why": "alpha was forecast to end it first.",
    "seconds": 0.004,
}
FORECAST: dict[str, Any] = {
    "number": 1,
    "at": 1767225600.3,
    "estimator": "request",
    "wait_time": 600.0,
    "run_time": 1800.0,
    "earliest": 480.0,
    "latest": 900.0,
}
