"""The compiled engine on one machine of counted processors that changes in time."""
