-- Every thread: its head, and the number under which the other tables know it.
CREATE TABLE threads (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    version    INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    next_seq   INTEGER NOT NULL,
    status     TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    -- updated_ms >> 16, about a minute: an index over it lists the latest
    -- threads and yet is left alone by most commits.
    updated_span INTEGER NOT NULL
) STRICT;

CREATE INDEX threads_by_update ON threads (updated_span);
