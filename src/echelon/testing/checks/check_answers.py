"""Check rules by asking them small questions: sharings, executions on shared nodes, topologies."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import EchelonError, InputError
from echelon.execution.registry import TIME_SHARED_NODES
from echelon.model.topology.topology_spec import TOPOLOGY
from echelon.policies.sharing import SHARING
from echelon.rules.own_rule import Guard
from echelon.testing.finding import Check, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.model.topology import Network

    Question = Callable[[], object]

_TASKS = (2, 3, 4, 7, 16, 100)
_NODES = 24
_BEYOND = (0.0, 0.001, 0.5, 1.0, 20.0)


def check_sharing(text: str) -> Check:
    """Check a sharing: its turns on few cores and many, twice; errors as of `check_rule`."""
    if (rule := SHARING.parse(text)) is None:
        raise InputError(f"must be a sharing, got {text!r}, which is none", field="sharing")
    pairs = [(tasks, cores) for tasks, cores in product(_TASKS, range(1, 17)) if cores < tasks]
    questions: list[Question] = [partial(rule.turn, *pair) for pair in pairs]
    return Check(SHARING.kind, SHARING.format(rule), tuple(_findings(questions, "turns")))


def check_shared_node_execution(text: str) -> Check:
    """Check an execution on shared nodes: its slowdowns, twice; errors as of `check_rule`."""
    rule, kind = TIME_SHARED_NODES.parse(text), TIME_SHARED_NODES.kind
    questions: list[Question] = [partial(rule.message_slowdown, tasks) for tasks in (1, *_TASKS)]
    questions += [partial(rule.memory_slowdown, beyond) for beyond in _BEYOND]
    return Check(kind, TIME_SHARED_NODES.format(rule), tuple(_findings(questions, "slowdowns")))


def check_topology(text: str) -> Check:
    """Check a topology: routes between pairs of its first nodes and its last; errors as of `check_rule`."""
    network = TOPOLOGY.parse(text)
    nodes = sorted({*range(min(_NODES, network.nodes)), network.nodes - 1})
    questions: list[Question] = [partial(_route_of, network, a, b) for a, b in product(nodes, nodes)]
    questions.append(partial(_sum_hops, network, nodes))
    return Check(TOPOLOGY.kind, TOPOLOGY.format(network), tuple(_findings(questions, "routes")))


def _route_of(network: Network, a: int, b: int) -> tuple[int, ...]:
    """Return the route between two nodes, once it leads from the one to the other in as many hops."""
    with Guard(lambda failure: InputError(f"fails with {failure}", field=f"topology, {a} to {b}")):
        route, hops = network.route(a, b), network.hops(a, b)
        first, last = int(network.switch[a]), int(network.switch[b])
        ends = [(int(here), int(there)) for here, there in (network.ends[link] for link in route)]
    passed = [first, *(there for _, there in ends)]
    if hops != len(route) or [here for here, _ in ends] != passed[:-1] or passed[-1] != last:
        raise InputError(
            f"must have a route of {hops} links from switch {first} to {last}, got {ends}",
            field=f"topology, {a} to {b}",
        )
    return route


def _sum_hops(network: Network, nodes: Sequence[int]) -> int:
    """Return the hops between all pairs of nodes, once both ways to count them agree."""
    some = np.array(nodes)
    with Guard(lambda failure: InputError(f"total_hops fails with {failure}", field="topology")):
        total = network.total_hops(some, np.ones(len(some), dtype=np.int64))
        pairs = int(network.distances(some[:, None], some).sum()) // 2
    if total != pairs:
        raise InputError(f"must be {pairs} as the distances are, got {total}", field="topology, total_hops")
    return total


def _findings(questions: Sequence[Question], name: str) -> Iterator[Finding]:
    try:
        first, again = [ask() for ask in questions], [ask() for ask in questions[::-1]][::-1]
    except EchelonError as error:
        yield Finding(name, False, str(error))
        return
    yield Finding(name, True, f"are what they may be, in {len(questions)} questions")
    yield Finding("same again", first == again, "the same question, the same answer")
