"""Slurm's accounting tables."""

# ruff: noqa: E501  (rows of a table are as long as they are)

import pytest

from echelon import Workload, read_workload, simulate, write_workload
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.summaries.conversion import losses
from echelon.workloads.formats.sacct import FORMAT, read
from echelon.workloads.formats.text.durations import (
    memory,
    seconds_of_duration,
    seconds_of_limit,
    unix_seconds,
)
from echelon.workloads.transform import merge

ONE_DAY = b"""\
JobID|JobIDRaw|User|Account|Partition|QOS|AllocCPUS|NNodes|Submit|Start|End|Elapsed|Timelimit|State|ReqMem|TotalCPU
100|100|alice|physics|short|normal|4|1|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T13:01:00|01:00:00|1-00:00:00|COMPLETED|4000Mc|02:00:00
100.batch|100.batch||physics|||4|1|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T13:01:00|01:00:00||COMPLETED||05:10.500
101_3|103|bob|physics|short|normal|8|2|2024-01-31T12:00:10|2024-01-31T12:01:00|2024-01-31T13:01:00|01:00:00|UNLIMITED|TIMEOUT|4Gn|00:00:00
104+0|104|bob|physics|short|normal|8|2|2024-01-31T12:00:10|2024-01-31T12:01:00|Unknown|00:10:00|Partition_Limit|RUNNING|16G|00:00:00
105_[1-4]|105|bob|physics|long|normal|1|1|2024-01-31T11:59:50|Unknown|Unknown|00:00:00|60|PENDING|16G|00:00:00
106|106|carl|physics|long|normal|2|1|2024-01-31T12:00:20|None|2024-01-31T12:00:30|00:00:00|60|CANCELLED by 1||00:00:00
"""


def test_times_count_from_the_earliest_submission():
    """Submit times are relative to the earliest, whose Unix time is in the header."""
    workload = FORMAT.read(ONE_DAY, "day.sacct")
    assert workload.submit_time.tolist() == [10, 20, 20, 0, 30]
    assert workload.header.unix_start_time == 1706702390
    assert workload.header.time_zone == "UTC"


def test_zone_of_naive_times_can_be_chosen():
    """Times without an offset are of the zone given: Madrid's noon is an hour before UTC's."""
    workload = read(ONE_DAY, "day.sacct", timezone="Europe/Madrid")
    assert workload.header.unix_start_time == 1706702390 - 3600
    assert workload.header.time_zone == "Europe/Madrid"


TWO_O_CLOCK = b"""\
JobID|Submit|Start|End|Elapsed|AllocCPUS|State
1|2024-10-27T01:10:00|2024-10-27T01:10:00|2024-10-27T01:59:59|00:49:59|1|COMPLETED
2|2024-10-27T01:20:00|2024-10-27T01:20:00|2024-10-27T02:00:00|00:40:00|1|COMPLETED
3|2024-10-27T02:59:59|2024-10-27T03:00:00|2024-10-27T03:10:00|00:10:00|1|COMPLETED
4|2024-10-27T03:00:00|2024-10-27T03:00:00|2024-10-27T03:10:00|00:10:00|1|COMPLETED
"""


def test_times_in_an_hour_that_comes_twice_are_told():
    """Madrid goes back from 3 to 2 o'clock, London from 2 to 1: jobs with a time in between are counted."""

    def told(zone: str) -> list[tuple[int, int | None]]:
        found = read(TWO_O_CLOCK, "night.sacct", timezone=zone).anomalies
        return [(one.count, one.first_line) for one in found if one.kind == "repeated-hour"]

    assert told("Europe/Madrid") == [(2, 3)]
    assert told("Europe/London") == [(2, 2)]
    assert told("UTC") == told("Asia/Tokyo") == []


def test_a_start_before_the_submission_is_no_wait():
    """Submitted in the first hour from 2 to 3 and started in the second one: the wait is unknown, and told."""
    table = (
        TWO_O_CLOCK + b"5|2024-10-27T02:50:00|2024-10-27T02:10:00|2024-10-27T02:40:00|00:30:00|1|COMPLETED\n"
    )
    workload = read(table, "night.sacct", timezone="Europe/Madrid")
    assert workload.float_column("wait_time").tolist() == [0, 0, 3601, 0, -1]
    told = [one for one in workload.anomalies if one.kind == "start-before-submission"]
    assert [(one.count, one.first_line) for one in told] == [(1, 6)]
    assert simulate(workload, processors=4, policy="easy").log_waits.row.tolist() == [0, 1, 2, 3]


def test_unknown_zone_is_an_error():
    """A zone that does not exist is refused with the nearest name."""
    with pytest.raises(UnknownNameError, match="Europe/Madrid"):
        read(ONE_DAY, "day.sacct", timezone="Europe/Madird")


def test_run_time_is_known_only_of_jobs_that_ended():
    """Jobs that wait, run, or were cancelled before their start have no run time."""
    assert FORMAT.read(ONE_DAY, "day.sacct").run_time.tolist() == [3600, 3600, -1, -1, -1]


def test_cpus_of_jobs_that_never_started_were_only_requested():
    """What a job that never started would have had counts as requested."""
    workload = FORMAT.read(ONE_DAY, "day.sacct")
    assert workload.int_column("allocated_processors").tolist() == [4, 8, 8, -1, -1]
    assert workload.int_column("requested_processors").tolist() == [-1, -1, -1, 1, 2]


def test_states_limits_waits_and_names():
    """Every other field lands in its column."""
    workload = FORMAT.read(ONE_DAY, "day.sacct")
    assert workload.int_column("status").tolist() == [1, 0, -1, -1, 5]
    assert workload.requested_time.tolist() == [86400, -1, -1, 3600, 3600]
    assert workload.float_column("wait_time").tolist() == [60, 50, 50, -1, -1]
    assert workload.float_column("average_cpu_time").tolist() == [1800, 0, 0, 0, 0]
    assert workload.int_column("partition").tolist() == [1, 1, 1, 2, 2]
    assert workload.names["user"] == ("alice", "bob", "carl")
    assert workload.names["group"] == ("physics",)


def test_requested_memory_is_per_processor():
    """Per CPU stays, per node is shared by the node's CPUs, a job's total by all; nothing is unknown."""
    workload = FORMAT.read(ONE_DAY, "day.sacct")
    gigabyte = 1024.0**2
    expected = [4000 * 1024.0, 4 * 2 / 8 * gigabyte, 2 * gigabyte, 16 * gigabyte, -1]
    assert workload.float_column("requested_memory").tolist() == expected


def test_job_names_that_are_no_numbers_become_labels():
    """Array tasks and components keep their names; the raw ids number the jobs."""
    workload = FORMAT.read(ONE_DAY, "day.sacct")
    assert workload.labels == ("100", "101_3", "104+0", "105_[1-4]", "106")
    assert workload.job_id.tolist() == [100, 103, 104, 105, 106]


def test_steps_and_unusual_jobs_are_counted():
    """Steps, open jobs, components and waiting arrays are reported with their first line."""
    found = {
        anomaly.kind: (anomaly.count, anomaly.first_line) for anomaly in FORMAT.read(ONE_DAY, "d").anomalies
    }
    assert found["job-steps"] == (1, 3)
    assert found["never-started"] == (2, 6)
    assert found["not-ended"] == (1, 5)
    assert found["het-job"] == (1, 5)
    assert found["pending-array"] == (1, 6)


def test_commas_unix_seconds_and_missing_fields():
    """A comma-separated table with Unix seconds, ElapsedRaw and nodes only is read, sizes in nodes."""
    data = b"jobid,NNODES,submit,start,elapsedraw,state\n7,3,1700000000,1700000005,60,COMPLETED\n"
    workload = FORMAT.read(data, "a.csv")
    assert workload[0].run_time == 60
    assert workload[0].wait_time == 5
    assert workload.processors.tolist() == [3]
    assert workload.labels is None
    assert workload.header.time_zone is None
    assert "sizes-in-nodes" in {anomaly.kind for anomaly in workload.anomalies}


def test_run_time_without_elapsed_is_end_minus_start():
    """Without Elapsed, End - Start is the run time; a trailing separator does not matter."""
    data = b"JobID|NCPUS|Submit|Start|End|\n7|3|1700000000|1700000005|1700000065|\n"
    assert FORMAT.read(data, "a").run_time.tolist() == [60]


@pytest.mark.parametrize(
    ("old", "new", "phrases"),
    [
        (b"1-00:00:00", b"oops", ["line 2", "Timelimit", "'oops'", "duration"]),
        (b"TIMEOUT", b"WHAT", ["line 4", "State", "'WHAT'"]),
        (b"4Gn", b"4Q", ["line 4", "ReqMem", "'4Q'"]),
        (b"|2024-01-31T12:00:20|", b"|2024-13-31T12:00:20|", ["line 7", "Submit", "2024-13-31"]),
        (b"|2024-01-31T12:00:20|", b"|Unknown|", ["line 7", "Submit", "'Unknown'"]),
        (
            b"100|100|alice|physics|short|normal|4|",
            b"100|100|alice|physics|short|normal|x|",
            ["AllocCPUS", "'x'"],
        ),
        (b"Submit|", b"Sub|", ["no field Submit", "Sub"]),
        (b"AllocCPUS|NNodes", b"A|B", ["no field AllocCPUS"]),
        (b"106|106|carl|", b"106|carl|", ["line 7", "15 cells", "expected 16"]),
    ],
)
def test_bad_values_name_file_line_field_and_value(old, new, phrases):
    """Every wrong value is one sentence with its place, the value and what was expected."""
    with pytest.raises(InputError) as caught:
        FORMAT.read(ONE_DAY.replace(old, new, 1), "day.sacct")
    assert [word for word in ["day.sacct", *phrases] if word not in str(caught.value)] == []


HELD = b"""\
JobID|JobName|Account|QOS|Submit|Eligible|Start|End|Elapsed|AllocCPUS|State|AllocTRES|ReqTRES
1|a|physics|normal|1700000000|1700000000|1700000060|1700000160|100|4|COMPLETED|billing=4,cpu=4,gres/gpu=2,gres/gpu:a100=2,mem=16G,node=1|cpu=4
2|b|physics|high|1700000010|1700003610|1700003640|1700003740|100|4|COMPLETED|cpu=4,gres/gpu:a100=1,gres/gpu:v100=3|cpu=4
3|c|biology|high|1700000020|Unknown|1700000070|1700000170|100|4|COMPLETED|cpu=4,mem=1G|cpu=4
4|d|biology|high|1700000030|1700009999|1700000080|1700000180|100|4|COMPLETED||cpu=4
5|e|biology|high|1700000040|Unknown|Unknown|1700000050|0|0|CANCELLED by 7||cpu=4,gres/gpu=8
"""


def test_waits_count_from_when_a_job_was_eligible():
    """A job with a begin time is submitted when it could run, an hour later; the log's own time is kept.

    Where Eligible is unknown, or after the start, the time of submission stands.
    """
    workload = FORMAT.read(HELD, "held.sacct")
    assert workload.submit_time.tolist() == [0, 3610, 20, 30, 40]
    assert workload.float_column("wait_time").tolist() == [60, 30, 50, 50, -1]
    assert workload.float_column("ineligible_time").tolist() == [0, 3600, 0, 0, 0]
    odd = {anomaly.kind: anomaly for anomaly in workload.anomalies}["ineligible-at-first"]
    assert (odd.count, odd.first_line) == (1, 3)
    assert odd.sentence == (
        "1 jobs were not eligible to run when submitted; their waits count from when they became eligible"
    )


def test_gpus_and_accounts_are_kept():
    """GPUs are counted once, by type where there is no total; of a job that never started as requested."""
    workload = FORMAT.read(HELD, "held.sacct")
    assert workload.int_column("gpus").tolist() == [2, 4, 0, 0, 8]
    assert workload.int_column("account").tolist() == [1, 1, 2, 2, 2]
    assert workload.names["account"] == ("physics", "biology")
    assert workload.take(workload.int_column("gpus") > 2).int_column("gpus").tolist() == [4, 8]


def test_accounting_in_tables_and_runs(tmp_path):
    """What accounting says survives a table, and a run's jobs have it; SWF has no room for it."""
    path = tmp_path / "held.sacct"
    path.write_bytes(HELD)
    workload = read_workload(path)
    write_workload(workload, tmp_path / "held.csv")
    assert losses(workload, read_workload(tmp_path / "held.csv"))[-1].endswith("header lines")
    assert read_workload(tmp_path / "held.csv") == workload
    write_workload(workload, tmp_path / "held.swf")
    lost = losses(workload, read_workload(tmp_path / "held.swf"))
    assert "the accounting data on GPUs" in lost
    assert "the accounting data on accounts" in lost
    jobs = simulate(workload, processors=4).jobs
    assert jobs["gpus"].to_list() == [2, 4, 0, 0]
    assert jobs["account"].to_list() == ["physics", "physics", "biology", "biology"]
    assert jobs["ineligible_time"].to_list() == [0, 3600, 0, 0]
    assert jobs["queue"].to_list() == ["normal", "high", "high", "high"]


def test_merged_logs_keep_what_either_accounting_says():
    """Accounts of different logs stay different, and what a log does not say is unknown."""
    plain = Workload.from_columns(name="plain", submit_time=[5], run_time=[1], processors=[1])
    merged = merge(FORMAT.read(HELD, "held"), plain)
    assert merged.int_column("gpus").tolist() == [2, -1, 0, 0, 8, 4]
    names = ["", *merged.names["account"]]
    assert [names[max(code, 0)] for code in merged.int_column("account").tolist()] == [
        "held:physics",
        "",
        *["held:biology"] * 3,
        "held:physics",
    ]


def test_fields_that_are_not_read_are_named():
    """A field that means nothing to a simulation is named among the anomalies instead of being dropped."""
    odd = {anomaly.kind: anomaly for anomaly in FORMAT.read(HELD.replace(b"QOS", b"Nice", 1), "a").anomalies}
    assert odd["ignored-fields"].sentence == "fields not kept: Nice"


NAMED = b"""\
JobID|JobName|User|AllocCPUS|Submit|Start|End|Elapsed|State|Comment
1|plain|ada|4|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T12:03:00|00:02:00|COMPLETED|
2|a|b|c|ada|4|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T12:03:00|00:02:00|COMPLETED|
3|plain|ada|4|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T12:03:00|00:02:00|COMPLETED|x|y
"""


def test_a_separator_in_a_name_goes_back_into_it():
    """A line with too many cells is read where one field alone can hold the surplus, and that is said."""
    workload = FORMAT.read(NAMED, "named")
    assert workload.names["executable"] == ("plain", "a|b|c")
    assert workload.int_column("executable").tolist() == [1, 2, 1]
    assert workload.int_column("allocated_processors").tolist() == [4, 4, 4]
    odd = {anomaly.kind: (anomaly.count, anomaly.first_line) for anomaly in workload.anomalies}
    assert odd["separator-in-text"] == (2, 3)
    assert "surplus-cells" not in odd


def test_a_line_that_is_not_clear_is_left_out():
    """With two fields of free text side by side nobody can tell whose the separator is: that line alone goes."""
    data = NAMED.replace(b"JobName|User", b"JobName|WCKey").replace(b"|x|y", b"|")
    workload = FORMAT.read(data, "named")
    assert workload.job_id.tolist() == [1, 3]
    odd = {anomaly.kind: anomaly for anomaly in workload.anomalies}["surplus-cells"]
    assert (odd.count, odd.first_line) == (1, 3)
    assert "it is unclear which field contains the separator; not kept" in odd.sentence


def test_a_table_of_lines_that_are_not_clear_is_refused():
    """Where more lines would be left out than kept, the table is refused, with the first such line."""
    with pytest.raises(InputError, match="named, line 2: 1 of 1 lines have more cells") as caught:
        FORMAT.read(
            ONE_DAY[: ONE_DAY.index(b"100|")] + ONE_DAY[ONE_DAY.index(b"106|") :].replace(b"carl", b"ca|rl"),
            "named",
        )
    assert "free text" in str(caught.value)


def test_only_steps_is_no_workload():
    """A table of steps alone has no job."""
    with pytest.raises(InputError, match="only steps"):
        FORMAT.read(b"JobID|NCPUS|Submit|Elapsed\n1.0|1|5|5\n", "a")


def test_recognized_by_field_names():
    """JobID or JobIDRaw with Submit or Start in the first line, in any case."""
    assert FORMAT.recognizes(ONE_DAY[:60] + b"|Submit\n")
    assert FORMAT.recognizes(b"\njobidraw,start\n")
    assert not FORMAT.recognizes(b"job_id,submit_time\n")
    assert not FORMAT.recognizes(b"")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2-03:04:05", 183845),
        ("1-02", 93600),
        ("03:04:05", 11045),
        ("04:05", 245),
        ("05:10.250", 310.25),
        ("90", 90),
    ],
)
def test_durations(text, seconds):
    """Every form in which Slurm prints a duration."""
    assert seconds_of_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "1:2:3:4", "a", "-5", "1-", "5:"])
def test_what_is_no_duration(text):
    """Anything else is a ValueError."""
    with pytest.raises(ValueError, match=r".*"):
        seconds_of_duration(text)


def test_limits_alone_are_minutes():
    """A time limit without colons is in minutes, as Slurm's TimelimitRaw."""
    assert (seconds_of_limit("90"), seconds_of_limit("01:30:00")) == (5400, 5400)


def test_times_with_an_offset_need_no_zone():
    """An offset in the text is used instead of the zone."""
    from zoneinfo import ZoneInfo

    assert unix_seconds("2024-01-31T13:00:00+01:00", ZoneInfo("Asia/Tokyo")) == 1706702400


def test_memory_units():
    """Units count 1024 of the smaller one; the letter after them says what the amount is for."""
    assert memory("1.5G", unit="M") == (1.5 * 1024**2, "")
    assert memory("16000", unit="M") == (16000 * 1024, "")
    assert memory("2048", unit="B") == (2, "")
    assert memory("4000Mc", unit="M") == (4000 * 1024, "c")


def test_sample_of_a_real_cluster(log_file):
    """EPCC's sample: 11,635 jobs, 199 never started, the widest of 4,608 CPUs, load as counted elsewhere."""
    workload = FORMAT.read(log_file("EPCC-Cirrus-2024_Q1_CPU-sacct-subset.csv.gz"), "cirrus")
    run, size = workload.run_time, workload.processors
    end = (workload.submit_time + workload.float_column("wait_time") + run)[run >= 0].max()
    assert len(workload) == 11635
    assert int((run < 0).sum()) == 199
    assert round(end / 86400, 1) == 20.0
    assert round(100 * float((run * size)[run > 0].sum()) / (13248 * end), 1) == 22.3


ENDS = b"""\
JobID|Submit|Start|End|Elapsed|State|AllocCPUS|ReqCPUS|Timelimit|Reservation|Deadline
1|2024-01-31T12:00:00|2024-01-31T12:00:10|2024-01-31T13:00:00|00:59:50|COMPLETED|4|4|02:00:00|course|Unknown
2|2024-01-31T12:01:00|Unknown|2024-01-31T12:30:00|00:00:00|CANCELLED by 12|0|4|01:00:00||2024-01-31T17:00:00
3|2024-01-31T12:01:00|2024-01-31T12:02:00|2024-01-31T12:30:00|00:28:00|CANCELLED+|4|4|01:00:00|17|
4|2024-01-31T12:01:00|Unknown|2024-01-31T12:30:00|00:00:00|FAILED|0|4|01:00:00||
5|2024-01-31T12:01:00|Unknown|Unknown|00:00:00|PENDING|0|4|01:00:00||
"""


def test_jobs_canceled_while_they_waited():
    """They are canceled at their End; jobs that ran, failed or still wait are not, and run times stay."""
    workload = FORMAT.read(ENDS, "s")
    assert workload.float_column("cancel_time").tolist() == [-1, 1800, -1, -1, -1]
    assert workload.run_time.tolist() == [3590, -1, 1680, -1, -1]


def test_deadlines_and_reservations_by_name():
    """Deadlines are times of the log; a reservation whose name is a number has a name all the same."""
    workload = FORMAT.read(ENDS, "s")
    assert workload.float_column("deadline").tolist() == [-1, 5 * 3600, -1, -1, -1]
    assert workload.int_column("reservation").tolist() == [1, -1, 2, -1, -1]
    assert workload.names["reservation"] == ("course", "17")
    assert "ignored-fields" not in [anomaly.kind for anomaly in workload.anomalies]


def test_logs_without_such_jobs_have_no_such_columns():
    """A log in which nobody cancels a waiting job is what it was."""
    plain = b"JobID|Submit|Start|End|Elapsed|State|AllocCPUS\n1|0|5|9|4|COMPLETED|2\n"
    assert not {"cancel_time", "deadline", "reservation"} & FORMAT.read(plain, "s").accounting.keys()


EXPIRED = b"""\
JobID|Submit|Start|End|Elapsed|State|AllocCPUS|ReqCPUS|Timelimit|Deadline
1|2024-01-31T12:00:00|2024-01-31T12:10:00|2024-01-31T13:00:00|00:50:00|DEADLINE|4|4|02:00:00|2024-01-31T13:00:00
2|2024-01-31T12:00:00|Unknown|2024-01-31T12:30:00|00:00:00|DEADLINE|0|4|01:00:00|2024-01-31T13:00:00
3|2024-01-31T12:00:00|Unknown|2024-01-31T12:30:00|00:00:00|DEADLINE|0|4|01:00:00|Unknown
4|2024-01-31T12:00:00|2024-01-31T12:00:00|2024-01-31T12:30:00|00:30:00|COMPLETED|4|4|01:00:00|2024-01-31T13:00:00
"""


def test_jobs_that_met_their_deadlines():
    """One that was cut there accepted a short limit; one that waited until then left at its deadline or End."""
    workload = FORMAT.read(EXPIRED, "s")
    assert workload.float_column("minimum_time").tolist() == [3000, -1, -1, -1]
    assert workload.float_column("deadline").tolist() == [3600, 3600, -1, 3600]
    assert workload.float_column("cancel_time").tolist() == [-1, -1, 1800, -1]
    assert workload.run_time.tolist() == [3000, -1, -1, 1800]


def test_jobs_that_met_their_deadlines_are_simulated():
    """One that ran runs, though its limit is longer than the time to its deadline; the others if asked for."""
    workload = FORMAT.read(EXPIRED, "s")
    found = simulate(workload, processors=16, policy="easy", engine="reference")
    assert found.schedule.end_time.tolist() == [3000, 1800]
    kept = simulate(workload, processors=16, policy="easy", engine="reference", cancellations="keep")
    # The second one runs until its deadline, the third until its user cancels it.
    assert kept.schedule.end_time.tolist() == [3000, 3600, 1800, 1800]


def test_a_table_without_format_is_recognized_and_refused():
    """What sacct prints by default has no Submit, which is said; it is no table of unknown format."""
    table = b"JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n1|j|main|root|1|COMPLETED|0:0\n"
    assert FORMAT.recognizes(table)
    assert not FORMAT.recognizes(table.replace(b"|", b","))
    with pytest.raises(InputError, match="has no field Submit; its fields are: JobID, JobName"):
        FORMAT.read(table, "default.txt")
