"""A few jobs as textbooks draw them: boxes with the jobs' names over time, as figures and as text."""
