"""The compiled engine on one machine whose capacity or jobs change in time: a dynamic resource, as the field says."""
