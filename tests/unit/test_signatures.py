"""No list of parameters is long, unless a declaration stands behind it."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from inspect import CO_VARARGS, CO_VARKEYWORDS
from pathlib import Path
from types import CodeType

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent

MOST = 12


def compiled(file: Path) -> CodeType:
    """Return the code of a module, which Python has kept where it was imported before."""
    code = SourceFileLoader(file.stem, str(file)).get_code(file.stem)
    assert code is not None
    return code


def too_long(code: CodeType) -> list[int]:
    """Return the lines of the functions in this code that have too many parameters."""
    taken = code.co_argcount + code.co_kwonlyargcount
    taken += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    inner = [line for one in code.co_consts if isinstance(one, CodeType) for line in too_long(one)]
    return [code.co_firstlineno, *inner] if taken > MOST else inner


@pytest.mark.slow
def test_no_signature_is_written_by_hand_that_nobody_can_read():
    """No function has over twelve parameters; those that are generated take them all by one ``**``."""
    files = sorted(SOURCES.rglob("*.py"))
    assert len(files) > 500
    found = {file.relative_to(SOURCES): too_long(compiled(file)) for file in files}
    assert {str(file): lines for file, lines in found.items() if lines} == {}


def test_a_long_signature_is_found(tmp_path):
    """Of a function, a method, a lambda; each parameter counts, whatever its kind."""
    names = ", ".join(f"x{place}" for place in range(MOST))
    (tmp_path / "long.py").write_text(
        f"def least({names}): ...\n"
        f"async def more({names}, *rest): ...\n"
        f"class Some:\n    def method(self, /, *, {names}): return lambda {names}, **others: 0\n"
    )
    assert sorted(too_long(compiled(tmp_path / "long.py"))) == [2, 4, 4]
