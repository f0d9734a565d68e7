"""Check rules that the engine asks small questions, by asking them: sharings, executions on shared nodes."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from echelon.errors import EchelonError
from echelon.execution.registry import TIME_SHARED_NODES
from echelon.policies.sharing import SHARING
from echelon.testing.finding import Check, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Question = Callable[[], object]

_TASKS = (2, 3, 4, 7, 16, 100)
_BEYOND = (0.0, 0.001, 0.5, 1.0, 20.0)


def check_sharing(text: str) -> Check:
    """Check a sharing: its turns on few cores and many, twice; errors as of `check_rule`."""
    rule = SHARING.parse(text)
    assert rule is not None
    pairs = [(tasks, cores) for tasks, cores in product(_TASKS, range(1, 17)) if cores < tasks]
    questions: list[Question] = [partial(rule.turn, *pair) for pair in pairs]
    return Check(SHARING.kind, SHARING.format(rule), tuple(_findings(questions, "turns")))


def check_shared_node_execution(text: str) -> Check:
    """Check an execution on shared nodes: its slowdowns, twice; errors as of `check_rule`."""
    rule, kind = TIME_SHARED_NODES.parse(text), TIME_SHARED_NODES.kind
    questions: list[Question] = [partial(rule.message_slowdown, tasks) for tasks in (1, *_TASKS)]
    questions += [partial(rule.memory_slowdown, beyond) for beyond in _BEYOND]
    return Check(kind, TIME_SHARED_NODES.format(rule), tuple(_findings(questions, "slowdowns")))


def _findings(questions: Sequence[Question], name: str) -> Iterator[Finding]:
    try:
        first, again = [ask() for ask in questions], [ask() for ask in questions[::-1]][::-1]
    except EchelonError as error:
        yield Finding(name, False, str(error))
        return
    yield Finding(name, True, f"are what they may be, in {len(questions)} questions")
    yield Finding("same again", first == again, "the same question, the same answer")
