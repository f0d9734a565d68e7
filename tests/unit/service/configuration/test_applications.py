"""Applications: what users may put into commands of the configuration, and what they may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError, UnknownNameError
from echelon.service.configuration.applications import application_from, application_named
from echelon.service.configuration.parameters import parameter_of

SOLVER = {
    "name": "solver",
    "command": ["/opt/solver", "--cells", "{cells}", "--input={input}", "{{note}}", "{x} {y"],
    "parameters": {
        "cells": "int 1..1000000",
        "input": "path under /data/inputs",
        "note": {"kind": "text [^-].*", "default": "none"},
        "x": {"kind": "float 0..1", "default": 0.5},
    },
    "processors": "2..64",
    "time_limit": "2 h",
    "clusters": ["alpha"],
}


def test_values_take_their_places():
    """Values stand whole or inside one argument, defaults fill in, and other braces stay."""
    solver = application_from(SOLVER)
    assert solver.command_of({"cells": 7, "input": "mesh/a b.txt"}) == (
        *("/opt/solver", "--cells", "7", "--input=/data/inputs/mesh/a b.txt", "{none}", "0.5 {y"),
    )
    assert (solver.least, solver.most, solver.time_limit, solver.clusters) == (2, 64, 7200, ("alpha",))


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=30))
def test_a_value_never_leaves_its_argument(text):
    """Whatever a text holds, blanks, quotes, dollars or places, the command keeps its other arguments."""
    one = application_from({"name": "a", "command": ["/p", "x={t}", "{n}"], "parameters": {
        "t": "text .*", "n": {"kind": "int 0..9", "default": 1},
    }})  # fmt: skip
    if text.startswith("-"):
        with pytest.raises(InputError, match="hyphen"):
            one.command_of({"t": text})
    else:
        assert one.command_of({"t": text}) == ("/p", f"x={text}", "1")


@pytest.mark.parametrize(
    ("declaration", "good", "bad"),
    [
        ("int -3..10", ["-3", 10, "+4"], ["11", -4, "1.5", "", "1e1", "٣", 2.0, True, None, "9" * 30, [1]]),
        ("float 0..1", ["0.5", 1, ".25", "1e-3"], ["1.01", "nan", "inf", "-0.1", "", "0x1", "1e999"]),
        ("choice a b|c", ["a b", "c"], ["a", "b", "", "A b", "c "]),
        ("text [a-z]+", ["abc"], ["", "abc1", "abc\n", "x\0", "-abc"]),
        ("text .*", ["", "x y"], ["-rf", "a\nb", "a\0b", "a\x1b[2J", "y" * 1001, "\ud800"]),
        ("path under /data", ["a", "a/b", "/data/x", "./a", "a//b"],
         ["..", "../x", "/etc/passwd", "a/../../etc", "/database", "", ".", "/data", "a/..", "/data/../x"]),
    ],
)  # fmt: skip
def test_kinds(declaration, good, bad):
    """Each kind takes what it says and refuses what is near it."""
    one = parameter_of("p", declaration)
    for value in good:
        assert isinstance(one.value(value), str)
    for value in bad:
        with pytest.raises(InputError, match=r"parameters\.p"):
            one.value(value)


def test_paths_are_absolute_and_normal():
    """A path begins with its folder, so that it is never an option."""
    one = parameter_of("p", "path under /data/in/")
    assert [one.value(path) for path in ("a//b", "/data/in/c", "./-rf")] == [
        *("/data/in/a/b", "/data/in/c", "/data/in/-rf"),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": "So lver"}, "small letters"),
        ({"command": "sh -c x"}, "list of strings"),
        ({"command": []}, "list of strings"),
        ({"command": ["/p", "{cell}"]}, "did you mean 'cells'"),
        ({"command": ["/p", "{cells}{input}{x}"]}, "has no place {note}"),
        ({"command": ["{cells}", "{input}{note}{x}"]}, "must name its program"),
        ({"parameters": {"cells": "int 5..1"}}, "int 1..10"),
        ({"parameters": {"cells": "text ("}}, "int 1..10"),
        ({"parameters": {"cells": {"kind": "int 1..2", "default": 3}}}, "from 1 to 2"),
        ({"parameters": {"cells": {"kind": "int 1..2", "defualt": 3}}}, "kind and default"),
        ({"processors": "64..2"}, "whole number or a range"),
        ({"processors": 0}, "whole number or a range"),
        ({"time_limit": "soon"}, "2 h"),
        ({"shell": True}, "no key of an application"),
    ],
)
def test_what_is_wrong_is_named(change, problem):
    """A mistake of the configuration is a sentence with the key."""
    with pytest.raises(
        (InputError, UnknownNameError), match=problem.replace("{", r"\{").replace("..", r"\.\.")
    ):
        application_from({**SOLVER, **change})


def test_unknown_and_missing_parameters():
    """An unknown parameter and an unknown application get the nearest name, a missing one what it needs."""
    solver = application_from(SOLVER)
    with pytest.raises(UnknownNameError, match="did you mean 'cells'"):
        solver.command_of({"cell": 1})
    with pytest.raises(InputError, match="is missing; solver needs a whole number from 1 to 1000000"):
        solver.command_of({"input": "a"})
    with pytest.raises(UnknownNameError, match="did you mean 'solver'"):
        application_named("slover", [solver])
    exact = application_from({"name": "e", "command": ["/p"], "processors": 8})
    assert (exact.least, exact.most) == (8, 8)
