"""What tests of running studies share: cases that take a moment and count how often they are run."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.store.stored_run import OCCASION

METRICS = '''
import os
import time
from pathlib import Path

from echelon import metric


@metric("counted", unit="1", source="none")
def counted(measured):
    """1, and a line in a file for each time that it is measured."""
    time.sleep(0.015)
    handle = os.open(Path(__file__).with_name("counted.txt"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, b"%d\\n" % int(measured.start.sum()))
    os.close(handle)
    return 1


@metric("deadly", unit="1", source="none")
def deadly(measured):
    """Nothing: whoever measures it is killed."""
    os.kill(os.getpid(), 9)
'''


class Slow(NamedTuple):
    """Cases that take 15 ms each at least, and how many runs were made in all."""

    folder: object

    def cases(self, count):
        """Return so many different cases, of several workloads, policies and machines."""
        policies = ("easy", "fcfs", "conservative", "easy:shortest-first", "random")
        return [
            Case(
                {
                    "workload": f"lublin:jobs=80,seed={k // 10}",
                    "processors": 128,
                    "policy": policies[k % len(policies)],
                    "seed": k,
                    "metrics": [f"{self.folder}/own.py:counted"],
                },
                {"seed": str(k)},
            )
            for k in range(count)
        ]

    def deadly(self):
        """Return a case that kills the process that runs it."""
        (case,) = self.cases(1)
        return Case({**case.settings, "metrics": [f"{self.folder}/own.py:deadly"]}, {"seed": "deadly"})

    @property
    def counted(self):
        """How many runs were made, by whatever process."""
        file = self.folder / "counted.txt"
        return len(file.read_text().splitlines()) if file.exists() else 0


@pytest.fixture
def slow(tmp_path):
    """Return cases that take a moment."""
    (tmp_path / "own.py").write_text(METRICS)
    return Slow(tmp_path)


@pytest.fixture
def contents():
    """Return a function of a store's folder that returns what two stores of the same study share."""
    return _contents


def _contents(folder):
    """Return every file of a store that is compared, by its place in it.

    All are but two that tell of the occasion: of ``manifest.json`` what stands under ``occasion`` is left out
    (times, memory, machine), and ``log.jsonl`` is a history: that of an interrupted study is a longer one.
    """
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl"):
        content = path.read_bytes()
        if path.name == "manifest.json":
            manifest = json.loads(content)
            del manifest[OCCASION]
            content = json.dumps(manifest).encode()
        found[str(path.relative_to(folder))] = content
    return found
