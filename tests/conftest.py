"""What all tests share: how hypothesis draws its examples."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples every time, and no clock: a slow machine or an unlucky draw must not fail a change that is
# right. HYPOTHESIS_PROFILE=explore draws others, to look for what these miss.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
