"""What tests of libraries share: a copy of the package whose kernels may be edited, and all entries."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from echelon.libraries.lookup import file_name
from echelon.libraries.processor import preferred_kinds
from echelon.libraries.sources import PACKAGE, digest_of, sources_of

if TYPE_CHECKING:
    from pathlib import Path


def linked(file: str, there: str) -> str:
    """Make a file that is another by its name; where the two folders are on different disks, a copy of it."""
    try:
        os.link(file, there)
    except OSError:
        shutil.copy2(file, there)
    return there


class Checkout:
    """A copy of the package in a folder of its own, without libraries.

    With what Python has compiled of its modules, which holds until one is edited: to compile all of them
    takes longer than most tests. Its files are links, of which whoever edits one makes a file of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.package = folder / "echelon"
        # Python is at work on files of such names.
        writing = shutil.ignore_patterns("built", "*.pyc.*")
        shutil.copytree(PACKAGE, self.package, ignore=writing, copy_function=linked)

    @property
    def built(self):
        """The libraries that were built there, by name."""
        return sorted(file.name for file in (self.package / "libraries" / "built").glob("*.so"))

    def have(self, name, content):
        """Put a file where library `name` of these sources is looked for; its sources are this package's."""
        place = self.package / "libraries" / "built"
        place.mkdir()
        (place / file_name(name, preferred_kinds()[0], digest_of(sources_of(name)))).write_bytes(content)

    def edit(self, file, old, new):
        """Replace a text that occurs once."""
        path = self.package / file
        text = path.read_text()
        assert text.count(old) == 1
        path.unlink()
        path.write_text(text.replace(old, new))

    def run(self, program, **environment):
        """Run a program there; return what it did."""
        return subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(self.package.parent), **environment},
            capture_output=True,
            text=True,
            check=False,
            cwd=self.package.parent,
        )


@pytest.fixture
def checkout(tmp_path):
    """Return a checkout."""
    return Checkout(tmp_path)
