"""Specs of placements, and back."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies import (
    ALLOCATORS,
    FITS,
    RESOURCE_ORDERS,
    NodeSearch,
    format_placement,
    names_placement,
    placement_named,
    placement_names,
    placement_of,
)
from echelon.policies.placement import PLACEMENT


@pytest.mark.parametrize("kind", RESOURCE_ORDERS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("fit", FITS)
def test_specs_come_back(fit, kind):
    """Every search with every order is read back from its own spec, and by each alias."""
    search = NodeSearch(fit, kind())
    assert placement_named(format_placement(search)) == search
    assert all(placement_named(f"{fit}:{alias}") == search for alias in PLACEMENT.aliases(kind.name))


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("first", "first-fit"),
        ("first-fit:first", "first-fit"),
        ("FIARR", "first-fit"),
        ("first-fit:HICOM", "high-gigaflops"),
        ("RANDM", "random"),
        ("HIMEM", "high-memory"),
        ("high_mem_bw", "high-memory-bandwidth"),
        ("Best_Fit:lpowr", "best-fit:low-power"),
        ("worst-fit:HICOR", "worst-fit:high-cores"),
        ("best-fit(energy)", "best-fit:energy"),
    ],
)
def test_canonical_specs(typed, canonical):
    """Codes, capitals and underscores are understood; a default is not said."""
    assert format_placement(placement_named(typed)) == canonical


@pytest.mark.parametrize("kind", ALLOCATORS, ids=lambda kind: kind.name)
def test_allocators_are_named(kind):
    """An allocator is made by its name, and stands in no search."""
    assert format_placement(placement_named(kind.name.upper())) == kind.name
    with pytest.raises(InputError, match="must name a resource order after best-fit"):
        placement_named(f"best-fit:{kind.name}")


def test_every_name_is_one():
    """All names that are told, name something; none names two things."""
    assert all(format_placement(placement_named(name)) for name in placement_names())
    every = [*RESOURCE_ORDERS.words, *ALLOCATORS.words]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("high-gigaflop", "no placement is named 'high-gigaflop'; did you mean 'high-gigaflops'?"),
        ("best-fit:nowhere", "no resource order is named 'nowhere'"),
        ("best-fit:worst-fit", "no resource order is named 'worst-fit'"),
        ("best-fit:", "must be parts joined by single colons: best-fit:low-power"),
        ("", "must be parts joined by single colons"),
        ("first-fit:order=first", "takes no parameters, got order"),
        ("low-power:static=no", "placement low-power: takes no parameters, got static"),
        ("no.py:rule", "no such file; a placement is named FILE.py:NAME"),
    ],
)
def test_wrong_specs_are_told(spec, problem):
    """One sentence says what is wrong."""
    with pytest.raises((InputError, UnknownNameError)) as error:
        placement_named(spec)
    assert problem in str(error.value)


OWN = '''
from dataclasses import dataclass
from echelon import placement

@placement("tidy", source="none")
def my_tidy(core, job):
    """Busy nodes first."""
    return -core.running

@dataclass(frozen=True)
class Corner:
    """The last cores of all."""

    name = "corner"
    skip: int = 0

    def place(self, job, cores, room):
        """Return cores."""
        return None

class Nothing:
    name = "nothing"

number = 3
'''


@pytest.fixture
def own(tmp_path):
    """Return the path of a file with placements."""
    path = tmp_path / "own.py"
    path.write_text(dedent(OWN))
    return path


def test_a_file_has_placements(own):
    """A rule is found by its Python name or its own, alone or in a search; a class takes settings."""
    for name in ("my_tidy", "tidy"):
        assert placement_named(f"{own}:{name}").name == "tidy"
        assert format_placement(placement_named(f"best-fit:{own}:{name}")) == "best-fit:tidy"
        assert names_placement(f"{own}:{name}")
    assert placement_named(f"{own}:Corner:skip=2").rule.skip == 2
    assert format_placement(placement_named(f"{own}:Corner:skip=2")) == "corner:skip=2"
    assert names_placement(f"{own}:Corner")
    assert not names_placement(f"{own}:Nothing")
    assert not names_placement("first-fit")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("tydy", "is named 'tydy'; did you mean 'tidy'?"),
        ("Nothing", "must be made with @placement, or have name and place(job, cores, room); got Nothing"),
        ("number", "got int"),
        ("tidy:skip=2", "takes no parameters, got skip"),
        ("Corner:jump=2", "no parameter of Corner is named 'jump'"),
    ],
)
def test_what_is_no_placement_is_told(own, name, problem):
    """One sentence says what the file holds instead."""
    with pytest.raises((InputError, UnknownNameError)) as error:
        placement_named(f"{own}:{name}")
    assert problem in str(error.value)


@dataclass(frozen=True)
class Named:
    """A placement with a name that may be none."""

    name: object = "named"
    source: ClassVar[str] = "none"

    def place(self, job, cores, room):
        """Place nothing."""


def test_anything_that_means_a_placement_is_one():
    """Words, an order, a search and a placement itself; not a class, nor something without a name."""
    order = RESOURCE_ORDERS[2]()
    assert placement_of("high-gigaflops") == placement_of(order) == NodeSearch(order=order)
    assert placement_of(placement_of("best-fit")) == NodeSearch("best-fit")
    assert format_placement(placement_of(Named())) == "named"
    for wrong in (3, Named, None):
        with pytest.raises(InputError, match="must be a spec or a placement"):
            placement_of(wrong)
    with pytest.raises(InputError, match="placement, name: must be a string, got 3"):
        placement_of(Named(3))
