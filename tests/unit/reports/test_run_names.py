"""What runs are called on the page and in figures."""

from __future__ import annotations

from echelon.reports.run_names import LONGEST_ON_PAGE, run_names, shorten

LONG = "multifactor:age=1000:fair-share=20000:size=500:half-life=604800:max-age=1209600"


def test_names_on_the_page_are_whole(make_run):
    """Two policies that differ in the middle of long specs are told apart; only a figure cuts them."""
    runs = [make_run(policy=LONG), make_run(policy=LONG.replace("20000", "30000"))]
    assert run_names(runs, longest=LONGEST_ON_PAGE) == [run.policy for run in runs]
    assert all(len(name) <= 44 for name in run_names(runs))


def test_what_is_longer_keeps_both_ends():
    """Of 200 letters the page shows 120."""
    name = shorten("a" * 100 + "b" * 100, LONGEST_ON_PAGE)
    assert name == "a" * 59 + "…" + "b" * 60


def test_equal_names_are_numbered(make_run):
    """From the second run on."""
    assert run_names([make_run(policy="easy")] * 2) == ["easy", "easy (2)"]
