"""Values by site: words with paths of inner sites, mappings, and words again."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.experiments.settings.schema import setting_schema
from echelon.experiments.settings.signature import annotation
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.values_by_site import (
    BySite,
    as_by_site,
    check_paths,
    format_by_site,
    parts_of,
    read_by_site,
)

NAME = st.text(string.ascii_lowercase + "-", min_size=1, max_size=5)
PATH = st.lists(NAME, min_size=1, max_size=3).map("/".join)
SPECS = st.sampled_from(["mct", "ptt:w=0.5", "mct(of=job)", "rules.py:mine:a=b@c", "x:high=1+low=0.2"])


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("mct", {"": "mct"}),
        ("ptt:w=0.5", {"": "ptt:w=0.5"}),
        ("mct@spain/uab=ml", {"": "mct", "spain/uab": "ml"}),
        ("@spain=ptt:w=0.5", {"spain": "ptt:w=0.5"}),
        ("@=mct@*=ml", {"": "mct", "*": "ml"}),
        ("mct@spain=ptt(w=0.5)@italy=x.py:y:a=b", {"": "mct", "spain": "ptt(w=0.5)", "italy": "x.py:y:a=b"}),
        ("me@home.py:mine", {"": "me@home.py:mine"}),
        (0.5, {"": 0.5}),
        ({"": "mct", "a=b": "ml"}, {"": "mct", "a=b": "ml"}),
        ("", {"": ""}),
    ],
)
def test_parts_by_path(given, parts):
    """An `@` and a path begin a part; the equals sign of a parameter and an address do not."""
    assert parts_of(given) == parts


@given(st.dictionaries(PATH, SPECS, max_size=4), st.none() | SPECS)
def test_words_are_read_back(inner, root):
    """What is written by path is read as it was."""
    parts = inner if root is None else {"": root, **inner}
    if parts:
        check_paths(parts)
        assert parts_of(format_by_site(parts)) == parts


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("mct@a=", "broker: says nothing after 'a'"),
        ("mct@a=x@a=y", "broker: names inner site 'a' twice"),
        ({2: "mct"}, "broker: must name inner sites by their paths, got 2"),
    ],
)
def test_what_is_wrong_is_told_with_the_setting(given, problem):
    """A part that is missing or said twice, and a path that is no text."""
    with pytest.raises(InputError, match=problem):
        read_by_site(given, str.upper, "broker")


def test_one_value_is_read_as_it_is():
    """Only paths make a value by site; what is not said anywhere is None."""
    assert read_by_site("mct", str.upper, "broker") == "MCT"
    found = read_by_site("@spain=ml@*=x", str.upper, "broker")
    assert found == BySite({"spain": "ML", "*": "X"})
    assert [found.at(path) for path in ("", "spain", "italy")] == [None, "ML", "X"]
    assert (found.usual, as_by_site(None).at("spain"), as_by_site("mct").usual) == (None, None, "mct")


@pytest.mark.parametrize("path", ["a=b", "a@b", "a:b", "a,b", "a(b)"])
def test_paths_that_words_cannot_have(path):
    """They can be named in a mapping only."""
    with pytest.raises(InputError, match="expected a path without any of"):
        check_paths({"": "mct", path: "ml"})


@pytest.mark.parametrize("setting", [one for one in SETTINGS if one.by_site], ids=lambda one: one.name)
def test_every_setting_by_site_says_so(setting):
    """Its help shows the spelling, editors a mapping, and schemas of files a table."""
    assert "PATH=" in setting.help
    assert "Mapping[str, " in annotation(setting)
    schema = setting_schema(setting)
    assert not setting.types or {"type": "object"} in schema["anyOf"]
