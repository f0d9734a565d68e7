"""Records as rows, and rows as records.

A column is called like the field that it holds. What has parts is JSON, without the fields that are as by
default, so that a new field with a default needs no new version of the tables.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

from echelon.errors import InputError
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    Candidate,
    ClusterRecord,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobRecord,
    JobSpec,
    JobState,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import RowMapping

    from echelon.service.records import Record

Flat = TypeVar("Flat", ForecastRecord, ClusterRecord, Event)

_KINDS = (
    *(JobRecord, JobSpec, AttemptRecord, DecisionRecord, ForecastRecord, ClusterRecord),
    *(Event, Candidate),
)
_FIELDS: Mapping[type, tuple[Field[Any], ...]] = {kind: fields(kind) for kind in _KINDS}
_NAMES = {kind: tuple(one.name for one in columns) for kind, columns in _FIELDS.items()}


_SHORT = 2000
"""Letters of specs that are kept in memory: users submit the same a thousand times."""

_LARGEST = 2**31 - 1
"""What a column of whole numbers holds in PostgreSQL."""


AT_ONCE = 1000
"""Names in one question to the database, which has a limit."""


def row_of(record: Record) -> dict[str, Any]:
    """Return the columns of a record.

    What clusters say may have characters and numbers that databases do not take; they are replaced, since a
    change is never lost for a word in its reason.
    """
    return {name: _value_of(getattr(record, name)) for name in _NAMES[type(record)]}


def _value_of(field: Any) -> Any:  # noqa: ANN401  (any value of a record)
    """Return a field as every database takes it."""
    if isinstance(field, str):
        return replace_unstorable(field.value if isinstance(field, Enum) else field)
    if isinstance(field, int):
        return field if abs(field) < _LARGEST else max(min(field, _LARGEST), -_LARGEST)
    if isinstance(field, float):
        return None if isnan(field) else field
    if isinstance(field, JobSpec):
        return spec_text(field)
    if isinstance(field, tuple):
        return json.dumps([_parts(one) for one in field], separators=(",", ":"))
    return field


def job_of(row: RowMapping) -> JobRecord:
    """Return the job in a row of jobs."""
    values = {name: row[name] for name in _NAMES[JobRecord]}
    return JobRecord(**values | {"spec": spec_of(values["spec"]), "state": JobState(values["state"])})


def attempt_of(row: RowMapping) -> AttemptRecord:
    """Return the attempt in a row of attempts."""
    values = {name: row[name] for name in _NAMES[AttemptRecord]}
    return AttemptRecord(**values | {"state": AttemptState(values["state"])})


def decision_of(row: RowMapping) -> DecisionRecord:
    """Return the decision in a row of decisions."""
    values = {name: row[name] for name in _NAMES[DecisionRecord]}
    candidates = tuple(Candidate(**parts) for parts in json.loads(values["candidates"]))
    return DecisionRecord(**values | {"candidates": candidates})


def record_of(kind: type[Flat], row: RowMapping) -> Flat:
    """Return the record of this kind in a row, if its fields are the row's columns."""
    return kind(**{name: row[name] for name in _NAMES[kind]})


def spec_text(spec: JobSpec) -> str:
    """Return what was asked for as JSON, in ASCII: the same text for equal specs."""
    return json.dumps(_parts(spec), separators=(",", ":"))


def spec_of(text: str) -> JobSpec:
    """Return what a text of `spec_text` asks for; equal short texts share one value."""
    return _short_spec(text) if len(text) <= _SHORT else _read_spec(text)


@lru_cache(maxsize=4096)
def _short_spec(text: str) -> JobSpec:
    return _read_spec(text)


def _read_spec(text: str) -> JobSpec:
    return JobSpec(**{name: _tuples(value) for name, value in json.loads(text).items()})


def _parts(value: JobSpec | Candidate) -> dict[str, Any]:
    """Return the fields that are not as by default."""
    pairs = ((one, getattr(value, one.name)) for one in _FIELDS[type(value)])
    return {one.name: got for one, got in pairs if one.default is MISSING or got != one.default}


def _tuples(value: Any) -> Any:  # noqa: ANN401  (any value of JSON)
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def portions(names: Iterable[str]) -> Iterator[list[str]]:
    """Yield names, sorted, each once, in portions that a database takes in one question."""
    wanted = sorted(set(names))
    for begin in range(0, len(wanted), AT_ONCE):
        yield wanted[begin : begin + AT_ONCE]


def replace_unstorable(text: str) -> str:
    """Return a text that every database takes: what is no character is replaced."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


def exact(text: str, field: str) -> str:
    """Return a text that is to be found again by itself.

    Raises
    ------
    InputError
        If a database cannot keep it as it is.
    """
    if replace_unstorable(text) != text:
        raise InputError(f"has characters that cannot be kept, got {text!r:.80}", field=field)
    return text
