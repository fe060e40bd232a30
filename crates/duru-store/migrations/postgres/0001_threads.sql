-- Every thread: its head, and the number under which the other tables know it.
CREATE TABLE @schema@.threads (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    version      bigint NOT NULL,
    epoch        bigint NOT NULL,
    next_seq     bigint NOT NULL,
    created_ms   bigint NOT NULL,
    updated_ms   bigint NOT NULL,
    -- updated_ms >> 16, about a minute: an index over it lists the latest
    -- threads and yet is left alone by most commits.
    updated_span bigint NOT NULL,
    -- A random number that the last commit came with: whoever sends a commit
    -- again, because the answer was lost, sees whether it is there already.
    token        bigint NOT NULL,
    status       text   NOT NULL,
    -- Compared and sorted byte by byte, as everywhere else.
    name         text   COLLATE "C" NOT NULL UNIQUE
-- Room on every page, so that a commit's update stays on it and touches no index.
) WITH (fillfactor = 50);

CREATE INDEX threads_by_update ON @schema@.threads (updated_span);
