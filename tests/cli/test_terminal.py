"""Text in two columns: the same drawn directly and by rich."""

from __future__ import annotations

import random

import pytest

from echelon.cli import terminal

ROWS = {
    "figures": [("Jobs", "28,467"), ("Mean wait", "2 h 3 min"), ("Utilization", "70.4 %"), ("none", None)],
    "several lines": [("easy", "EASY backfilling.\nSource: Lifka, JSSPP 1995\n"), ("none", "Nobody.\n")],
    "one row": [("a", "b")],
    "spaces": [("a name of words", "value  with   spaces  "), ("b", " indented")],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_what_fits_is_drawn_as_rich_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str | None]]
) -> None:
    """Names and values that fit in the terminal's width look the same whether or not rich draws them."""
    direct = terminal.facts(rows)
    assert isinstance(direct, str)
    monkeypatch.setattr(terminal, "_plain_facts", lambda _: None)
    by_rich = terminal.facts(rows)
    assert not isinstance(by_rich, str)
    terminal.show(direct)
    shown = capsys.readouterr().out
    terminal.show(by_rich)
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("value", ["x" * 80, "数字", "a\tb", "–", " indented" * 10])
def test_what_may_look_otherwise_is_left_to_rich(value: str) -> None:
    """Rich breaks words too long and indented lines, and measures letters whose width is not sure."""
    assert not isinstance(terminal.facts([("a", value)]), str)


WORDS = ("a", "of", "jobs", "(also fcfs).", "González", "easy:shortest-first", "x" * 20, "two  spaces ")


def columns_of_text(number: int) -> list[tuple[str, str]]:
    """Return names and texts drawn at random."""
    drawn = random.Random(number)

    def text(most: int) -> str:
        return " ".join(drawn.choices(WORDS, k=drawn.randint(1, most)))

    return [
        (text(2), "\n".join(text(30) for _ in range(drawn.randint(1, 3))) + drawn.choice(["", "\n"]))
        for _ in range(drawn.randint(1, 4))
    ]


@pytest.mark.parametrize("columns", ["30", "40", "80", "200"])
def test_text_is_broken_as_rich_does(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """Texts next to names that are drawn without rich are broken as rich breaks them, in any width."""
    monkeypatch.setenv("COLUMNS", columns)
    given = [columns_of_text(number) for number in range(60)]
    direct = [terminal.facts(rows) for rows in given]
    monkeypatch.setattr(terminal, "_plain_facts", lambda _: None)
    by_rich = [terminal.facts(rows) for rows in given]
    drawn = [(ours, rich) for ours, rich in zip(direct, by_rich, strict=True) if isinstance(ours, str)]
    assert len(drawn) > 5
    for ours, rich in drawn:
        assert not isinstance(rich, str)
        assert terminal._draw(rich) == ours


def test_a_narrow_terminal_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """``$COLUMNS`` says how much fits."""
    monkeypatch.setenv("COLUMNS", "12")
    assert terminal.facts([("a", "12345 67")]) == "  a  12345\n     67"
    assert not isinstance(terminal.facts([("a", "123456789012")]), str)
    monkeypatch.setenv("COLUMNS", "400")
    assert terminal.facts([("a", "x" * 80)]) == "  a  " + "x" * 80


def test_a_terminal_that_rich_alone_knows_is_asked_by_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a terminal calls itself dumb, lines that may be too long are broken by rich."""
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(terminal.facts([("a", "12345")]), str)
    assert not isinstance(terminal.facts([("a", "word " * 40)]), str)


def test_nothing_is_drawn_of_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a row that has a value there is an empty line, as before."""
    terminal.show(terminal.facts([("a", None)]))
    assert capsys.readouterr().out.strip() == ""


TEXTS = (
    "0.3 ",
    "easy",
    "easy:smallest-area-first",
    "a b",
    "0.3*",
    "12",
    "",
    "several words and more of them",
    "%",
)
HEADS = ("Mean\nwait\nd ", "Policy", "Used share", "Jobs\n\n", "longest")


def tables(number: int) -> tuple[list[str], list[list[str]], list[int]]:
    """Return heads, rows and the places of figures of a table drawn at random."""
    drawn = random.Random(number)
    width = drawn.randint(1, 6)
    rows = [[drawn.choice(TEXTS) for _ in range(width)] for _ in range(drawn.randint(1, 4))]
    return drawn.choices(HEADS, k=width), rows, [place for place in range(width) if drawn.random() < 0.5]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_a_table_is_drawn_as_rich_does(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """Whatever a table is drawn without rich from, rich draws the same of it, in any width of a terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    given = [tables(number) for number in range(300)]
    direct = [terminal.grid(heads, rows, numbers=numbers) for heads, rows, numbers in given]
    monkeypatch.setattr(terminal, "_plain_grid", lambda *_: None)
    by_rich = [terminal.grid(heads, rows, numbers=numbers) for heads, rows, numbers in given]
    drawn = [(ours, rich) for ours, rich in zip(direct, by_rich, strict=True) if isinstance(ours, str)]
    assert len(drawn) > 30
    for ours, rich in drawn:
        assert not isinstance(rich, str)
        assert terminal._draw(rich) == ours


@pytest.mark.parametrize("cell", ["数字", "a\nb", " indented", "x" * 50 + " " + "y" * 50])
def test_a_table_that_may_be_broken_is_left_to_rich(cell: str) -> None:
    """Cells of several lines or of unsure width, and texts of words wider than the terminal, are for rich."""
    assert not isinstance(terminal.grid(["a"], [[cell]]), str)


def test_figures_with_room_for_a_mark_need_no_rich() -> None:
    """The table of a comparison, whose figures have a star or a space behind them, is drawn without rich."""
    heads, rows = ["Policy", "Mean\nwait\ns "], [["easy:shortest-first", "0.4* "], ["fcfs", "12 "]]
    assert isinstance(terminal.grid(heads, rows, numbers=[1]), str)


@pytest.mark.parametrize(("columns", "gap"), [("30", 3), ("29", 2), ("27", 2), ("26", 3)])
def test_columns_stand_closer_where_a_table_fits_only_then(
    monkeypatch: pytest.MonkeyPatch, columns: str, gap: int
) -> None:
    """Three spaces part columns, two where three are too many and two are not; by rich, too."""
    monkeypatch.setenv("COLUMNS", columns)
    heads, rows = ["Policy", "wait", "slow", "end"], [["fcfs12", "1234", "5678", "12345"]]
    drawn = str(terminal.grid(heads, rows, numbers=[1, 2, 3]))
    assert f"fcfs12{' ' * gap}1234{' ' * gap}5678{' ' * gap}12345" in drawn
    monkeypatch.setattr(terminal, "_plain_grid", lambda *_: None)
    by_rich = terminal.grid(heads, rows, numbers=[1, 2, 3])
    assert not isinstance(by_rich, str)
    if gap == 2:
        assert terminal._draw(by_rich) == drawn
