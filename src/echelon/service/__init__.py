"""The service: jobs go to real clusters by the brokers and global queues of simulations."""
