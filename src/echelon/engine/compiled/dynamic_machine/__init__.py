"""The compiled engine on one dynamic machine, as the field calls one whose capacity changes in time."""
