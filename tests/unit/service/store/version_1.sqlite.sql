-- The tables of version 1 of a service's store, as that version made them.

CREATE TABLE clusters (
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    reachable BOOLEAN NOT NULL,
    looked_at DOUBLE,
    processors INTEGER NOT NULL,
    problem TEXT NOT NULL,
    failures INTEGER NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE events (
    number INTEGER NOT NULL,
    at DOUBLE NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (number)
);

CREATE INDEX events_by_subject ON events (subject, number);

CREATE INDEX events_by_time ON events (at);

CREATE TABLE jobs (
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    idempotency_key TEXT,
    spec TEXT NOT NULL,
    submitted_at DOUBLE NOT NULL,
    wanted TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    cluster TEXT NOT NULL,
    run INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    assigned_at DOUBLE,
    started_at DOUBLE,
    ended_at DOUBLE,
    exit_code INTEGER,
    signal INTEGER,
    version INTEGER NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (id),
    UNIQUE (owner, idempotency_key)
);

CREATE INDEX jobs_by_cluster ON jobs (cluster, state, number);

CREATE INDEX jobs_by_end ON jobs (ended_at);

CREATE INDEX jobs_by_owner ON jobs (owner, state, number);

CREATE INDEX jobs_by_state ON jobs (state, number);

CREATE TABLE numbers (
    name TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE service_version (
    program TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (program)
);

CREATE TABLE tokens (
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    user_name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at DOUBLE NOT NULL,
    expires_at DOUBLE,
    revoked_at DOUBLE,
    PRIMARY KEY (number),
    UNIQUE (hash)
);

CREATE TABLE attempts (
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    run INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    state TEXT NOT NULL,
    native_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    intended_at DOUBLE NOT NULL,
    answered_at DOUBLE,
    seen_at DOUBLE,
    settled_at DOUBLE,
    started_at DOUBLE,
    ended_at DOUBLE,
    absences INTEGER NOT NULL,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);

CREATE TABLE decisions (
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    at DOUBLE NOT NULL,
    broker TEXT NOT NULL,
    candidates TEXT NOT NULL,
    chosen TEXT NOT NULL,
    why TEXT NOT NULL,
    seconds DOUBLE NOT NULL,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);

CREATE TABLE forecasts (
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    at DOUBLE NOT NULL,
    estimator TEXT NOT NULL,
    wait_time DOUBLE,
    run_time DOUBLE,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);
