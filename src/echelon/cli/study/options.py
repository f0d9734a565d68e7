"""Arguments and options shared by the commands on a study's folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from echelon.cli.terminal import note

if TYPE_CHECKING:
    from echelon.experiments.study.plan.study import Study
    from echelon.experiments.study.results.results import StudyResults
    from echelon.plotting import Style

StudyFile: TypeAlias = Annotated[
    str, typer.Argument(metavar="STUDY.toml", help="A study file; `echelon study init` writes one.")
]
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

StyleFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="A style: width and font of figures, labels of policies and metrics in figures and tables. "
        "Default: one column of 89 mm, 8 pt.",
    ),
]


def read_design(file: str, most: int | None) -> "Study":
    """Return the study that a file describes, of so many runs at most, by default of as many as usual."""
    from echelon.experiments.study.file.study_file import MOST_CASES, read_study

    return read_study(file, most=MOST_CASES if most is None else most)


def style_of(file: Path | None, results: "StudyResults") -> "Style | None":
    """Return the style that a file describes; None without one."""
    from echelon.reports.study.paper.style_file import read_style

    return None if file is None else read_style(file, own=results.own)


def note_without_scipy(results: "StudyResults") -> None:
    """Say that intervals and tests are left out, if they are."""
    from echelon.extras import SCIPY

    if not results.can_test:
        note(SCIPY.sentence)
