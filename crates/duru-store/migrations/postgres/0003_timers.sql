-- Deadlines of questions.
CREATE TABLE @schema@.timers (
    thread    bigint NOT NULL,
    interrupt uuid   NOT NULL,
    at_ms     bigint NOT NULL,
    PRIMARY KEY (thread, interrupt)
);

CREATE INDEX timers_by_deadline ON @schema@.timers (at_ms);
