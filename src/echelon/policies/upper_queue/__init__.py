"""Upper queues: which waiting job is handed to which cluster next. One file a rule."""
