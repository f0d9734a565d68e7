"""Scenario file: one simulation described in TOML, with the words of the command line.

::

    workload = "kth-sp2"
    policy = "easy:shortest-first"
    estimates = "raise"
    out = "results/easy-sjf"

Paths in the file are relative to the file.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from echelon.engine.contract import PASSES
from echelon.engine.immediate.rules import CPU_USES, EXPERIENCES
from echelon.engine.nodes.rules import GOVERNORS, RELEASES, SEQUENTIALS
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.execution import TimeShared, execution_named, network_named, time_shared_named
from echelon.experiments.decision_time import check_decision_time
from echelon.experiments.immediate import monitoring
from echelon.experiments.rule_table import rule_words
from echelon.experiments.simulation import ENGINES
from echelon.metrics import own_metrics
from echelon.model import DEPENDENCIES, ESTIMATES_ON_NODES
from echelon.platforms import platform_named
from echelon.policies import admissible, broker_named, estimator_named, policy_named
from echelon.policies.coallocation.named import co_allocation_named
from echelon.policies.placement import placement_named
from echelon.policies.sharing import sharing
from echelon.policies.upper_queue.named import queue_limit, upper_queue
from echelon.user_file import is_file
from echelon.workloads import DATASETS, FORMATS
from echelon.workloads.grid.words import names_grid
from echelon.workloads.local_users import LOCAL_TRACES, local_users
from echelon.workloads.synthetic.generating import names_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic_core import ErrorDetails


_MOST = 16 << 20
"""Bytes that are read of a scenario file; what is longer is none, and may be endless."""


class ScenarioFile(BaseModel):
    """What a scenario file may say; ``None`` leaves the choice to `echelon.simulate`.

    Build it with `read_scenario_file`. A description up to its semicolon is what error messages expect.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    workload: str = Field(min_length=1, description="a path, a data set's name or a model's words; the jobs")
    format: str | None = Field(None, description="a workload format's name; default by the file's ending")
    policy: str | None = Field(
        None, description="a policy as after --policy, or a table of its name and parameters; default fcfs"
    )
    processors: int | None = Field(
        None, ge=1, description="a whole number >= 1; processors of the machine, default what the log says"
    )
    platform: str | None = Field(
        None,
        description="a platform file or a preset's name; a grid or nodes, default one plain machine",
    )
    broker: str | None = Field(
        None,
        description="a broker as after --broker; who chooses each job's site, default mpl on a grid",
    )
    admissible: Any = Field(
        None, description="a number > 0 and <= 1; share of the sites that a broker may choose from, default 1"
    )
    place: str | None = Field(
        None, description="a placement as after --place; where jobs go on nodes, default first-fit"
    )
    execution: str | None = Field(
        None,
        description="an execution as after --execution; how fast tasks run on nodes, default speed or fixed",
    )
    network: str | None = Field(
        None, description="a network model as after --network; contention between nodes, default none"
    )
    sharing: str | None = Field(
        None, description="a sharing as after --sharing; tasks on fewer cores than tasks, default none"
    )
    power_cap: float | None = Field(
        None, gt=0, description="a number > 0; most that the machine may draw in W, default no limit"
    )
    governor: str | None = Field(
        None, description=f"one of {', '.join(GOVERNORS)}; frequency level of jobs, default highest"
    )
    sleep_after: float | None = Field(
        None, ge=0, description="a number >= 0; seconds before idle nodes are off, default as nodes say"
    )
    release: str | None = Field(
        None, description=f"one of {', '.join(RELEASES)}; when jobs give cores back, default by-kind"
    )
    sequential: str | None = Field(
        None, description=f"one of {', '.join(SEQUENTIALS)}; where sequential jobs may be, default one-node"
    )
    upper_queue: str | None = Field(
        None, description="an upper queue as after --upper-queue; on a multicluster, default fcfs"
    )
    queue_limit: str | int | None = Field(
        None, description="a number or words as after --queue-limit; jobs in a cluster's queue, no limit"
    )
    co_allocate: str | None = Field(
        None, description="a co-allocation as after --co-allocate; nodes of several clusters, default none"
    )
    two_phase: bool | None = Field(
        None, description="true or false; co-allocate jobs that wait in clusters, default false"
    )
    longest_stay: float | None = Field(
        None, gt=0, description="a number > 0; seconds after which waiting jobs are rejected, default never"
    )
    local_users: str | None = Field(
        None, description="words or a file as after --local-users; who is at work at nodes, default nobody"
    )
    watch: list[str] | None = Field(
        None, description="a list of estimators; asked beside the run's own, default none"
    )
    history: str | None = Field(
        None, min_length=1, description="a file or address as after --history; past runs, default none"
    )
    monitoring: str | None = Field(
        None,
        description="words as after --monitoring; how loads are told without queues, default linear",
    )
    decision_time: str | float | None = Field(
        None,
        description="own, equal or a number >= 0; seconds a broker takes for each decision there and on "
        "multiclusters, default its own",
    )
    experience: str | None = Field(
        None, description=f"one of {', '.join(EXPERIENCES)}; CPU times known before the run, default warm"
    )
    cpu_use: str | None = Field(
        None, description=f"one of {', '.join(CPU_USES)}; whether jobs only compute there, default full"
    )
    estimates: str | None = Field(None, description=f"one of {', '.join(ESTIMATES_ON_NODES)}; default raise")
    dependencies: str | None = Field(
        None,
        description=f"one of {', '.join(DEPENDENCIES)}; whether jobs wait for those they name, default keep",
    )
    estimator: str | None = Field(None, description="an estimator as after --estimator; default request")
    passes: str | None = Field(None, description=f"one of {', '.join(PASSES)}; default instant")
    engine: str | None = Field(None, description=f"one of {', '.join(ENGINES)}; default auto")
    seed: int | None = Field(None, ge=0, description="a whole number >= 0; of all random choices, default 0")
    strict: bool | None = Field(
        None, description="true or false; refuse a log with jobs that would be dropped, default false"
    )
    metrics: list[str] | None = Field(
        None, description="a list of FILE.py:NAME; metrics of one's own, default none"
    )
    out: str | None = Field(None, min_length=1, description="a path; folder for the results, default none")
    report: bool | None = Field(None, description="true or false; write report.html into out, default true")

    @field_validator("policy", mode="before")
    @classmethod
    def _in_words(cls, value: Any) -> Any:  # noqa: ANN401  (whatever the file says)
        try:
            return rule_words(value)
        except InputError as error:
            raise ValueError(str(error)) from error

    @field_validator(
        *("format", "policy", "platform", "broker", "admissible"),
        *("place", "execution", "network", "sharing", "governor", "release", "sequential"),
        *("upper_queue", "queue_limit", "co_allocate", "local_users"),
        *("monitoring", "decision_time", "experience", "cpu_use"),
        *("estimates", "dependencies", "estimator", "passes", "engine"),
    )
    @classmethod
    def _known(cls, value: str | None, info: Any) -> str | None:  # noqa: ANN401  (pydantic's, has no public name)
        if value is not None:
            _check_name(info.field_name, value, info.context)
        return value

    @field_validator("watch")
    @classmethod
    def _known_estimators(cls, value: list[str] | None, info: Any) -> list[str] | None:  # noqa: ANN401  (as above)
        for words in value or ():
            _check_name("estimator", words, info.context)
        return value

    @field_validator("metrics")
    @classmethod
    def _known_metrics(cls, value: list[str] | None, info: Any) -> list[str] | None:  # noqa: ANN401  (as above)
        try:
            own_metrics([_name_from_here(words, info.context) for words in value or ()])
        except EchelonError as error:
            raise ValueError(str(error)) from error
        return value

    def settings(self) -> dict[str, Any]:
        """Return what the file says, by key, without what it leaves open."""
        return self.model_dump(exclude_none=True)


def read_scenario_file(path: str | Path) -> ScenarioFile:
    """Return the scenario that a TOML file describes, its paths as seen from here.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or says something it may not: all such errors together,
        each with its key, the value got, what is expected, and for an unknown key the nearest one.
    """
    file = Path(path)
    content = _toml(file, str(path))
    try:
        told = ScenarioFile.model_validate(content, context=file.parent)
    except ValidationError as errors:
        raise InputError(
            "; ".join(dict.fromkeys(map(_sentence, errors.errors()))), file=str(path)
        ) from errors
    return told.model_copy(update=_from_here(told, file.parent))


def setting_from(key: str, value: object, folder: Path) -> Any:  # noqa: ANN401  (whatever the key takes)
    """Return what a file in `folder` says of one key alone, checked, its paths as seen from here.

    Parameters
    ----------
    key : str
        A key of `ScenarioFile`.
    value : object
        As TOML gives it.
    folder : Path
        Where the file is.

    Raises
    ------
    InputError
        If the key does not take this value; the message does not name the key.
    """
    told = {"workload": "-", key: value}
    try:
        scenario = ScenarioFile.model_validate(told, context=folder)
    except ValidationError as errors:
        said = "; ".join(_sentence(error).removeprefix(f"{key}: ") for error in errors.errors())
        raise InputError(said) from errors
    return _from_here(scenario, folder).get(key, getattr(scenario, key))


def _toml(file: Path, shown: str) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return tomllib.loads(opened.read(_MOST).decode())
    except FileNotFoundError as error:
        raise InputError("no such file, expected a scenario in TOML", file=shown) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=shown) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"is no text in UTF-8: byte {error.start} is {error.object[error.start]:#x}", file=shown
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=shown) from error


def _check_name(key: str, value: Any, folder: Path) -> None:  # noqa: ANN401  (what the file says)
    """Raise a ValueError, which pydantic collects, if `value` names nothing."""
    known: Mapping[str, Iterable[str]] = {
        "estimates": ESTIMATES_ON_NODES,
        "dependencies": DEPENDENCIES,
        "passes": PASSES,
        "engine": ENGINES,
        "governor": GOVERNORS,
        "release": RELEASES,
        "sequential": SEQUENTIALS,
        "experience": EXPERIENCES,
        "cpu_use": CPU_USES,
        "format": [known.name for known in FORMATS],
    }
    readers = {
        "policy": policy_named,
        "estimator": estimator_named,
        "broker": broker_named,
        "place": placement_named,
        "execution": _execution_named,
        "network": network_named,
        "sharing": sharing,
        "upper_queue": upper_queue,
        "co_allocate": co_allocation_named,
        "monitoring": monitoring,
        "decision_time": check_decision_time,
    }
    try:
        if key in readers:
            readers[key](_name_from_here(value, folder) if isinstance(value, str) else value)
        elif key == "platform":
            platform_named(_platform_from_here(value, folder))
        elif key == "admissible":
            admissible(value)
        elif key == "queue_limit":
            queue_limit(value)
        elif key == "local_users":
            local_users(_local_from_here(value, folder))
        elif value not in known[key]:
            raise UnknownNameError(key, value, known[key])
    except EchelonError as error:
        raise ValueError(str(error)) from error


def _sentence(error: ErrorDetails) -> str:
    # Behind the key stand the place in a list, or the type that a value of several types failed at.
    key, got = str(error["loc"][0]), f"{error['input']!r:.80}"
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, ScenarioFile.model_fields, n=1)
        known = ", ".join(ScenarioFile.model_fields)
        return f"unknown key {key!r} (got {got}), " + (
            f"did you mean {near[0]!r}?" if near else f"known are {known}"
        )
    if error["type"] == "value_error":
        said = str(error["ctx"]["error"]).removeprefix(f"{key}: ").removeprefix(f"{key.replace('_', '-')}: ")
        return f"{key}: {said}".rstrip(".")
    expected = (ScenarioFile.model_fields[key].description or "").split(";")[0]
    if error["type"] == "missing":
        return f"{key}: is missing, expected {expected}"
    return f"{key}: got {got}, expected {expected}"


def _from_here(told: ScenarioFile, folder: Path) -> dict[str, str | list[str]]:
    """Return the keys of `told` that hold paths, from the file's folder on."""
    seen: dict[str, str | list[str]] = {}
    is_name = (
        told.workload.lower() in DATASETS or names_model(told.workload) or names_grid(told.workload)
    ) and not is_file(folder / told.workload)
    if told.workload != "-" and not is_name:
        seen["workload"] = _joined(folder, told.workload)
    if told.out is not None:
        seen["out"] = _joined(folder, told.out)
    if told.platform is not None:
        seen["platform"] = _platform_from_here(told.platform, folder)
    if told.local_users is not None:
        seen["local_users"] = _local_from_here(told.local_users, folder)
    if told.history is not None:
        seen["history"] = told.history if "://" in told.history else _joined(folder, told.history)
    if told.watch is not None:
        seen["watch"] = [_name_from_here(words, folder) for words in told.watch]
    for key in (
        *("policy", "broker", "estimator", "place", "execution", "network"),
        *("upper_queue", "co_allocate"),
    ):
        if (words := getattr(told, key)) is not None:
            seen[key] = _name_from_here(words, folder)
    if told.metrics is not None:
        seen["metrics"] = [_name_from_here(words, folder) for words in told.metrics]
    return seen


def _joined(folder: Path, path: str) -> str:
    """Return `path` as seen from `folder`, without the steps up and down again that read badly."""
    return os.path.normpath(folder / path)


def _platform_from_here(words: str, folder: Path) -> str:
    path, chosen, name = words.partition(".json:")
    is_file = chosen or words.lower().endswith((".toml", ".json"))
    return _joined(folder, f"{path}{chosen}") + name if is_file else words


def _local_from_here(words: str, folder: Path) -> str:
    """Return words of local users, a file of recorded loads or of one's own as seen from here."""
    is_trace = words.strip().lower().endswith(LOCAL_TRACES)
    return _joined(folder, words.strip()) if is_trace else _name_from_here(words, folder)


def _execution_named(words: str) -> object:
    return time_shared_named(words) if words.startswith(TimeShared.name) else execution_named(words)


def _name_from_here(words: str, folder: Path) -> str:
    parts = words.split(":")
    return ":".join(_joined(folder, part) if part.endswith(".py") else part for part in parts)
