"""LocalTrace: recorded loads of nodes, from a CSV file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.local_use import LocalChange, LocalUse
from echelon.workloads.files.bounded_reading import take
from echelon.workloads.formats.text.delimited_text import read_delimited
from echelon.workloads.local_users.owners import check_shared, site_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.delimited_text import DelimitedText

_NEEDED = ("time", "site", "node")
_USES = ("cpu", "memory", "network")


@dataclass(frozen=True, slots=True, eq=False)
class LocalTrace:
    """What owners used of their nodes, change by change.

    Parameters
    ----------
    file : str
        As the user named it.
    time : ndarray of float, shape (n_changes,)
        In seconds, ascending.
    site : tuple of str, length n_changes
        Name of each change's site, or its number from 0.
    node : ndarray of int, shape (n_changes,)
        Number of the node in its site, from 0.
    use : tuple of LocalUse, length n_changes
        What its owner uses from then on.
    line : ndarray of int, shape (n_changes,)
        Where it stands in the file.
    """

    file: str
    time: FloatColumn
    site: tuple[str, ...]
    node: IntColumn
    use: tuple[LocalUse, ...]
    line: IntColumn

    @property
    def spec(self) -> str:
        """The file."""
        return self.file

    def __len__(self) -> int:
        """Return the number of changes."""
        return len(self.time)

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield the recorded changes, the same for any seed; those of one time in the order of the file.

        Raises
        ------
        InputError
            If a site or a node is not there; the first such line is named.
        """
        sites = self._sites(platform)
        places = zip(self.time.tolist(), sites.tolist(), self.node.tolist(), self.use, strict=True)
        return iter([LocalChange(*change) for change in places])

    def _sites(self, platform: Platform) -> IntColumn:
        check_shared(platform, self.file)
        numbers: dict[str, int] = {}
        for name, line in zip(self.site, self.line.tolist(), strict=True):
            if name not in numbers:
                try:
                    numbers[name] = site_number(platform, name)
                except UnknownNameError as error:
                    raise InputError(str(error), file=self.file, line=line, field="site") from None
        sites = np.array([numbers[name] for name in self.site], dtype=np.int64)
        nodes = np.array([len(cluster) for cluster in platform.clusters])[sites] if len(sites) else sites
        beyond = np.flatnonzero(self.node >= nodes)
        if len(beyond):
            first = int(beyond[np.argmin(self.line[beyond])])
            raise InputError(
                f"got {self.node[first]}, expected a node of site {self.site[first]!r}, which has 0 to "
                f"{nodes[first] - 1}",
                file=self.file,
                line=int(self.line[first]),
                field="node",
            )
        return sites


def read_local_trace(path: str | Path) -> LocalTrace:
    """Return the loads of nodes recorded in a CSV file, also gzipped.

    Parameters
    ----------
    path : str or Path
        A row a change, with the columns ``time`` (in seconds, >= 0), ``site`` (name, or number from 0),
        ``node`` (number in its site, from 0), ``cpu`` and ``memory`` (shares of the node's, 0 to 1) and
        ``network`` (bytes a second, >= 0). Of the last three those that are not there or empty are 0: an
        owner who uses nothing is not there. Rows may be in any order; those of one time keep theirs.

    Raises
    ------
    InputError
        If the file cannot be read, a column is missing or unknown, or a cell is not what it must be: file,
        line and column are named.
    """
    try:
        with Path(path).open("rb") as file:
            data = take(file, str(path), name=str(path)).data
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise InputError(f"cannot be read: {reason}", file=str(path)) from error
    table = read_delimited(data, str(path), expected="a table of recorded local loads")
    names = {name.lower(): name for name in table.columns}
    _check_names(names, str(path))
    return _trace(table, names)


def _check_names(names: dict[str, str], file: str) -> None:
    for name in _NEEDED:
        if name not in names:
            raise InputError(f"has no column {name}; its columns are: {', '.join(names)}", file=file)
    if not any(name in names for name in _USES):
        raise InputError(
            f"has no column of {', '.join(_USES)}; its columns are: {', '.join(names)}", file=file
        )
    if unknown := [name for name in names if name not in (*_NEEDED, *_USES)]:
        raise UnknownNameError(f"column of {file}", unknown[0], (*_NEEDED, *_USES))


def _trace(table: DelimitedText, names: dict[str, str]) -> LocalTrace:
    time = _column(table, names["time"], "a time in seconds, >= 0", needed=True)
    node = _column(table, names["node"], "the number of a node, from 0", needed=True)
    whole = node == np.trunc(node)
    if not whole.all():
        raise table.cells(names["node"]).refuse(int(np.argmin(whole)), "the number of a node, from 0")
    site = table.cells(names["site"])
    texts = site.stripped.to_list()
    if "" in texts:
        raise site.refuse(texts.index(""), "a site's name, or its number from 0")
    shares = [_column(table, names.get(name), "a share from 0 to 1", most=1.0) for name in _USES[:2]]
    network = _column(table, names.get("network"), "bytes a second, >= 0")
    order = np.argsort(time, kind="stable")
    uses = [
        LocalUse(*use) for use in zip(*(column[order].tolist() for column in (*shares, network)), strict=True)
    ]
    return LocalTrace(
        table.file,
        time[order],
        tuple(texts[place] for place in order.tolist()),
        node[order].astype(np.int64),
        tuple(uses),
        table.lines[order],
    )


def _column(
    table: DelimitedText, name: str | None, expected: str, *, most: float = np.inf, needed: bool = False
) -> FloatColumn:
    """Return the numbers of a column, from 0 to `most`; what is missing is 0 unless it is needed."""
    if name is None:
        return np.zeros(len(table))
    cells = table.cells(name, unknown=frozenset({""}))
    column = cells.floats(expected)
    empty = (cells.stripped == "").to_numpy()
    good = ((column >= 0) & (column <= most)) | (empty & (not needed))
    if not good.all():
        raise cells.refuse(int(np.argmin(good)), expected)
    return np.where(empty, 0.0, column)
