-- Memory across threads. A namespace is written with a unit separator before,
-- between and after its labels: what lies within it begins with it, and so is
-- a range of the index.
CREATE TABLE memories (
    id         INTEGER PRIMARY KEY,
    namespace  TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    ttl_ms     INTEGER,
    expires_ms INTEGER,
    value      TEXT    NOT NULL,
    -- What stands in memory_terms, with spaces between: so that a change finds
    -- the rows to remove, by whatever rules they were made.
    terms      TEXT    NOT NULL,
    UNIQUE (namespace, key)
) STRICT;

CREATE INDEX memories_by_expiry ON memories (expires_ms) WHERE expires_ms IS NOT NULL;

-- Which memories have a term. With the namespace, so that a search reads only
-- those within its own.
CREATE TABLE memory_terms (
    term      TEXT    NOT NULL,
    namespace TEXT    NOT NULL,
    memory    INTEGER NOT NULL,
    PRIMARY KEY (term, namespace, memory)
) STRICT, WITHOUT ROWID;
