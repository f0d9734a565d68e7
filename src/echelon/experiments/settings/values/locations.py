"""Where a file's values lie: paths in it, as seen from here instead of from the file's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def workload(words: str, folder: Path) -> str:
    """Return a workload's path; ``-`` and names of data sets, models and grids stay as they are."""
    from echelon.user_file import is_file
    from echelon.workloads import DATASETS
    from echelon.workloads.grid.spec import names_grid
    from echelon.workloads.synthetic.generation import names_model

    is_name = words.lower() in DATASETS or names_model(words) or names_grid(words)
    return words if words == "-" or (is_name and not is_file(folder / words)) else path(words, folder)


def path(words: str, folder: Path) -> str:
    """Return a path without the steps up and down again that read badly."""
    return os.path.normpath(folder / words)


def rule(words: str, folder: Path) -> str:
    """Return the words of a rule, each file of a user's own among them from here."""
    from echelon.user_file import with_files

    return with_files(words, lambda name: path(name, folder), folder)


def platform(words: str, folder: Path) -> str:
    """Return the words of a platform: a file's path, perhaps with a machine's name, or a preset's name."""
    file, chosen, name = words.partition(".json:")
    is_file = chosen or words.lower().endswith((".toml", ".json"))
    return path(f"{file}{chosen}", folder) + name if is_file else words


def local_users(words: str, folder: Path) -> str:
    """Return words of local users, a file of recorded loads or of a user's own among them."""
    from echelon.workloads.local_users import LOCAL_TRACES

    is_trace = words.strip().lower().endswith(LOCAL_TRACES)
    return path(words.strip(), folder) if is_trace else rule(words, folder)


def address(words: str, folder: Path) -> str:
    """Return a file's path; an address of a database stays as it is."""
    return words if "://" in words else path(words, folder)


def file_or_none(words: str, folder: Path) -> str:
    """Return a file's path; ``none`` stays as it is."""
    return words if words.strip().lower() == "none" else path(words.strip(), folder)
