"""What a service is asked and answers, as typed dictionaries: the JSON of its interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FINAL = frozenset(("COMPLETED", "FAILED", "CANCELED", "TIMED_OUT", "INTERRUPTED", "REJECTED"))
"""States of jobs that have ended, one way or another."""


class JobFields(TypedDict, total=False):
    """What a user asks for; all of it may be left out, but one of command, script and application.

    Attributes
    ----------
    command : sequence of str
        Program and arguments; no shell reads them.
    script : str
        Text of a script with its ``#!`` line.
    application : str
        Name of an application that the service knows.
    parameters : mapping of str to str
        Of the application.
    name : str
        For listings, of ``[a-z0-9-]``, at most 32 characters.
    processors : int
        At least 1; default 1.
    time_limit : float or str
        In seconds, or as ``"1:00:00"``; default: the service's.
    memory : int
        In bytes.
    directory : str
        Working directory at the cluster; default: one of the service's for this job alone.
    environment : mapping of str to str
        Variables.
    output, error : str
        Files for what it prints; default: ``ech-ID-RUN.out`` in its directory, and errors as output.
    clusters : sequence of str
        The only clusters that may run it; default: all.
    after : sequence of str or int
        Jobs that must have ended first, by id or number.
    retries : int
        How often it may run again after it was interrupted; default 0.
    hold : bool
        Whether it waits until its owner releases it; default False.
    options : mapping of str to str
        For the scheduler of the cluster, as far as the service allows them.
    """

    command: Sequence[str]
    script: str
    application: str
    parameters: Mapping[str, str]
    name: str
    processors: int
    time_limit: float | str
    memory: int
    directory: str
    environment: Mapping[str, str]
    output: str
    error: str
    clusters: Sequence[str]
    after: Sequence[str | int]
    retries: int
    hold: bool
    options: Mapping[str, str]


class ForecastAnswer(TypedDict):
    """What was forecast for a job: Unix times in seconds; the run time in seconds."""

    start: float | None
    earliest: float | None
    latest: float | None
    run_time: float | None


class JobAnswer(TypedDict):
    """A job as a service knows it; all times are Unix times in seconds."""

    id: str
    number: int
    owner: str
    name: str
    state: str
    reason: str
    wanted: str
    cluster: str
    submitted_at: float
    assigned_at: float | None
    started_at: float | None
    ended_at: float | None
    exit_code: int | None
    signal: int | None
    processors: int
    time_limit: float | None
    run: int
    attempt: int
    command: list[str] | None
    application: str | None
    stale: bool
    as_of: float | None
    forecast: ForecastAnswer | None


class ClusterAnswer(TypedDict):
    """A cluster as a service knows it; ages in seconds, loads in processors and jobs."""

    name: str
    backend: str
    mode: str
    reachable: bool
    stale: bool
    looked_at: float | None
    age: float | None
    processors: int
    busy: int
    waiting: int
    running: int
    own_waiting: int
    own_running: int
    problem: str
    policy: str


class EventAnswer(TypedDict):
    """Something that happened, with its reason; numbers increase."""

    number: int
    at: float
    kind: str
    subject: str
    state: str
    reason: str


class DecisionAnswer(TypedDict):
    """Why a job is where it is: all its decisions, forecasts, attempts and events, oldest first."""

    decisions: list[dict[str, Any]]
    forecasts: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    events: list[EventAnswer]


class TokenAnswer(TypedDict, total=False):
    """A token; its text is there only when it was made just now."""

    number: int
    user: str
    scopes: list[str]
    expires: float | None
    label: str
    revoked: bool
    token: str
