"""No list of parameters is long, unless a declaration stands behind it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent

MOST = 12


@pytest.mark.slow
def test_no_signature_is_written_by_hand_that_nobody_can_read():
    """No function has over twelve parameters; those that are generated take them all by one ``**``."""
    long = []
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                taken = node.args
                given = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
                if sum(one is not None for one in given) > MOST:
                    long.append(f"{file.relative_to(SOURCES)}, line {node.lineno}")
    assert long == []
