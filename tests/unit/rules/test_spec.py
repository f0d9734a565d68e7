"""Settings of rules: read by the types of their fields, and written back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies import Order  # noqa: TC001  (read at run time: a field's type)
from echelon.policies.order.one_formula import shortest_first
from echelon.policies.order.registry import values
from echelon.rules import Spec, arguments, parameters, settings_of


@dataclass(frozen=True)
class Rule:
    """A rule with a parameter of each type."""

    count: int = 1
    weight: float = 1.0
    half_life: float = field(default=604800.0, metadata={"unit": "s"})
    strict: bool = False
    fit: Literal["first", "best"] = "first"
    level: float | Literal["adaptive"] = 2.0
    by: Order | None = None
    title: str = ""


def read(**settings: str) -> dict[str, object]:
    """Return the arguments that settings give to `Rule`."""
    return arguments(Rule, "rule", settings, values())


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("count", "12", 12),
        ("weight", "-0.5", -0.5),
        ("weight", "1e3", 1000.0),
        ("half-life", "90", 90.0),
        ("half-life", "90 s", 90.0),
        ("half-life", "1.5h", 5400.0),
        ("half_life", "15min", 900.0),
        ("half-life", "7d", 604800.0),
        ("half-life", "inf", float("inf")),
        ("strict", "yes", True),
        ("strict", "Off", False),
        ("fit", "best", "best"),
        ("level", "adaptive", "adaptive"),
        ("level", "3", 3.0),
        ("by", "sjf", shortest_first),
        ("title", "best of all", "best of all"),
    ],
)
def test_each_type_is_read(key, text, value):
    """Each field's type says how its text is read."""
    assert read(**{key: text}) == {key.replace("-", "_"): value}


@dataclass(frozen=True)
class Amounts:
    """A rule with amounts of bytes."""

    memory: float = field(default=0.0, metadata={"unit": "B"})
    bandwidth: float = field(default=0.0, metadata={"unit": "B/s"})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("memory", "512", 512.0),
        ("memory", "1.1GB", 1100000000.0),
        ("memory", "2 KiB", 2048.0),
        ("memory", "inf", float("inf")),
        ("bandwidth", "125MB/s", 125e6),
        ("bandwidth", "1 Gbit/s", 125e6),
        ("bandwidth", "1Mibit/s", 131072.0),
    ],
)
def test_amounts_of_bytes_have_units(key, text, value):
    """They are those of platform files, and exact where a product of floats is not."""
    assert arguments(Amounts, "amounts", {key: text}) == {key: value}


@pytest.mark.parametrize(
    "given", [{"memory": "1GB/s"}, {"memory": "1gb"}, {"bandwidth": "1MB"}, {"memory": "GB"}]
)
def test_units_of_something_else_are_refused(given):
    """The message lists units."""
    with pytest.raises(InputError, match="must be a number of bytes"):
        arguments(Amounts, "amounts", given)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("count", "1.5", "rule, count: must be a whole number, got '1.5'"),
        ("count", "²", "must be a whole number, got '²'"),
        ("weight", "7d", "rule, weight: must be a number, got '7d'"),
        ("weight", "nan", "must be a number, got 'nan'"),
        ("weight", "7,count=1", "must be a number, got '7,count=1'; parameters are separated by colons"),
        (
            "half-life",
            "7x",
            r"rule, half-life: must be a time in seconds \(or with s, min, h, .*\), got '7x'",
        ),
        ("strict", "maybe", "rule, strict: must be yes or no, got 'maybe'"),
        ("fit", "worst", "rule, fit: must be first or best, got 'worst'"),
        ("level", "high", "rule, level: must be adaptive or a number, got 'high'"),
    ],
)
def test_what_does_not_fit_is_refused(key, text, message):
    """A wrong value is refused in a sentence with rule, parameter, value and what was expected."""
    with pytest.raises(InputError, match=message):
        read(**{key: text})


def test_unknown_parameters_and_orders():
    """A word near a parameter is suggested; an order that is none is refused as one."""
    with pytest.raises(
        UnknownNameError, match="no parameter of rule is named 'half_live'; did you mean 'half-life'"
    ):
        read(half_live="1")
    with pytest.raises(UnknownNameError, match="no order is named 'sjff'"):
        read(by="sjff")


def test_settings_are_written_as_they_are_read():
    """What differs from the defaults is in the spec that reads back to the same rule, and nothing else."""
    rule = Rule(2, 0.1, 86400.0, True, "best", "adaptive", shortest_first)
    said = settings_of(rule)
    assert " ".join(said) == (
        "count=2 weight=0.1 half-life=86400 strict=yes fit=best level=adaptive by=shortest-first"
    )
    assert Rule(**read(**dict(part.split("=") for part in said))) == rule
    assert settings_of(Rule()) == []


def test_what_has_no_parameters():
    """A plain function has none."""
    assert parameters(len) == {}
    assert settings_of(len) == []


def test_parting():
    """Names and settings part whichever way they stand."""
    assert Spec.parse("a(x=1, f.py:b):c:y=2:z=p=q") == Spec(
        "a(x=1, f.py:b):c:y=2:z=p=q", ("a", "c", "f.py:b"), (("y", "2"), ("z", "p=q"), ("x", "1"))
    )


def test_parentheses_close():
    """What opens and never closes, or closes what is not open, is said to."""
    for text in ("easy(candidates=sjf", "easy)"):
        with pytest.raises(InputError, match="must close each parenthesis that it opens"):
            Spec.parse(text)


@pytest.mark.parametrize(
    ("text", "names", "settings"),
    [
        ("a:of=b(c=1)", ("a",), {"of": "b(c=1)"}),
        ("a(of=b(c=1, d=2), e=3):f=4", ("a",), {"f": "4", "of": "b(c=1, d=2)", "e": "3"}),
        ("a:of=b(c=1:d=2) e(of=f(g=1))", ("a",), {"of": "b(c=1:d=2) e(of=f(g=1))"}),
        ("a(of=my.py:Own:c=1)", ("a",), {"of": "my.py:Own:c=1"}),
    ],
)
def test_specs_inside_specs(text, names, settings):
    """What a value has in parentheses of its own is not parted."""
    parted = Spec.parse(text)
    assert (parted.names, dict(parted.settings)) == (names, settings)


@pytest.mark.parametrize("text", ["a(b=1", "a)b=1(", "a(b=c(d=1)", ")", "("])
def test_open_parentheses(text):
    """Each parenthesis is closed after it is opened."""
    with pytest.raises(InputError, match="close each parenthesis"):
        Spec.parse(text)


def test_a_rule_of_a_file_is_a_value_without_parentheses():
    """The name after ``key=FILE.py`` belongs to the value; what follows is of the rule outside."""
    spec = Spec.parse("own.py:Queue:by=own.py:aged:share=0.5")
    assert spec.names == ("own.py", "Queue")
    assert spec.settings == (("by", "own.py:aged"), ("share", "0.5"))
