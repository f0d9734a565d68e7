"""How workers share the rewriting of assertions, by which pytest shows the values of one that fails.

In a fresh checkout pytest rewrites each test module as it is imported, which takes longer than to import it,
and keeps what it has written. All workers import all modules at the same time: each would rewrite every one.
"""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

PATTERNS = ("test_*.py", "conftest.py")


def share_rewriting(config: pytest.Config) -> None:
    """Rewrite the share of this worker among the modules asked for; one process alone has nothing to share.

    This calls functions of pytest that may have other names in another version; there all is as without.
    """
    worker: dict[str, object] | None = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    try:
        from _pytest.assertion.rewrite import (
            PYC_TAIL,
            _read_pyc,
            _rewrite_test,
            _write_pyc,
            assertstate_key,
            get_cache_dir,
            try_makedirs,
        )
    except ImportError:
        return
    number, workers = int(str(worker["workerid"]).removeprefix("gw")), int(str(worker["workercount"]))
    for file in list(modules(config))[number::workers]:
        folder = get_cache_dir(file)
        kept = folder / (file.stem + PYC_TAIL)
        if try_makedirs(folder) and _read_pyc(file, kept) is None:
            source, code = _rewrite_test(file, config)
            _write_pyc(config.stash[assertstate_key], code, source, kept)


def modules(config: pytest.Config) -> Iterator[Path]:
    """Yield the test modules that are asked for, the largest first, so that shares are about equal."""
    places = [Path(config.invocation_params.dir, words.partition("::")[0]) for words in config.args]
    files = {
        file
        for place in places
        for file in ([place] if place.is_file() else chain.from_iterable(map(place.rglob, PATTERNS)))
    }
    return iter(sorted(files, key=lambda file: (-file.stat().st_size, file)))
