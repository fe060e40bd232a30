-- Deadlines of questions.
CREATE TABLE timers (
    thread    INTEGER NOT NULL,
    interrupt BLOB    NOT NULL,
    at_ms     INTEGER NOT NULL,
    PRIMARY KEY (thread, interrupt)
) STRICT, WITHOUT ROWID;

CREATE INDEX timers_by_deadline ON timers (at_ms);
