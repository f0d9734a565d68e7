"""JobBody: a job as a caller asks for it, and the JobSpec that it becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.service.api.access.limits import MOST_IN_BATCH
from echelon.service.api.access.visible_jobs import job_seen
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.texts import (
    JobName,
    Key,
    Name,
    NumberOrText,
    OptionName,
    OptionValue,
    ParameterName,
    Path,
    Script,
    Text,
    Variable,
)
from echelon.service.api.bodies.times import bytes_of, seconds_of
from echelon.service.configuration.applications import MOST_PROCESSORS, application_named
from echelon.service.records import JobSpec

if TYPE_CHECKING:
    from echelon.service.api.access.callers import Caller
    from echelon.service.configuration.applications import Application
    from echelon.service.service import Service


class JobBody(BaseModel):
    """A job as a caller asks for it: a command, a script, or an application of the configuration."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "command": ["/opt/solver", "--cells", "1000"],
                    "processors": 16,
                    "time_limit": "1:00:00",
                    "name": "mesh-7",
                },
                {"application": "solver", "parameters": {"cells": 1000}, "processors": 16},
            ]
        },
    )

    command: list[Text] = Field(
        [],
        max_length=10_000,
        description="Program and arguments; no shell reads them. Needs the scope `script`.",
    )
    script: Script = Field(
        "", description="Text of a script, whose first line begins with `#!`. Needs the scope `script`."
    )
    application: Name = Field("", description="Name of an application of the configuration.")
    parameters: dict[ParameterName, NumberOrText] = Field(
        {}, max_length=100, description="Of the application."
    )
    name: Name = Field("", description="For listings.")
    processors: StrictInt | None = Field(
        None,
        ge=1,
        le=MOST_PROCESSORS,
        description="Default: the least that the application may have, else 1.",
    )
    time_limit: NumberOrText | None = Field(
        None,
        description='In seconds; or as text, `"90 min"`, or as in Slurm, `"1:00:00"`, `"1-12"`. Default: the '
        "application's, else the service's.",
    )
    memory: NumberOrText | None = Field(
        None, description='In bytes; or as text, `"4G"` (of 1024 each, as in Slurm), `"4 GB"`, `"4 GiB"`.'
    )
    directory: Path = Field(
        "", description="Absolute working directory at the cluster; default: one for this job."
    )
    environment: dict[Variable, Text] = Field({}, max_length=1000, description="Variables.")
    output: Path = Field("", description="File for what it prints; default: one for this job.")
    error: Path = Field("", description="File for what it prints as errors; default: as `output`.")
    clusters: list[Name] = Field(
        [], max_length=100, description="The only clusters that may run it; default: all."
    )
    after: list[JobName] = Field(
        [], max_length=1000, description="Jobs that must have ended first, by number or id."
    )
    retries: StrictInt = Field(
        0, ge=0, le=100, description="How often it may run again after it was interrupted."
    )
    hold: StrictBool = Field(default=False, description="Whether it waits until its owner releases it.")
    options: dict[OptionName, OptionValue] = Field(
        {}, max_length=50, description="For the cluster's scheduler, of those that its back end allows."
    )


class BatchedJob(JobBody):
    """A job of a batch."""

    idempotency_key: Key | None = Field(
        None, description="As the header `Idempotency-Key` of a single submission."
    )


class Batch(BaseModel):
    """Jobs that are submitted together, all or none."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"jobs": [{"command": ["/bin/true"], "idempotency_key": "night-1"}]}],
        },
    )

    jobs: list[BatchedJob] = Field(min_length=1, max_length=MOST_IN_BATCH)


_TRUSTED = ("directory", "environment", "output", "error", "options")
"""What could make the program of an application do something else, or write over files."""


def spec_of(body: JobBody, caller: Caller, service: Service, *, runs: bool = True) -> JobSpec:
    """Return what a body asks for; for a forecast nothing of it `runs`.

    The jobs that it follows must be the caller's, or the caller may see all. An application's command is made
    here: it is what was allowed at this time, whatever the configuration says later.

    Raises
    ------
    Problem
        403 if the caller may not ask for it.
    InputError, UnknownNameError
        If it contradicts itself, the configuration, or what is known.
    """
    kinds = [kind for kind in ("command", "script", "application") if getattr(body, kind)]
    if len(kinds) != 1:
        got = " and ".join(kinds) or "none"
        raise InputError(f"got {got}, expected one of command, script and application", field="command")
    for field in _TRUSTED if body.application else ("command", "script"):
        if runs and getattr(body, field):
            caller.needs("script", "commands, scripts, directories, environments, files and options")
    common: dict[str, Any] = {
        "name": body.name,
        "memory": None if body.memory is None else bytes_of(body.memory, "memory"),
        "directory": _directory(body.directory),
        "environment": tuple(body.environment.items()),
        "output": body.output,
        "error": body.error,
        "after": tuple(dict.fromkeys(_find_predecessor(one, caller, service) for one in body.after)),
        "retries": body.retries,
        "is_held": body.hold,
        "options": tuple(body.options.items()),
    }
    time_limit = None if body.time_limit is None else seconds_of(body.time_limit, "time_limit")
    if body.application:
        application = application_named(body.application, service.config.applications)
        return JobSpec(**common, **_of_application(application, body, time_limit))
    if body.parameters:
        raise InputError("are of applications; there is none here", field="parameters")
    _check_program(body)
    return JobSpec(
        **common,
        command=tuple(body.command),
        script=body.script,
        processors=body.processors or 1,
        time_limit=time_limit,
        clusters=tuple(dict.fromkeys(body.clusters)),
    )


def specs_of(batch: Batch, caller: Caller, service: Service) -> list[JobSpec]:
    """Return what the bodies of a batch ask for; messages say which job is wrong."""
    specs = []
    for index, body in enumerate(batch.jobs):
        try:
            specs.append(spec_of(body, caller, service))
        except EchelonError as error:
            field = getattr(error, "field", None) or getattr(error, "where", None)
            problem = getattr(error, "problem", str(error))
            raise InputError(problem, field=f"jobs.{index}{'.' if field else ''}{field or ''}") from error
        except Problem as error:
            raise Problem(error.status_code, str(error.detail), field=f"jobs.{index}") from error
    return specs


def _of_application(application: Application, body: JobBody, time_limit: float | None) -> dict[str, Any]:
    """Return what the application and the body say together."""
    processors = application.least if body.processors is None else body.processors
    if not application.least <= processors <= application.most:
        allowed = f"{application.least} to {application.most}"
        raise InputError(f"got {processors}, expected {allowed} for {application.name}", field="processors")
    for cluster in body.clusters:
        if application.clusters and cluster not in application.clusters:
            what = f"cluster of {application.name}"
            raise UnknownNameError(what, cluster, application.clusters, where="clusters")
    return {
        "command": application.command_of(body.parameters),
        "application": application.name,
        "parameters": tuple(application.values(body.parameters).items()),
        "processors": processors,
        "time_limit": application.time_limit if time_limit is None else time_limit,
        "clusters": tuple(dict.fromkeys(body.clusters)) or application.clusters,
    }


def _check_program(body: JobBody) -> None:
    if body.command and not body.command[0]:
        raise InputError("must begin with a program, got an empty text", field="command")
    if body.script and not body.script.startswith("#!"):
        got = ascii(body.script.partition("\n")[0])[:60]
        raise InputError(f"must begin with #! and its interpreter, got {got}", field="script")


def _directory(directory: str) -> str:
    if directory and not directory.startswith("/"):
        raise InputError(f"must be an absolute path, got {directory!r:.200}", field="directory")
    return directory


def _find_predecessor(name: str | int, caller: Caller, service: Service) -> str:
    """Return the id of a job that another is to follow; jobs of others are as if they were not there."""
    try:
        return job_seen(str(name), caller, service).id
    except Problem:
        raise InputError(f"there is no job {name} of yours", field="after") from None
