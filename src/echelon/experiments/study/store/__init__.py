"""What a study leaves on disk: its runs, its log, its outline."""
