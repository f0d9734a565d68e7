"""Co-allocation: nodes of several clusters for one job. One file a way to find them."""
