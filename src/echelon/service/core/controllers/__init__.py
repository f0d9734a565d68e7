"""The controllers: brokers and global queues of the engine, what they know of jobs, and what they choose."""
