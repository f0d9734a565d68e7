"""Rewriting of tests: each worker of a fresh checkout prepares its share of them, and reads the others'."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from _pytest.assertion import rewrite

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

SOURCES = Path(__file__).parents[1] / "src"


def write_share(config: pytest.Config, share: int, shares: int) -> None:
    """Write the bytecode of every `shares`-th file of the package and of the tests that are asked for.

    Workers collect the same files in the same order. Where no bytecode is there yet all would compile all of
    them, at the same time: that took half a minute of a run of all tests. What is up to date stays as it is.
    """
    if sys.dont_write_bytecode:
        return
    for file in sorted(SOURCES.rglob("*.py"))[share::shares]:
        compileall.compile_file(file, quiet=2)
    for file in [*tests_asked_for(config)][share::shares]:
        write_rewritten(config, file)


def tests_asked_for(config: pytest.Config) -> Iterator[Path]:
    """Yield the files of tests in the folders that are asked for; single files need no share."""
    for folder in map(Path, config.args):
        yield from sorted(folder.rglob("test_*.py"))


def write_rewritten(config: pytest.Config, file: Path) -> None:
    """Write what pytest makes of the assertions of a file where pytest would, if it is not there yet."""
    state, folder = config.stash[rewrite.assertstate_key], rewrite.get_cache_dir(file)
    target = folder / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, target) is None and rewrite.try_makedirs(folder):
        digest, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(state, code, digest, target)
