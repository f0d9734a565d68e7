"""A published study of a few lines: what it says is its own, and the rest is the machinery's."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.reproduce import Claims, Figure, Listing, Point, PublishedStudy, Quantity, Reason, Untested, fact
from echelon.reproduce.machinery.experiments import check_count

WAIT = Quantity("wait", "mean wait", "h", "mean(start - submit)")
CLAIMS: Claims[dict[str, float]] = Claims()


@CLAIMS.states("C10", "page 3", "B waits for what A holds.")
def _why(_: object) -> Reason:
    return Reason("nothing here tells")


@CLAIMS.states("C2", "page 2", "A waits less than B.")
def _less(waits: dict[str, float]):
    yield fact(f"{waits['A']:g} and {waits['B']:g} h", waits["A"] < waits["B"])


@CLAIMS.states("C9", "page 2", "C waits most.")
def _most(_: object) -> Untested:
    return Untested("there is no C")


def settings(*, seeds: int = 3) -> int:
    """Return the seeds, at least one."""
    check_count(seeds, least=1, most=9, field="seeds")
    return seeds


STUDY = PublishedStudy(
    name="tiny",
    title="Two waits",
    source="Nobody, 1900",
    needs="nothing",
    options=("seeds",),
    repeats=False,
    settings=settings,
    experiments=lambda seeds, parts: parts.each("runs", "AB", lambda name, _: seeds + float(name == "B")),
    judged=CLAIMS.judge,
    points=(Point(("C2",), "A is better.", "A is not better."),),
    remark=lambda waits: f"Of {len(waits)}." if len(waits) == 2 else "",
    setting=lambda waits, seeds: {"seeds": seeds, "runs": len(waits)},
    figures=lambda waits: [Figure("A", WAIT, "3", "table 1", waits["A"])],
    listings=lambda waits, claims: [
        Listing(
            "verdicts", "Verdicts", ("Claim", "Verdict"), tuple((one.name, one.verdict) for one in claims)
        )
    ],
    notes=lambda _, seeds: [f"{seeds} seeds."],
)


def test_it_is_run_and_judged():
    """Parts are announced, claims judged by name, and the conclusion ends with the remark."""
    told = []
    found = STUDY.run(lambda what: told.append(what))
    assert told == ["A, runs", "B, runs"]
    assert found.study == STUDY.study
    assert list(found.setting) == ["seeds", "runs", "seconds"]
    assert (found.setting["seeds"], found.notes) == (3, ["3 seeds."])
    assert [(one.name, one.verdict) for one in found.claims] == [
        ("C2", "holds"),
        ("C9", "not testable"),
        ("C10", "explanation only"),
    ]
    assert found.listings[0].rows == (("C2", "holds"), ("C9", "not testable"), ("C10", "explanation only"))
    assert found.conclusion == "A is better. Of 2."
    assert found.verdict.startswith("Agrees: 1 of 1 printed figures agree to the last digit.")
    assert (list(found.tables), list(found.samples), found.files) == ([], [], {})


def test_its_options_are_its_own():
    """What it takes reaches its settings; what is out of bounds, or not taken, is refused."""
    study = STUDY.study
    assert not study.reproduce(seeds=4).agrees
    with pytest.raises(InputError, match="whole number from 1 to 9, got 0"):
        study.reproduce(seeds=0)
    with pytest.raises(InputError, match="takes no weeks; its settings: seeds"):
        study.reproduce(weeks=2)


def test_claims_of_several_files_are_one_list():
    """The claims of parts come with one's own, sorted by letters, number and letters."""
    more: Claims[dict[str, float]] = Claims(CLAIMS)
    for name in ("C3b", "T1", "C3a"):
        more.states(name, "page 4", "Yes.", needs=("log",))(lambda _: [fact("so", holds=True)])
    assert [stated.name for stated in more] == ["C2", "C3a", "C3b", "C9", "C10", "T1"]
    assert [stated.needs for stated in more][1:3] == [("log",), ("log",)]
    assert len(list(CLAIMS)) == 3
