"""Orders that change with time: keys of this moment, and the queue sorted by them.

The twins of the rules of the same names in `echelon.policies.order`, and of `echelon.engine.queue.usage`: the
same operations in the same order, so that both engines get the same keys to the last bit.
"""

from __future__ import annotations

import math

import numpy as np

from echelon.engine.compiled.structures.blocked_list import refill
from echelon.libraries.kernel import kernel

# Rules. FIXED: keys do not change with time, and are ranks.
FIXED, WFP3, UNICEF, MULTIFACTOR = 0, 1, 2, 3

ORDER_TYPE = np.dtype(
    [
        ("rule", np.int64),  # FIXED ... MULTIFACTOR
        ("age", np.float64),  # and so on: the parameters of `Multifactor`
        ("size", np.float64),
        ("queue", np.float64),
        ("partition", np.float64),
        ("fair_share", np.float64),
        ("max_age", np.float64),
        ("decay", np.float64),  # ln 2 / half-life
        ("candidates", np.bool_),  # whether it is the candidates' order
    ],
    align=True,
)
"""One order of the queue or of the candidates."""

TRAIT_TYPE = np.dtype(
    [
        ("place", np.int64),  # place by (submit time, position): the last sort keys
        ("weight", np.float64),  # `unicef_weight`
        ("user", np.int64),  # the user's row among the accounts
        ("queue_factor", np.float64),  # what the queue's order gives its queue and partition
        ("partition_factor", np.float64),
        ("candidate_queue_factor", np.float64),  # what the candidates' order gives them
        ("candidate_partition_factor", np.float64),
    ],
    align=True,
)
"""Inputs of keys in addition to the job's own numbers, one record per job."""

ACCOUNT_TYPE = np.dtype([("used", np.float64), ("time", np.float64), ("held", np.int64)], align=True)
"""Processor time of one user: see `echelon.engine.queue.usage.Account`."""

KEYED_TYPE = np.dtype([("key", np.float64), ("tie", np.int64), ("job", np.int64)], align=True)
"""A job to be sorted by key, then tie."""

_RUN = 16
"""Stretches of so many entries are sorted by insertion before they are merged."""


@kernel
def _usage_at(account, decay, now):
    """Return processor-seconds at `now`; see `Account.at`."""
    passed = now - account.time
    if decay == 0.0:
        return account.used + account.held * passed
    kept = math.exp(-(passed * decay))
    return account.used * kept + account.held * ((1.0 - kept) / decay)


@kernel
def account(orders, traits, accounts, now, job, by):
    """Note that the user of `job` holds `by` more processors from now on."""
    for which in range(2):
        if orders[which].rule == MULTIFACTOR:
            decay = orders[which].decay
            for user in (traits[job].user, accounts.shape[1] - 1):
                record = accounts[which, user]
                record.used = _usage_at(record, decay, now)
                record.time = now
                record.held += by


@kernel
def _usage_share(accounts, user, decay, now):
    everything = _usage_at(accounts[len(accounts) - 1], decay, now)
    return _usage_at(accounts[user], decay, now) / everything if everything > 0 else 0.0


@kernel
def _key(order, job, trait, accounts, processors, now):
    """Return the key of `job` at `now`: the smallest is first."""
    if order.rule == WFP3:
        relative_wait = (now - job.submit) / job.planned
        return -(relative_wait * relative_wait * relative_wait) * job.size
    if order.rule == UNICEF:
        return -(now - job.submit) / trait.weight
    queue, partition = trait.queue_factor, trait.partition_factor
    if order.candidates:
        queue, partition = trait.candidate_queue_factor, trait.candidate_partition_factor
    users = len(accounts) - 1
    share = _usage_share(accounts, trait.user, order.decay, now)
    return -(
        order.age * min((now - job.submit) / order.max_age, 1.0)
        + order.size * (job.size / processors)
        + order.queue * queue
        + order.partition * partition
        + order.fair_share * math.exp(-(share * users * math.log(2.0)))
    )


@kernel
def reorder(bl, jobs, order, traits, accounts, processors, sorting, now, by_size):
    """Sort the jobs of a list by the keys of this moment; they stand in ``sorting[0]`` then, too.

    With `by_size`, the largest go first, and those of equal size by key.
    """
    entries, spare = sorting[0], sorting[1]
    n = 0
    for place in range(bl.totals[0].blocks):
        block = bl.blocks[bl.order[place]]
        for i in range(block.count):
            job = block.id[i]
            trait, entry = traits[job], entries[n]
            entry.key = _key(order, jobs[job], trait, accounts, processors, now)
            entry.tie, entry.job = trait.place, job
            n += 1
    _sort(entries, spare, n)
    if by_size:
        for k in range(n):
            entries[k].key, entries[k].tie = -jobs[entries[k].job].size, k
        _sort(entries, spare, n)
    refill(bl, entries, jobs)


@kernel
def _is_before(entry, other):
    return entry.key < other.key or (entry.key == other.key and entry.tie < other.tie)


@kernel
def _copy(entry, to):
    to.key, to.tie, to.job = entry.key, entry.tie, entry.job


@kernel
def _sort(entries, spare, n):
    """Sort the first `n` entries: stretches by insertion, then merged, where they are not in order yet."""
    for low in range(0, n, _RUN):
        for k in range(low + 1, min(low + _RUN, n)):
            i = k
            _copy(entries[k], spare[0])
            while i > low and _is_before(spare[0], entries[i - 1]):
                _copy(entries[i - 1], entries[i])
                i -= 1
            _copy(spare[0], entries[i])
    width = _RUN
    while width < n:
        for low in range(0, n - width, 2 * width):
            if _is_before(entries[low + width], entries[low + width - 1]):
                _merge(entries, spare, low, low + width, min(low + 2 * width, n))
        width *= 2


@kernel
def _merge(entries, spare, low, middle, high):
    """Merge two sorted neighbors, entries[low:middle] and entries[middle:high]."""
    for k in range(low, middle):
        _copy(entries[k], spare[k - low])
    left, right, to = 0, middle, low
    while left < middle - low and right < high:
        if _is_before(entries[right], spare[left]):
            _copy(entries[right], entries[to])
            right += 1
        else:
            _copy(spare[left], entries[to])
            left += 1
        to += 1
    while left < middle - low:
        _copy(spare[left], entries[to])
        left += 1
        to += 1
