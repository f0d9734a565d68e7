"""The compiled event loop of decentralized protocols: one clock, ENDs, SUBMITs and publications."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.decentralized.exchange import exchange
from echelon.engine.compiled.decentralized.min_tree import assign
from echelon.engine.compiled.decentralized.start import end
from echelon.engine.compiled.decentralized.state import STEALING, sample
from echelon.engine.compiled.decentralized.stealing import join, steal
from echelon.engine.compiled.machine.submissions import next_submission, note_end, take_submissions
from echelon.engine.compiled.structures import heap
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("peers", sample)
def run(st, pool, submissions):
    """Run until no event is left or ``st.watch[1]`` is set.

    Jobs come out of `pool`, by the numbers of `submissions`. If none waits for another it is ``st.jobs``;
    else each is copied there when it is submitted, which numbers it.
    """
    numbers = st.numbers[0]
    now = -np.inf
    while st.watch[1] == 0:
        publication = _next_publication(st, now)
        now = min(publication, next_submission(submissions, pool, numbers.arrived))
        if numbers.n_ends > 0:
            now = min(now, st.ends[0].time)
        if now == np.inf:
            break
        ended = _take_ends(st, pool, submissions, now)
        submitted = _take_arrivals(st, pool, submissions, now)
        while numbers.known < numbers.arrived and st.jobs[numbers.known].published <= now:
            numbers.known += 1
        if ended or submitted or publication == now:
            numbers.cycles += 1
            if numbers.waiting == 0:
                continue
            if numbers.algorithm == STEALING:
                steal(st, now)
            else:
                exchange(st, now)


@kernel
def _next_publication(st, now):
    """Return when a waiting job will next become known to other sites than its home, or infinity."""
    numbers = st.numbers[0]
    while numbers.unpublished < numbers.arrived:
        job = st.jobs[numbers.unpublished]
        if np.isnan(job.start) and job.published > now:
            return job.published
        numbers.unpublished += 1
    return np.inf


@kernel
def _publication_time(submit, refresh):
    """Return when other sites first know of a job; twin of `published_times` of the reference engine."""
    periods = np.ceil(submit / refresh) if refresh > 0 else np.inf
    return max(periods * refresh, submit) if periods < 2.0**52 else submit


@kernel
def _take_ends(st, pool, submissions, now):
    """Let the jobs end that end now; return whether there were any.

    All are listed first: a cycle of this instant may start a job that ends at once, by rounding; it belongs
    to the next round.
    """
    n_ending = 0
    while st.numbers[0].n_ends > 0 and st.ends[0].time == now:
        st.ending[n_ending] = st.ends[0].job
        heap.drop_first(st.ends, st.numbers[0].n_ends)
        st.numbers[0].n_ends -= 1
        n_ending += 1
    for k in range(n_ending):
        end(st, st.ending[k])
        if submissions.numbers[0].dependent:
            note_end(submissions, pool, now, st.jobs[st.ending[k]].position)
    return n_ending > 0


@kernel
def _take_arrivals(st, pool, submissions, now):
    """Let the jobs of this instant join the queue; return whether there were any."""
    numbers = st.numbers[0]
    numbers.new = numbers.arrived
    last = take_submissions(submissions, pool, now, numbers.arrived)
    while numbers.arrived < last:
        job = numbers.arrived
        if submissions.numbers[0].dependent:
            st.jobs[job] = pool[submissions.arrivals[job]]
            st.jobs[job].published = _publication_time(now, numbers.refresh)
        if numbers.algorithm == STEALING:
            join(st, job)
        else:
            assign(st.tree, job, st.jobs[job].size)
        numbers.waiting += 1
        numbers.events += 1
        numbers.arrived += 1
    return numbers.arrived > numbers.new
