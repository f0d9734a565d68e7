"""What a study found: tables, comparisons, exports."""
