"""What finished runs on multiclusters leave behind: experiences to learn from, kept in a database."""

from echelon.history.experiences import experiences_of

__all__ = ["experiences_of"]
