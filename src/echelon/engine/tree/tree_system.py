"""TreeSystem: a tree of sites, whose controllers choose the leaf of each job."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from echelon.engine.system import LATEST, System
from echelon.engine.tree.controlled_site import rejected_jobs
from echelon.errors import DeadlockError
from echelon.model.schedules.kept_jobs import kept_positions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closure_events import ClosureEvent
    from echelon.engine.resources.closures import Closure
    from echelon.engine.tree.controlled_site import ControlledSite
    from echelon.engine.tree.leaves import Leaves
    from echelon.model import Job, Schedule


class TreeSystem(System):
    """Controllers at the inner sites of a tree, and leaves, by actual and perhaps also by planned times.

    For a broker that sees the planned state (``grid_state="planned"``) a second schedule is kept, the
    allocation-level schedule, in which every job runs for its planned time. All metrics are of the actual
    schedule. A job that waits for others to end is released by the actual schedule, and joins both.

    Parameters
    ----------
    states : sequence of Leaves
        The leaves by actual times, then perhaps by planned times.
    controllers : sequence of ControlledSite
        The inner sites, the root first, outer before inner.
    records : sequence of callable (Schedule) -> Schedule
        What adds to the schedule what happened at some leaves.
    latest : float, default infinity
        See `System`.
    whole : callable () -> Schedule, optional
        Makes the schedule; default: from starts, sites and `records`.

    Notes
    -----
    Cost: O(log sites) per event, in addition to that of the controllers and the policies.
    """

    def __init__(
        self,
        states: Sequence[Leaves],
        controllers: Sequence[ControlledSite],
        records: Sequence[Callable[[Schedule], Schedule]] = (),
        *,
        latest: float = math.inf,
        whole: Callable[[], Schedule] | None = None,
    ) -> None:
        self._actual, self._planned, self._states = states[0], states[1:], states
        self._controllers = controllers
        self._records, self._whole = records, whole
        self._groups = self._actual.groups
        self.ledger = self._actual.ledger
        self.latest = latest
        self._event = False
        self._each_event = self.ledger.scenario.cycles == "event"
        # Asked at every instant: a broker that sends jobs on as they come has nothing to say.
        self._next_times = [one.next_time for one in controllers if one.has("next_time")]
        self._decide = [one.decide for one in controllers if one.has("decide")]
        self._dispatch = [one.dispatch for one in controllers if one.has("dispatch")]
        self._go_on = [one.goes_on for one in controllers if one.has("goes_on")]

    def has(self, phase: str) -> bool:
        """See `System.has`."""
        if phase in ("change", "leave"):
            return bool(self._groups) or any(one.has(phase) for one in self._controllers)
        if phase == "correct":
            return any(leaf.has(phase) for state in self._states for leaf in state.leaves)
        return super().has(phase)

    def next_event(self, release: float) -> float:
        """See `System.next_event`."""
        time = release
        for next_time in self._next_times:
            time = min(time, next_time())
        for state in self._states:
            time = state.next_event(time)
        for group in self._groups:
            time = group.next_event(time)
        return time

    @property
    def is_at_rest(self) -> bool:  # type: ignore[override]
        """See `System`."""
        leaves = (leaf for state in self._states for leaf in state.leaves)
        busy = self._groups or any(next_time() < math.inf for next_time in self._next_times)
        return not busy and all(leaf.is_at_rest for leaf in leaves)

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        self._event = False
        for state in self._states:
            state.begin(now)

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`; jobs of the planned schedule end first."""
        ledger = self.ledger
        for state in self._planned:
            for job in state.take_ends():
                state.end(job)
                if self._each_event:
                    state.decide()
        ending = self._actual.take_ends()
        if self._each_event and (ending or ledger.releases.next_time == ledger.now):
            for state in self._states:
                state.put_off()
        return ending

    def end(self, job: Job) -> None:
        """See `System.end`."""
        self._event = True
        self._actual.end(job)

    def correct(self) -> bool:
        """See `System.correct`."""
        late = [state.correct() for state in self._states]
        return any(late)

    def change(self) -> bool:
        """See `System.change`."""
        for group in self._groups:
            group.change()
        for controller in self._controllers:
            controller.change()
        return any(group.touched for group in self._groups)

    def expect(self, outage: Outage) -> None:
        """See `System.expect`."""
        self._event = True
        for state in self._states:
            state.expect(outage)

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """See `System.change_capacity`."""
        self._event = True
        for state in self._states:
            state.change_capacity(outage, down=down)

    def change_closure(self, event: ClosureEvent, closure: Closure) -> Sequence[Job]:
        """See `System.change_closure`: what happens, not what was planned, decides which jobs must go."""
        self._event = True
        for state in self._planned:
            state.change_closure(event, closure)
        return self._actual.change_closure(event, closure)

    def awaits(self, closure: Closure) -> bool:
        """See `System.awaits`."""
        return self._actual.leaves[closure.site].awaits(closure)

    @property
    def is_whole(self) -> bool:
        """See `System.is_whole`."""
        return all(leaf.is_whole for leaf in self._actual.leaves)

    def stop(self, job: Job) -> None:
        """See `System.stop`."""
        self._event = True
        self._actual.stop(job)

    def hold(self, job: Job) -> bool:
        """See `System.hold`: at its leaf, or out of the tree if it waits above."""
        self._event = True
        if self._actual.holds(job):
            self._actual.hold(job)
            return False
        self._controllers[0].withdraw(job)
        return True

    def rejoin(self, job: Job, *, is_away: bool) -> None:
        """See `System.rejoin`."""
        self._event = True
        if is_away:
            self._controllers[0].join(job, is_reported=True)
        else:
            self._actual.rejoin(job)

    def limit(self, job: Job, planned: float) -> None:
        """See `System.limit`."""
        self._actual.limit(job, planned)

    def forget(self, job: Job, *, is_away: bool) -> None:
        """See `System.forget`: a job that was held at its site counts there no more."""
        if is_away:
            return
        self._actual.forget(job)
        for state in self._planned:
            state.withdraw(job)

    def withdraw(self, job: Job) -> None:
        """See `System.withdraw`.

        A job that has run, or that no controller can have copied, leaves its leaf; any other leaves from the
        root down, as every inner site on its way has counted it.
        """
        self._event = True
        if self._actual.holds(job) and (self._planned or self.ledger.dispatches.has_started(job.position)):
            for state in self._states:
                state.withdraw(job)
        else:
            self._controllers[0].withdraw(job)

    def join(self, job: Job) -> None:
        """See `System.join`."""
        self._event = True
        self._controllers[0].join(job, is_reported=False)

    def leave(self) -> Sequence[int]:
        """See `System.leave`."""
        left: list[int] = []
        for controller in self._controllers:
            for position in controller.leave():
                job = self.ledger.jobs[position]
                # From the root down: every inner site on its way has counted it.
                self._controllers[0].withdraw(job)
                self._note_rejection(job, controller.why_rejected)
                left.append(position)
        return left

    def _note_rejection(self, job: Job, why: str) -> None:
        """Note that `job` has waited too long, and has left the tree."""

    def decide(self) -> None:
        """See `System.decide`: inner sites, outer before inner, and then the leaves, in turn to rest."""
        for event in self.rounds():
            self.decide_below(event=event)

    def decide_below(self, *, event: bool) -> None:
        """Let the leaves concerned decide; see `Leaves.decide`."""
        for state in self._states:
            state.decide(event=event)

    def rounds(self) -> Iterator[bool]:
        """Let inner sites decide, outer before inner, until nothing is left to decide.

        Yields
        ------
        bool
            Whether every leaf counts as one where a job has ended or joined now. The leaves decide next.
        """
        for decide in self._decide:
            self._event = decide() or self._event
        # On shared nodes every event concerns every cluster.
        event = bool(self._groups) and (self._event or any(group.touched for group in self._groups))
        while True:
            handed = [dispatch() for dispatch in self._dispatch]
            yield event or (bool(self._groups) and any(handed))
            going = [goes_on() for goes_on in self._go_on]
            if not any(going):
                return

    def settle(self) -> None:
        """See `System.settle`."""
        for group in self._groups:
            group.settle(event=self._event)
        for state in self._states:
            state.settle()

    def check_done(self) -> None:
        """See `System.check_done`."""
        for group in self._groups:
            group.check_done()
        for leaf in self._actual.leaves:
            leaf.check_done()
        for controller in self._controllers:
            controller.check_done()
        rejected = sum(len(controller.rejected) for controller in self._controllers)
        if self.ledger.ended + rejected < len(self.ledger.jobs):
            self.raise_endless()

    def raise_endless(self) -> NoReturn:
        """See `System.raise_endless`."""
        for group in self._groups:
            group.raise_endless()
        dispatches, starts = self.ledger.dispatches, self.ledger.dispatches.starts()
        left = [job for job in self.ledger.jobs
                if dispatches.serial[job.position] or np.isnan(starts[job.position])]  # fmt: skip
        shown = ", ".join(str(job.job_id) for job in left[:5])
        raise DeadlockError(
            f"jobs {shown}{' ...' if len(left) > 5 else ''} have not ended at t = {LATEST:.3g} s, and later "
            "times cannot resolve one second: check the speeds of machines, how long decisions and jobs "
            "take, and what jobs wait for"
        )

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        if self._whole is not None:
            return self.ledger.with_changes(self._add_controllers(self._whole()))
        rejected = rejected_jobs(self._controllers)
        if rejected:
            # A run without any job left is refused here: what follows cannot describe it.
            kept_positions(self.ledger.scenario.instance, rejected)
        schedule = self.ledger.schedule(np.array(self._actual.site_of, dtype=np.int64))
        for record in self._records:
            schedule = record(schedule)
        return self.ledger.finish_schedule(self._add_controllers(schedule), rejected)

    def _add_controllers(self, schedule: Schedule) -> Schedule:
        for controller in self._controllers:
            schedule = controller.schedule(schedule)
        return schedule
