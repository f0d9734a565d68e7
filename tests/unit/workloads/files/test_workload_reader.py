"""Workloads by path, standard input and name; formats by word, ending and content; whole files or none."""

from __future__ import annotations

import gzip
import hashlib
import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Workload
from echelon.workloads import read_swf, read_workload, write_swf, write_workload
from echelon.workloads.files import atomic
from echelon.workloads.formats.known_formats import FORMATS, format_of

LINE = "1 0 -1 9 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n"
SWF = f"; MaxProcs: 4\n{LINE}".encode()
# Without a time of its own, or the names of the cases below would change with the clock.
PACKED = gzip.compress(SWF, mtime=0)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Write a one-job log."""
    path = tmp_path / "tiny-2024.swf"
    path.write_bytes(SWF)
    return path


@pytest.fixture
def one_job() -> Workload:
    """Return a workload of one job."""
    return Workload.from_columns(submit_time=[0], run_time=[9.5], processors=[1])


def test_a_path_gives_jobs_title_and_digest(log: Path) -> None:
    """The file's name without its ending is the title; the digest is that of its bytes."""
    workload = read_workload(log)
    assert (len(workload), workload.name) == (1, "tiny-2024")
    assert workload.digest == hashlib.sha256(SWF).hexdigest()
    assert read_workload(str(log)) == workload == read_swf(log)


def test_gzip_is_undone_whatever_the_name(tmp_path: Path) -> None:
    """A compressed file is read, its digest is of the bytes as found, and two gzip members count as one."""
    packed = PACKED + gzip.compress(LINE.encode(), mtime=0)
    for name in ("tiny.swf.gz", "tiny.swf", "TINY.SWF.GZ"):
        (tmp_path / name).write_bytes(packed)
        workload = read_workload(tmp_path / name)
        assert len(workload) == 2
        assert workload.name.lower() == "tiny"
        assert workload.digest == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (PACKED[:-9], "is cut short"),
        (PACKED[:15], "is cut short"),
        (PACKED[:1], "is not gzip"),
        (PACKED + b"garbage", "is followed by bytes that are not gzip"),
        (PACKED[:-8] + bytes(8), "is damaged gzip"),
        (PACKED[:10] + b"\xff" * 40, "is damaged gzip"),
        (SWF, "is named .gz but is not gzip"),
        (b"", "is named .gz but is not gzip: got an empty file"),
        (gzip.compress(b"", mtime=0), "is empty"),
    ],
)
def test_bad_gzip(tmp_path: Path, content: bytes, problem: str) -> None:
    """Cut, damaged, followed by garbage, or not gzip at all: one sentence, and no part of the jobs."""
    path = tmp_path / "tiny.swf.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as caught:
        read_workload(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads standard input, compressed or not, by its content, with the digest of its bytes."""
    for content in (SWF, PACKED):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        workload = read_workload("-")
        assert (len(workload), workload.name) == (1, "standard input")
        assert workload.digest == hashlib.sha256(content).hexdigest()


def test_standard_input_of_unknown_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing or nonsense on standard input is refused in its name."""
    for content, problem in ((b"", "is empty"), (b"\xff\xfe\x01nonsense", "has no known format")):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        with pytest.raises(InputError, match=problem) as caught:
            read_workload("-")
        assert str(caught.value).startswith("standard input: ")


def test_a_data_set_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bundled log is read by its name in any case, also when a folder has that name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kth-sp2").mkdir()
    workload = read_workload("KTH-SP2")
    assert (len(workload), workload.name, workload.header.max_procs) == (28476, "kth-sp2", 100)


def test_a_file_comes_before_a_data_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file called like a data set is the one that is read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kth-sp2").write_bytes(SWF)
    assert len(read_workload("kth-sp2")) == 1


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("kth-sp", "did you mean 'kth-sp2'?"),
        ("tiny-2042.swf", "did you mean 'tiny-2024.swf'?"),
        ("zzzzzz", "data sets are: kth-sp2, "),
        ("no/such/folder.swf", "there is no folder 'no/such' either"),
    ],
)
def test_a_missing_file(monkeypatch: pytest.MonkeyPatch, log: Path, name: str, hint: str) -> None:
    """A name that is neither file nor data set is refused with the nearest that is."""
    monkeypatch.chdir(log.parent)
    with pytest.raises(InputError) as caught:
        read_workload(name)
    assert str(caught.value).startswith(f"{name}: no such file or data set; ")
    assert hint in str(caught.value)


@pytest.mark.parametrize("name", ["", "x" * 5000, "nul\0byte.swf"])
def test_names_that_no_file_can_have(name: str) -> None:
    """An empty, endless or impossible name is bad input like any other."""
    with pytest.raises(InputError):
        read_workload(name)


def test_a_folder_is_no_workload(tmp_path: Path) -> None:
    """A folder is refused as such."""
    with pytest.raises(InputError, match="is a folder, expected a file of jobs"):
        read_workload(tmp_path)


def test_a_file_that_may_not_be_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's reason is passed on."""

    def refuse(_: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", mode)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        read_workload(log)


def test_the_format_comes_from_word_ending_or_content(tmp_path: Path) -> None:
    """`format` wins over the ending, the ending over the content, and the content decides the rest."""
    path = tmp_path / "log.txt"
    path.write_bytes(SWF)
    assert len(read_workload(path)) == 1
    path = tmp_path / "log.gwf"
    path.write_bytes(SWF)
    assert len(read_workload(path, format="SWF")) == 1
    with pytest.raises(UnknownNameError, match="did you mean 'swf'"):
        read_workload(path, format="swg")


def test_every_ending_leads_to_its_format() -> None:
    """Each format is found by each of its endings, compressed or not, when it is alone in claiming it."""
    claims = [suffix for known in FORMATS for suffix in known.suffixes]
    for known in FORMATS:
        for suffix in known.suffixes:
            if claims.count(suffix) == 1:
                assert format_of(f"log{suffix}.gz", b"") is known


def test_format_names_are_unique() -> None:
    """No two formats share a word."""
    names = [known.name for known in FORMATS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["out.swf", "out.swf.gz"])
def test_written_files_read_back(tmp_path: Path, one_job: Workload, name: str) -> None:
    """What was written is read back equal, alone in its folder and with usual permissions."""
    write_workload(one_job, tmp_path / name)
    assert read_workload(tmp_path / name) == one_job
    assert [path.name for path in tmp_path.iterdir()] == [name]
    (tmp_path / "usual").touch()
    assert (tmp_path / name).stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") is name.endswith(".gz")


def test_gzip_is_the_same_each_time(tmp_path: Path, one_job: Workload) -> None:
    """A compressed file holds no time of day."""
    write_workload(one_job, tmp_path / "a.swf.gz")
    write_workload(one_job, tmp_path / "b.swf.gz")
    assert (tmp_path / "a.swf.gz").read_bytes() == (tmp_path / "b.swf.gz").read_bytes()


def test_write_swf_minds_no_ending(tmp_path: Path, one_job: Workload) -> None:
    """`write_swf` writes SWF under any name."""
    write_swf(one_job, tmp_path / "out.log")
    assert read_swf(tmp_path / "out.log") == one_job


@pytest.mark.parametrize("interruption", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file(
    log: Path, one_job: Workload, monkeypatch: pytest.MonkeyPatch, interruption: BaseException
) -> None:
    """A full disk or Ctrl-C leaves the old file untouched and no other beside it."""

    def interrupt(*_: object) -> None:
        raise interruption

    monkeypatch.setattr(atomic.os, "replace", interrupt)
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_workload(one_job, log)
    assert log.read_bytes() == SWF
    assert list(log.parent.iterdir()) == [log]


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("out.xyz", r"no extension of a format that can be written: \.swf"),
        ("out", "no extension"),
        ("missing/out.swf", "cannot be written"),
        ("folder.swf", "is a folder"),
    ],
)
def test_where_nothing_can_be_written(tmp_path: Path, one_job: Workload, target: str, problem: str) -> None:
    """A bad ending, a missing folder or a folder as target: one sentence, nothing written."""
    (tmp_path / "folder.swf").mkdir()
    with pytest.raises(InputError, match=problem):
        write_workload(one_job, tmp_path / target)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.swf"]


def test_a_link_stays_a_link(log: Path, one_job: Workload) -> None:
    """Writing through a link changes the file it leads to."""
    link = log.with_name("link.swf")
    link.symlink_to(log)
    write_workload(one_job, link)
    assert link.is_symlink()
    assert read_workload(log) == one_job


def test_a_device_is_written_to_and_not_replaced(one_job: Workload) -> None:
    """Writing to a device writes to it."""
    write_workload(one_job, "/dev/null", format="swf")
    assert Path("/dev/null").is_char_device()


@pytest.mark.slow
def test_importing_the_package_is_cheap() -> None:
    """Names are loaded on use: the import alone brings neither numpy nor numba nor polars."""
    code = (
        "import sys, echelon.workloads as w; assert not {'numpy', 'numba', 'polars'} & set(sys.modules);"
        "assert all(getattr(w, name) for name in w.__all__); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (SWF, "swf"),
        (LINE.encode(), "swf"),
        (b"# a grid\n" + b"\t".join([b"1"] * 29) + b"\n", "gwf"),
        (b"0 4 100 200\n", "sst-sim"),
        (b"JobID|Submit|State\n", "sacct"),
        (b"JobID,Submit,State\n", "sacct"),
        (b"submit_time,run_time,processors\n0,1,1\n", "csv"),
        (b"PAR1\x00\x00", "parquet"),
    ],
)
def test_content_alone_tells_the_format(content: bytes, expected: str) -> None:
    """Each format's first bytes lead to it when the name says nothing."""
    assert format_of("standard input", content).name == expected


def test_an_ending_that_two_formats_share() -> None:
    """A .csv is Slurm's accounting if its first line says so, and a plain table otherwise."""
    assert format_of("log.csv", b"JobID|Submit|State\n").name == "sacct"
    assert format_of("log.csv.gz", b"submit_time,run_time\n").name == "csv"
    assert format_of("log.csv", b"\xff\xff").name == "csv"


def test_a_format_that_is_only_read(tmp_path: Path, one_job: Workload) -> None:
    """Asking for a format without a writer says so; the shared ending finds the one with a writer."""
    with pytest.raises(InputError, match="format 'sacct' can only be read"):
        write_workload(one_job, tmp_path / "out.csv", format="sacct")
    write_workload(one_job, tmp_path / "out.csv")
    assert read_workload(tmp_path / "out.csv") == one_job
