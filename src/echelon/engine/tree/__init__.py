"""Sites under brokers: a tree whose leaves run jobs and whose inner sites choose among them."""
