"""Libraries are built once, whole, and by name."""

from __future__ import annotations

import pytest

from echelon.errors import NoLibraryError, UnknownNameError
from echelon.libraries.build import build_libraries, linking
from echelon.libraries.build.linking import link
from echelon.libraries.processor import kinds


@pytest.mark.slow
def test_a_library_is_built_for_each_kind_once(tmp_path):
    """All kinds come of one build; a second one finds them there and leaves them alone."""
    files = build_libraries(["swf"], folder=tmp_path)
    assert len(files) == len(kinds())
    before = [file.stat().st_mtime_ns for file in files]
    assert build_libraries(["swf"], folder=tmp_path) == files
    assert [file.stat().st_mtime_ns for file in files] == before
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "swf.sources"])


def test_names_and_kinds_are_checked(tmp_path):
    """An unknown library or kind of processor is refused before anything is built."""
    with pytest.raises(UnknownNameError, match=r"did you mean 'machine'"):
        build_libraries(["machin"], folder=tmp_path)
    with pytest.raises(NoLibraryError, match=r"got .'z80'"):
        build_libraries(["swf"], kinds=["z80"], folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_a_linker(tmp_path, monkeypatch):
    """It is said what was looked for, and nothing is left behind."""
    monkeypatch.setattr(linking, "linker", lambda: None)
    with pytest.raises(NoLibraryError, match="no C compiler"):
        link(b"", tmp_path / "some.so")
    assert not list(tmp_path.iterdir())


def test_a_linker_that_fails(tmp_path):
    """What it says is passed on, and no part of a library is left."""
    with pytest.raises(NoLibraryError, match=r"could not link some\.so"):
        link(b"no object file", tmp_path / "some.so")
    assert not list(tmp_path.iterdir())
