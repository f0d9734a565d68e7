"""Texts of other people and programs, made safe for a terminal."""

from __future__ import annotations


def escape(text: object) -> str:
    r"""Return a text in which each character that does not print is escaped.

    A name with a line feed would forge a line of a table; one with an escape sequence would rewrite the
    screen; marks of writing direction would reorder what stands beside them.

    Examples
    --------
    >>> escape("two\nlines")
    'two\\nlines'
    """
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape", "replace").decode() for one in shown
    )
