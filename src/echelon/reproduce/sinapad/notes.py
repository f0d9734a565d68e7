"""What a reader must know of how the SINAPAD study is read."""

NOTES = (
    "Figures 3 and 4, the only results on execution times, are pictures without numbers; claims are judged "
    "by what the text says of them.",
    "The study measured ten virtual machines under CSGrid; here they are simulated: every job starts at once "
    "and shares its machine's one core evenly, loads are means of the last minute, published every 15 s at "
    "times of each machine's own.",
    "Where jobs come at once every policy decides at the pace of the slowest, 0.831 s; where they come every "
    "20 s each takes its own time of Table 2.",
    "Mean CPU times are known before: with none, nobody could choose before the last of 40 jobs submitted at "
    "once is dispatched, and every policy that goes by them would be RandomScheduler.",
    "The order in which the metascheduler learns of the machines decides ties and is not said. Four "
    "readings are run: another list in each repetition, the fastest first, the slowest first, and lots among "
    "equal loads. A statement is settled only if it is settled alike under all of them; else it is not "
    "decided.",
    "No execution time was printed, and a decision of a rule in one process has nothing in common with one "
    "of a bus over ten machines: no printed number can be compared with ours. Sentences that only repeat "
    "Table 2 are set beside it as the print against itself.",
    "All policies of a repetition meet the same jobs, lists of machines, phases and lots.",
)
