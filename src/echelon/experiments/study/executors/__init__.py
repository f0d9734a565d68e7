"""Executors: where the cases of a study run. One file each: threads, processes, Dask."""
