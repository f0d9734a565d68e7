"""Format: how a file of jobs is recognized, read and written. One value a format, one list of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Workload


@dataclass(frozen=True, slots=True)
class Format:
    """One file format of workloads.

    Parameters
    ----------
    name : str
        Kebab-case, as typed after ``--format``.
    suffixes : tuple of str
        File name endings with the dot, without ``.gz``: ``(".swf",)``.
    summary : str
        One sentence for the reference page.
    source : str
        Where the format is defined, for the reference page.
    read : callable (data: bytes, name: str) -> Workload
        Reads the whole, already decompressed, file; `name` is the file as the user gave it, for messages.
        Raises `InputError` with file, line and field; never returns a part of a file.
    write : callable (workload: Workload) -> bytes, optional
        The file's whole content; None for formats that are only read.
    recognizes : callable (head: bytes) -> bool, optional
        Whether the first 4,096 bytes look like this format, for files whose ending says nothing.
    has_dates : bool, default False
        Whether the file may have dates without an offset; `read` then takes their zone as `timezone`.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    source: str
    read: Callable[..., Workload]
    write: Callable[[Workload], bytes] | None = None
    recognizes: Callable[[bytes], bool] | None = None
    has_dates: bool = False

    takes_parameters: ClassVar[bool] = False

    def parse(self, data: bytes, name: str, timezone: str | None = None) -> Workload:
        """Return the jobs of a file; dates without an offset are of `timezone`, a name of the tz database."""
        if self.has_dates and timezone is not None:
            return self.read(data, name, timezone=timezone)
        return self.read(data, name)
