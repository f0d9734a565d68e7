"""Folders of reproductions: what ``echelon reproduce --out`` leaves, of one study or of all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.experiments.folders.results_folder import filling
from echelon.experiments.folders.run_folder import make_folder, write_json
from echelon.reproduce.report.digest import digest, failed_digest
from echelon.reproduce.report.drawings import pictures_of
from echelon.reproduce.report.pages import reproduction_page, reproductions_page, study_sections
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce import Reproduction, Study

DIGESTS = "studies.json"
"""What pages of documentation are made from."""


def write_reproduction(
    reproduction: Reproduction,
    folder: str | Path,
    run: Mapping[str, object],
    *,
    pictures: Mapping[str, bytes] | None = None,
) -> list[Path]:
    """Write ``results.json``, ``report.html``, ``charts/*.png`` and the study's own ``files/`` into `folder`.

    Parameters
    ----------
    reproduction : Reproduction
        The result of the study.
    folder : str or Path
        Made if need be; files of these names in it are replaced. It may hold no run and no comparison.
    run : mapping
        What ``results.json`` further says of this run: command, versions.
    pictures : mapping of str to bytes, optional
        Its charts and pictures, if they are drawn already.

    Returns
    -------
    list of Path
        The files, the page last.

    Raises
    ------
    InputError
        If a folder or file cannot be written, or the folder holds a run or a comparison; nothing is left
        behind then.
    """
    with filling(folder, "reproduction") as target:
        pictures = pictures_of(reproduction) if pictures is None else pictures
        write_json(target / "results.json", {**reproduction.to_dict(), **run})
        names = ["results.json"]
        # One after the other: together the study's files may be large.
        for name, content in reproduction.files.items():
            names.append(_write(target, f"files/{name}", content()))
        for name, image in pictures.items():
            names.append(_write(target, f"charts/{name}.png", image))
        names.append(_write(target, "report.html", reproduction_page(reproduction, pictures).encode()))
    return [Path(folder) / name for name in names]


def _write(folder: Path, name: str, content: bytes) -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as file:
        file.write(content)
    return name


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
        page = reproductions_page(self.digests, self._sections, subtitle)
        _write(self._folder, "report.html", page.encode())
