"""Columns of the jobs: those that they say, and those that follow from what their tasks ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.instance import BYTES_PER_KB
from echelon.model.jobs.fields import FIELDS, UNKNOWN
from echelon.workloads.irmasim.names import OWN_COLUMNS
from echelon.workloads.irmasim.records import AMOUNT, REQUEST, TIME, WHOLE, Records

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.workloads.irmasim.groups import Tasks

OPERATIONS_PER_SECOND = 1e9
"""Of the core on which run times are stated, as IRMASim's own converter from SWF assumes."""

PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")
"""An id that is the job's number."""


def submit_times(jobs: Records, origin: object) -> tuple[FloatColumn, float]:
    """Return the submit times from the origin, and the earliest in the file where that is the origin."""
    submit = jobs.numbers("subtime", TIME)
    for place in np.flatnonzero(~jobs.have_value("subtime")).tolist():
        jobs.problems.add(jobs.path(place), f"has no subtime{jobs.hint('subtime')}")
    if origin is not None:
        start = Records([{"origin": origin}], lambda _: "file", {"origin": "origin"}, jobs.problems)
        return submit - start.numbers("origin", TIME)[0], 0.0
    first = float(np.nanmin(submit)) if not np.isnan(submit).all() else 0.0
    return submit - first, first


def identities(jobs: Records) -> tuple[tuple[str, ...] | None, IntColumn]:
    """Return labels, unless every job's id is its number, and the jobs' numbers."""
    ids, texts = jobs.texts("id"), jobs.texts("label")
    numbers = jobs.numbers("job_id", WHOLE)
    places = np.arange(1.0, len(jobs) + 1)
    labels: tuple[str, ...] | None = None
    if any(text is not None for text in texts):
        pairs = zip(texts, ids, strict=True)
        labels = tuple(text or one or f"job{place}" for place, (text, one) in enumerate(pairs))
    elif all(one is not None and PLAIN_NUMBER.fullmatch(one) for one in ids):
        places = np.array([float(one or 0) for one in ids])
    elif any(one is not None for one in ids):
        labels = tuple(f"job{place}" if one is None else one for place, one in enumerate(ids))
    return labels, np.where(np.isnan(numbers), places, numbers)


def own_columns(jobs: Records) -> dict[str, FloatColumn]:
    """Return the columns that jobs say by their own names; NaN where they do not."""
    kinds = {spec.name: AMOUNT if spec.kind == "float" else WHOLE for spec in FIELDS}
    names = (*OWN_COLUMNS, "requested_time")
    return {name: jobs.numbers(name, kinds[name]) for name in names if jobs.have_value(name).any()}


def applications(jobs: Records, own: dict[str, FloatColumn]) -> dict[str, tuple[str, ...]]:
    """Add the codes of the jobs' applications, unless the log has executables; return their names."""
    if "executable" in own or not jobs.have_value("application").any():
        return {}
    texts = jobs.texts("application")
    codes = {text: code for code, text in enumerate(dict.fromkeys(filter(None, texts)), 1)}
    own["executable"] = np.array([codes.get(text or "", UNKNOWN) for text in texts], dtype=np.float64)
    return {"executable": tuple(codes)}


def columns_of(
    jobs: Records, demands: Demands, tasks: Tasks, own: dict[str, FloatColumn]
) -> dict[str, FloatColumn]:
    """Return the columns that follow from the demands, and fill the gaps of `own` with them."""
    columns = derive_columns(demands)
    longest = np.maximum.reduceat(tasks.works.requested_time, tasks.first[:-1])
    of_job = jobs.have_value("tasks") & jobs.have_value("req_time")
    columns["requested_time"] = np.where(of_job, jobs.numbers("req_time", REQUEST), longest)
    for name, column in own.items():
        own[name] = np.where(np.isnan(column), columns.get(name, np.full(len(jobs), UNKNOWN)), column)
    return columns


def derive_columns(demands: Demands) -> dict[str, FloatColumn]:
    """Return the columns that follow from demands: run time, requested processors and memory."""
    largest = demands.largest
    return {
        "run_time": demands.longest / OPERATIONS_PER_SECOND,
        "requested_processors": demands.size.astype(np.float64),
        "requested_memory": np.where(largest > 0, largest / BYTES_PER_KB, UNKNOWN),
    }
