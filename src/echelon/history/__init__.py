"""What finished runs on multiclusters leave behind: experiences to learn from, kept in a database."""

from echelon.history.experiences import experiences_of
from echelon.history.opening import open_history

__all__ = ["experiences_of", "open_history"]
