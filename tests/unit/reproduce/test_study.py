"""What running a study again gives, and how studies are found."""

from __future__ import annotations

import dataclasses
import json

import pytest

from echelon.errors import UnknownNameError
from echelon.reproduce import STUDIES, reproduce, study_named


def test_all_agree(tiny_study):
    """With every figure and row as printed the outcome agrees, whatever becomes of the claims."""
    found = tiny_study().run(None)
    assert found.agrees
    assert found.verdict == (
        "Agrees: 1 of 1 printed figures agree to the last digit; 1 of 1 printed rows are the same. "
        "Of 2 claims: 1 hold, 1 do not hold."
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"wait": 1.51}, "0 of 1 printed figures"), ({"row": (1, 0, 3)}, "0 of 1 printed rows")],
)
def test_one_difference_is_enough(tiny_study, changed, said):
    """One figure or one number of one row apart, and the outcome differs."""
    found = tiny_study(**changed).run(None)
    assert not found.agrees
    assert found.verdict.startswith("Differs: ")
    assert said in found.verdict


def test_nothing_to_compare_is_no_agreement(tiny_study):
    """Without printed figures, rows and figures of others, the outcome is of the claims alone."""
    found = dataclasses.replace(tiny_study().run(None), printed=[], samples=[], independent=[])
    assert found.verdict == "Nothing that was printed is compared. Of 2 claims: 1 hold, 1 do not hold."


def test_a_sample_names_the_rows_that_differ(tiny_study):
    """A differing row is known by its place."""
    assert tiny_study().run(None).samples[0].differing == []
    assert tiny_study(row=(1, 5, 2)).run(None).samples[0].differing == [0]


def test_the_outcome_is_json(tiny_study):
    """All but the files can be written as JSON and read back."""
    found = tiny_study().run(None).as_mapping()
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(found))
    assert found["ours"] == {"wait": {"X": {"A": 1.5}, "Y": {"A": 3.0}}}
    assert found["printed"][0]["agreement"] == "agrees"


def test_studies_by_name(monkeypatch, tiny_study):
    """A study is found whatever the case of its name, and an unknown one is told with the nearest."""
    monkeypatch.setattr("echelon.reproduce.STUDIES", {**STUDIES, "tiny": tiny_study()})
    assert study_named("Tiny").name == "tiny"
    assert reproduce("tiny").agrees
    with pytest.raises(UnknownNameError, match="schedlyzer"):
        study_named("schedlizer")


def test_every_study_says_what_it_is():
    """Title, source and what it needs are there, and a study is listed under its own name."""
    for name, study in STUDIES.items():
        assert study.name == name == name.lower()
        assert all((study.title, study.source, study.needs))
