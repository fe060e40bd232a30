-- The catalog, and the queue of accepted runs. Each call is one function, one
-- statement and one transaction.
--
-- Whoever changes the runs of a thread holds the row of the thread in
-- `entries`: accepting, claiming and ending exclude each other there, one
-- thread at a time. Only a sign of life does without.

-- By this server's clock, read anew each time: a row that somebody else has
-- changed meanwhile must never seem to come from the future.
CREATE FUNCTION @schema@.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint$$;

-- What a server keeps beside threads and runs.
CREATE TABLE @schema@.entries (
    version    bigint NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    -- Indexed in the place of updated_ms: it changes about once a minute, so that
    -- most changes of a thread's status leave all indexes alone.
    updated_span bigint NOT NULL GENERATED ALWAYS AS (updated_ms >> 16) STORED,
    due_ms     bigint,
    -- Of the call that put it last: the same again has been carried out.
    token      bigint NOT NULL,
    kind       text   COLLATE "C" NOT NULL,
    id         text   COLLATE "C" NOT NULL,
    status     text   COLLATE "C" NOT NULL,
    label      text   COLLATE "C" NOT NULL,
    -- json keeps every number as it was written; jsonb does not, and is only
    -- what they are looked for by. What it can't hold may not be stored.
    metadata   json   NOT NULL,
    body       json   NOT NULL CHECK (body::jsonb IS NOT NULL),
    PRIMARY KEY (kind, id)
) WITH (fillfactor = 80);

CREATE INDEX entries_by_creation ON @schema@.entries (kind, created_ms);
CREATE INDEX entries_by_update ON @schema@.entries (kind, updated_span);
CREATE INDEX entries_by_due ON @schema@.entries (kind, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX entries_by_metadata ON @schema@.entries USING gin ((metadata::jsonb) jsonb_path_ops);

CREATE TABLE @schema@.runs (
    -- In the order in which they were accepted, on each thread.
    number      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_ms  bigint  NOT NULL,
    updated_ms  bigint  NOT NULL,
    -- 0: at once.
    due_ms      bigint  NOT NULL,
    -- How long the lease was made for tells one from before the clock was set back.
    lease_ms    bigint  NOT NULL DEFAULT 0,
    lease_until bigint  NOT NULL DEFAULT 0,
    attempt     bigint  NOT NULL DEFAULT 0,
    deaths      bigint  NOT NULL DEFAULT 0,
    digest      bigint,
    id          uuid    NOT NULL UNIQUE,
    -- Whether the thread waits for a worker because of this one. If it has no run
    -- under way, that of its pending ones which is due first is marked; otherwise
    -- none. So those who look for work see one row for each thread that has some.
    ready       boolean NOT NULL CHECK (NOT ready OR status = 'pending'),
    thread      text    COLLATE "C" NOT NULL,
    status      text    COLLATE "C" NOT NULL,
    owner       text    COLLATE "C" NOT NULL DEFAULT '',
    cancel      text    COLLATE "C",
    key         text    COLLATE "C",
    -- JSON that nobody looks into here.
    payload     text    NOT NULL,
    metadata    text    NOT NULL,
    outcome     text
) WITH (fillfactor = 80);

CREATE INDEX runs_by_thread ON @schema@.runs (thread, number);
CREATE UNIQUE INDEX runs_by_key ON @schema@.runs (key) WHERE key IS NOT NULL;
-- The locks see to it that there is one at most; this makes it sure.
CREATE UNIQUE INDEX runs_under_way ON @schema@.runs (thread) WHERE status = 'running';
CREATE INDEX runs_pending ON @schema@.runs (thread, due_ms, number) WHERE status = 'pending';
CREATE INDEX runs_ready ON @schema@.runs (number, due_ms) WHERE ready;

-- An object with the fields of another one in it; each value as it was written.
CREATE FUNCTION @schema@.merged(old json, more json) RETURNS json LANGUAGE sql AS $$
    SELECT coalesce(json_object_agg(f.key, f.value ORDER BY f.key COLLATE "C"), '{}')
    FROM (SELECT o.key, o.value FROM json_each(old) AS o
              WHERE NOT EXISTS (SELECT FROM json_each(more) AS m WHERE m.key = o.key)
          UNION ALL SELECT m.key, m.value FROM json_each(more) AS m) AS f
$$;

-- What a thread's entry says after one of its runs has ended.
CREATE FUNCTION @schema@.settle_thread(of_thread text, word text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE @schema@.entries AS e
        SET updated_ms = @schema@.now_ms(), version = e.version + 1,
            status = CASE
                WHEN EXISTS (SELECT FROM @schema@.runs AS r WHERE r.thread = of_thread AND r.status = 'running')
                    OR EXISTS (SELECT FROM @schema@.runs AS r WHERE r.thread = of_thread AND r.status = 'pending')
                THEN 'busy' ELSE word END
        WHERE e.kind = 'thread' AND e.id = of_thread;
END $$;

-- Lets those who look for work see the thread, if it has some.
CREATE FUNCTION @schema@.rouse_thread(of_thread text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE @schema@.runs AS r SET ready = true
        WHERE r.number = (SELECT n.number FROM @schema@.runs AS n
                              WHERE n.thread = of_thread AND n.status = 'pending'
                              ORDER BY n.due_ms, n.number LIMIT 1)
            AND NOT r.ready
            AND NOT EXISTS (SELECT FROM @schema@.runs AS o WHERE o.thread = of_thread AND o.status = 'running');
END $$;

-- The run that was accepted under this id or key: 'accepted' if it is this very
-- one, with those that stop because of it, 'again' or 'taken'.
CREATE FUNCTION @schema@.accepted_before(run_id uuid, request text, request_digest bigint)
RETURNS TABLE (verdict text, run @schema@.runs) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT 'accepted'::text, r FROM @schema@.runs AS r WHERE r.id = run_id;
    IF FOUND THEN
        RETURN QUERY SELECT 'stopping'::text, o
            FROM @schema@.runs AS r JOIN @schema@.runs AS o ON o.thread = r.thread
            WHERE r.id = run_id AND o.status = 'running' AND o.cancel IS NOT NULL AND o.id <> run_id;
    ELSIF request IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN r.digest = request_digest THEN 'again' ELSE 'taken' END, r
            FROM @schema@.runs AS r WHERE r.key = request;
    END IF;
END $$;

-- Accepts a run; `busy` says what becomes of the others on its thread: 'enqueue',
-- 'reject', 'interrupt' or 'rollback'. Gives 'accepted' with the run, and
-- 'stopping' with each that is to stop because of it; or 'again', 'taken', 'busy'
-- or 'no thread'. The same again, if its answer was lost, gives the run that is there.
CREATE FUNCTION @schema@.enqueue_run(
    run_id uuid, of_thread text, make boolean, thread_notes json, content text, notes text, busy text,
    request text, request_digest bigint, delay bigint, worker text, lease bigint
) RETURNS TABLE (verdict text, run @schema@.runs) LANGUAGE plpgsql AS $$
DECLARE
    stops CONSTANT boolean := busy IN ('interrupt', 'rollback');
    due       bigint;
    at_ms     bigint;
    accepted  bigint;
    locked    boolean := false;
    made      boolean := false;
    under_way boolean;
    begins    boolean;
BEGIN
    LOOP
        -- Looked for twice: before anything is locked, since a key may be known
        -- though the thread is not, and when nobody else can accept any more.
        RETURN QUERY SELECT b.verdict, b.run FROM @schema@.accepted_before(run_id, request, request_digest) AS b;
        IF FOUND THEN
            IF made THEN
                DELETE FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = of_thread;
            END IF;
            RETURN;
        END IF;
        IF NOT locked THEN
            PERFORM FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = of_thread FOR UPDATE;
            locked := FOUND;
            IF NOT locked THEN
                IF NOT make THEN
                    verdict := 'no thread';
                    RETURN NEXT;
                    RETURN;
                END IF;
                at_ms := @schema@.now_ms();
                INSERT INTO @schema@.entries
                        (kind, id, status, label, metadata, body, version, created_ms, updated_ms, token)
                    VALUES ('thread', of_thread, 'busy', '', '{}', '{}', 0, at_ms, at_ms, 0)
                    ON CONFLICT DO NOTHING;
                made := FOUND;
                -- If somebody else made it at this moment, it is there now.
                locked := FOUND;
            END IF;
            CONTINUE;
        END IF;

        under_way := EXISTS (SELECT FROM @schema@.runs AS r WHERE r.thread = of_thread AND r.status = 'running');
        IF busy = 'reject' AND (under_way OR EXISTS (
                SELECT FROM @schema@.runs AS r WHERE r.thread = of_thread AND r.status = 'pending')) THEN
            verdict := 'busy';
            RETURN NEXT;
            RETURN;
        END IF;
        at_ms := @schema@.now_ms();
        due := CASE WHEN delay > 0 THEN at_ms + delay ELSE 0 END;
        begins := worker IS NOT NULL AND delay <= 0 AND NOT under_way AND (stops OR NOT EXISTS (
            SELECT FROM @schema@.runs AS r
                WHERE r.thread = of_thread AND r.status = 'pending' AND r.due_ms <= at_ms));
        INSERT INTO @schema@.runs
                (id, thread, key, digest, payload, metadata, due_ms, created_ms, updated_ms, status, ready,
                 attempt, owner, lease_ms, lease_until)
            VALUES (run_id, of_thread, request, request_digest, content, notes, due, at_ms, at_ms,
                    CASE WHEN begins THEN 'running' ELSE 'pending' END,
                    NOT begins AND NOT under_way AND (stops OR NOT EXISTS (
                        SELECT FROM @schema@.runs AS r WHERE r.thread = of_thread AND r.status = 'pending'
                            AND r.ready AND r.due_ms <= due)),
                    CASE WHEN begins THEN 1 ELSE 0 END,
                    CASE WHEN begins THEN worker ELSE '' END,
                    CASE WHEN begins THEN lease ELSE 0 END,
                    CASE WHEN begins THEN at_ms + lease ELSE 0 END)
            ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING
            RETURNING number INTO accepted;
        EXIT WHEN FOUND;
        -- The key was taken at this moment, for a run on another thread.
    END LOOP;

    IF busy = 'rollback' THEN
        DELETE FROM @schema@.runs AS r
            WHERE r.thread = of_thread AND r.status = 'pending' AND r.number <> accepted;
    ELSIF busy = 'interrupt' THEN
        UPDATE @schema@.runs AS r SET status = 'cancelled', ready = false, cancel = busy, updated_ms = at_ms
            WHERE r.thread = of_thread AND r.status = 'pending' AND r.number <> accepted;
    ELSIF begins THEN
        UPDATE @schema@.runs AS r SET ready = false
            WHERE r.thread = of_thread AND r.status = 'pending' AND r.ready;
    END IF;
    IF stops AND under_way THEN
        RETURN QUERY UPDATE @schema@.runs AS r SET cancel = busy, updated_ms = at_ms
            WHERE r.thread = of_thread AND r.status = 'running' RETURNING 'stopping'::text, r;
    END IF;
    UPDATE @schema@.entries AS e
        SET status = 'busy', updated_ms = at_ms, version = e.version + 1,
            metadata = CASE WHEN thread_notes::text = '{}' THEN e.metadata
                            ELSE @schema@.merged(e.metadata, thread_notes) END
        WHERE e.kind = 'thread' AND e.id = of_thread;
    RETURN QUERY SELECT 'accepted'::text, r FROM @schema@.runs AS r WHERE r.number = accepted;
END $$;

-- Takes runs for a worker. Gives 'claimed' with each of them, 'dead' with each
-- that too many workers have died of, and at last 'waiting' with the number of
-- threads whose turn has not come, up to a thousand. Waits for nobody: what
-- somebody else is changing at this moment is left for the next time.
CREATE FUNCTION @schema@.claim_runs(worker text, lease bigint, most bigint, gone text[], most_deaths bigint)
RETURNS TABLE (verdict text, waiting bigint, run @schema@.runs) LANGUAGE plpgsql AS $$
DECLARE
    at_ms CONSTANT bigint := @schema@.now_ms();
    place record;
    taken bigint := 0;
BEGIN
    waiting := 0;
    -- In the order of their numbers, as signs of life are given: two who lock
    -- several never wait for each other.
    FOR place IN
        SELECT r.number, r.thread FROM @schema@.runs AS r
            WHERE r.status = 'running' AND (r.owner = ANY (gone)
                OR r.lease_until NOT BETWEEN at_ms + 1 AND at_ms + r.lease_ms)
            ORDER BY r.number
    LOOP
        PERFORM FROM @schema@.entries AS e
            WHERE e.kind = 'thread' AND e.id = place.thread FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- It may have ended, or given a sign of life, since the clock was read:
        -- one that was renewed after that seems to end too late.
        UPDATE @schema@.runs AS r
            SET deaths = r.deaths + 1, updated_ms = at_ms,
                status = CASE WHEN r.deaths + 1 >= most_deaths THEN 'dead' ELSE 'pending' END
            WHERE r.number = place.number AND r.status = 'running' AND (r.owner = ANY (gone)
                OR r.lease_until NOT BETWEEN @schema@.now_ms() + 1 AND @schema@.now_ms() + r.lease_ms)
            RETURNING r.* INTO run;
        CONTINUE WHEN NOT FOUND;
        IF run.status = 'dead' THEN
            PERFORM @schema@.settle_thread(place.thread, 'error');
            verdict := 'dead';
            RETURN NEXT;
        END IF;
        PERFORM @schema@.rouse_thread(place.thread);
    END LOOP;

    FOR place IN
        SELECT r.thread FROM @schema@.runs AS r WHERE r.ready AND r.due_ms <= at_ms
            ORDER BY r.number LIMIT 2 * most + 50
    LOOP
        EXIT WHEN taken >= most;
        PERFORM FROM @schema@.entries AS e
            WHERE e.kind = 'thread' AND e.id = place.thread FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- Only what is seen now, under the lock, counts.
        UPDATE @schema@.runs AS r
            SET status = 'running', ready = false, attempt = r.attempt + 1, owner = worker,
                lease_ms = lease, lease_until = @schema@.now_ms() + lease, updated_ms = at_ms
            WHERE r.number = (SELECT n.number FROM @schema@.runs AS n
                                  WHERE n.thread = place.thread AND n.status = 'pending' AND n.due_ms <= at_ms
                                  ORDER BY n.number LIMIT 1)
                AND NOT EXISTS (SELECT FROM @schema@.runs AS o
                                    WHERE o.thread = place.thread AND o.status = 'running')
            RETURNING r.* INTO run;
        CONTINUE WHEN NOT FOUND;
        UPDATE @schema@.runs AS r SET ready = false
            WHERE r.thread = place.thread AND r.status = 'pending' AND r.ready;
        taken := taken + 1;
        verdict := 'claimed';
        RETURN NEXT;
    END LOOP;

    SELECT count(*) INTO waiting
        FROM (SELECT FROM @schema@.runs AS r WHERE r.ready AND r.due_ms <= at_ms LIMIT 1000) AS w;
    verdict := 'waiting';
    run := NULL;
    RETURN NEXT;
END $$;

-- Renews a worker's leases; gives the runs that are still theirs.
CREATE FUNCTION @schema@.renew_runs(worker text, lease bigint, ids uuid[], attempts bigint[])
RETURNS SETOF @schema@.runs LANGUAGE plpgsql AS $$
DECLARE
    mine record;
BEGIN
    FOR mine IN
        SELECT r.number, a.attempt FROM unnest(ids, attempts) AS a (id, attempt)
            JOIN @schema@.runs AS r ON r.id = a.id ORDER BY r.number
    LOOP
        RETURN QUERY UPDATE @schema@.runs AS r
            SET lease_ms = lease, lease_until = @schema@.now_ms() + lease
            WHERE r.number = mine.number AND r.status = 'running' AND r.attempt = mine.attempt
                AND r.owner = worker
            RETURNING r.*;
    END LOOP;
END $$;

-- Says what came of a run. 1 if that counts, 0 if it is no longer the caller's
-- to say, and 2 if it has been said already, in the same words.
CREATE FUNCTION @schema@.settle_run(
    run_id uuid, nth bigint, new_status text, new_outcome text, thread_status text
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    of_thread text;
BEGIN
    SELECT r.thread INTO of_thread FROM @schema@.runs AS r WHERE r.id = run_id;
    PERFORM FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = of_thread FOR UPDATE;
    UPDATE @schema@.runs AS r
        SET status = new_status, outcome = new_outcome, updated_ms = @schema@.now_ms()
        WHERE r.id = run_id AND r.status = 'running' AND r.attempt = nth;
    IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (
            SELECT FROM @schema@.runs AS r WHERE r.id = run_id AND r.attempt = nth
                AND r.status = new_status AND r.outcome IS NOT DISTINCT FROM new_outcome) THEN 2 ELSE 0 END;
    END IF;
    PERFORM @schema@.settle_thread(of_thread, thread_status);
    PERFORM @schema@.rouse_thread(of_thread);
    RETURN 1;
END $$;

-- Stops those of these runs that wait or are under way, and are in one of the
-- wanted statuses, if any are named. Gives them, the latest first.
CREATE FUNCTION @schema@.cancel_runs(numbers bigint[], wanted text[], how text)
RETURNS SETOF @schema@.runs LANGUAGE plpgsql AS $$
DECLARE
    each_number bigint;
    stopped     @schema@.runs;
    all_stopped @schema@.runs[];
BEGIN
    -- All threads before all runs, in the order of their names.
    PERFORM FROM @schema@.entries AS e
        WHERE e.kind = 'thread' AND e.id IN (
            SELECT r.thread FROM @schema@.runs AS r
                WHERE r.number = ANY (numbers) AND r.status IN ('pending', 'running'))
        ORDER BY e.id FOR UPDATE;
    FOR each_number IN SELECT n.number FROM unnest(numbers) AS n (number) ORDER BY n.number LOOP
        UPDATE @schema@.runs AS r
            SET cancel = how, ready = false, updated_ms = @schema@.now_ms(),
                status = CASE WHEN r.status = 'pending' THEN 'cancelled' ELSE r.status END
            WHERE r.number = each_number AND r.status IN ('pending', 'running')
                AND (cardinality(wanted) = 0 OR r.status = ANY (wanted))
            RETURNING r.* INTO stopped;
        CONTINUE WHEN NOT FOUND;
        all_stopped := all_stopped || stopped;
        IF stopped.status = 'cancelled' THEN
            IF how = 'rollback' THEN
                DELETE FROM @schema@.runs AS r WHERE r.number = each_number;
            END IF;
            PERFORM @schema@.settle_thread(stopped.thread, 'interrupted');
            PERFORM @schema@.rouse_thread(stopped.thread);
        END IF;
    END LOOP;
    RETURN QUERY SELECT s.* FROM unnest(all_stopped) AS s ORDER BY s.number DESC;
END $$;

-- Forgets a run that is over, or that was claimed for the nth time. 1 if there
-- was one, 0 if it may not be forgotten, and 2 if there is none.
CREATE FUNCTION @schema@.forget_run(run_id uuid, nth bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    of_thread text;
    was       text;
BEGIN
    SELECT r.thread INTO of_thread FROM @schema@.runs AS r WHERE r.id = run_id;
    PERFORM FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = of_thread FOR UPDATE;
    DELETE FROM @schema@.runs AS r
        WHERE r.id = run_id AND (r.status NOT IN ('pending', 'running') OR r.attempt = nth)
        RETURNING r.status INTO was;
    IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM @schema@.runs AS r WHERE r.id = run_id) THEN 0 ELSE 2 END;
    END IF;
    IF was IN ('pending', 'running') THEN
        PERFORM @schema@.settle_thread(of_thread, 'idle');
        PERFORM @schema@.rouse_thread(of_thread);
    END IF;
    RETURN 1;
END $$;

-- Puts an entry in the place of the one that was there, if that is of the
-- expected version: 0 for none, NULL for any. Gives whether it is stored, and
-- what is there now.
CREATE FUNCTION @schema@.put_entry(
    of_kind text, name text, new_status text, new_label text, notes json, content json, new_due bigint,
    expected bigint, new_token bigint
) RETURNS TABLE (is_stored boolean, entry @schema@.entries) LANGUAGE plpgsql AS $$
DECLARE
    at_ms bigint;
BEGIN
    LOOP
        SELECT e.* INTO entry FROM @schema@.entries AS e WHERE e.kind = of_kind AND e.id = name FOR UPDATE;
        at_ms := @schema@.now_ms();
        IF FOUND THEN
            -- Sent before, and the answer was lost.
            is_stored := entry.token = new_token;
            IF NOT is_stored AND coalesce(expected, entry.version) = entry.version THEN
                UPDATE @schema@.entries AS e
                    SET status = new_status, label = new_label, metadata = notes, body = content,
                        due_ms = new_due, version = e.version + 1, updated_ms = at_ms, token = new_token
                    WHERE e.kind = of_kind AND e.id = name RETURNING e.* INTO entry;
                is_stored := true;
            END IF;
            EXIT;
        END IF;
        is_stored := false;
        EXIT WHEN expected <> 0;
        INSERT INTO @schema@.entries AS e
                (kind, id, status, label, metadata, body, due_ms, version, created_ms, updated_ms, token)
            VALUES (of_kind, name, new_status, new_label, notes, content, new_due, 1, at_ms, at_ms, new_token)
            ON CONFLICT DO NOTHING RETURNING e.* INTO entry;
        is_stored := FOUND;
        -- Unless somebody else made it at this moment.
        EXIT WHEN FOUND;
    END LOOP;
    RETURN NEXT;
END $$;

-- Removes an entry; a thread's with all of its runs. Whether there was one.
CREATE FUNCTION @schema@.remove_entry(of_kind text, name text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM @schema@.entries AS e WHERE e.kind = of_kind AND e.id = name FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF of_kind = 'thread' THEN
        DELETE FROM @schema@.runs AS r WHERE r.thread = name;
    END IF;
    DELETE FROM @schema@.entries AS e WHERE e.kind = of_kind AND e.id = name;
    RETURN true;
END $$;
