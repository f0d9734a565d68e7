"""The part of the grid's arrays that is a site's: seen as one machine's state, and moved to a larger one."""

from __future__ import annotations

from echelon.engine.compiled.grid.state import SEGMENTS, Grid, sample
from echelon.engine.compiled.machine.state import RESERVATIONS, State
from echelon.engine.compiled.structures.blocked_list import BLOCK, BlockedList
from echelon.libraries.kernel import entry_kernel, kernel


@kernel
def _part(bl, site, s):
    last = site.block + site.blocks
    return BlockedList(bl.blocks[site.block : last], bl.order[site.block : last], bl.totals[s : s + 1])


@kernel
def state_of(grid, s):
    """Return the state of site `s` as that of one machine."""
    site = grid.sites[s]
    first, last = site.entry, site.entry + site.room
    return State(
        grid.machine[s : s + 1],
        grid.fresh,
        _part(grid.queue, site, s),
        _part(grid.candidates, site, s),
        _part(grid.running, site, s),
        grid.ends[first:last],
        grid.profile[SEGMENTS * first : SEGMENTS * last],
        grid.places,
        grid.levels,
        grid.reach,
        grid.scratch,
        grid.ending,
        grid.starting,
        grid.orders,
        grid.traits,
        grid.accounts[s],
        grid.sorting,
        grid.ended[s],
    )


@kernel
def is_short(grid, arriving):
    """Return whether the sites could run out of room if `arriving` jobs are assigned now.

    A site doubles its part, at least, so all moves of an instant together take four times what the sites
    hold then, at most; and as much again for the place of look-ahead simulation.
    """
    numbers = grid.numbers[0]
    numbers.wanted = 8 * (numbers.present + arriving + 2 * BLOCK)
    return numbers.room - numbers.entries < numbers.wanted


@kernel
def make_room(grid, s, jobs):
    """Move site `s` to a part with room for `jobs` of them."""
    numbers, site = grid.numbers[0], grid.sites[s]
    old = state_of(grid, s)
    while site.room <= jobs:
        site.room *= 2
    site.entry, site.block = numbers.entries, numbers.blocks
    # As many as `empty_list` has; at most a quarter of the room.
    site.blocks = site.room // 16 + site.room // (BLOCK // 2) + 10
    numbers.entries += site.room
    numbers.blocks += site.blocks
    _move_site(old, state_of(grid, s))


def _sample() -> tuple[Grid, Grid]:
    """Return arguments of the types that `move_all` takes."""
    grid = sample()[0]
    return grid, grid


@entry_kernel("grid_room", _sample)
def move_all(grid, to):
    """Move every site to the arrays of another grid, one behind the other, each with the room that it has."""
    entry = block = 0
    for s in range(len(grid.sites)):
        old, site = state_of(grid, s), to.sites[s]
        site.entry, site.block = entry, block
        entry += site.room
        block += site.blocks
        _move_site(old, state_of(to, s))


@kernel
def _move_site(old, new):
    """Copy what a site keeps to its new part of the arrays."""
    machine = old.machine[0]
    _move(old.queue, new.queue)
    _move(old.running, new.running)
    if machine.own_order:
        _move(old.candidates, new.candidates)
    for k in range(machine.n_ends):
        new.ends[k] = old.ends[k]
    if machine.kind >= RESERVATIONS:
        for k in range(machine.touched):
            new.profile[k] = old.profile[k]


@kernel
def _move(bl, to):
    """Copy a list to other arrays, block by block; both have the same totals."""
    totals = bl.totals[0]
    for b in range(totals.touched):
        to.blocks[b] = bl.blocks[b]
    for place in range(totals.blocks):
        to.order[place] = bl.order[place]
