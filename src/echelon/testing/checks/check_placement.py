"""Check a user's own placement: whether its cores are free, and whether it is deterministic."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import EchelonError, InputError, PolicyError
from echelon.model.machines.capacity import capacity, enough
from echelon.policies import NodeSearch, format_placement, placement_of, spread_violation
from echelon.testing.finding import Check, Finding
from echelon.testing.placement_cases import placement_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.model.jobs.columns import IntColumn
    from echelon.policies import Placement, ResourceOrder
    from echelon.testing.placement_cases import PlacementCase

_Answer = tuple[int, ...] | None


def check_placement(rule: str | Placement | ResourceOrder, *, seed: int = 0) -> Check:
    """Check a placement on small machines that are partly in use.

    Parameters
    ----------
    rule : str, Placement or ResourceOrder
        A spec (``"best-fit:low-power"``, ``"my.py:rule"``) or the rule itself.
    seed : int, default 0
        Seed of the cores in use; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a placement, its file cannot be loaded, or it supports none of the machines.

    Notes
    -----
    Checked: the cores are idle, as many as requested, within the free resources of each node, in one node for
    a sequential job, and spread as the job requires; the same problem has the same result, in any order of
    problems; other job numbers change nothing. Notes: whether it places every job that could be placed, and
    how often its result differs from ``first-fit``.

    Cost: about a thousand problems on machines of up to 32 cores; about a second.
    """
    checked = placement_of(rule)
    cases = [case for case in placement_cases(seed) if _fits(checked, case)]
    if not cases:
        raise InputError("supports none of the machines of the check", field=f"placement {checked.name}")
    return Check("placement", format_placement(checked), tuple(_findings(checked, cases)))


def _fits(placement: Placement, case: PlacementCase) -> bool:
    """Return whether the placement supports machines of this kind; those that know the network declare it."""
    check = getattr(placement, "check", None)
    if check is None:
        return True
    try:
        check(case.room.hardware)
    except InputError:
        return False
    return True


def _findings(placement: Placement, cases: Sequence[PlacementCase]) -> Iterator[Finding]:
    answers = [_answer(placement, case) for case in cases]
    faults = [
        answer if isinstance(answer, str) else _fault(answer, case)
        for answer, case in zip(answers, cases, strict=True)
    ]
    yield _finding("cores", cases, faults, "idle cores, as the job and the nodes allow")
    if any(faults):
        return
    yield from _repeat(placement, cases, answers)
    refused = [_find_refusal(answer, case) for answer, case in zip(answers, cases, strict=True)]
    yield _finding("places", cases, refused, "places every job that can be placed", required=False)
    first = [_answer(NodeSearch(), case) for case in cases]
    different = sum(answer != plain for answer, plain in zip(answers, first, strict=True))
    sentence = f"{different} of {len(cases)} results differ from first-fit"
    yield Finding("use", different > 0 or isinstance(placement, NodeSearch), sentence, required=False)


def _repeat(
    placement: Placement, cases: Sequence[PlacementCase], answers: Sequence[_Answer | str]
) -> Iterator[Finding]:
    again = [_answer(placement, case) for case in cases]
    reverse = [_answer(placement, case) for case in cases[::-1]][::-1]
    numbered = [_answer(placement, _renumber(case)) for case in cases]
    for name, others, holds in (
        ("same again", again, "the same problem has the same result"),
        ("fresh start", reverse, "the order of problems does not matter"),
        ("job numbers", numbered, "other job numbers change nothing"),
    ):
        yield _finding(name, cases, map(_find_move, answers, others), holds)


def _finding(
    name: str,
    cases: Sequence[PlacementCase],
    faults: Iterable[str | None],
    holds: str,
    *,
    required: bool = True,
) -> Finding:
    failures = [(case, fault) for case, fault in zip(cases, faults, strict=True) if fault]
    if not failures:
        return Finding(name, True, f"{holds}, in {len(cases)} problems", required)
    case, fault = failures[0]
    more = f" (and in {len(failures) - 1} more of {len(cases)} problems)" if len(failures) > 1 else ""
    return Finding(name, False, f"{case.name}, job {case.job.job_id}: {fault}{more}", required)


def _answer(placement: Placement, case: PlacementCase) -> _Answer | str:
    """Return the cores, None, or the error as text."""
    try:
        placed = placement.place(case.job, case.cores, case.room)
    except PolicyError as error:
        return error.broken_rule
    except EchelonError as error:
        return str(error)
    return None if placed is None else tuple(int(core) for core in placed)


def _fault(cores: _Answer, case: PlacementCase) -> str | None:
    """Return the requirement that a result violates."""
    if cores is None:
        return None
    room = case.room
    nodes = room.hardware.node_of_core[np.array(cores)]
    busy = [core for core, node in zip(cores, nodes.tolist(), strict=True) if core not in room.idle(node)]
    if busy:
        return f"gets core {busy[0]}, which is not idle"
    return _find_crowding(np.bincount(nodes, minlength=len(room.cores)), case)


def _find_crowding(used: IntColumn, case: PlacementCase) -> str | None:
    """Return how the cores taken in each node violate the limits of the room or the job."""
    demand = case.job.demand
    if demand is None:
        return None
    holds = capacity(case.room.cores, case.room.memory, demand)
    if (over := np.flatnonzero(used > holds)).size:
        node = int(over[0])
        return f"gets {used[node]} of the cores of node {node}, which has room for {holds[node]}"
    return spread_violation(used, demand)


def _find_move(before: _Answer | str, after: _Answer | str) -> str | None:
    return None if before == after else f"is placed on {before}, but then on {after}"


def _find_refusal(answer: _Answer | str, case: PlacementCase) -> str | None:
    demand = case.job.demand
    if answer is not None or demand is None:
        return None
    holds = capacity(case.room.cores, case.room.memory, demand)
    return "is not placed, but could be" if enough(holds, demand, case.cores) else None


def _renumber(case: PlacementCase) -> PlacementCase:
    return replace(case, job=case.job._replace(job_id=case.job.job_id + 1000))
