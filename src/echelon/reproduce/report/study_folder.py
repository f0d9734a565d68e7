"""Reproduction folder: what ``echelon reproduce --out`` leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from echelon.experiments.folders.results_folder import filling
from echelon.experiments.folders.run_folder import write_json
from echelon.reproduce.report.drawings import pictures_of
from echelon.reproduce.report.study_page import reproduction_page
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce import Reproduction


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
