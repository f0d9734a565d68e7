"""What every reproduced study shares: figures, tables, claims and verdicts, and how a study is run."""
