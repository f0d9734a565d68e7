"""The exported case of E2 says enough, and says it right: ends follow from its starts by its text alone."""

from __future__ import annotations

import json
import math

import pytest
from tests.differential.e2_export import exported


class Replay:
    """Nodes and running jobs of an exported case, whose starts and places are taken as they are."""

    def __init__(self, case):
        self.rules, self.platform, self.jobs, self.result = (
            case[name] for name in ("rules", "platform", "jobs", "result")
        )
        self.use = {}
        self.left, self.whole, self.end = {}, {}, {}
        self.now = 0.0
        self.changes = list(case["owners"])
        self.starts = sorted(range(len(self.jobs)), key=lambda job: self.result[job]["start"])

    def places(self, job):
        return [(self.result[job]["cluster"], node) for node in self.result[job]["nodes"]]

    def there(self, place):
        return [job for job in self.left if place in self.places(job)]

    def time(self, job):
        """Return T^p and T^c of a job as they really are."""
        alone = self.jobs[job]["run_time"] * self.jobs[job]["factor"]
        return alone * self.jobs[job]["compute_share"], alone * (1 - self.jobs[job]["compute_share"])

    def processing(self, job, place):
        """Return SP of a job in one of its nodes."""
        node = self.platform[place[0]]["nodes"][place[1]]
        cpu, memory, _ = self.use.get(place, (0.0, 0.0, 0.0))
        count, cost = node["processors"], self.rules["owners_cost"]
        seen = count * (1 - cpu)
        given = seen if cost == 1 else max(count * (1 - cost * cpu), min(seen, 0.05 * count))
        held = sum(self.jobs[one]["memory"] for one in self.there(place))
        paging = 1 + self.rules["paging"] * max(0.0, held / node["memory"] + memory - 1)
        if self.rules["cpu"] == "count":
            return paging / (node["power"] * min(1, given / len(self.there(place))))
        asked = []
        for one in self.there(place):
            compute, talk = self.time(one)
            asked.append(compute / (compute + node["power"] * talk))
        level = math.inf
        for place_in_row, want in enumerate(sorted(asked)):
            if want * (len(asked) - place_in_row) > given:
                level = given / (len(asked) - place_in_row)
                break
            given -= want
        compute, talk = self.time(job)
        return paging * max(1 / node["power"], 1 / (level * node["power"]) - talk / compute)

    def pace(self):
        """Give every running job its T; links of this platform never saturate by these programs."""
        for job in self.left:
            compute, talk = self.time(job)
            places = self.places(job)
            for cluster, node in places:
                asked = sum(self.jobs[one]["bandwidth"] for one in self.there((cluster, node)))
                traffic = self.use.get((cluster, node), (0.0, 0.0, 0.0))[2]
                assert asked <= self.platform[cluster]["nodes"][node]["bandwidth"] - traffic
            fullest = max(len(self.there(place)) for place in places)
            slowest = max(self.processing(job, place) for place in places)
            self.whole[job] = compute * slowest + talk * (1 + self.rules["interference"] * (fullest - 1))

    def play(self):
        """Return when each job ends."""
        while self.starts or self.left:
            ends = [self.now + left * self.whole[job] for job, left in self.left.items()]
            starts = [self.result[job]["start"] for job in self.starts[:1]]
            changes = [change["time"] for change in self.changes[:1]]
            self.pass_to(min([*ends, *starts, *changes]))
            while self.changes and self.changes[0]["time"] <= self.now:
                change = self.changes.pop(0)
                use = (change["cpu"], change["memory"], change["network"])
                self.use[change["cluster"], change["node"]] = use
            while self.starts and self.result[self.starts[0]]["start"] <= self.now + 1e-9:
                self.left[self.starts.pop(0)] = 1.0
            self.pace()
        return [self.end[job] for job in range(len(self.jobs))]

    def pass_to(self, time):
        for job in list(self.left):
            self.left[job] -= (time - self.now) / self.whole[job]
            if self.left[job] * self.whole[job] < 1e-6:
                self.end[job] = time
                del self.left[job]
        self.now = time


@pytest.mark.parametrize(
    ("platform", "broker", "spread"), [("555", "tat", "uniform"), ("844", "round-robin", "grouped")]
)
def test_ends_follow_from_the_exported_case(platform, broker, spread):
    """From the JSON alone every end comes out, and decisions are one at a time, nine seconds each."""
    case = json.loads(json.dumps(exported(platform, broker=broker, spread=spread, jobs=30)))
    ends = Replay(case).play()
    assert ends == pytest.approx([row["end"] for row in case["result"]], abs=1e-4)
    done = 0.0
    for job, row in zip(case["jobs"], case["result"], strict=True):
        done = max(done, job["submit"]) + case["rules"]["decision_time"]
        assert row["delivered"] == pytest.approx(done)
        done = done if case["rules"]["decision_time"] else 0.0
    assert case["rules"]["decision_time"] == (9.0 if broker == "tat" else 0.0)
