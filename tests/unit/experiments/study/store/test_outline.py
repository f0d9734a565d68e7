"""An outline is read as it was written, and one that someone has changed is named."""

from __future__ import annotations

import json

import pytest

from echelon.errors import InputError
from echelon.experiments.study.store.outline import Outline, read_outline, write_outline

OUTLINE = Outline(
    "s",
    axes=("policy", "seed"),
    values={"policy": ("easy", "fcfs")},
    baseline={"policy": "easy"},
    cases=4,
    warm_up=0.1,
    pareto=(("mean_wait", "utilization"),),
    blocks=3600.0,
)


def test_an_outline_is_read_as_it_was_written(tmp_path):
    """All of it, but for lists, which JSON does not tell from tuples; without a file there is none."""
    assert read_outline(tmp_path) is None
    write_outline(OUTLINE, tmp_path)
    found = read_outline(tmp_path)
    assert found.to_dict() == OUTLINE.to_dict() | {"values": {"policy": ["easy", "fcfs"]}}


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b"{}", b'{"name": "s", "a": 1}']
)
def test_what_is_no_outline_is_named(tmp_path, content):
    """Empty, torn, of another kind, without a name, or with an unknown key: file and remedy are said."""
    (tmp_path / "outline.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_outline(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'outline.json'}: is not the outline of a study (")
    assert str(caught.value).endswith("run the study again, which writes it")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", {}),
        ("axes", "policy"),
        ("measures", [1]),
        ("values", None),
        ("values", {"policy": "easy"}),
        ("baseline", {"policy": 1}),
        ("level", 1),
        ("alpha", "x"),
        ("warm_up", -1),
        ("cases", True),
        ("replications", 0),
        ("blocks", [None]),
        ("blocks", 0),
        ("pareto", ["a"]),
    ],
)
def test_another_kind_of_value_is_named(tmp_path, key, value):
    """The sentence says the key, its value, and what it must be."""
    content = OUTLINE.to_dict() | {key: value}
    (tmp_path / "outline.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=rf"{key} is .*, expected "):
        read_outline(tmp_path)
