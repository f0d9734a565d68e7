"""Random streams: by seed and name, independent of each other."""

from __future__ import annotations

from echelon.model.streams import stream


def test_streams_depend_on_seed_and_name_alone():
    """The same seed and name draw the same numbers; another seed or another name draws others."""
    first = stream(3, "order").random(4).tolist()
    stream(3, "lottery").random(100)
    assert stream(3, "order").random(4).tolist() == first
    assert stream(4, "order").random(4).tolist() != first
    assert stream(3, "lottery").random(4).tolist() != first


def test_streams_stay_what_they_are():
    """The numbers of a stream are part of a published result: they must not change."""
    drawn = [round(number, 6) for number in stream(0, "order").random(3).tolist()]
    assert drawn == [0.629656, 0.680305, 0.51696]
