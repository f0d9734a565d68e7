"""What owners leave of a campus: two labs and an office, seen every ten minutes."""

from itertools import takewhile

import echelon as ec
from echelon.model import AWAY, SharedCluster, Site, SocialContract, Workstation
from echelon.workloads.local_users import local_users

desktop = Workstation(memory=8e9, bandwidth=125e6, name="desktop")
laptop = Workstation(power=0.6, memory=4e9, bandwidth=12.5e6, name="laptop")
lab = SharedCluster((desktop,) * 12, SocialContract(mpl=4, memory=0.65), link=125e6)
office = SharedCluster((desktop,) * 3 + (laptop,) * 5, SocialContract(mpl=2, memory=0.5), link=125e6)
campus = ec.Platform((Site("lab", lab), Site("office", office)), name="campus")

for spec in ("none", "labs:share=0.375", "labs:share=0.6:spread=grouped:period=20min", "labs:burst=5min"):
    users = local_users(spec)
    uses = {(s, n): AWAY for s, cluster in enumerate(campus.clusters) for n in range(len(cluster))}
    changes = list(takewhile(lambda change: change.time < 3600, users.changes(campus, seed=1)))
    print(f"{users.spec}: {len(changes)} changes in an hour")
    for minute in range(0, 60, 20):
        uses |= {(c.site, c.node): c.use for c in changes if c.time <= minute * 60}
        at_work = sum(use.is_active for use in uses.values())
        cpu = 1 - sum(use.cpu for use in uses.values()) / len(uses)
        memory = 1 - sum(use.memory for use in uses.values()) / len(uses)
        print(
            f"  {minute:2} min: {at_work:2} owners leave {cpu:6.1%} of the CPU, {memory:6.1%} of the memory"
        )
