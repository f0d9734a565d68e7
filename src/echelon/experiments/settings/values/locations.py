"""Where a file's values lie: paths in it, as seen from here instead of from the file's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def workload(text: str, folder: Path) -> str:
    """Return a workload's path; ``-`` and names of data sets, models and grids stay as they are."""
    from echelon.user_file import is_file
    from echelon.workloads import DATASETS
    from echelon.workloads.grid.spec import names_grid
    from echelon.workloads.synthetic.generation import names_model

    is_name = text.lower() in DATASETS or names_model(text) or names_grid(text)
    return text if text == "-" or (is_name and not is_file(folder / text)) else path(text, folder)


def path(text: str, folder: Path) -> str:
    """Return a path without the steps up and down again that read badly."""
    return os.path.normpath(folder / text)


def rule(spec: str, folder: Path) -> str:
    """Return the spec of a rule, with each file of a user's own as seen from here."""
    from echelon.user_file import with_files

    return with_files(spec, lambda name: path(name, folder), folder)


def platform(text: str, folder: Path) -> str:
    """Return the text of a platform: a file's path, perhaps with a machine's name, or a preset's name."""
    file, chosen, name = text.partition(".json:")
    is_file = chosen or text.lower().endswith((".toml", ".json"))
    return path(f"{file}{chosen}", folder) + name if is_file else text


def local_users(text: str, folder: Path) -> str:
    """Return the text of local users, a file of recorded loads or of a user's own among them."""
    from echelon.workloads.local_users import LOCAL_TRACES

    is_trace = text.strip().lower().endswith(LOCAL_TRACES)
    return path(text.strip(), folder) if is_trace else rule(text, folder)


def address(text: str, folder: Path) -> str:
    """Return a file's path; an address of a database stays as it is."""
    return text if "://" in text else path(text, folder)


def file_or_none(text: str, folder: Path) -> str:
    """Return a file's path; ``none`` stays as it is."""
    return text if text.strip().lower() == "none" else path(text.strip(), folder)
