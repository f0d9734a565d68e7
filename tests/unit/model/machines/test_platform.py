"""Sites: what their resource may be, and how many processors it has."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Platform, SharedCluster, Site, SocialContract, TimeSharedMachine, Workstation


def test_a_number_of_numpy_is_a_number_of_processors():
    """Sizes come from arrays, too, whose numbers are not Python's own."""
    site = Site("a", np.int64(8))
    assert (site.processors, site.largest_job) == (8, 8)
    assert Platform((site,)).processors == 8


@pytest.mark.parametrize("resource", ["8", 2.5, True, None, 0, 2**31])
def test_what_is_no_resource_is_refused(resource):
    """Whatever is neither a number of processors nor a machine is one sentence with the site's name."""
    with pytest.raises(InputError, match="processors of site 'a': must be a whole number from 1 to"):
        Site("a", resource)


def test_each_resource_counts_its_own_processors():
    """A time-shared machine has its processors; shared nodes hold a job of one task each, and more tasks."""
    shared = SharedCluster((Workstation(),) * 3, SocialContract(mpl=2))
    sites = Site("a", TimeSharedMachine(4, 0.5)), Site("b", shared)
    assert [(site.processors, site.largest_job) for site in sites] == [(4, 4), (6, 3)]
