-- Runs that were accepted, in that order.
CREATE TABLE runs (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    id          BLOB    NOT NULL UNIQUE,
    thread      TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    attempt     INTEGER NOT NULL,
    deaths      INTEGER NOT NULL,
    owner       TEXT    NOT NULL,
    lease_ms    INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    cancel      TEXT,
    due_ms      INTEGER NOT NULL,
    created_ms  INTEGER NOT NULL,
    updated_ms  INTEGER NOT NULL,
    -- What the caller calls the request, and a digest of what it asks for.
    key         TEXT    UNIQUE,
    digest      INTEGER,
    payload     TEXT    NOT NULL,
    metadata    TEXT    NOT NULL,
    outcome     TEXT
) STRICT;

CREATE INDEX runs_by_thread ON runs (thread, number);

-- Those that wait or are under way: few, however many there were.
CREATE INDEX runs_active ON runs (thread, number, status) WHERE status IN ('pending', 'running');

-- What a server keeps beside threads and runs.
CREATE TABLE entries (
    kind       TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    label      TEXT    NOT NULL,
    due_ms     INTEGER,
    version    INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    metadata   TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX entries_by_creation ON entries (kind, created_ms);
