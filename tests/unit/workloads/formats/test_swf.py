"""SWF files as the archive and other people write them, and what is refused."""

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import FIELD_NAMES, FIELDS, Header, Workload
from echelon.workloads.formats import swf

UNKNOWNS = " ".join(["-1"] * 18)
TWO_JOBS = """\
; Version: 2.2
; MaxProcs: 4
 1   0  5 100 2 99.5 1024  2  200 -1  1  7 1 3 0 1 -1 -1
 2  10 -1  50 4   -1   -1 -1   -1 -1  5  8 1 3 1 1  1 20
"""


def job_line(**fields: object) -> str:
    """Return an SWF line with these fields and all else plain."""
    plain = dict.fromkeys(FIELD_NAMES, "-1") | {
        "job_id": "1",
        "submit_time": "0",
        "run_time": "9",
        "requested_time": "9",
    }
    return " ".join(str(value) for value in (plain | fields).values())


def kinds(workload: Workload) -> dict[str, int]:
    """Return the anomalies' counts by kind."""
    return {anomaly.kind: anomaly.count for anomaly in workload.anomalies}


def read(text: str) -> Workload:
    """Read SWF text called ``log.swf``."""
    return swf.read(text.encode(), "log.swf")


def test_all_eighteen_fields_arrive_in_their_columns() -> None:
    """Each field of a line is found under its own name, with its own kind of number."""
    workload = read(" ".join(str(place) for place in range(1, 19)) + "\n")
    for place, spec in enumerate(FIELDS, start=1):
        assert workload.columns[spec.name].tolist() == [place]
        assert workload.columns[spec.name].dtype == (np.float64 if spec.kind == "float" else np.int64)


def test_columns_are_read_only() -> None:
    """Nobody can change a job of a workload that was read."""
    workload = read(TWO_JOBS)
    assert not any(column.flags.writeable for column in workload.columns.values())


def test_values_header_and_processors() -> None:
    """A small file gives its numbers, its header, and sizes as allocated."""
    workload = read(TWO_JOBS)
    assert workload.header.max_procs == 4
    assert workload.processors.tolist() == [2, 4]
    assert workload.columns["average_cpu_time"].tolist() == [99.5, -1.0]
    assert workload.columns["think_time"].tolist() == [-1.0, 20.0]


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("0.1", 0.1),
        ("3.", 3.0),
        (".5", 0.5),
        ("+7", 7.0),
        ("-0.25", -0.25),
        ("1e3", 1000.0),
        ("2.5E-3", 0.0025),
        ("9007199254740992", 2.0**53),
        ("9007199254740991", 2.0**53 - 1),
        ("0.30000000000000004", 0.30000000000000004),
        ("123456789.123456789012345678901234567890", 123456789.123456789012345678901234567890),
        ("0000000000000000000000000000001", 1.0),
        ("1e-400", 0.0),
    ],
)
def test_times_are_correctly_rounded(token: str, value: float) -> None:
    """Every way to write a decimal number gives the float64 nearest to it."""
    assert read(job_line(run_time=token)).run_time.tolist() == [value]


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("12345678901234", 12345678901234),
        ("9007199254740992", 2**53),
        ("-9007199254740992", -(2**53)),
        ("3.0", 3),
        ("3.000000000000000000000000", 3),
        ("1e3", 1000),
        ("100e-2", 1),
        ("0e-99999999999999999999", 0),
        ("0", 0),
    ],
)
def test_codes_are_exact(token: str, value: int) -> None:
    """User ids of 14 digits and whole numbers written with decimals are exact."""
    assert read(job_line(user=token)).user.tolist() == [value]


@pytest.mark.parametrize(
    ("field", "token", "problem"),
    [
        ("user", "abc", "field 12 must be a whole number, got 'abc'"),
        ("user", "3.5", "field 12 must be a whole number of at most 9007199254740992, got '3.5'"),
        ("user", "9007199254740993", "at most 9007199254740992"),
        ("user", "1.00000000000000000001", "must be a whole number"),
        ("user", "1e-99999999999999999999", "must be a whole number"),
        ("status", "0x1", "must be a whole number, got '0x1'"),
        ("run_time", "nan", "field 4 must be a finite number, got 'nan'"),
        ("run_time", "inf", "must be a finite number, got 'inf'"),
        ("run_time", "1e400", "must be a finite number of at most 9007199254740992, got '1e400'"),
        ("run_time", "1e300", "at most 9007199254740992"),
        ("used_memory", "1e400", "must be a finite number"),
        ("run_time", "1_000", "got '1_000'"),
        ("run_time", "1,5", "got '1,5'"),
        ("run_time", "-", "got '-'"),
        ("run_time", ".", "got '.'"),
        ("run_time", "1.2.3", "got '1.2.3'"),
        ("run_time", "--1", "got '--1'"),
        ("run_time", "9" * 60 + "x", "999..."),
        ("run_time", "\u0661", "must be a finite number"),
    ],
)
def test_a_bad_field_is_named_with_file_and_line(field: str, token: str, problem: str) -> None:
    """A field that is not its number gives file, line, field, value and what was expected."""
    with pytest.raises(InputError) as caught:
        read(f"; Version: 2.2\n{UNKNOWNS}\n\n{job_line(**{field: token})}\n")
    assert (caught.value.file, caught.value.line, caught.value.field) == ("log.swf", 4, field)
    assert problem in str(caught.value)
    assert "-1" in str(caught.value)


def test_memory_may_be_beyond_any_count() -> None:
    """A huge but finite number of kilobytes is kept: some systems mean unlimited by it."""
    assert read(job_line(requested_memory="18446744073709551615")).columns["requested_memory"][0] == 2.0**64


@pytest.mark.parametrize("text", ["1 2 3", "1 2 3\n", f"{UNKNOWNS}\n1 2 3 x\n{UNKNOWNS}\n"])
def test_too_few_fields(text: str) -> None:
    """A line cut short is refused, with its number of fields, even where a field is wrong as well."""
    with pytest.raises(InputError, match=r"expected 18 fields, got [34]") as caught:
        read(text)
    assert caught.value.line == (2 if UNKNOWNS in text else 1)


def test_the_first_bad_line_is_the_one_named() -> None:
    """Of two bad lines the earlier is reported, though only the later has too few fields."""
    with pytest.raises(InputError) as caught:
        read(f"{job_line(user='x')}\n1 2 3\n")
    assert (caught.value.line, caught.value.field) == (1, "user")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n\r\n\t\n", "is empty"),
        (b"; Version: 2.2\n;\n", "has no job, only 2 lines"),
        (b"1 2 \x00\x01\x02", "is binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is binary"),
    ],
)
def test_files_without_jobs(data: bytes, problem: str) -> None:
    """Empty, comment-only and binary files are refused in one sentence."""
    with pytest.raises(InputError, match=problem) as caught:
        swf.read(data, "log.swf")
    assert str(caught.value).startswith("log.swf")
    assert "\n" not in str(caught.value)


def test_layouts_that_depart_from_the_format_are_read_and_reported() -> None:
    """Tabs, extra columns, comments between jobs, CRLF and a missing last line end are counted."""
    tabbed = "\t" + UNKNOWNS.replace(" ", "\t")
    workload = read(f"{UNKNOWNS}\r\n; later\r\n{tabbed}\r\n\r\n{UNKNOWNS} INDEPENDENT {{1,2}}\r\n{UNKNOWNS}")
    assert len(workload) == 4
    found = {anomaly.kind: (anomaly.count, anomaly.first_line) for anomaly in workload.anomalies}
    assert found["tabs"] == (1, 3)
    assert found["extra-columns"] == (1, 5)
    assert found["late-comments"] == (1, None)
    assert found["crlf"] == (5, None)
    assert found["no-final-line-feed"] == (1, 6)
    (wide,) = (anomaly.sentence for anomaly in workload.anomalies if anomaly.kind == "extra-columns")
    assert "up to 20" in wide


def test_a_carriage_return_inside_a_line_is_not_a_space() -> None:
    """A file with old Macintosh line ends is refused, not read as one long line."""
    with pytest.raises(InputError):
        read(f"{UNKNOWNS}\r{UNKNOWNS}\r")


def test_unsorted_jobs_keep_the_order_of_the_file() -> None:
    """Jobs stay where they are; the ones earlier than the line above are counted."""
    workload = read("\n".join(job_line(job_id=i, submit_time=t) for i, t in enumerate((5, 3, 9, -1))))
    assert workload.submit_time.tolist() == [5, 3, 9, -1]
    assert kinds(workload)["unsorted"] == 2
    assert kinds(workload)["negative-submit"] == 1


def test_a_byte_order_mark_is_skipped() -> None:
    """A file saved by an editor that marks UTF-8 reads like any other."""
    assert swf.read(b"\xef\xbb\xbf" + TWO_JOBS.encode(), "log.swf").header.get("Version") == "2.2"
    with pytest.raises(InputError, match="got 'x'"):
        swf.read(b"\xef\xbb\xbf" + job_line(job_id="x").encode(), "log.swf")


def test_many_unusual_tokens_do_not_run_out_of_room() -> None:
    """A file written all in exponents, with more of them than are settled at once, is read whole."""
    lines = [" ".join(f"{i * 100 + k}e0" for k in range(18)) for i in range(600)]
    workload = read("\n".join(lines) + "\n")
    assert workload.job_id.tolist() == [i * 100 for i in range(600)]
    assert workload.columns["think_time"].tolist() == [i * 100 + 17 for i in range(600)]


def test_writing_gives_back_the_file() -> None:
    """Whole numbers have no decimals, fractions the fewest digits, the header its lines."""
    text = "; Version: 2.2\n;\n; Note: a\n;  b\n1 0 0.1 100 2 -1 1e+300 2 200 -1 1 7 1 3 0 1 -1 2.5\n"
    assert swf.write(read(text)).decode() == text


def test_a_workload_without_header_gets_a_short_one() -> None:
    """What comes from elsewhere is still an SWF file that says its version and counts."""
    workload = Workload.from_columns(submit_time=[0, 1], run_time=[2, 3], processors=[1, 1])
    again = swf.read(swf.write(workload), "again.swf")
    assert again == workload
    assert again.header.lines == (("Version", "2.2"), ("MaxJobs", "2"), ("MaxRecords", "2"))


@pytest.mark.parametrize(
    "columns",
    [
        {"run_time": [np.nan]},
        {"run_time": [1e17]},
        {"user": [2**60]},
        {"user": [-(2**63)]},
        {"used_memory": [np.inf]},
    ],
)
def test_what_could_not_be_read_back_is_not_written(columns: dict[str, list[float]]) -> None:
    """Values that the reader refuses are refused when writing, with the job's name."""
    workload = Workload.from_columns(job_id=[77]).with_columns(**columns)
    with pytest.raises(InputError, match="of job 77"):
        swf.write(workload)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"; Version: 2.2\n", True),
        (b"\n  ; anything", True),
        (UNKNOWNS.encode(), True),
        (UNKNOWNS.replace(" ", "\t").encode() + b"\tINDEPENDENT\n1 2", True),
        (b"0 4 100 200\n", False),
        (b"1\t" * 29, False),
        (b"JobID,NCPUS\n", False),
        (b"a b c d e f g h i j k l m n o p q r\n", False),
        (b"", False),
    ],
)
def test_recognizes(head: bytes, expected: bool) -> None:
    """Only comments with a semicolon and lines of 18 numbers look like SWF."""
    assert swf.recognizes(head) is expected


def test_header_labels_by_rule() -> None:
    """Repeated, continued, right-aligned and unusual labels are found; addresses and sentences are none."""
    workload = read(
        ";   --- SWF file converted ---\n"
        ";Computer:IBM SP2\n"
        ";       Version: 2.2\n"
        "; Information: http://one.example/\n"
        ";              http://two.example/\n"
        "; Note: first\n;\n"
        "; Note: thin, fat,\n;\tsee: elsewhere\n"
        "; MaxProcs: 1664 (72, 1368, 224)\n"
        "; maxruntime: N/A\n"
        "; Copyright: Caf\u00e9\n"
        f"{UNKNOWNS}\n"
    )
    header = workload.header
    assert header.get("Computer") == "IBM SP2"
    assert header.get("Version") == "2.2"
    assert header.all("Note") == ("first", "thin, fat,\nsee: elsewhere")
    assert header.get("Information") == "http://one.example/\nhttp://two.example/"
    assert header.max_procs == 1664
    assert header.get("MaxRuntime") == "N/A"
    assert header.get("Copyright") == "Café"
    assert header.lines[0] == (None, "  --- SWF file converted ---")


def test_header_bytes_that_are_not_utf8() -> None:
    """A header in Latin-1 is read as such."""
    data = b"; Installation: M\xe4lardalen\n" + UNKNOWNS.encode()
    assert swf.read(data, "log.swf").header.get("Installation") == "Mälardalen"


def test_a_header_text_of_several_lines_is_written_as_comments() -> None:
    """A text with line feeds cannot break out of the header."""
    workload = Workload.from_columns(job_id=[1], header=Header((("Note", "one\ntwo\0 2 3"),)))
    again = swf.read(swf.write(workload), "again.swf")
    assert again.header.all("Note") == ("one\ntwo 2 3",)
    assert len(again) == 1
