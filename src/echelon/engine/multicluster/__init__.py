"""The multicluster engine: an upper queue, and clusters whose nodes belong to someone."""
