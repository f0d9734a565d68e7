"""Functions are short: nineteen of twenty have at most 20 lines, without their docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent
MOST = 20
SHARE = 0.95


def lengths(source: str) -> list[int]:
    """Return how many lines each function and method has, from ``def`` on, without its docstring."""
    numbers = []
    for part in ast.walk(ast.parse(source)):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = _height(part)
            numbers.append(lines - _height(part.body[0]) if ast.get_docstring(part) is not None else lines)
    return numbers


def _height(part: ast.stmt) -> int:
    assert part.end_lineno is not None
    return part.end_lineno - part.lineno + 1


@pytest.mark.slow
def test_functions_are_short() -> None:
    """The 95th percentile of all functions of the package is at most 20 lines."""
    numbers = [
        number for path in SOURCES.rglob("*.py") for number in lengths(path.read_text(encoding="utf-8"))
    ]
    assert sum(number <= MOST for number in numbers) >= SHARE * len(numbers)


SOME = '''
@some
def one():
    """A.

    B."""
    return 1

async def two():
    def three(): ...
    return 2
'''


def test_docstrings_and_decorators_do_not_count() -> None:
    """A function of two lines and a docstring has two lines; a function inside another counts as well."""
    assert lengths(SOME) == [2, 3, 1]
