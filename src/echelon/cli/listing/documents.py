"""The description of a rule, as a terminal shows it."""

from typing import TYPE_CHECKING, Any

from echelon.cli.terminal import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.table import Table

    from echelon.rules import Family


def names_in(*families: str) -> "Callable[[], list[str]]":
    """Return what lists the names of the rules of some families, for completion in shells."""

    def names() -> list[str]:
        from echelon.families import FAMILIES

        return list(dict.fromkeys(name for family in families for name in FAMILIES.named(family).names))

    return names


def document(rule: object) -> str:
    """Return the docstring of a rule."""
    import inspect

    text = inspect.getdoc(rule) or ""
    # A dataclass without a docstring has its signature as one.
    is_signature = text.startswith(f"{getattr(rule, '__name__', type(rule).__name__)}(")
    return "This rule has no description." if is_signature or not text else text


def summary(rule: object) -> str:
    """Return the first paragraph of a rule's docstring as one line, plain."""
    return plain(document(rule)).split("\n\n")[0].replace("\n", " ")


def entry(rule: Any, also: "Iterable[str]" = ()) -> tuple[str, str]:  # noqa: ANN401  (any rule)
    """Return the row of a rule in a list: its name; its summary, its other names and its source."""
    others = f" (also {', '.join(also)})" if also else ""
    return str(rule.name), f"{summary(rule)}{others}\nSource: {getattr(rule, 'source', 'none')}"


def about(rule: object, family: "Family[Any]") -> "list[str | Table]":
    """Return the details of a rule: its description, and each parameter with its meaning and default."""
    from echelon.rules.description import parameter_rows, prose
    from echelon.rules.parameter import bearer

    rows = parameter_rows(rule, family.named_types())
    text = indent(prose(document(bearer(rule))))
    if not rows:
        return [text]
    return [text, "", "Parameters", "", facts((word, plain(about)) for word, about in rows)]


def of_packages(family: "Family[Any]") -> "list[str | Table]":
    """Return the rules of a family that other installed packages declare; empty if there are none."""
    from echelon.cli.terminal import facts
    from echelon.rules.entry_points import Broken
    from echelon.rules.parameter import bearer

    rows = [
        (name, str(rule.problem) if isinstance(rule, Broken) else summary(bearer(rule)))
        for name, rule in family.others
    ]
    return [f"{family.kind.capitalize()} rules of other packages", "", facts(rows), ""] if rows else []


def indent(text: str) -> str:
    """Return a docstring without markup, each line indented."""
    return "\n".join(f"  {line}" if line else "" for line in plain(text).split("\n"))


def plain(text: str) -> str:
    """Return a docstring without the markup that only a web page needs."""
    return text.replace("``", "").replace("**", "").replace("`", "")
