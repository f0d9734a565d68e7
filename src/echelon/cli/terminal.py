"""Output on the terminal: text and tables on stdout, progress and notices on stderr."""

from __future__ import annotations

import builtins
import os
import re
import sys
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.table import Table

    Progress: TypeAlias = Callable[[int, int | None], None]
    """Called with the amount done and, if known, the total amount."""

_NARROWEST = 20
"""The length of names that a table never breaks, whatever the terminal's width."""

_GAP = 3
"""Spaces between the columns of a table."""

_WIDEST = 10_000
"""A width in characters that no table reaches."""


def show(*parts: str | Table) -> None:
    """Print text unchanged, and tables as wide as the terminal; a pipe has ``$COLUMNS`` columns, or 80."""
    for part in parts:
        text = part if isinstance(part, str) else _draw(part)
        sys.stdout.write(text + "\n")


def _draw(table: Table) -> str:
    """Return a table as text, without the trailing spaces that rich leaves."""
    from rich.console import Console

    console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False)
    # Too wide is better than broken apart; rich never measures more than the width it is given.
    endless = console.options.update_width(_WIDEST)
    console.width = max(console.width, console.measure(table, options=endless).minimum)
    with console.capture() as capture:
        console.print(table, no_wrap=True, crop=False)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def show_json(value: Mapping[str, Any]) -> None:
    """Print `value` as JSON on stdout, numbers in full; NaN, which JSON lacks, as null."""
    import json

    from echelon.experiments import without_nan

    sys.stdout.write(json.dumps(without_nan(value), indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def note(sentence: str) -> None:
    """Print a notice, which is not a result, on stderr."""
    sys.stderr.write(f"echelon: {sentence}\n")
    sys.stderr.flush()


def facts(rows: Iterable[tuple[str, str | None]]) -> str | Table:
    """Return names and values in two columns; rows without a value are left out.

    Of common letters and spaces alone, rich would draw the same, so it is not loaded.
    """
    indented = [(f"  {name}", value) for name, value in rows if value]
    if (plain := _plain_facts(indented)) is not None:
        return plain
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in indented:
        table.add_row(name, value)
    return table


def _plain_facts(rows: Sequence[tuple[str, str]]) -> str | None:
    """Return the lines that rich would draw, or None if these texts alone do not determine them."""
    lines = _side_by_side(rows)
    if lines and all(line.isascii() and line.isprintable() and len(line) < _narrowest() for line in lines):
        return "\n".join(lines)
    names, texts = [name for name, _ in rows], [line for _, value in rows for line in value.split("\n")]
    if not (rows and all(_is_latin(text) for text in (*names, *texts))):
        return None
    room = (_width() or 0) - max(map(len, names)) - 2
    if any(text.startswith(" ") for text in texts) or any(
        len(word) > room for text in texts for word in text.split()
    ):
        return None
    folded = [(name, "\n".join(_fold(line, room) for line in value.split("\n"))) for name, value in rows]
    return "\n".join(_side_by_side(folded))


def _fold(line: str, room: int) -> str:
    """Return a line broken between its words, where it is longer than `room`; no word is."""
    parts = [""]
    for word in re.findall(r"\S+\s*", line):
        if len(parts[-1]) + len(word.rstrip()) > room:
            parts.append("")
        parts[-1] += word
    return "\n".join(parts)


def _is_latin(text: str) -> bool:
    """Return whether each character of a text takes one column, as Western European letters do."""
    return (text.isprintable() or not text) and max(text, default="") <= "\xff"


def _width() -> int | None:
    """Return the width of the terminal as rich finds it, or None where only rich can tell."""
    is_dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    if is_dumb or sys.platform == "win32" or hasattr(builtins, "get_ipython"):
        return None
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"])
    for stream in (0, 1, 2):
        with suppress(OSError):
            return os.get_terminal_size(stream).columns or 80
    return 80


def _side_by_side(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines of two columns; a value may have several."""
    wide = max((len(name) for name, _ in rows), default=0) + 2
    lines_by_name = [(name, value.split("\n")) for name, value in rows]
    return [
        f"{name if place == 0 else '':{wide}}{line}".rstrip()
        for name, lines in lines_by_name
        for place, line in enumerate(lines)
    ]


def _narrowest() -> int:
    """Return a lower bound of the terminal's width, whichever stream rich would ask."""
    widths = [int(os.environ["COLUMNS"])] if os.environ.get("COLUMNS", "").isdigit() else []
    for stream in (0, 1, 2):
        with suppress(OSError):
            widths.append(os.get_terminal_size(stream).columns)
    return min(80, *widths) if widths else 80


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str | Table:
    """Return a table with a line under its heads; the columns at positions `numbers` are right-aligned.

    Three spaces part columns, or two where the terminal has no room for three. If no line must be broken,
    rich is not loaded.
    """
    rows = list(rows)
    if (plain := _plain_grid(heads, rows, numbers)) is not None:
        return plain
    from rich import box
    from rich.table import Table

    # Rich puts one more space between columns.
    padding = (0, 1) if _gap(_widths(_columns(heads, rows))) == _GAP else (0, 1, 0, 0)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="", padding=padding)
    for place, head in enumerate(heads):
        # Columns of figures and their heads are never narrowed; long names continue in a second line.
        lines = [*head.splitlines(), *(row[place] for row in rows)]
        widest = max(map(len, lines), default=1)
        least = widest if place in numbers else min(_NARROWEST, widest)
        justify: Literal["left", "right"] = "right" if place in numbers else "left"
        table.add_column(head, justify=justify, overflow="fold", no_wrap=place in numbers, min_width=least)
    for row in rows:
        table.add_row(*row)
    return table


def _plain_grid(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> str | None:
    """Return the lines that rich would draw, or None if these texts alone do not determine them."""
    above = [head.split("\n") for head in heads]
    columns = _columns(heads, rows)
    widths = _widths(columns)
    # Spaces after a figure leave room for a mark; rich right-aligns what precedes them.
    bare = [
        [text.rstrip(" ") if place in numbers else text for text in texts]
        for place, texts in enumerate(columns)
    ]
    if not (rows and all(widths) and all(map(_is_plain, chain(*bare))) and _draws_lines()):
        return None
    whole = (
        place in numbers or any(len(text) == wide and " " not in text for text in texts)
        for place, (texts, wide) in enumerate(zip(columns, widths, strict=True))
    )
    gap = _gap(widths)
    ruled = sum(widths) + gap * (len(widths) - 1)
    if ruled + 2 > _narrowest() and not all(whole):
        return None

    def line(cells: Sequence[str]) -> str:
        placed = (
            cell.rstrip(" ").rjust(wide) if place in numbers else cell.ljust(wide)
            for place, (cell, wide) in enumerate(zip(cells, widths, strict=True))
        )
        return f" {(' ' * gap).join(placed)}".rstrip()

    tall = max(map(len, above))
    top = zip(*([""] * (tall - len(lines)) + lines for lines in above), strict=True)
    return "\n".join(["", *map(line, top), f" {'─' * ruled}", *map(line, rows), ""])


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the texts of each column, the lines of its head first."""
    return [[*head.split("\n"), *cells] for head, *cells in zip(heads, *rows, strict=True)]


def _widths(columns: Iterable[Sequence[str]]) -> list[int]:
    return [max(map(len, texts)) for texts in columns]


def _gap(widths: Sequence[int]) -> int:
    """Return how many spaces part columns of these widths: three, or two if the table fits only then."""
    room = _narrowest() - 2 - sum(widths)
    return _GAP - 1 if (_GAP - 1) * (len(widths) - 1) <= room < _GAP * (len(widths) - 1) else _GAP


def _is_plain(text: str) -> bool:
    """Return whether each character of a text takes one column, and the text has no spaces at its ends."""
    return text.isascii() and (text.isprintable() or not text) and text == text.strip()


def _draws_lines() -> bool:
    """Return whether stdout can encode the characters that lines are drawn with."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().startswith("utf") and sys.platform != "win32"


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Callable[[str], Progress | None]]:
    """Yield a function that announces a step and returns its progress callable; None without a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    look = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*look, console=Console(stderr=True), transient=True) as bars:

        def step(title: str) -> Progress:
            for before in bars.tasks:
                bars.update(before.id, completed=1, total=1)
            task = bars.add_task(title, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield step
