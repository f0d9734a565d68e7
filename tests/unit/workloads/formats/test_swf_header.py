"""Names of partitions in SWF headers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.model import Header, Workload
from echelon.workloads.formats import swf
from echelon.workloads.formats.swf_header import partition_names, with_partition_names


def header(*texts: str) -> Header:
    return Header(tuple(("Partition", text) for text in texts))


def test_lines_of_a_header_name_codes() -> None:
    """Blanks are made one, gaps stay empty, the first of two lines counts, and code 0 has no place."""
    assert partition_names(header(" 1  DEFAULT    ", "3 batch   (171 nodes)", "3 x")) == (
        "DEFAULT",
        "",
        "batch (171 nodes)",
    )
    assert partition_names(header("0 interactive", "none", "7", "99999999999999 far")) == ()
    assert partition_names(Header()) == ()


def test_a_line_that_goes_on_names_by_its_beginning() -> None:
    """Lines without a label after it are no part of the name."""
    assert partition_names(Header((("Partition", "1 batch"), (None, "   and more of it")))) == ("batch",)


@pytest.mark.parametrize("before", [(), ("1 old", "2 older")])
def test_names_are_written_and_read(before: tuple[str, ...]) -> None:
    """A workload read back from SWF has the names, in place of those its header had."""
    jobs = Workload.from_columns(
        header=header(*before), submit_time=[0, 1], run_time=[5, 5], processors=[1, 1], partition=[3, 1]
    )
    named = replace(jobs, names={"partition": ("KTH", "", "two\nlines")})
    back = swf.read(swf.write(named), "back.swf")
    assert back.names == {"partition": ("KTH", "", "two lines")}
    assert np.array_equal(back.int_column("partition"), [3, 1])
    assert swf.read(swf.write(back), "again.swf").header == back.header


def test_a_header_that_names_them_stays() -> None:
    """Nothing is rewritten where the names are those of the header, or there are none."""
    own = header("1  DEFAULT ", "2 ALL")
    assert with_partition_names(own, ("DEFAULT", "ALL")) is own
    assert with_partition_names(own, ()) is own
