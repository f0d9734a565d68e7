"""Metrics, tables, reports and plotting ask what a run has, never on what kind of system it was."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent
ROOMS = ("metrics", "reports", "plotting")

KINDS = {
    *("Platform", "Site", "Hardware", "NodeLevel", "SharedCluster", "TimeSharedMachine", "Schedule"),
    *("OneMachine", "NodeLevelMachine", "BrokeredGrid", "DecentralizedGrid", "Multicluster"),
    *("TimeSharedSites", "Decentralized"),
}
"""Classes that are kinds of systems or of their parts."""

KIND_NAMES = {
    *("is_shared", "is_immediate", "is_mixed", "is_nested", "is_replicated", "immediate", "inside"),
    *("system_model", "kind_of_machine", "node_level"),
}
"""Names that answer what kind of system something is of."""

RECORDS = {
    *("platform", "hardware", "demands", "sites", "machine", "nodes", "holdings", "held", "places"),
    *("replicas", "copies", "delivered", "cpu_time", "power", "forecasts", "shared_nodes", "site"),
}
"""What some systems have and others do not: whether it is there, features say."""

EXCEPTIONS = {
    # A table of jobs is read with the platform that the run stated, or without; sites are made of it then.
    ("metrics/columns/run_tables/job_sites.py", "platform"),
    # The reader of tables: whether a run has sites is what it is asked for by the features.
    ("reports/tables.py", "sites"),
    ("plotting/job_table.py", "sites"),
    # Runs of schedules know what each copy computed, those drawn by hand need not.
    ("metrics/schedule/immediate_metrics.py", "cpu_time"),
    # Metrics of users may ask for these by their names.
    ("metrics/columns/measured_schedule.py", "immediate"),
    ("metrics/columns/measured_schedule.py", "inside"),
    # Whether jobs held something of nodes, once it was read.
    ("metrics/columns/run_tables/table_copies.py", "held"),
}
"""File and name, where something else is meant."""


def last_name(node: ast.expr) -> str:
    """Return the name at the end of an expression such as ``run.sites``; empty if it has none."""
    if isinstance(node, ast.NamedExpr):
        return last_name(node.target)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def asked(tree: ast.AST) -> list[tuple[int, str]]:
    """Return line and name of each question for the kind of a system in some source."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.FunctionDef):
            name = node.attr if isinstance(node, ast.Attribute) else node.name
            found += [(node.lineno, name)] if name in KIND_NAMES else []
        elif isinstance(node, ast.Call) and last_name(node.func) in {"isinstance", "issubclass"}:
            classes = {last_name(part) for part in ast.walk(node.args[1]) if isinstance(part, ast.expr)}
            found += [(node.lineno, name) for name in sorted(classes & KINDS)]
        elif isinstance(node, ast.MatchClass):
            found += [(node.lineno, name)] if (name := last_name(node.cls)) in KINDS else []
        elif isinstance(node, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            found += [(node.lineno, name)] if (name := last_name(node.left)) in RECORDS else []
        for test in conditions(node):
            found += [(test.lineno, name)] if (name := last_name(test)) in RECORDS else []
    return found


def conditions(node: ast.AST) -> list[ast.expr]:
    """Return what a node asks to be true: bare names, also behind ``not`` and joined by ``and`` or ``or``."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = list(node.ifs)
    elif isinstance(node, ast.BoolOp):
        tests = list(node.values)
    else:
        return []
    return [test.operand if isinstance(test, ast.UnaryOp) else test for test in tests]


def questions(file: Path) -> list[tuple[str, int, str]]:
    """Return path, line and name of each question in a file that is no exception."""
    path = file.relative_to(SOURCES).as_posix()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [(path, line, name) for line, name in asked(tree) if (path, name) not in EXCEPTIONS]


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_no_file_asks_for_the_kind_of_a_system(room):
    """What needs something of a run says so, and asks the run's features."""
    assert [found for file in sorted((SOURCES / room).rglob("*.py")) for found in questions(file)] == []


def test_every_exception_is_needed():
    """An exception that no file makes use of any more is gone."""
    made = {
        (path, name)
        for path in {path for path, _ in EXCEPTIONS}
        for _, name in asked(ast.parse((SOURCES / path).read_text(encoding="utf-8")))
    }
    assert EXCEPTIONS - made == set()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("if run.is_immediate: pass", "is_immediate"),
        ("columns = () if schedule.places is None else (1,)", "places"),
        ("if run.sites: pass", "sites"),
        ("rows = [run for run in runs if not run.machine]", "machine"),
        ("ok = (copies := schedule.replicas) is not None and copies", "copies"),
        ("if isinstance(site.resource, (int, TimeSharedMachine)): pass", "TimeSharedMachine"),
        ("match model:\n    case Multicluster(): pass", "Multicluster"),
        ("nodes = instance.node_level.hardware", "node_level"),
    ],
)
def test_a_question_is_found(line, name):
    """Each way to ask is found, with its line."""
    assert name in [found for _, found in asked(ast.parse(line))]


@pytest.mark.parametrize(
    "line",
    [
        "if Feature.SITES in run.has: pass",
        "if isinstance(value, str | float): pass",
        "if len(run.sites) > 1: pass",
        "if seconds is None: pass",
    ],
)
def test_other_questions_are_free(line):
    """Features, plain values and sizes may be asked for."""
    assert asked(ast.parse(line)) == []
