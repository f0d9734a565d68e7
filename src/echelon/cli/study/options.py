"""Arguments and options that commands on the folder of a study share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="The study's folder: what `echelon study run` wrote.")
]
WarmUp: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Leave out this share of each run's jobs at the beginning, while the machine fills. Default: as "
        "the study says, else 0.",
    ),
]
CoolDown: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SHARE", help="The same at the end, while the machine drains. Default: likewise."),
]


def parted_words(given: list[str] | None) -> list[str]:
    """Return the words that an option names, joined by commas or repeated."""
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]
