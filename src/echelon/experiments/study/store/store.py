"""Store: a folder of runs, each in its own folder, named by its input and there whole or not at all.

::

    study.json                     what this folder is
    study.toml                     the study file, as it was when last run
    log.jsonl                      a line each time a case came to an end, in that order
    runs/3f/3f9a.../               a run: scenario.json, manifest.json, metrics.json, jobs.parquet
    failures/81c0....json          a case that could not be run, and why
    .parts/                        runs being made and written
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.study.run.identity import KEY_LENGTH, canonical_json
from echelon.experiments.study.store.parts import is_abandoned, part_name
from echelon.experiments.study.store.store_error import StoreError
from echelon.experiments.study.store.stored_run import StoredRun
from echelon.file_lock import alone, is_held
from echelon.workloads.files.atomic import replacing
from echelon.workloads.files.json_object import parse_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome

_LOCK = ".lock"

LAYOUT = 1
"""Number of the layout of a store's folder."""


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of runs.

    Make one with `Store.open`; the plain constructor takes a folder that is one already, as workers do.

    Parameters
    ----------
    folder : Path
        On a file system that all who write see; renaming must be atomic there, as on any local disk and on
        NFS.
    sync : bool, default False
        Whether a run is on the disk, not only with the operating system, before it counts as there: needed
        to survive a loss of power, not a killed process.

    Notes
    -----
    Any number of processes may write at once. A run is written beside its place and renamed into it, so that
    it is there whole or not at all; a second one with the same run finds it there and drops its own.
    Runs are never overwritten.
    """

    folder: Path
    sync: bool = False

    @classmethod
    def open(cls, folder: str | Path, *, name: str = "", sync: bool = False) -> Store:
        """Return the store in `folder`, which is made one if it is empty or not there.

        Parameters
        ----------
        folder : str or Path
            Made with those above it.
        name : str, default ``""``
            Of the study.
        sync : bool, default False
            As of the class.

        Raises
        ------
        InputError
            If the folder holds something else or another study's runs, or cannot be written.
        """
        store = cls(Path(folder), sync)
        with _translate_errors(folder):
            store.folder.mkdir(parents=True, exist_ok=True)
            store._claim(name)
            for part in ("runs", "failures", ".parts"):
                (store.folder / part).mkdir(exist_ok=True)
        store.sweep()
        return store

    @classmethod
    def existing(cls, folder: str | Path) -> Store:
        """Return the store in `folder` for reading.

        Raises
        ------
        InputError
            If there is none.
        """
        store = cls(Path(folder))
        store.about()
        return store

    def about(self) -> dict[str, Any]:
        """Return what ``study.json`` says.

        Raises
        ------
        InputError
            If the folder is no store.
        """
        try:
            record = parse_object((self.folder / "study.json").read_bytes())
        except FileNotFoundError as error:
            raise InputError("is not a study folder: it has no study.json", file=str(self.folder)) from error
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", file=str(self.folder / "study.json")) from error
        if (layout := record.get("layout")) != LAYOUT:
            problem = f"has the layout {layout!r:.40}, this release knows {LAYOUT}"
            raise InputError(problem, file=str(self.folder / "study.json"))
        return record

    def _claim(self, name: str) -> None:
        """Take a folder that is empty, or already this study's."""
        mark = self.folder / "study.json"
        if mark.exists():
            held = self.about().get("name", "")
            if name and held and held != name:
                raise InputError(
                    f"is the folder of the study {held!r}, with which runs of {name!r} would mix; choose "
                    "another folder",
                    file=str(self.folder),
                )
            return
        if foreign := sorted(path.name for path in self.folder.iterdir() if not path.name.startswith(".")):
            raise InputError(
                f"is not the folder of a study and not empty: it holds {foreign[0]!r}; choose another folder",
                file=str(self.folder),
            )
        with replacing(mark) as file:
            file.write(canonical_json({"layout": LAYOUT, "name": name}, ordered=False))

    def has(self, key: str) -> bool:
        """Return whether the run of this key is there."""
        return self._place(key).is_dir()

    def read(self, key: str) -> StoredRun:
        """Return the run of this key.

        Raises
        ------
        InputError
            If it is not there.
        """
        place = self._place(key)
        if not place.is_dir():
            raise InputError(f"holds no run {key[:12]!r}", file=str(self.folder))
        return StoredRun(place)

    def runs(self) -> Iterator[StoredRun]:
        """Yield every run, by key."""
        for group in sorted(_entries(self.folder / "runs")):
            for place in sorted(_entries(group)):
                if len(place.name) == KEY_LENGTH:
                    yield StoredRun(place)

    @contextlib.contextmanager
    def making(self, key: str) -> Iterator[None]:
        """Make the run of this key in the block, in which no other process or thread makes it: others wait.

        So a block asks first whether the run is there now. In a folder without locks, as on some network file
        systems, several may make the same run, of which one is kept.
        """
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # `put` raises where the folder cannot be written
                held.enter_context(alone(self.folder / ".parts" / f"{key}{_LOCK}", makes=True))
            yield

    def put(self, key: str, files: Mapping[str, bytes]) -> bool:
        """Keep a run; return False if it was already there, and then nothing has changed.

        Parameters
        ----------
        key : str
            Of the run.
        files : mapping of str to bytes
            Its files, by name.

        Raises
        ------
        StoreError
            If the folder cannot be written.
        """
        place = self._place(key)
        part = self.folder / ".parts" / part_name()
        try:
            part.mkdir()
            for name, content in files.items():
                self._write(part / name, content)
            if self.sync:
                _sync_folder(part)
            return self._rename(part, place)
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            raise StoreError(self.folder, error) from error

    def _write(self, path: Path, content: bytes) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(handle, left) :]
            if self.sync:
                os.fsync(handle)
        finally:
            os.close(handle)

    def _rename(self, part: Path, place: Path) -> bool:
        for _ in range(2):
            try:
                part.rename(place)
            except FileNotFoundError:
                place.parent.mkdir(exist_ok=True)
                continue
            except OSError:
                if not place.is_dir():
                    raise
                # Another process was first with the same run: it is the same, byte for byte.
                shutil.rmtree(part, ignore_errors=True)
                return False
            if self.sync:
                _sync_folder(place.parent)
            return True
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(part))

    def put_failure(self, outcome: Outcome) -> None:
        """Keep why a case could not be run, until it can."""
        record = {
            "settings": dict(outcome.case.settings),
            "labels": dict(outcome.case.labels),
            "key": outcome.key,
            "problem": outcome.problem,
        }
        with _translate_errors(self.folder), replacing(self._failure(outcome.case)) as file:
            file.write(canonical_json(record, ordered=False))

    def drop_failure(self, case: Case) -> None:
        """Forget that a case could not be run: now it could."""
        with _translate_errors(self.folder):
            self._failure(case).unlink(missing_ok=True)

    def failures(self) -> dict[str, dict[str, Any]]:
        """Return the cases that could not be run, by name: their settings, labels, key and problem.

        Raises
        ------
        InputError
            If the file of one is damaged.
        """
        failures = {}
        for path in sorted(_entries(self.folder / "failures")):
            if path.suffix == ".json" and not path.name.startswith("."):
                try:
                    failures[path.stem] = parse_object(path.read_bytes())
                except (OSError, ValueError) as error:
                    problem = f"cannot be read ({error}); remove it and run the study again"
                    raise InputError(problem, file=str(path)) from error
        return failures

    @staticmethod
    def failure_name(case: Case) -> str:
        """Return the name in `failures` of a case, whose key may not be known: a hash of its settings."""
        return hashlib.sha256(case.spec.encode()).hexdigest()

    def put_study_file(self, text: str) -> None:
        """Keep the study file as it is now, in place of the one kept before."""
        with _translate_errors(self.folder), replacing(self.folder / "study.toml") as file:
            file.write(text.encode())

    def sweep(self) -> int:
        """Remove what killed processes left half written; return how many runs that were.

        Those of other processes that live, or that may, are left alone.
        """
        swept = 0
        for part in _entries(self.folder / ".parts"):
            if part.suffix == _LOCK:
                if not is_held(part):
                    part.unlink(missing_ok=True)
            elif is_abandoned(part):
                shutil.rmtree(part, ignore_errors=True)
                swept += 1
        return swept

    def _place(self, key: str) -> Path:
        return self.folder / "runs" / key[:2] / key

    def _failure(self, case: Case) -> Path:
        return self.folder / "failures" / f"{self.failure_name(case)}.json"


@contextlib.contextmanager
def _translate_errors(folder: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(str(folder), error) from error


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":  # where folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
