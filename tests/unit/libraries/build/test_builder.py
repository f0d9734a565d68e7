"""Libraries are built once, whole, and by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import pytest

from echelon.errors import NoLibraryError, UnknownNameError
from echelon.libraries.build import build_libraries, linker
from echelon.libraries.build.builder import groups_of
from echelon.libraries.build.linker import link
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds, preferred_kinds


@pytest.mark.slow
def test_a_library_is_built_for_each_kind_once(tmp_path):
    """All kinds come of one build; a second one finds them there and leaves them alone."""
    files = build_libraries(["swf"], folder=tmp_path)
    assert len(files) == len(kinds())
    before = [file.stat().st_mtime_ns for file in files]
    assert build_libraries(["swf"], folder=tmp_path) == files
    assert [file.stat().st_mtime_ns for file in files] == before
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "swf.sources"])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("cc"), reason="its linker is a shell script")
@pytest.mark.parametrize(
    ("arguments", "waits_for", "linked"), [((), "second-began", 1), (("--here",), "second-ended", 2)]
)
def test_two_may_build_at_once(tmp_path, arguments, waits_for, linked):
    """The second waits and finds the library; and where systems know no waiting neither is in the way."""
    slow, log, folder = tmp_path / "slow-cc", tmp_path / "log", tmp_path / "libraries"
    wait = f'until test -e "{tmp_path}/{waits_for}"; do sleep 0.1; done'
    slow.write_text(f'#!/bin/sh\necho linked >> "{log}"\n{wait}\nexec cc "$@"\n')
    quick = tmp_path / "second-cc"
    quick.write_text(f'#!/bin/sh\necho linked >> "{log}"\nexec cc "$@"\n')
    for script in (slow, quick):
        script.chmod(0o755)
    folder.mkdir()
    command = [sys.executable, "-m", "echelon.libraries.build", "allocation", "--kinds", "baseline"]
    command += ["--folder", str(folder), *arguments]
    with subprocess.Popen(command, env={**os.environ, "CC": str(slow)}) as first:
        while first.poll() is None and not log.exists():
            time.sleep(0.02)
        with subprocess.Popen(command, env={**os.environ, "CC": str(quick)}) as second:
            (tmp_path / "second-began").touch()
            assert second.wait() == 0
        (tmp_path / "second-ended").touch()
        assert first.wait() == 0
    assert log.read_text().count("linked") == linked
    assert sorted(file.suffix for file in folder.iterdir()) == [".so", ".sources"]


@pytest.mark.slow
def test_a_library_that_is_there_gets_the_list_of_its_sources(tmp_path):
    """A library that came without its list, or beside that of other sources, is found by the present ones."""
    (made,) = build_libraries(["allocation"], [preferred_kinds()[0]], tmp_path)
    listed = tmp_path / "allocation.sources"
    arguments = listed.read_text(encoding="utf-8")
    listed.write_text("model/gone.py\n", encoding="utf-8")
    assert build_libraries(["allocation"], [preferred_kinds()[0]], tmp_path) == [made]
    assert listed.read_text(encoding="utf-8") == arguments


def test_every_library_is_built_by_one_process():
    """No library is left out or built twice; a new one, which no group names, is built by itself."""
    assert sorted(name for group in groups_of(list(LIBRARIES)) for name in group) == sorted(LIBRARIES)
    assert groups_of(["own", "swf", "nodes"]) == [["nodes", "swf"], ["own"]]


def test_names_and_kinds_are_checked(tmp_path):
    """An unknown library or kind of processor is refused before anything is built."""
    with pytest.raises(UnknownNameError, match=r"did you mean 'machine'"):
        build_libraries(["machin"], folder=tmp_path)
    with pytest.raises(NoLibraryError, match=r"got .'z80'"):
        build_libraries(["swf"], kinds=["z80"], folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_a_linker(tmp_path, monkeypatch):
    """It is said what was looked for, and nothing is left behind."""
    monkeypatch.setattr(linker, "linker", lambda: None)
    with pytest.raises(NoLibraryError, match="no C compiler"):
        link(b"", tmp_path / "some.so")
    assert not list(tmp_path.iterdir())


def test_a_linker_that_fails(tmp_path):
    """What it says is passed on, and no part of a library is left."""
    with pytest.raises(NoLibraryError, match=r"could not link some\.so"):
        link(b"no object file", tmp_path / "some.so")
    assert not list(tmp_path.iterdir())
