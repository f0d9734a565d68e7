"""Back ends by the name of their kind, and their settings."""

from __future__ import annotations

import pytest

from echelon.backends.registry import BUILT_IN, backend_of, kinds
from echelon.backends.settings import Settings
from echelon.errors import InputError, UnknownNameError

LANE = """
class Lane:
    def __init__(self, *given):
        self.given = given
    def describe(self): ...
    def submit(self, submissions): ...
    def look(self): ...
    def evidence(self, tags): ...
    def cancel(self, jobs): ...
    def revoke(self, tags): ...
    def close(self): ...

class Half:
    def __init__(self, *given): ...
    describe = submit = look = cancel = None

number = 3
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a package with back ends."""
    (tmp_path / "lane_rules.py").write_text(LANE)
    about = tmp_path / "lane-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lane\nVersion: 1.0\n")
    points = ("lane = lane_rules:Lane", "half = lane_rules:Half", "none = lane_rules:number", "broken = no:x")
    (about / "entry_points.txt").write_text("\n".join(["[echelon.backends]", *points, ""]))
    monkeypatch.syspath_prepend(str(tmp_path))


def test_processes_by_name(tmp_path):
    """The built-in kind makes a cluster in the service's folder, with its settings."""
    backend = backend_of("process", "here", {"slots": 3, "policy": "conservative"}, tmp_path)
    try:
        assert (backend.describe().processors, backend.describe().policy) == (3, "conservative")
        assert (tmp_path / "clusters/here/journal").exists()
    finally:
        backend.close()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"slot": 3}, "cluster 'here': no setting is named 'slot'; did you mean 'slots'"),
        ({"slots": 0}, "cluster 'here', slots: is 0, expected a whole number >= 1"),
        ({"slots": True}, "slots: is True"),
        ({"grace": "soon"}, "grace: is 'soon', expected a number of seconds"),
        ({"grace": 0.5}, "grace: is 0.5, expected seconds >= 1"),
        ({"remembers": float("inf")}, "remembers: is inf"),
        ({"directory": "here"}, "directory: is 'here', expected an absolute path"),
        ({"policy": 3}, "policy: is 3, expected text"),
        ({"policy": "esay"}, "did you mean 'easy'"),
        ({"policy": "round-robin"}, "a cluster needs a predictable one"),
    ],
)
def test_wrong_settings_are_named(tmp_path, settings, problem):
    """Each wrong setting is an error that says which, what was got, and what is expected."""
    with pytest.raises((InputError, UnknownNameError)) as caught:
        backend_of("process", "here", settings, tmp_path)
    assert problem in str(caught.value)


def test_an_unknown_kind_is_refused_with_the_nearest(tmp_path):
    """A misspelled kind names the one that was meant."""
    with pytest.raises(UnknownNameError, match="no back end is named 'proces'; did you mean 'process'"):
        backend_of("proces", "here", {}, tmp_path)


def test_back_ends_of_other_packages(package, tmp_path):
    """A declared back end is made with the cluster's name, its settings and the service's folder."""
    backend = backend_of("lane", "north", {"a": 1}, tmp_path)
    assert backend.given == ("north", {"a": 1}, tmp_path)
    assert kinds() == sorted([*BUILT_IN, "lane", "half", "none", "broken"])


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("half", r"makes Half, which has no evidence\(\)"),
        ("none", "is 3, expected what makes a back end"),
        ("broken", "cannot be loaded from the package lane"),
    ],
)
def test_what_is_no_back_end_is_refused(package, tmp_path, kind, problem):
    """What another package declares wrongly is an error of one sentence, with what is wrong."""
    with pytest.raises(InputError, match=problem):
        backend_of(kind, "north", {}, tmp_path)


def test_defaults_are_not_checked_for_what_was_not_given(tmp_path):
    """Settings that are left out have their defaults."""
    read = Settings("here", {})
    assert (read.whole("n", 2), read.seconds("s", 1.5), read.text("t", "x")) == (2, 1.5, "x")
    assert read.directory("d", tmp_path) == tmp_path
    read.refuse_others()
