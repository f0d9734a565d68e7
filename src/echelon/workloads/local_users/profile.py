"""Profile: what kinds of owners use of their nodes, as two weeks in student laboratories showed it."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.model.machines.local_use import LocalUse

_MONITORED = "Lérida Monsó, UAB 2009, table D.2"


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of owner, or several with the shares of users that are of each.

    Parameters
    ----------
    name : str
        Kebab-case.
    summary : str
        One sentence.
    source : str
        Where the figures come from.
    uses : tuple of LocalUse
        What an owner of each kind uses on average: CPU and memory as shares of the node's, traffic on its
        link in bytes a second, received and sent together.
    shares : tuple of float
        Of the users, one a kind; they sum to 1.
    """

    name: str
    summary: str
    source: str
    uses: tuple[LocalUse, ...]
    shares: tuple[float, ...] = (1.0,)


XWIN = LocalUse(0.15, 0.35, 608.0 + 30.0)
INTERNET = LocalUse(0.20, 0.60, 3154.0 + 496.0)
SHELL = LocalUse(0.25, 0.20, 108.0 + 3.0)

PROFILES: tuple[Profile, ...] = (
    Profile("xwin", "Reads and edits documents in windows; 62 % of users.", _MONITORED, (XWIN,)),
    Profile("internet", "Browses the Web, with more memory; 33 % of users.", _MONITORED, (INTERNET,)),
    Profile("shell", "Runs commands, with little but processor time; 5 % of users.", _MONITORED, (SHELL,)),
    Profile(
        "xwin-internet",
        "The owner in all experiments of the thesis, with traffic of 0.5 MB/s.",
        "Lérida Monsó, UAB 2009, section 3.5.1",
        (LocalUse(0.15, 0.35, 0.5e6),),
    ),
    Profile(
        "labs",
        "An open laboratory: a mix of the first three kinds of owners, in their shares of users.",
        f"{_MONITORED} and figure D.1",
        (XWIN, INTERNET, SHELL),
        (0.62, 0.33, 0.05),
    ),
)  # fmt: skip
"""In the order in which they are listed."""

ALIASES = {
    "xwindows": "xwin",
    "xwindows-internet": "xwin-internet",
    "xwindows+internet": "xwin-internet",
    "xwin+internet": "xwin-internet",
}
"""Other names of the field for the same."""
