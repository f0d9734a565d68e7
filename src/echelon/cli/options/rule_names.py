"""Names that shells complete in place of an argument: rules, families of rules, data sets, platforms."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


def of_families(*families: str) -> "Callable[[], list[str]]":
    """Return what lists the names of the rules of some families; they are imported when it is called."""

    def names() -> list[str]:
        from echelon.families import FAMILIES

        return list(dict.fromkeys(name for family in families for name in FAMILIES.named(family).names))

    return names


def families() -> list[str]:
    """Return the names of all families of rules."""
    from echelon.families import FAMILIES

    return list(FAMILIES.names)


def of_family_before(ctx: typer.Context) -> list[str]:
    """Return the names of the rules of the family that the argument ``family`` names."""
    from echelon.families import FAMILIES
    from echelon.rules.spec import plain

    family = FAMILIES.words.get(plain(ctx.params.get("family") or ""))
    return [] if family is None else FAMILIES.named(family).names


def workloads() -> list[str]:
    """Return the names of the data sets, and of the models that draw jobs."""
    from echelon.workloads import DATASETS, MODELS

    return [*DATASETS, *MODELS.names]


def datasets() -> list[str]:
    """Return the names of the data sets."""
    from echelon.workloads import DATASETS

    return list(DATASETS)


def platforms() -> list[str]:
    """Return the names of the platforms that come with Echelon."""
    from echelon.platforms import PRESETS

    return list(PRESETS)
