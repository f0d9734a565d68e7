"""Docstrings in NumPy style as Markdown."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

_LISTS = ("Parameters", "Returns", "Raises", "Attributes")
_MATH = re.compile(r":math:`([^`]*)`")
EARLIER = "earlier name of"
"""What the first sentence on a member says that works and is not listed."""


class Docstring(NamedTuple):
    """A docstring in parts: its first paragraph, what follows it, and its titled sections."""

    summary: str
    body: str
    sections: dict[str, str]


def parsed(thing: object) -> Docstring:
    """Return the docstring of `thing` in parts; ValueError if it has none."""
    text = inspect.getdoc(thing)
    if not text:
        raise ValueError(f"{thing!r} has no docstring")
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", text, flags=re.MULTILINE)
    summary, _, body = parts[0].strip().partition("\n\n")
    titled = zip(parts[1::2], parts[2::2], strict=True)
    return Docstring(summary, body.strip(), {title: content.strip("\n") for title, content in titled})


def markdown(text: str) -> str:
    """Return running text of a docstring as Markdown."""
    text = _MATH.sub(lambda match: f"`{match[1]}`".replace("\\", ""), text)
    return text.replace("``", "`").strip()


def section(title: str, content: str, *, skip: Collection[str] = ()) -> str:
    """Return one titled section: a list of its entries but those to `skip`, or a paragraph."""
    if title in _LISTS:
        shown = [_entry(head, text) for head, text in entries(content) if head.split(" : ")[0] not in skip]
        return f"**{title}**\n\n" + "\n".join(shown) if shown else ""
    if title == "Examples":
        # A docstring inside a docstring needs other quotes than the same one on a page.
        return "```pycon\n" + content.strip().replace("'''", '"""') + "\n```"
    return markdown(content)


def whole(thing: object, *, skip: Collection[str] = ()) -> str:
    """Return the docstring of `thing` as Markdown, without the parameters to `skip`."""
    doc = parsed(thing)
    parts = [markdown(doc.summary), markdown(doc.body)]
    parts += [section(title, content, skip=skip) for title, content in doc.sections.items()]
    return "\n\n".join(part for part in parts if part)


def members(thing: object) -> list[str]:
    """Return a list of the properties and methods of a class, without earlier names, each with what it is."""
    if not inspect.isclass(thing):
        return []
    lines = []
    for name, member in vars(thing).items():
        method = getattr(member, "__func__", member)
        called = "()" if inspect.isfunction(method) else ""
        if not name.startswith("_") and (called or isinstance(member, property | cached_property)):
            summary = parsed(method).summary
            if EARLIER not in summary:
                lines.append(f"- `{name}{called}`: {markdown(summary)}")
    return ["**Members**\n\n" + "\n".join(lines)] if lines else []


def entries(content: str) -> list[tuple[str, str]]:
    """Return each line such as ``name : type`` of a section with the indented text below it."""
    entries: list[tuple[str, str]] = []
    for line in content.split("\n"):
        if line and not line.startswith(" "):
            entries.append((line, ""))
        elif line:
            head, text = entries[-1]
            entries[-1] = (head, f"{text} {line.strip()}".strip())
    return entries


def _entry(head: str, text: str) -> str:
    name, _, kind = head.partition(" : ")
    shown = f"`{name}`, {markdown(kind)}" if kind else f"`{name}`"
    return f"- {shown}: {markdown(text)}" if text else f"- {shown}"
