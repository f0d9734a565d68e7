"""Why a job started when it did: what was seen of a run, and the sentences that say it."""
