-- The tables of version 1 of a service's store, as that version made them.

CREATE TABLE clusters (
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    reachable BOOLEAN NOT NULL,
    looked_at DOUBLE PRECISION,
    processors INTEGER NOT NULL,
    problem TEXT NOT NULL,
    failures INTEGER NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE events (
    number BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (number)
);

CREATE INDEX events_by_subject ON events (subject, number);

CREATE INDEX events_by_time ON events (at);

CREATE TABLE jobs (
    number BIGINT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    idempotency_key TEXT,
    spec TEXT NOT NULL,
    submitted_at DOUBLE PRECISION NOT NULL,
    wanted TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    cluster TEXT NOT NULL,
    run INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    assigned_at DOUBLE PRECISION,
    started_at DOUBLE PRECISION,
    ended_at DOUBLE PRECISION,
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
    last BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE service_version (
    program TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (program)
);

CREATE TABLE tokens (
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    user_name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL,
    expires_at DOUBLE PRECISION,
    revoked_at DOUBLE PRECISION,
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
    intended_at DOUBLE PRECISION NOT NULL,
    answered_at DOUBLE PRECISION,
    seen_at DOUBLE PRECISION,
    settled_at DOUBLE PRECISION,
    started_at DOUBLE PRECISION,
    ended_at DOUBLE PRECISION,
    absences INTEGER NOT NULL,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);

CREATE TABLE decisions (
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    broker TEXT NOT NULL,
    candidates TEXT NOT NULL,
    chosen TEXT NOT NULL,
    why TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);

CREATE TABLE forecasts (
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    estimator TEXT NOT NULL,
    wait_time DOUBLE PRECISION,
    run_time DOUBLE PRECISION,
    PRIMARY KEY (job, number),
    FOREIGN KEY(job) REFERENCES jobs (id) ON DELETE CASCADE
);
