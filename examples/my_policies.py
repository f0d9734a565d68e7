"""Your own policies: two, to be named FILE.py:NAME on the command line.

echelon check examples/my_policies.py:Patient
echelon compare kth-sp2 --policies easy,easy:examples/my_policies.py:my-area,examples/my_policies.py:Patient
"""

from echelon import Start, order


@order("my-area", source="none")
def my_area(job, view):
    """Requested processors times planned time, in processor-seconds; the smallest first."""
    return job.processors * job.planned_time


class Patient:
    """First-fit, until a job that does not fit has waited a week; from then on no job overtakes it."""

    name = "patient"

    def decide(self, view):
        """Yield the starts of this scheduling cycle."""
        for job in view.queue:
            if job.processors <= view.free:
                yield Start(job)
            elif view.now - job.submit_time > 7 * 86_400:
                return


if __name__ == "__main__":
    from echelon import compare

    print(compare("kth-sp2", policies=["easy", my_area, Patient]).to_frame())
