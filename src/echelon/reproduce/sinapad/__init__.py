"""The SINAPAD study, reproduced: metascheduling by chance and by the state of time-shared machines."""
