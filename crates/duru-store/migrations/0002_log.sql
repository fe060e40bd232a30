-- The logs of all threads. The key is `thread << 32 | seq`: the rows of a
-- thread lie together, in order, and need no second index.
CREATE TABLE log (
    key        INTEGER PRIMARY KEY,
    events     INTEGER NOT NULL,
    ns         TEXT    NOT NULL,
    kind       INTEGER NOT NULL,
    run        BLOB    NOT NULL,
    checkpoint BLOB,
    at_ms      INTEGER NOT NULL,
    format     INTEGER NOT NULL,
    payload    BLOB    NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT;

-- Whole states after some of the checkpoints.
CREATE TABLE snapshots (
    thread   INTEGER NOT NULL,
    ns       TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    format   INTEGER NOT NULL,
    payload  BLOB    NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (thread, ns, seq)
) STRICT;
