"""What is in a library: its entry, nothing of Python or numba, no operation that rounds otherwise."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from functools import cache

import pytest

from echelon.libraries.build import build_libraries
from echelon.libraries.calls import symbol_of
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds

LOADER = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
"""What every library for Linux names: symbols of the loader, weak ones."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="symbols are read by Linux' own tools"),
    pytest.mark.skipif(shutil.which("objdump") is None, reason="binutils are not installed"),
]


@pytest.fixture(scope="module", params=kinds())
def files(request):
    """Return the file of each library by name, built for one kind of processor."""
    return dict(zip(LIBRARIES, build_libraries(kinds=[request.param]), strict=True))


def said(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout


@cache
def machine_code(file):
    """Return the instructions of a library, which two tests read."""
    return said("objdump", "-d", "--no-show-raw-insn", file)


def test_symbols(files):
    """Every library shows its entry alone, and needs nothing but functions of libc and libm."""
    known = [ctypes.CDLL(name) for name in ("libc.so.6", "libm.so.6")]
    for name, file in files.items():
        symbols = re.findall(r"^\s*[0-9a-f]* (\w) (\w+)", said("nm", "-D", file), re.MULTILINE)
        assert [symbol for kind, symbol in symbols if kind == "T"] == [symbol_of(name)]
        needed = {symbol for kind, symbol in symbols if kind in "Uw"} - LOADER
        unknown = {symbol for symbol in needed if not any(hasattr(library, symbol) for library in known)}
        assert unknown == set(), name
        libraries = set(re.findall(r"NEEDED +(\S+)", said("objdump", "-p", file)))
        assert libraries <= {"libc.so.6", "libm.so.6"}, name


def test_no_product_is_joined_with_a_sum(files):
    """There is no fused multiply-add in any, which rounds once where Python rounds twice."""
    for name, file in files.items():
        code = machine_code(file)
        assert len(code.splitlines()) > 100
        assert re.findall(r"\bvfn?m(?:add|sub)\w*", code) == [], name


def test_the_baseline_needs_no_newer_instruction(files):
    """What is built for all processors of a kind uses none of the wide registers of newer ones."""
    for name, file in files.items():
        if "-baseline-" in file.name:
            code = machine_code(file)
            assert re.findall(r"%[yz]mm\d+", code) == [], name
