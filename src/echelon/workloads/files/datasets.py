"""Data sets: logs of the Parallel Workloads Archive by name, found on this machine or fetched with a check.

One log comes with the package. Others are looked for in the folders of ``$ECHELON_DATA``, then in the
user's cache (``$XDG_CACHE_HOME/echelon`` or ``~/.cache/echelon``), then downloaded into that cache from the
archive, or from the mirror that ``$ECHELON_ARCHIVE`` names. Wherever a log is found, its SHA-256 must be the
one recorded here, of the file as the archive gives it or of its decompressed text.

The archive asks that the persons named in a log's header be acknowledged in publications.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from echelon.cache import cache_folder
from echelon.errors import InputError, UnknownNameError
from echelon.workloads.files.compression import decompress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Progress: TypeAlias = Callable[[int, int | None], None]
    """Called with the bytes fetched so far and, where the server says, their total."""

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"
"""Address of the Parallel Workloads Archive."""

_PACKAGED = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Dataset:
    """A log that can be had by name.

    Parameters
    ----------
    name : str
        As typed for WORKLOAD.
    title : str
        Machine, place and years.
    acknowledgement : str
        Whom the log's header asks to acknowledge.
    folder, file : str
        Where the archive keeps it, below `ARCHIVE`.
    jobs : int
        Jobs in the log.
    processors : int
        The header's MaxProcs.
    sha256 : str
        Of the archive's file, in hexadecimal.
    content_sha256 : str
        Of the decompressed file, in hexadecimal.
    """

    name: str
    title: str
    acknowledgement: str
    folder: str
    file: str
    jobs: int
    processors: int
    sha256: str
    content_sha256: str

    @property
    def url(self) -> str:
        """Where it is downloaded from."""
        base = os.environ.get("ECHELON_ARCHIVE") or ARCHIVE
        return f"{base.rstrip('/')}/{self.folder}/{self.file}"


_ALL = (
    Dataset(
        name="kth-sp2",
        title="IBM SP2, Swedish Royal Institute of Technology (KTH), 1996 to 1997, cleaned",
        acknowledgement="Lars Malinowsky",
        folder="l_kth_sp2",
        file="KTH-SP2-1996-2.1-cln.swf.gz",
        jobs=28476,
        processors=100,
        sha256="3e152f201fd2e96808a735bced6ea6eb0bb07fdc447689cafb0750d87b264c0b",
        content_sha256="fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
    ),
    Dataset(
        name="sdsc-sp2",
        title="IBM SP2, San Diego Supercomputer Center, 1998 to 2000, cleaned",
        acknowledgement="Victor Hazlewood; (c) The Regents of the University of California, see the header",
        folder="l_sdsc_sp2",
        file="SDSC-SP2-1998-4.2-cln.swf.gz",
        jobs=59715,
        processors=128,
        sha256="e03fe48be50c4ab04d6bb2285296d9c3399e9c1f27ee79b754ad32a14abd9bac",
        content_sha256="2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
    ),
    Dataset(
        name="ctc-sp2",
        title="IBM SP2, Cornell Theory Center, 1996 to 1997, cleaned",
        acknowledgement="Dan Dwyer and Steve Hotovy",
        folder="l_ctc_sp2",
        file="CTC-SP2-1996-3.1-cln.swf.gz",
        jobs=77222,
        processors=338,
        sha256="9fa28ac16c4386fb81b72a91d8bd8888281df2948a9d912769d387c5ee285bb4",
        content_sha256="8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
    ),
    Dataset(
        name="hpc2n",
        title="Linux cluster Seth, High Performance Computing Center North, Sweden, 2002 to 2006, cleaned",
        acknowledgement="Ake Sandgren",
        folder="l_hpc2n",
        file="HPC2N-2002-2.2-cln.swf.gz",
        jobs=202871,
        processors=240,
        sha256="3c534857d6065cfd9cc35aac8d064c9c17172be7acf336de835006f43a626e64",
        content_sha256="77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
    ),
    Dataset(
        name="lanl-cm5",
        title="Thinking Machines CM-5, Los Alamos National Lab, 1994 to 1996, cleaned",
        acknowledgement="Curt Canada",
        folder="l_lanl_cm5",
        file="LANL-CM5-1994-4.1-cln.swf.gz",
        jobs=122060,
        processors=1024,
        sha256="71ff3dfa301b3ee1bd30ebc63c5363b5e8ec488e75f1f9398aa46d485ef23c3c",
        content_sha256="4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
    ),
    Dataset(
        name="sdsc-blue",
        title="IBM SP Blue Horizon, San Diego Supercomputer Center, 2000 to 2003, cleaned",
        acknowledgement="Travis Earheart and Nancy Wilkins-Diehr",
        folder="l_sdsc_blue",
        file="SDSC-BLUE-2000-4.2-cln.swf.gz",
        jobs=243306,
        processors=1152,
        sha256="9aab21f3cfa108f3ecefa52391b384d996dcf4216f920186f47a734646b2c658",
        content_sha256="13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
    ),
    Dataset(
        name="sdsc-ds",
        title="IBM p655/p690 DataStar, San Diego Supercomputer Center, 2004 to 2005, cleaned",
        acknowledgement="Victor Hazlewood; (c) The Regents of the University of California, see the header",
        folder="l_sdsc_ds",
        file="SDSC-DS-2004-2.1-cln.swf.gz",
        jobs=96069,
        processors=1664,
        sha256="0ddb885a96a7f5ee9009d8a36ef350b1d1c451044c205811938995aac80fcc36",
        content_sha256="76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690",
    ),
    Dataset(
        name="nasa-ipsc",
        title="Intel iPSC/860, NASA Ames Research Center, 1993, cleaned",
        acknowledgement="Bill Nitzberg",
        folder="l_nasa_ipsc",
        file="NASA-iPSC-1993-3.1-cln.swf.gz",
        jobs=18239,
        processors=128,
        sha256="5589ae9b2fb78e3bf92de097497cf33a91607de1ad54563e43533f7827597f29",
        content_sha256="9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
    ),
    Dataset(
        name="ricc",
        title="Integrated Cluster of Clusters, RIKEN, 2010",
        acknowledgement="Motoyoshi Kurokawa, RIKEN, ACCC",
        folder="l_ricc",
        file="RICC-2010-2.swf.gz",
        jobs=447794,
        processors=8192,
        sha256="38b7c5c9843d9a9f3d61a2d8b927f6d39b68b368fb713886b5f2ce3499f2ec82",
        content_sha256="986a2a12df85adc3c2a2eb80a31b4ff9a056b92637526ee53fb70637b1bf0518",
    ),
    Dataset(
        name="cea-curie",
        title="Curie, CEA, 2011 to 2012, cleaned",
        acknowledgement="Joseph Emeras, CEA/CNRS",
        folder="l_cea_curie",
        file="CEA-Curie-2011-2.1-cln.swf.gz",
        jobs=312826,
        processors=93312,
        sha256="2a0fdbd40837590b491bbbac7d4cfe521de1f0b14c0dc39bbf82c4e49ea75bce",
        content_sha256="b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
    ),
)

DATASETS: Mapping[str, Dataset] = MappingProxyType({dataset.name: dataset for dataset in _ALL})
"""All data sets by name."""


def dataset(name: str) -> Dataset:
    """Return the data set called `name` (case matters not).

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    try:
        return DATASETS[name.lower()]
    except KeyError:
        raise UnknownNameError("data set", name, DATASETS) from None


def find(name: str) -> Path | None:
    """Return the data set's file on this machine, or None.

    Looked for, as the archive's ``.swf.gz`` or decompressed ``.swf``: in the package, in the folders of
    ``$ECHELON_DATA``, in the cache. A damaged file in the cache counts as none: `fetch` replaces it.

    Raises
    ------
    InputError
        If a file of that name outside the cache has another hash.
    UnknownNameError
        If there is no such data set.
    """
    wanted = dataset(name)
    if path := next(files_named(wanted.file, (_PACKAGED, *own_folders())), None):
        check(path, wanted)
        return path
    candidates = files_named(wanted.file, [cache_folder()])
    return next((path for path in candidates if _is_genuine(path, wanted)), None)


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Return the data set's file, downloading it into the cache if it is not on this machine.

    Parameters
    ----------
    name : str
        The data set.
    progress : callable (bytes_done: int, bytes_total: int or None) -> None, optional
        Called during the download.

    Raises
    ------
    InputError
        If it cannot be downloaded or has another hash; nothing is left behind then.
    UnknownNameError
        If there is no such data set.
    """
    file = find(name)
    if file is not None:
        return file
    from echelon.workloads.files.download import download  # the network only when it is needed

    wanted = dataset(name)
    target = cache_folder() / wanted.file
    download(wanted.url, target, accept=lambda path: check(path, wanted), progress=progress)
    return target


def check(path: Path, wanted: Dataset) -> None:
    """Raise `InputError` unless the file at `path` is the data set's, byte for byte or once decompressed."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from error
    got = hashlib.sha256(raw).hexdigest()
    if got in (wanted.sha256, wanted.content_sha256):
        return
    content = hashlib.sha256(decompress(raw, str(path))).hexdigest()
    if content != wanted.content_sha256:
        raise InputError(
            f"is not the archive's {wanted.file}: SHA-256 is {got}, expected {wanted.sha256}; "
            "remove or rename it, or give its path to use it unchanged",
            file=str(path),
        )


def own_folders() -> Iterator[Path]:
    """Return the folders of ``$ECHELON_DATA``."""
    folders = os.environ.get("ECHELON_DATA", "").split(os.pathsep)
    return (Path(folder) for folder in folders if folder)


def files_named(file: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of this name, as it is or decompressed, that are in the folders."""
    for folder in folders:
        for name in (file, file.removesuffix(".gz")):
            if (folder / name).is_file():
                yield folder / name


def _is_genuine(path: Path, wanted: Dataset) -> bool:
    try:
        check(path, wanted)
    except InputError:
        return False
    return True
