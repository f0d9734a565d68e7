"""Data sets by name: where they are looked for, and how they are fetched, from a server on this machine."""

from __future__ import annotations

import gzip
import hashlib
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from echelon.cache import cache_folder
from echelon.errors import InputError, UnknownNameError
from echelon.workloads import read_workload
from echelon.workloads.files import datasets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTENT = b"; MaxProcs: 4\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n" * 5000
PACKED = gzip.compress(CONTENT, mtime=0)
TINY = replace(
    datasets.DATASETS["kth-sp2"],
    name="tiny",
    folder="l_tiny",
    file="TINY-2024.swf.gz",
    sha256=hashlib.sha256(PACKED).hexdigest(),
    content_sha256=hashlib.sha256(CONTENT).hexdigest(),
)


class Archive:
    """A server that gives one answer, and what it was asked."""

    def __init__(self) -> None:
        self.body, self.status, self.claimed = PACKED, 200, len(PACKED)
        self.asked: list[str] = []
        self.url = ""


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Archive]:
    """Serve a local archive with the data set ``tiny``, an empty cache and no folders of the user's own."""
    state = Archive()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            self.send_response(state.status)
            self.send_header("Content-Length", str(state.claimed))
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        state.url = f"http://127.0.0.1:{server.server_port}/archive/"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setattr(datasets, "DATASETS", {**datasets.DATASETS, "tiny": TINY})
        monkeypatch.setenv("ECHELON_ARCHIVE", state.url)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.delenv("ECHELON_DATA", raising=False)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        yield state
        server.shutdown()
        thread.join()


def cached() -> list[str]:
    """Return the names of the cache's files."""
    folder = cache_folder()
    return [path.name for path in folder.iterdir()] if folder.exists() else []


def test_fetched_once_checked_and_kept(archive: Archive) -> None:
    """The first fetch downloads with progress, the second finds it in the cache."""
    seen: list[tuple[int, int | None]] = []
    path = datasets.fetch("tiny", progress=lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == PACKED
    assert seen[-1] == (len(PACKED), len(PACKED))
    assert datasets.fetch("tiny") == datasets.find("tiny") == path
    assert archive.asked == ["/archive/l_tiny/TINY-2024.swf.gz"]
    assert cached() == ["TINY-2024.swf.gz"]


def test_read_by_name_downloads(archive: Archive) -> None:
    """A data set's name is enough to read its jobs."""
    workload = read_workload("tiny")
    assert (len(workload), workload.digest) == (5000, TINY.sha256)
    assert len(archive.asked) == 1


def test_compressed_anew_counts_as_the_same_log(archive: Archive) -> None:
    """A mirror may compress the log otherwise, as long as its text is the archive's."""
    archive.body = gzip.compress(CONTENT, compresslevel=1)
    archive.claimed = len(archive.body)
    assert datasets.fetch("tiny").read_bytes() == archive.body


def test_a_wrong_file_is_refused_and_removed(archive: Archive) -> None:
    """Other content gives a sentence with both hashes, and no file."""
    archive.body = gzip.compress(CONTENT + b"1")
    archive.claimed = len(archive.body)
    with pytest.raises(InputError) as caught:
        datasets.fetch("tiny")
    assert TINY.sha256 in str(caught.value)
    assert hashlib.sha256(archive.body).hexdigest() in str(caught.value)
    assert cached() == []


def test_a_page_instead_of_the_log_is_refused(archive: Archive) -> None:
    """A portal's page in place of the file is not taken for a log."""
    archive.body = b"<html>please log in</html>"
    archive.claimed = len(archive.body)
    with pytest.raises(InputError):
        datasets.fetch("tiny")
    assert cached() == []


def test_a_server_that_refuses(archive: Archive) -> None:
    """An HTTP error is passed on with its number and address."""
    archive.status, archive.body, archive.claimed = 404, b"", 0
    with pytest.raises(InputError, match="could not be downloaded: the server answered 404") as caught:
        datasets.fetch("tiny")
    assert archive.url in str(caught.value)
    assert cached() == []


def test_a_connection_that_ends_early(archive: Archive) -> None:
    """Half a file is no file."""
    archive.body = PACKED[: len(PACKED) // 2]
    with pytest.raises(InputError, match="bytes early; try again"):
        datasets.fetch("tiny")
    assert cached() == []


def test_ctrl_c_leaves_nothing(archive: Archive) -> None:
    """Stopping a download removes what had come."""

    def stop(_done: int, _total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        datasets.fetch("tiny", progress=stop)
    assert archive.asked
    assert cached() == []


def test_no_network(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a server the sentence says what to do."""
    monkeypatch.setenv("ECHELON_ARCHIVE", "http://127.0.0.1:1/none")
    with pytest.raises(InputError, match="check the network, or put the file into a folder of ECHELON_DATA"):
        datasets.fetch("tiny")
    assert archive.asked == []


@pytest.mark.parametrize("address", ["not an address", "http://127.0.0.1:port"])
def test_a_senseless_mirror(archive: Archive, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """A mirror that is no address is bad input."""
    monkeypatch.setenv("ECHELON_ARCHIVE", address)
    with pytest.raises(InputError, match="could not be downloaded"):
        datasets.fetch("tiny")
    assert archive.asked == []


def test_a_cache_that_can_not_be(archive: Archive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file where the cache's folder should be is named."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot be created"):
        datasets.fetch("tiny")
    assert archive.asked == []


def test_own_folders_come_before_the_cache(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folders of ECHELON_DATA are searched in order, for the compressed and the plain file."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    monkeypatch.setenv("ECHELON_DATA", f"{first}:{second}")
    assert datasets.find("tiny") is None
    (second / "TINY-2024.swf").write_bytes(CONTENT)
    assert datasets.find("tiny") == second / "TINY-2024.swf"
    (first / "TINY-2024.swf.gz").write_bytes(PACKED)
    assert datasets.find("TINY") == first / "TINY-2024.swf.gz"
    assert len(read_workload("tiny")) == 5000
    assert archive.asked == []


def test_another_file_of_that_name_in_an_own_folder(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A changed log in the user's folder is refused, not used in silence nor passed over."""
    monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
    (tmp_path / "TINY-2024.swf.gz").write_bytes(gzip.compress(b"changed"))
    with pytest.raises(InputError, match="expected " + TINY.sha256):
        datasets.find("tiny")
    assert archive.asked == []


def test_a_damaged_cache_is_replaced(archive: Archive) -> None:
    """A bad file in the cache is fetched again."""
    path = datasets.fetch("tiny")
    path.write_bytes(PACKED[:-20])
    assert datasets.find("tiny") is None
    assert datasets.fetch("tiny").read_bytes() == PACKED
    assert len(archive.asked) == 2


def test_an_unknown_name() -> None:
    """The nearest name is suggested."""
    with pytest.raises(UnknownNameError, match="did you mean 'sdsc-sp2'"):
        datasets.find("sdsc-sp")


def test_the_bundled_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """KTH-SP2 comes with the package, its header kept."""
    monkeypatch.delenv("ECHELON_DATA", raising=False)
    workload = read_workload("kth-sp2")
    known = datasets.DATASETS["kth-sp2"]
    assert (len(workload), workload.header.max_procs, workload.digest) == (28476, 100, known.sha256)
    assert workload.header.get("Acknowledge") == known.acknowledgement


def test_the_list_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and hashes are distinct, and addresses lie in the archive."""
    monkeypatch.delenv("ECHELON_ARCHIVE", raising=False)
    known = datasets.DATASETS.values()
    for hashes in ({d.sha256 for d in known}, {d.content_sha256 for d in known}):
        assert len(hashes) == len(known)
        assert all(len(digest) == 64 for digest in hashes)
    for entry in known:
        assert entry.url == f"{datasets.ARCHIVE}/{entry.folder}/{entry.file}"
