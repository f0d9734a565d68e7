"""Reproductions folder: what ``echelon reproduce all --out`` leaves, a study after the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from echelon.experiments.folders.run_folder import make_folder, write_json
from echelon.reproduce.report.digest import digest, failed_digest
from echelon.reproduce.report.drawings import pictures_of
from echelon.reproduce.report.overview_page import reproductions_page
from echelon.reproduce.report.study_folder import write_reproduction
from echelon.reproduce.report.study_page import study_sections
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from echelon.reproduce import Reproduction, Study

DIGESTS = "studies.json"
"""What pages of documentation are made from."""


class ReproductionsFolder:
    """A folder that gets a folder for each study, and in the end one report on all.

    Parameters
    ----------
    folder : str or Path
        Made if need be.
    run : mapping of str to object
        Further entries of the files on this run: command, versions.

    Raises
    ------
    InputError
        If it cannot be made, or is a file.
    """

    def __init__(self, folder: str | Path, run: Mapping[str, object]) -> None:
        self._folder = make_folder(folder)
        self._run = run
        self.digests: list[dict[str, Any]] = []
        self._sections: dict[str, str] = {}

    def add(
        self, reproduction: Reproduction, *, seconds: float, settings: Mapping[str, object] | None = None
    ) -> None:
        """Write the folder of a study that was run, and keep what the report shows of it."""
        name = reproduction.study.name
        pictures = pictures_of(reproduction)
        write_reproduction(reproduction, self._folder / name, self._run, pictures=pictures)
        self.digests.append(digest(reproduction, seconds=seconds, settings=settings))
        self._sections[name] = study_sections(reproduction, pictures)
        self._write()

    def add_failure(self, study: Study, problem: str) -> None:
        """Note that a study could not be run, and why."""
        self.digests.append(failed_digest(study, problem))
        self._write()

    @property
    def files(self) -> list[Path]:
        """The paths of ``studies.json`` and ``report.html``, the page last."""
        return [self._folder / DIGESTS, self._folder / "report.html"]

    def _write(self) -> None:
        """Write what is known so far: all studies take long, and who stops them keeps those that are done."""
        subtitle = f"By {json.dumps(self._run.get('versions', {}))[1:-1]}".replace('"', "")
        write_json(self._folder / DIGESTS, {"studies": self.digests, **self._run})
        with replacing(self._folder / "report.html") as file:
            file.write(reproductions_page(self.digests, self._sections, subtitle).encode())
