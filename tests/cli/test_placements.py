"""``echelon placements``, and ``echelon check`` of one's own."""

from __future__ import annotations

import pytest

from echelon.policies import ALLOCATORS, RESOURCE_ORDERS, SEARCHES


def test_every_placement_is_listed(echelon):
    """The list names each search, order and allocator, with its source."""
    said = echelon("placements")
    assert said.code == 0
    names = [kind.name for kind in (*SEARCHES, *RESOURCE_ORDERS, *ALLOCATORS)]
    assert [name for name in names if f"\n  {name} " not in said.out] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LPOWR", ["--place low-power\n", "first-fit: The first node", "The core of least power first"]),
        (
            "best-fit:energy",
            ["--place best-fit:energy\n", "best-fit: The node with the fewest", "least estimated energy"],
        ),
        ("worst-fit", ["--place worst-fit\n", "resource order  first"]),
    ],
)
def test_all_about_one_placement(echelon, name, expected):
    """A placement is described by its canonical spec, its search and its order."""
    said = echelon("placements", name)
    assert said.code == 0
    assert [text for text in expected if text not in said.out] == []


def test_an_unknown_placement_is_one_sentence(echelon):
    """With the nearest name, and exit code 2."""
    said = echelon("placements", "best-fti")
    assert said.code == 2
    assert "no placement is named 'best-fti'; did you mean 'best-fit'?" in said.err


def test_a_placement_of_ones_own_is_checked(echelon, tmp_path):
    """The check is that of placements; a key that is no number fails it."""
    file = tmp_path / "own.py"
    file.write_text(
        "from echelon import placement\n\n"
        '@placement("mine", source="none")\n'
        "def mine(core, job):\n"
        '    """Slow first."""\n'
        "    return core.speed\n\n"
        '@placement("bad", source="none")\n'
        "def bad(core, job):\n"
        '    """Nothing first."""\n'
        '    return float("nan")\n'
    )
    assert "mine keeps the rules." in echelon("check", f"{file}:mine").out
    said = echelon("check", f"{file}:bad")
    assert said.code == 2
    assert "one node, room 0, job 1: has the key nan" in " ".join(said.out.split())
