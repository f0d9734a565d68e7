"""Metascheduling of machines without queues: what is asked, and the rules that answer."""
