"""A library is known by the text of all that it is made of."""

from __future__ import annotations

import pytest

from echelon.libraries import sources
from echelon.libraries.sources import digest_of, sources_of

FILES = {
    "__init__.py": "",
    "fields.py": "N_FIELDS = 18\n",
    "other.py": "N = 1\n",
    "lazy.py": "N = 2\n",
    "typed.py": "N = 3\n",
    "room/__init__.py": "from echelon.other import N\n",
    "room/callee.py": "from echelon.fields import N_FIELDS\n",
    "room/caller.py": (
        "import numpy\nfrom typing import TYPE_CHECKING\nfrom echelon.room import callee\n"
        "if TYPE_CHECKING:\n    from echelon.typed import N\n"
        "def late():\n    from echelon.lazy import N\n"
    ),
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Make a small package that stands where Echelon's stands, with one library."""
    root = tmp_path / "echelon"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name in sources._BUILDER:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    monkeypatch.setattr(sources, "PACKAGE", root)
    monkeypatch.setitem(sources.LIBRARIES, "small", "echelon.room.caller")
    return root


def test_what_a_library_is_made_of(package):
    """The module of its entry and what that imports, but not what a function or a type checker imports."""
    found = ["fields.py", "room/callee.py", "room/caller.py"]
    assert sources_of("small") == sorted([*found, *sources._BUILDER])


@pytest.mark.parametrize(
    "statement",
    ["from . import other", "from ..other import N", "from .other import N", "from .. import other"],
)
def test_imports_may_be_relative(package, statement):
    """What is imported with dots counts as what is imported by its full name."""
    (package / "room" / "other.py").write_text("N = 2\n")
    with (package / "room" / "callee.py").open("a") as callee:
        callee.write(f"{statement}\n")
    expected = "other.py" if ".." in statement else "room/other.py"
    assert {"other.py", "room/other.py"} & set(sources_of("small")) == {expected}


@pytest.mark.parametrize("edited", ["room/caller.py", "room/callee.py", "fields.py"])
def test_an_edit_of_any_source_gives_another_digest(package, edited):
    """The file itself, a module it calls, and the table of constants that one reads all count."""
    before = digest_of(sources_of("small"))
    (package / edited).write_text((package / edited).read_text() + "# edited\n")
    assert digest_of(sources_of("small")) != before


@pytest.mark.parametrize("edited", ["other.py", "lazy.py", "typed.py", "room/__init__.py"])
def test_an_edit_of_anything_else_does_not(package, edited):
    """What holds no code of the library leaves it valid."""
    before = digest_of(sources_of("small"))
    (package / edited).write_text((package / edited).read_text() + "# edited\n")
    assert digest_of(sources_of("small")) == before


def test_a_source_that_is_gone_has_no_digest(package):
    """A list of sources of an earlier state is found to be outdated."""
    listed = sources_of("small")
    (package / "fields.py").unlink()
    with pytest.raises(FileNotFoundError):
        digest_of(listed)


def test_the_reader_of_swf_depends_on_the_table_of_fields():
    """In the real package the library of SWF lines is made of the table of fields and its builder, too."""
    found = sources_of("swf")
    assert {
        "model/jobs/fields.py",
        "workloads/formats/swf_kernel.py",
        "libraries/kernel.py",
        "libraries/build/shim.py",
    } <= set(found)
