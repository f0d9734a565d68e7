"""Agenda: the next event of each site, among which only those that change cost anything."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.progress.agenda import Agenda


def test_an_agenda_without_events_never_ends():
    """Before a site has an event the earliest is at infinity, and no site is near anything."""
    agenda = Agenda()
    assert agenda.first() == math.inf
    assert sorted(agenda.keys_due(1e300)) == []


def test_a_later_plan_replaces_an_earlier_one():
    """A site has one event: the one planned last, be it earlier or later."""
    agenda = Agenda()
    agenda.plan(0, 5.0)
    agenda.plan(1, 7.0)
    agenda.plan(0, 9.0)
    assert (agenda.first(), sorted(agenda.keys_due(8.0)), agenda.time(0)) == (7.0, [1], 9.0)
    agenda.plan(0, 2.0)
    assert (agenda.first(), sorted(agenda.keys_due(8.0))) == (2.0, [0, 1])


def test_a_site_without_further_events_is_forgotten():
    """Infinity removes an event, as taking it does; the same time planned again is there once."""
    agenda = Agenda()
    agenda.plan(0, 5.0)
    agenda.plan(1, 5.0)
    agenda.plan(0, math.inf)
    assert sorted(agenda.keys_due(5.0)) == [1]
    agenda.take(1)
    assert agenda.first() == math.inf
    agenda.plan(1, 5.0)
    assert sorted(agenda.keys_due(5.0)) == [1]


def test_near_removes_nothing():
    """Asking twice gives the same sites, ascending."""
    agenda = Agenda()
    for site, time in enumerate((3.0, 1.0, 2.0, 9.0)):
        agenda.plan(site, time)
    assert sorted(agenda.keys_due(3.0)) == sorted(agenda.keys_due(3.0)) == [0, 1, 2]
    assert agenda.first() == 1.0


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from((0.0, 1.0, 1.5, 2.0, 3.0, math.inf, None)),
            st.sampled_from((0.0, 1.0, 2.0, 3.0)),
        ),
        max_size=40,
    )
)
def test_an_agenda_is_a_table_of_times(steps):
    """Whatever is planned and taken, first and near are those of a plain table of one time a site."""
    agenda, table = Agenda(), [math.inf] * 5
    for site, time, by in steps:
        if time is None:
            agenda.take(site)
            table[site] = math.inf
        else:
            agenda.plan(site, time)
            table[site] = time
        assert agenda.first() == min(table)
        assert sorted(agenda.keys_due(by)) == [there for there in range(5) if table[there] <= by]
        assert agenda.time(site) == table[site]
