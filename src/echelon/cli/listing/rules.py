"""``echelon rules``: all families of rules, the rules of a family, and the details of one rule."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.listing.documents import about, document, indent, of_packages, plain
from echelon.cli.terminal import facts, show
from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.rules import Family


def _families() -> list[str]:
    """Return the names of all families, for completion in shells."""
    from echelon.families import FAMILIES

    return list(FAMILIES.names)


def _rules(ctx: typer.Context) -> list[str]:
    """Return the names of the rules of the family that was typed before."""
    from echelon.families import FAMILIES, rules_called
    from echelon.rules.spec import normalize

    family = normalize(ctx.params.get("family") or "")
    return rules_called(family).names if family in FAMILIES.words else []


_Family = Annotated[
    str | None,
    typer.Argument(
        metavar="[FAMILY]",
        help="A family of rules: brokers, metrics ... Or the name of a rule.",
        autocompletion=_families,
    ),
]
_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="A rule of the family, or FILE.py:NAME.",
        autocompletion=_rules,
    ),
]


def rules(family: _Family = None, name: _Name = None) -> None:
    """List all families of rules, the rules of one family, or the parameters of one rule."""
    from echelon.families import FAMILIES

    if family is None:
        rows = ((one, ", ".join(FAMILIES.named(one).names)) for one in FAMILIES.names)
        show(
            facts(rows),
            "",
            "Rules of a family: echelon rules FAMILY. Details of one rule: echelon rules FAMILY NAME",
        )
        return
    if name is None and (families := _families_of(family)):
        for one in families:
            _describe(one, family)
        return
    rule_family = _family(family)
    if name is None:
        show(
            facts(_entry(rule_family, one) for one in rule_family.names),
            "",
            *of_packages(rule_family),
            f"For example: {rule_family.example}",
        )
        return
    _describe(rule_family, name)


def _describe(family: "Family[Any]", name: str) -> None:
    """Show the details of one rule of a family."""
    from echelon.rules.parameter import bearer, parameters
    from echelon.user_file import is_in_file

    head = family.head(family.spec(name))[0]
    rule = family.find(head)
    if rule is None or (is_in_file(name) and not family.recognizes(rule)):
        family.parse(name)
    if rule is None:
        rule = family.entry(head)
    is_described = bool(parameters(rule)) or _text(rule) == document(bearer(rule))
    lines = about(rule, family) if is_described else [indent(_text(rule))]
    if "Source:" not in str(lines[0]) and (source := getattr(rule, "source", "")):
        lines[1:1] = [indent(f"Source: {source}")]
    if numbers := getattr(rule, "parameters", ()):  # of a model
        lines += ["", "Parameters", "", facts((one.name, one.about) for one in numbers)]
    show(f"{family.kind} {name}", "", *lines)


def _families_of(name: str) -> "list[Family[Any]]":
    """Return the families that have a rule of this name, unless a family itself is so called."""
    from echelon.families import FAMILIES
    from echelon.rules.spec import normalize
    from echelon.user_file import is_in_file

    if normalize(name) in FAMILIES.words:
        return []
    head = name.split(":")[0].split("(")[0]
    families = list(map(FAMILIES.named, FAMILIES.names))
    if is_in_file(name):
        if matches := [family for family in families if family.in_file(name)]:
            return matches
        file, _, own = name.rpartition(":")
        raise InputError("is no rule of any family", file=file, field=own)
    return [family for family in families if family.has(head) and head != "none"]


def _family(name: str) -> "Family[Any]":
    from echelon.families import FAMILIES, PARTS, rules_called
    from echelon.rules.family import unknown_name
    from echelon.rules.spec import normalize

    if normalize(name) not in FAMILIES.words:
        raise unknown_name("family of rules", name, [*FAMILIES.names, *PARTS], list(FAMILIES.words))
    return rules_called(normalize(name))


def _entry(family: "Family[Any]", name: str) -> tuple[str, str]:
    """Return the row of a built-in rule: its name and its summary."""
    return name, plain(_text(family.entry(name))).split("\n\n")[0].replace("\n", " ")


def _text(rule: Any) -> str:  # noqa: ANN401  (any rule)
    """Return the description of a rule: its formula, its summary, or its docstring."""
    from echelon.rules.parameter import bearer

    formula = getattr(rule, "formula", None) or (
        None if bearer(rule) is not rule else getattr(rule, "summary", None)
    )
    return formula if isinstance(formula, str) else document(bearer(rule))
