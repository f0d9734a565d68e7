"""Writing ``workload.json``: by the public program's keys where they suffice, else by its extension's."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.fields import FIELD_NAMES, UNKNOWN
from echelon.workloads.formats.text.rows import refuse_unfit
from echelon.workloads.irmasim.columns import PLAIN_NUMBER, derive_columns
from echelon.workloads.irmasim.names import OWN_COLUMNS, UNITS
from echelon.workloads.transform.tasks import with_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demand, Demands, TaskGroup


def write_json(workload: Workload) -> bytes:
    """Return `workload` as ``workload.json``; `read_json` of it returns an equal workload, with its header.

    Sequential jobs of equal tasks have ``res``, MPI jobs of equal tasks ``ntasks`` and, if they are spread,
    ``nodes`` and ``ntasks_per_node``: what the public program reads. Other jobs have ``job_type`` and list
    their ``tasks``, an entry with its ``number`` for equal ones. Operations are those of a core that does one
    instruction a cycle (``ipc`` 1). Communication, and columns that do not follow from the tasks (``user``
    ...), are under names that the program passes over.

    A workload without demands is given them as `echelon.workloads.transform.with_tasks` does by default.

    Raises
    ------
    InputError
        If a job has no submit time >= 0, or there are no demands and a job has no run time > 0 or no size.

    Notes
    -----
    Cost: O(n); about a second for 100,000 jobs.
    """
    refuse_unfit(workload, "submit time >= 0", workload.submit_time >= 0)
    demands = workload.demands
    if demands is None:
        return write_json(with_tasks(workload))
    columns = _entries(workload, demands)
    lines = ",\n".join(
        f"  {{{', '.join((*entry, *_shape(demands[place])))}}}" for place, entry in enumerate(columns)
    )
    origin = "" if workload.submit_time.min(initial=np.inf) == 0 else '"origin": 0,\n'
    return f'{{{origin}"jobs": [\n{lines}\n]{"".join(_rest(workload))}}}\n'.encode()


def _rest(workload: Workload) -> Iterator[str]:
    """Yield header and names, where there are any."""
    if workload.header.lines:
        lines = ",\n".join(f"  {json.dumps(line, ensure_ascii=False)}" for line in workload.header.lines)
        yield f',\n"header": [\n{lines}\n]'
    # Accounting has names, too, and no place in this file.
    names = {column: texts for column, texts in workload.names.items() if column in FIELD_NAMES}
    if names:
        yield f',\n"names": {json.dumps(names, ensure_ascii=False)}'


def _entries(workload: Workload, demands: Demands) -> list[list[str]]:
    """Return the entries of each job except its tasks: id, subtime, requested time and further columns."""
    texts = [*_identities(workload), _texts("subtime", workload.submit_time, np.nan)]
    requested = workload.requested_time
    texts.append(_texts("req_time", np.where(requested >= 0, requested, UNKNOWN), UNKNOWN))
    texts.append(_texts("requested_time", np.where(requested < 0, requested, UNKNOWN), UNKNOWN))
    follows = derive_columns(demands)
    for name in OWN_COLUMNS:
        otherwise = follows.get(name, np.full(len(workload), UNKNOWN))
        texts.append(_texts(name, workload.columns[name], otherwise))
    return [[text for text in row if text] for row in zip(*texts, strict=True)]


def _identities(workload: Workload) -> list[list[str]]:
    """Return the id of every job, and its number and label where they do not follow from it."""
    labels, numbers = workload.labels, workload.job_id
    ids = [str(number) for number in numbers.tolist()] if labels is None else list(labels)
    texts = [[f'"id": {json.dumps(one, ensure_ascii=False)}' for one in ids]]
    if labels is None and bool(((numbers < 0) | (numbers >= 10**15)).any()):
        return [[""] * len(ids), _texts("job_id", numbers, np.nan)]
    if labels is not None:
        texts.append(_texts("job_id", numbers, np.arange(1, len(ids) + 1)))
        if all(PLAIN_NUMBER.fullmatch(one) for one in labels):
            texts.append([f'"label": "{one}"' for one in labels])
    return texts


def _texts(
    name: str, column: FloatColumn | IntColumn, otherwise: FloatColumn | IntColumn | float
) -> list[str]:
    """Return ``"name": value`` of each job, empty where the value is what a reader takes otherwise."""
    differs = column != otherwise
    if not differs.any():
        return [""] * len(column)
    pairs = zip(column.tolist(), differs.tolist(), strict=True)
    return [f'"{name}": {_numeral(value)}' if tell else "" for value, tell in pairs]


def _shape(demand: Demand) -> Iterator[str]:
    """Yield what a job says of its kind, its tasks and their communication."""
    yield from _kind(demand)
    if demand.communication_volume:
        yield f'"comm_vol": {_numeral(demand.communication_volume, UNITS["comm_vol"])}'
    if demand.compute_share != 1:
        yield f'"t_compute": {_numeral(demand.compute_share)}'


def _kind(demand: Demand) -> Iterator[str]:
    nodes, per_node, tasks = demand.nodes, demand.tasks_per_node, demand.tasks
    if len(demand.groups) == 1 and _is_public(demand):
        if demand.sequential:
            yield f'"res": {tasks}'
        else:
            # Without its kind, a reader would ask whether these tasks may really be anywhere.
            yield f'"ntasks": {tasks}' if nodes else f'"job_type": "mpi", "ntasks": {tasks}'
        if nodes:
            yield f'"nodes": {nodes}'
        if nodes and per_node != -(-tasks // nodes):
            yield f'"ntasks_per_node": {per_node}'
        yield _figures(demand.groups[0])
        return
    yield f'"job_type": "{"sequential" if demand.sequential else "mpi"}"'
    if nodes:
        yield f'"nodes": {nodes}'
    if per_node:
        yield f'"ntasks_per_node": {per_node}'
    entries = ", ".join(f'{{"number": {group.tasks}, {_figures(group)}}}' for group in demand.groups)
    yield f'"tasks": [{entries}]'


def _is_public(demand: Demand) -> bool:
    """Return whether ``res``, or the three keys of the public program, say where the tasks may be."""
    nodes, per_node, tasks = demand.nodes, demand.tasks_per_node, demand.tasks
    if not nodes and not per_node:
        return True
    if demand.sequential or not nodes or not per_node:
        return False
    return per_node == -(-tasks // nodes) or nodes == -(-tasks // per_node)


def _figures(group: TaskGroup) -> str:
    texts = [f'"req_ops": {_numeral(group.operations)}', '"ipc": 1']
    texts.append(f'"mem": {_numeral(group.memory, UNITS["mem"])}')
    texts.append(f'"mem_vol": {_numeral(group.memory_volume, UNITS["mem_vol"])}')
    return ", ".join(texts)


def _numeral(value: float, shift: int = 0) -> str:
    """Return `value` / 10**`shift` with the digits that read back the same."""
    if isinstance(value, int) and not shift:
        return str(value)
    if not shift or not value:
        return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)
    scaled = Decimal(repr(value)).scaleb(-shift)
    whole = scaled.to_integral_value()
    return str(int(whole)) if whole == scaled and abs(whole) < 2**53 else str(scaled.normalize())
