"""Which libraries a processor runs."""

from __future__ import annotations

import pytest

from echelon.libraries import lookup, processor


def test_this_machine_runs_what_it_says(monkeypatch):
    """The baseline comes last, and is always there."""
    assert processor.preferred_kinds()[-1] == "baseline"
    assert set(processor.preferred_kinds()) <= set(processor.kinds())


@pytest.mark.parametrize(
    ("flags", "found"), [("sse avx2 fma", False), (" ".join(sorted(processor._NEWER_FLAGS)), True)]
)
def test_all_flags_are_needed(monkeypatch, tmp_path, flags, found):
    """A processor that lacks one of what newer ones have runs the baseline."""
    monkeypatch.setattr(processor, "machine", lambda: "x86_64")
    monkeypatch.setattr(processor.sys, "platform", "linux")
    (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags : fpu {flags}\n")
    monkeypatch.setattr(processor, "Path", lambda _: tmp_path / "cpuinfo")
    processor.runs_newer.cache_clear()
    assert processor.runs_newer() is found
    processor.runs_newer.cache_clear()


def test_an_unknown_processor_has_no_libraries(monkeypatch):
    """On a processor of another kind it is said which there are, and what to do."""
    monkeypatch.setattr(processor, "machine", lambda: "riscv64")
    monkeypatch.setattr(lookup, "machine", lambda: "riscv64")
    lookup.why_not.cache_clear()
    with pytest.warns(UserWarning, match="install a wheel"):
        said = lookup.why_not("machine")
    lookup.why_not.cache_clear()
    assert "not on 'riscv64'" in said
    assert "install a wheel" in said
