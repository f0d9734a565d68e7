"""Reproduction folder: what ``echelon reproduce --out`` leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.run_folder import make_folder, write_json
from echelon.reports.reproduction_page import reproduction_page
from echelon.workloads.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from echelon.reproduce import Chart, Reproduction


def write_reproduction(found: Reproduction, folder: str | Path, run: Mapping[str, object]) -> list[Path]:
    """Write ``results.json``, ``report.html``, ``charts/*.png`` and the study's own ``files/`` into `folder`.

    Parameters
    ----------
    found : Reproduction
        What came of the study.
    folder : str or Path
        Made if need be; files of these names in it are replaced.
    run : mapping
        What ``results.json`` says of this run besides: command, versions.

    Returns
    -------
    list of Path
        The files, the page last.

    Raises
    ------
    InputError
        If a folder or file can not be written.
    """
    target = make_folder(folder)
    pictures = {chart.quantity.name: _png(chart) for chart in found.charts}
    contents = {target / "charts" / f"{name}.png": png for name, png in pictures.items()}
    contents[target / "report.html"] = reproduction_page(found, pictures).encode()
    results = target / "results.json"
    write_json(results, {**found.as_mapping(), **run})
    written = [results]
    if found.files:
        make_folder(target / "files")
    for name, content in found.files.items():
        # One after the other: together they may be large.
        written.append(_write(target / "files" / name, content()))
    make_folder(target / "charts")
    return written + [_write(path, content) for path, content in contents.items()]


def _write(path: Path, content: bytes) -> Path:
    with replacing(path) as file:
        file.write(content)
    return path


def _png(chart: Chart) -> bytes:
    # Figures only when they are wanted: matplotlib takes a third of a second.
    from echelon.plotting import figure_bytes, plot_bars

    axes = plot_bars(chart.bars, label=f"{chart.quantity.label} ({chart.quantity.unit})")
    return figure_bytes(axes.figure, "png")
