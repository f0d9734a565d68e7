"""Arguments and options shared by the commands on a study's folder."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="The study's folder, which `echelon study run` wrote.")
]
WarmUp: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Leave out this share of each run's jobs at the beginning, while the machine fills. Default: as "
        "in the study, else 0.",
    ),
]
CoolDown: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Leave out this share of each run's jobs at the end, while the machine drains. Default: as in "
        "the study, else 0.",
    ),
]


def parted_words(given: list[str] | None) -> list[str]:
    """Return the words that an option names, joined by commas or repeated."""
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]
