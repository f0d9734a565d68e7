"""Whether a job fits into a cluster of shared nodes."""

from __future__ import annotations

import pytest

from echelon.engine import reference
from echelon.engine.multicluster.slots import Slots


@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy"])
def test_a_job_fits_where_it_would_get_nodes(local, busy, monkeypatch):
    """Counting nodes with room says the same as choosing among them."""
    answers, counted = [], Slots.fits

    def checked(slots, job, where, now):
        answer = counted(slots, job, where, now)
        if where is None:
            chosen = slots.places.among(job, slots.cores, slots.memory, now)
            assert answer == (chosen is not None)
            answers.append(answer)
        return answer

    monkeypatch.setattr(Slots, "fits", checked)
    reference.simulate(busy(2, local=local))
    assert set(answers) == {True, False}
