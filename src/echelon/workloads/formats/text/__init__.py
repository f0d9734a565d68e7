"""Text of tables: lines, cells and columns, and how they become numbers and back."""
