-- Memory across threads. A namespace is written with a unit separator before,
-- between and after its labels: what lies within it begins with it, and so is
-- a range of the index.
CREATE TABLE @schema@.memories (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    ttl_ms     bigint,
    expires_ms bigint,
    namespace  text   COLLATE "C" NOT NULL,
    key        text   COLLATE "C" NOT NULL,
    value      text   NOT NULL,
    -- What stands in memory_terms: so that a change finds the rows to remove,
    -- by whatever rules they were made.
    terms      text[] COLLATE "C" NOT NULL,
    UNIQUE (namespace, key)
);

CREATE INDEX memories_by_expiry ON @schema@.memories (expires_ms) WHERE expires_ms IS NOT NULL;

-- Which memories have a term. With the namespace, so that a search reads only
-- those within its own.
CREATE TABLE @schema@.memory_terms (
    memory    bigint NOT NULL,
    term      text   COLLATE "C" NOT NULL,
    namespace text   COLLATE "C" NOT NULL,
    PRIMARY KEY (term, namespace, memory)
);

-- Puts a memory in the place of the one that was there. One after the other:
-- whoever comes second waits for the first, and sees its terms.
CREATE FUNCTION @schema@.put_memory(
    space text, name text, now_ms bigint, ttl bigint, expiry bigint, content text, new_terms text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    old    record;
    number bigint;
BEGIN
    LOOP
        INSERT INTO @schema@.memories (namespace, key, created_ms, updated_ms, ttl_ms, expires_ms, value, terms)
            VALUES (space, name, now_ms, now_ms, ttl, expiry, content, new_terms)
            ON CONFLICT DO NOTHING RETURNING id INTO number;
        IF FOUND THEN
            INSERT INTO @schema@.memory_terms (memory, term, namespace)
                SELECT number, t.term, space FROM unnest(new_terms) AS t (term);
            RETURN;
        END IF;
        SELECT m.id, m.terms, m.created_ms, m.expires_ms INTO old
            FROM @schema@.memories AS m WHERE m.namespace = space AND m.key = name FOR UPDATE;
        -- Unless somebody removed it meanwhile.
        EXIT WHEN FOUND;
    END LOOP;
    UPDATE @schema@.memories
        SET created_ms = CASE WHEN old.expires_ms <= now_ms THEN now_ms ELSE old.created_ms END,
            updated_ms = now_ms, ttl_ms = ttl, expires_ms = expiry, value = content, terms = new_terms
        WHERE id = old.id;
    DELETE FROM @schema@.memory_terms AS t
        USING (SELECT unnest(old.terms) AS term EXCEPT SELECT unnest(new_terms)) AS gone
        WHERE t.term = gone.term AND t.namespace = space AND t.memory = old.id;
    INSERT INTO @schema@.memory_terms (memory, term, namespace)
        SELECT old.id, t.term, space FROM unnest(new_terms) AS t (term) ON CONFLICT DO NOTHING;
END $$;

-- Removes a memory; whether there was one that was not expired.
CREATE FUNCTION @schema@.remove_memory(space text, name text, now_ms bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    old record;
BEGIN
    DELETE FROM @schema@.memories AS m WHERE m.namespace = space AND m.key = name
        RETURNING m.id, m.terms, m.expires_ms INTO old;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM @schema@.memory_terms AS t USING unnest(old.terms) AS gone (term)
        WHERE t.term = gone.term AND t.namespace = space AND t.memory = old.id;
    RETURN coalesce(old.expires_ms > now_ms, true);
END $$;

-- Removes some of the memories that are expired; how many. Those that somebody
-- else is changing at this moment are left for the next time.
CREATE FUNCTION @schema@.sweep_memories(now_ms bigint, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    old   record;
    count bigint := 0;
BEGIN
    FOR old IN
        DELETE FROM @schema@.memories WHERE id IN (
            SELECT m.id FROM @schema@.memories AS m WHERE m.expires_ms <= now_ms
                LIMIT most FOR UPDATE SKIP LOCKED)
            RETURNING id, terms, namespace
    LOOP
        DELETE FROM @schema@.memory_terms AS t USING unnest(old.terms) AS gone (term)
            WHERE t.term = gone.term AND t.namespace = old.namespace AND t.memory = old.id;
        count := count + 1;
    END LOOP;
    RETURN count;
END $$;
