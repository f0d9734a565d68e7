"""The compiled SWF reader against the plain definition, on good and on damaged files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError
from echelon.model import FIELDS, Header, Workload
from echelon.quantities import tally
from echelon.workloads.formats import swf
from echelon.workloads.formats.swf_header import read_header
from echelon.workloads.formats.swf_line import LARGEST, read_line, split_line

Outcome = tuple[str, object]


def read_plainly(data: bytes) -> Outcome:
    """Read SWF line by line with the definition: columns, line numbers and layout counts, or the error."""
    try:
        swf.check_text(data, "f.swf")
        _, position, first = read_header(data)
        rows, lines = [], []
        comments = wide = tabbed = 0
        for number, line in enumerate(data[position:].split(b"\n"), start=first):
            tokens = split_line(line)
            if tokens and tokens[0].startswith(b";"):
                comments += 1
            elif tokens:
                rows.append(read_line(line, file="f.swf", number=number))
                lines.append(number)
                wide += len(tokens) > 18
                tabbed += b"\t" in line
        if not rows:
            return "error", f"f.swf: has no job, only {tally(first - 1, 'line')} of comments"
    except InputError as error:
        return "error", str(error)
    return "jobs", ([list(column) for column in zip(*rows, strict=True)], lines, (comments, wide, tabbed))


def read_compiled(data: bytes) -> Outcome:
    """Read SWF with the compiled reader, in the same terms."""
    try:
        workload = swf.read(data, "f.swf")
    except InputError as error:
        return "error", str(error)
    _, position, first = read_header(data)
    jobs = swf._read_jobs(data, "f.swf", position=position, line=first)
    counts = {anomaly.kind: anomaly.count for anomaly in workload.anomalies}
    tally = tuple(counts.get(kind, 0) for kind in ("late-comments", "extra-columns", "tabs"))
    return "jobs", ([workload.columns[f.name].tolist() for f in FIELDS], jobs.lines.tolist(), tally)


whole = st.integers(-(10**6), 10**15).map(str)
decimal = st.builds(
    "{}.{}".format, st.integers(-(10**6), 10**12), st.from_regex(r"[0-9]{0,30}", fullmatch=True)
)
number = st.floats(allow_nan=False, allow_infinity=False).map(repr)
odd = st.sampled_from(
    [
        "3.0",
        "1e3",
        "-0",
        "+5",
        ".5",
        "5.",
        "1e400",
        "nan",
        "0x1",
        "x",
        "-",
        "",
        ";",
        "9007199254740993",
        "1e16",
    ]
)
token = st.one_of(whole, whole, whole, decimal, number, odd)
usual = st.lists(whole, min_size=18, max_size=18)
fields = st.one_of(usual, usual, st.lists(token, min_size=16, max_size=20))
blank = st.sampled_from([" ", "  ", "\t"])
job = st.builds(lambda values, separator: separator.join(values), fields, blank)
comment = st.sampled_from(["; Version: 2.2", ";", ";  a note", "", " ", " ; MaxProcs: 8"])
line_end = st.sampled_from(["\n", "\n", "\r\n"])
files = st.builds(
    lambda lines, end, last: end.join(lines).encode() + (end.encode() if last else b""),
    st.lists(st.one_of(job, job, comment), max_size=6),
    line_end,
    st.booleans(),
)
good_files = st.lists(usual, min_size=1, max_size=6).map(lambda rows: "\n".join(map(" ".join, rows)).encode())


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return a good file with some bytes replaced, removed or inserted."""
    data = bytearray(draw(good_files))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        removed = draw(st.integers(0, 3))
        data[place : place + removed] = draw(
            st.one_of(st.binary(max_size=2), st.sampled_from([b"\r", b"\n", b"."]))
        )
    return bytes(data)


@examples(300)
@given(files)
@example(b"\r\n\r")
@example(b"1 2\n;\n\r\n-1")
def test_both_readers_agree_on_files(data: bytes) -> None:
    """Same values, lines and counts, or the same sentence."""
    assert read_compiled(data) == read_plainly(data)


@examples(300)
@given(damaged())
def test_both_readers_agree_on_damaged_files(data: bytes) -> None:
    """A flipped, lost or added byte changes both readers' outcome alike."""
    assert read_compiled(data) == read_plainly(data)


@examples(100)
@given(files)
def test_settling_little_at_a_time_changes_nothing(data: bytes) -> None:
    """The reader gives the same when it must stop after every line with an unusual number."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swf, "_DEFERRED_AT_ONCE", 18)
        few = read_compiled(data)
    assert few == read_plainly(data)


@examples(300)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_workload_or_an_input_error(data: bytes) -> None:
    """No bytes whatever get another exception out of the reader."""
    assert read_compiled(data)[0] in ("jobs", "error")


@examples(200)
@given(st.floats(min_value=0, max_value=LARGEST).map(repr) | st.decimals(0, 10**9, places=6).map(str))
def test_a_time_is_what_python_reads(text: str) -> None:
    """Floats are correctly rounded: equal to Python's own."""
    line = " ".join(["1", "0", "-1", text, *["-1"] * 14])
    assert swf.read(line.encode(), "f.swf").run_time.tolist() == [float(text)]


def columns_of(n_jobs: int) -> st.SearchStrategy[dict[str, list[float]]]:
    """Return strategies for all columns, of `n_jobs` jobs."""
    count = st.integers(-LARGEST, LARGEST)
    time = st.one_of(st.integers(-1, 10**9), st.floats(-LARGEST, LARGEST))
    memory = st.floats(allow_nan=False, allow_infinity=False)
    by_kind = {spec.name: memory if spec.unit == "KB" else time for spec in FIELDS if spec.kind == "float"}
    return st.fixed_dictionaries(
        {f.name: st.lists(by_kind.get(f.name, count), min_size=n_jobs, max_size=n_jobs) for f in FIELDS}
    )


headers = st.lists(  # any text, NUL included
    st.tuples(st.none() | st.sampled_from(["Note", "Queue", "MaxProcs"]), st.text(max_size=20)), max_size=5
).map(lambda lines: Header(tuple(lines)))


@examples(100)
@given(st.integers(1, 4).flatmap(columns_of), headers)
def test_reading_what_was_written_gives_the_same_jobs(
    columns: dict[str, list[float]], header: Header
) -> None:
    """Writing and reading loses no job and no digit, and the second header equals the third."""
    workload = Workload.from_columns(header=header, **columns)
    once = swf.read(swf.write(workload), "once.swf")
    twice = swf.read(swf.write(once), "twice.swf")
    assert once == workload
    for spec in FIELDS:
        assert once.columns[spec.name].dtype == (np.float64 if spec.kind == "float" else np.int64)
    assert twice.header == once.header
