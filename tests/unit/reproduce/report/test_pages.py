"""The page on a reproduced study."""

from __future__ import annotations

from echelon.reproduce import Chart, Claim, Detour, Figure, Quantity, Reproduction, Sample, Study
from echelon.reproduce.report.pages import reproduction_page

WAIT = Quantity("wait", "mean <wait>", "h", "mean(start - submit)")


def page(*figures: Figure, row: tuple[float, ...] = (1, 0)) -> str:
    """Return the page of a study with these figures, and one printed row beside ours."""
    study = Study("tiny", "Tiny & small", "Nobody, 1900", "nothing", lambda _: found)
    found = Reproduction(
        study=study,
        setting={"workload": "tiny", "policies": {"A": "fcfs"}, "seconds": 0.123456},
        printed=figures,
        samples=[Sample("Jobs of A", "table 1", ("job", "wait"), [(1, 0)], [row])],
        claims=[Claim("C1", "A <is> good.", "page 2", "explanation only", "Who knows?")],
        charts=[Chart(WAIT, "figure 1", {"": {"A": 1.0}})],
        notes=["Made by hand."],
    )
    return reproduction_page(found, {"wait": b"not really a PNG"})


def test_what_agrees_and_what_is_explained():
    """Agreeing and explained figures have a mark, and the explanation stands below the table."""
    found = page(
        Figure("A", WAIT, "1.50", "page 1", 1.5),
        Figure("B", WAIT, "1.52", "page 1", 1.51, Detour(1.52, "the sum of rounded parts")),
    )
    assert found.count('<td class="good">✓</td>') == 2  # the first figure and the row
    assert '<td class="good">✓ explained</td>' in found
    assert "<p>B, mean &lt;wait&gt;: the sum of rounded parts.</p>" in found
    assert "Jobs of A, table 1: 1 of 1 rows are the same" in found
    assert "<td>mean &lt;wait&gt;, h</td>" in found


def test_what_differs():
    """A differing figure is marked, and of a differing row ours is shown."""
    found = page(Figure("A", WAIT, "1.50", "page 1", 1.6), row=(1, 7))
    assert '<td class="bad">✗ differs</td>' in found
    assert '<td class="bad">✗ 1 7</td>' in found
    assert "0 of 1 rows are the same" in found
    assert "Differs: 0 of 1 printed figures" in found


def test_text_is_escaped_and_nothing_is_loaded():
    """Names and sentences can hold any letters, and the page asks no server for anything."""
    found = page(Figure("A", WAIT, "1.50", "page 1", 1.5))
    assert "<title>Tiny &amp; small</title>" in found
    assert "A &lt;is&gt; good." in found
    assert "<is>" not in found
    assert "<wait>" not in found
    assert 'src="data:image/png;base64,' in found
    assert "http:" not in found
    assert "https:" not in found
    assert "<dd>A: fcfs</dd>" in found
