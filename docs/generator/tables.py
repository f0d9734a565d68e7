"""What a table of the reference is made of; a thing that says too little of itself is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

UNITS = frozenset(
    {
        *("", "1", "B", "J", "J s", "KB", "W", "h", "hops", "nodes", "s", "tasks"),
        *("B/operation", "B/s", "operations", "operations/s"),
        *("cores", "core-s", "jobs", "jobs/day", "jobs/s", "processors", "processor-s", "processor-s**2"),
    }
)
"""Units that quantities of the reference are in; ``"1"`` is a ratio, an empty one no quantity."""

_TIMES = ("_time", "_wait", "_at")


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


BEGIN = "<!-- {}: made from the code by `make docs` -->\n"
END = "<!-- end of {} -->\n"


def between_marks(text: str, what: str, made: str) -> str:
    """Return a page written by hand with what is `made` between its marks named `what`.

    Raises
    ------
    ValueError
        If a mark is missing.
    """
    first, last = BEGIN.format(what), END.format(what)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {first.strip()!r} and {last.strip()!r}")
    return f"{before}{begin}\n{made}\n\n{end}{after}"


def codes(texts: Iterable[str]) -> str:
    """Return texts as code, joined by commas."""
    return ", ".join(f"`{text}`" for text in texts)


def summary(what: str, text: str) -> str:
    """Return `text`; ValueError if it says nothing."""
    if not text.strip():
        raise ValueError(f"{what} has no text that says what it is")
    return text


def unit(what: str, given: str) -> str:
    """Return the unit given; ValueError if it is none, or missing where a name says it is a time."""
    if given not in UNITS or (not given and what.endswith(_TIMES)):
        raise ValueError(f"{what} needs a unit of {sorted(UNITS)}, got {given!r}")
    return given


def explicit_unit(what: str, given: str) -> str:
    """Return the unit given; ValueError if there is none: a ratio says 1."""
    if not given:
        raise ValueError(f"{what} needs a unit; 1 is a number without")
    return unit(what, given)
