"""What running a study again gives, and how studies are found."""

from __future__ import annotations

import dataclasses
import json

import pytest

from echelon.errors import UnknownNameError
from echelon.reproduce import STUDIES, Apart, reproduce, study_named
from echelon.reproduce.machinery.claims import judge
from echelon.reproduce.machinery.statement import fact, leave_undecided


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
    assert found.verdict == "No printed value is compared. Of 2 claims: 1 hold, 1 do not hold."


def test_a_sample_names_the_rows_that_differ(tiny_study):
    """A differing row is known by its place."""
    assert tiny_study().run(None).samples[0].differing == []
    assert tiny_study(row=(1, 5, 2)).run(None).samples[0].differing == [0]


def test_the_outcome_is_json(tiny_study):
    """All but the files can be written as JSON and read back."""
    found = tiny_study().run(None).to_dict()
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


def test_what_is_not_counted_is_named_apart(tiny_study):
    """Figures that must be so, were printed before or were worked back are named beside the counts."""
    found = tiny_study().run(None)
    figure = found.printed[0]
    kinds = ("must be so", "must be so", "printed before", "worked back")
    more = [dataclasses.replace(figure, apart=Apart(kind)) for kind in kinds]
    more[1] = dataclasses.replace(more[1], printed="9.50")
    counted = dataclasses.replace(found, printed=[figure, *more], samples=[], claims=[])
    assert len(counted.counted) == 1
    assert counted.verdict == (
        "Differs: 1 of 1 printed figures agree to the last digit; 2 more follow from a definition and are "
        "not counted (1 differ); 1 more are printed again and counted once; 1 more had their input derived "
        "from them and are not counted."
    )


def test_statements_are_counted_where_claims_have_several(tiny_study):
    """The outcome says how many of the statements hold, where that is more than how many claims do."""
    claim = judge("C1", "a", "p 1", [fact("x", holds=True), fact("y", holds=False), leave_undecided("z")])
    found = dataclasses.replace(tiny_study().run(None), claims=[claim])
    assert found.verdict.endswith(
        "Of 1 claim: 1 hold in part. Of their 3 statements: 1 hold, 1 do not hold, 1 not decided."
    )
