"""Bodies: JSON that every program reads the same way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.strict_json import parse_strictly

NUMBERS = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.slow
@given(VALUES)
def test_good_json_is_read_as_it_is(value):
    """What Python writes comes back."""
    assert parse_strictly(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "'c' is there twice"),
        (b'{"a": 1, "\\u0061": 1}', "'a' is there twice"),
        (b"[" * 100_000, "too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "too deeply"),
        (b"[" + b"[]," * 500_000 + b"1]", "500000 brackets"),
        (b'{"a": NaN}', "NaN is not a number in JSON"),
        (b"[-Infinity]", "-Infinity is not a number in JSON"),
        (b"[1e999]", "1e999 is beyond"),
        (b"[" + b"9" * 5000 + b"]", "not fit"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b'\xff\xfe"\x00a\x00"\x00', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"{} {}", "Extra data at line 1, column 4"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": 1,}', "not JSON"),
        (b'"a\nb"', "control character"),
    ],
)
def test_doubtful_json_is_refused(body, said):
    """What is no JSON, or what two programs may read differently, is 400 with what is wrong."""
    with pytest.raises(Problem) as caught:
        parse_strictly(body)
    assert caught.value.status_code == 400
    assert said in caught.value.detail


@pytest.mark.parametrize(
    "headers",
    [
        [("content-type", "text/plain")],
        [("content-type", "application/x-www-form-urlencoded")],
        [("content-type", "")],
        [("content-type", "application/json+x")],
        [("content-type", "application/json"), ("content-encoding", "gzip")],
    ],
)
def test_other_types_are_refused(api, headers):
    """A page of elsewhere can send forms and plain text, so that only JSON counts."""
    assert api.call("POST", "/v1/jobs", {"command": ["x"]}, headers=headers).status == 415
    good = [("content-type", "Application/JSON; charset=utf-8")]
    assert api.call("POST", "/v1/jobs", {"command": ["x"]}, headers=good).status == 201
