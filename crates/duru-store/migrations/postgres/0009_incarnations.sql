-- Which of the threads and entries that have had a name. Those from before have
-- number 0, and whatever is made under their names later has another.
ALTER TABLE @schema@.threads ADD COLUMN incarnation bigint NOT NULL DEFAULT 0;
ALTER TABLE @schema@.entries ADD COLUMN incarnation bigint NOT NULL DEFAULT 0;
ALTER TABLE @schema@.entries
    ALTER COLUMN incarnation SET DEFAULT floor(random() * 9007199254740991)::bigint + 1;

-- How often rows were removed. Of threads from before nobody knows; it may have been.
ALTER TABLE @schema@.threads ADD COLUMN removals bigint NOT NULL DEFAULT 1;

-- What wrote a checkpoint, so that a few of many are found. It stands near the
-- beginning of what a checkpoint says, before anything that people wrote.
ALTER TABLE @schema@.log ADD COLUMN source smallint;
UPDATE @schema@.log
    SET source = CASE substring(encode(substring(payload FROM 1 FOR 400), 'escape') FROM '"source":"([a-z]+)"')
        WHEN 'input' THEN 1 WHEN 'loop' THEN 2 WHEN 'resume' THEN 3 WHEN 'continue' THEN 4
        WHEN 'deadline' THEN 5 WHEN 'update' THEN 6 WHEN 'fork' THEN 7 END
    WHERE kind = 2;

CREATE INDEX log_by_checkpoint ON @schema@.log (thread, checkpoint) WHERE checkpoint IS NOT NULL;
CREATE INDEX log_by_source ON @schema@.log (thread, ns, source, seq) WHERE source IS NOT NULL;
-- Where runs begin and end.
CREATE INDEX log_by_run ON @schema@.log (thread, run, seq) WHERE kind IN (1, 7);

DROP FUNCTION @schema@.commit;
DROP FUNCTION @schema@.rows_of;
DROP FUNCTION @schema@.put_entry;

-- Writes a group of commits, each on its own: one that does not extend its
-- thread is refused and takes no other along. The caller sorts them by name, so
-- that two groups lock the threads that they share in the same order.
--
-- A commit with `events` -1 is known to be refused: only the head is wanted.
--
-- Gives seven numbers for each commit: 1 if it is written, 0 if it was refused, 2
-- if another owner's lease keeps it from claiming the thread, and 3 if it would
-- make a thread for a run that is no longer in the queue; then the head's
-- version, epoch, next_seq, created_ms, incarnation and removals, as the commit
-- left them or as they stand in its way (0 if there is no thread).
CREATE FUNCTION @schema@.commit(
    names text[], tokens bigint[], incarnations bigint[], versions bigint[], epochs bigint[], claims bigint[], statuses text[],
    ats bigint[], firsts bigint[], counts bigint[], owners text[], leases bigint[], instead text[],
    queued uuid[], removes bigint[], removed_of integer[], removed_from bigint[], removed_until bigint[],
    row_of integer[], row_seq bigint[], row_events integer[], row_ns text[], row_kind smallint[],
    row_run uuid[], row_checkpoint uuid[], row_source smallint[], row_at bigint[], row_format integer[], row_payload bytea[],
    row_checksum bigint[],
    snapshot_of integer[], snapshot_ns text[], snapshot_seq bigint[], snapshot_format integer[],
    snapshot_payload bytea[], snapshot_checksum bigint[],
    timer_of integer[], timer_interrupt uuid[], timer_at bigint[],
    cleared_of integer[], cleared_interrupt uuid[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    head   record;
    ids    bigint[];
    result bigint[];
    wrote  bigint;
    -- Leases are by this server's clock.
    now_ms CONSTANT bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
    FOR i IN 1 .. cardinality(names) LOOP
        wrote := 1;
        IF counts[i] < 0 THEN
            wrote := 0;
        ELSIF versions[i] > 0 THEN
            -- Version, epoch and next number are compared in the statement
            -- that changes them.
            UPDATE @schema@.threads AS t
                SET version = t.version + 1, epoch = t.epoch + claims[i], next_seq = t.next_seq + counts[i],
                    removals = t.removals + removes[i],
                    status = statuses[i], updated_ms = ats[i], updated_span = ats[i] >> 16, token = tokens[i],
                    owner = owners[i], lease_ms = leases[i], lease_until = now_ms + leases[i]
                WHERE t.name = names[i] AND t.incarnation = incarnations[i]
                    AND t.version = versions[i] AND t.epoch = epochs[i]
                    AND t.next_seq = coalesce(firsts[i], t.next_seq)
                    -- A claim has to wait while somebody else's lease is valid.
                    AND (claims[i] = 0 OR t.owner = owners[i] OR t.owner = coalesce(instead[i], owners[i])
                         -- Asked anew: whoever had to wait for the row sees a lease that was
                         -- renewed after this statement began.
                         OR t.lease_until NOT BETWEEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1 AND (extract(epoch FROM clock_timestamp()) * 1000)::bigint + t.lease_ms)
                RETURNING t.id, t.version, t.epoch, t.next_seq, t.created_ms, t.incarnation, t.removals INTO head;
            IF NOT FOUND THEN wrote := 0; END IF;
        ELSIF queued[i] IS NOT NULL AND NOT EXISTS (
                SELECT FROM @schema@.runs AS r WHERE r.id = queued[i] FOR KEY SHARE) THEN
            -- Whoever removes a thread removes its runs before its rows: this one came too late.
            wrote := 3;
        ELSE
            INSERT INTO @schema@.threads
                    (name, incarnation, removals, version, epoch, next_seq, status, created_ms, updated_ms, updated_span, token,
                     owner, lease_ms, lease_until)
                VALUES (names[i], incarnations[i], removes[i], 1, claims[i], counts[i], statuses[i], ats[i], ats[i], ats[i] >> 16, tokens[i],
                        owners[i], leases[i], now_ms + leases[i])
                ON CONFLICT DO NOTHING
                RETURNING id, version, epoch, next_seq, created_ms, incarnation, removals INTO head;
            IF NOT FOUND THEN wrote := 0; END IF;
        END IF;
        IF wrote = 1 THEN
            ids[i] := head.id;
        ELSE
            SELECT t.version, t.epoch, t.next_seq, t.created_ms, t.incarnation, t.removals, t.token, t.owner, t.lease_ms, t.lease_until
                INTO head FROM @schema@.threads AS t WHERE t.name = names[i];
            IF head.token = tokens[i] THEN
                -- Sent before, and the answer was lost.
                wrote := 1;
            ELSIF wrote = 0 AND claims[i] = 1 AND head.owner <> owners[i] AND head.owner <> coalesce(instead[i], owners[i])
                    AND head.lease_until BETWEEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1 AND (extract(epoch FROM clock_timestamp()) * 1000)::bigint + head.lease_ms THEN
                wrote := 2;
            END IF;
        END IF;
        result := result || ARRAY[wrote, coalesce(head.version, 0), coalesce(head.epoch, 0),
                                  coalesce(head.next_seq, 0), coalesce(head.created_ms, 0),
                                  coalesce(head.incarnation, 0), coalesce(head.removals, 0)];
    END LOOP;
    IF ids IS NULL THEN
        RETURN result;
    END IF;

    IF cardinality(removed_of) > 0 THEN
        DELETE FROM @schema@.log AS l
            USING unnest(removed_of, removed_from, removed_until) AS r (of, start, until)
            WHERE l.thread = ids[r.of] AND l.seq >= r.start AND l.seq < r.until;
        DELETE FROM @schema@.snapshots AS s
            USING unnest(removed_of, removed_from, removed_until) AS r (of, start, until)
            WHERE s.thread = ids[r.of] AND s.seq >= r.start AND s.seq < r.until;
    END IF;
    INSERT INTO @schema@.log
            (thread, seq, events, ns, kind, run, checkpoint, source, at_ms, format, payload, checksum)
        SELECT ids[r.of], r.seq, r.events, r.ns, r.kind, r.run, r.checkpoint, r.source, r.at, r.format, r.payload,
            r.checksum
        FROM unnest(row_of, row_seq, row_events, row_ns, row_kind, row_run, row_checkpoint, row_source, row_at,
                    row_format, row_payload, row_checksum)
            AS r (of, seq, events, ns, kind, run, checkpoint, source, at, format, payload, checksum)
        WHERE ids[r.of] IS NOT NULL;
    IF cardinality(snapshot_of) > 0 THEN
        INSERT INTO @schema@.snapshots (thread, ns, seq, format, payload, checksum)
            SELECT ids[s.of], s.ns, s.seq, s.format, s.payload, s.checksum
            FROM unnest(snapshot_of, snapshot_ns, snapshot_seq, snapshot_format, snapshot_payload, snapshot_checksum)
                AS s (of, ns, seq, format, payload, checksum)
            WHERE ids[s.of] IS NOT NULL
            ON CONFLICT (thread, ns, seq) DO UPDATE
                SET format = excluded.format, payload = excluded.payload, checksum = excluded.checksum;
    END IF;
    IF cardinality(timer_of) > 0 THEN
        INSERT INTO @schema@.timers (thread, interrupt, at_ms)
            SELECT ids[t.of], t.interrupt, t.at
            FROM unnest(timer_of, timer_interrupt, timer_at) AS t (of, interrupt, at)
            WHERE ids[t.of] IS NOT NULL
            ON CONFLICT (thread, interrupt) DO UPDATE SET at_ms = excluded.at_ms;
    END IF;
    IF cardinality(cleared_of) > 0 THEN
        DELETE FROM @schema@.timers AS t
            USING unnest(cleared_of, cleared_interrupt) AS c (of, interrupt)
            WHERE t.thread = ids[c.of] AND t.interrupt = c.interrupt;
    END IF;
    RETURN result;
END $$;

-- Rows have no gaps: the last row that begins at or before `start` is the only
-- one that may reach over it.
CREATE FUNCTION @schema@.rows_of(
    thread_name text, of_incarnation bigint, start bigint, until bigint, space text, unwanted smallint[],
    most bigint, newest_first boolean
) RETURNS SETOF @schema@.log LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    number  bigint;
    reaches bigint;
BEGIN
    SELECT t.id INTO number FROM @schema@.threads AS t
        WHERE t.name = thread_name AND t.incarnation = coalesce(of_incarnation, t.incarnation);
    SELECT coalesce(max(l.seq), 0) INTO reaches FROM @schema@.log AS l
        WHERE l.thread = number AND l.seq <= start;
    IF newest_first THEN
        RETURN QUERY SELECT l.* FROM @schema@.log AS l
            WHERE l.thread = number AND l.seq >= reaches AND l.seq < until
                AND (l.seq + l.events > start OR l.events < 0)
                AND l.ns = coalesce(space, l.ns) AND l.kind <> ALL (unwanted)
            ORDER BY l.seq DESC LIMIT most;
    ELSE
        RETURN QUERY SELECT l.* FROM @schema@.log AS l
            WHERE l.thread = number AND l.seq >= reaches AND l.seq < until
                AND (l.seq + l.events > start OR l.events < 0)
                AND l.ns = coalesce(space, l.ns) AND l.kind <> ALL (unwanted)
            ORDER BY l.seq LIMIT most;
    END IF;
END $$;

-- Puts an entry in the place of the one that was there, if that is of the
-- expected version: 0 for none, NULL for any. Gives whether it is stored, and
-- what is there now.
CREATE FUNCTION @schema@.put_entry(
    of_kind text, name text, new_status text, new_label text, notes json, content json, new_due bigint,
    of_incarnation bigint, expected bigint, new_token bigint
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
            IF NOT is_stored AND coalesce(expected, entry.version) = entry.version
                    AND (expected IS NULL OR entry.incarnation = of_incarnation) THEN
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

-- Removes an entry; a thread's with all of its runs and its log. Whether there was one.
CREATE OR REPLACE FUNCTION @schema@.remove_entry(of_kind text, name text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    there boolean;
BEGIN
    PERFORM FROM @schema@.entries AS e WHERE e.kind = of_kind AND e.id = name FOR UPDATE;
    there := FOUND;
    IF of_kind = 'thread' THEN
        -- The runs first: a commit that makes the thread holds its run until it is done, and is seen then; or it
        -- finds the run gone.
        DELETE FROM @schema@.runs AS r WHERE r.thread = name;
        PERFORM @schema@.remove_threads(ARRAY[name]);
    END IF;
    DELETE FROM @schema@.entries AS e WHERE e.kind = of_kind AND e.id = name;
    RETURN there;
END $$;

-- Says what came of a group of runs, no two of them the same. For each, 1 if
-- that counts, 0 if it is no longer the caller's to say, 2 if it has been said
-- already, in the same words, and 3 if there is no such run. Where `removes` says
-- so, the run goes with the entry of its thread, its log and all its other runs.
CREATE OR REPLACE FUNCTION @schema@.settle_runs(
    ids uuid[], attempts bigint[], statuses text[], outcomes text[], words text[], removes boolean[]
) RETURNS integer[] LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    mine   record;
    gone   text[] := '{}';
    result integer[] := array_fill(3, ARRAY[cardinality(ids)]);
BEGIN
    -- All threads before all runs, both in the order that everybody keeps.
    PERFORM FROM @schema@.entries AS e
        WHERE e.kind = 'thread' AND e.id = ANY (ARRAY (
            SELECT r.thread FROM @schema@.runs AS r WHERE r.id = ANY (ids)))
        ORDER BY e.id FOR UPDATE;
    FOR mine IN
        SELECT r.number, r.thread, r.status, r.attempt, r.outcome, array_position(ids, r.id) AS nth
            FROM @schema@.runs AS r WHERE r.id = ANY (ids) ORDER BY r.number FOR UPDATE
    LOOP
        IF mine.status <> 'running' OR mine.attempt <> attempts[mine.nth] THEN
            result[mine.nth] := CASE WHEN mine.attempt = attempts[mine.nth] AND mine.status = statuses[mine.nth]
                AND mine.outcome IS NOT DISTINCT FROM outcomes[mine.nth] THEN 2 ELSE 0 END;
            CONTINUE;
        END IF;
        result[mine.nth] := 1;
        IF removes[mine.nth] THEN
            gone := gone || mine.thread;
            CONTINUE;
        END IF;
        UPDATE @schema@.runs AS r
            SET status = statuses[mine.nth], outcome = outcomes[mine.nth], updated_ms = @schema@.now_ms()
            WHERE r.number = mine.number;
        PERFORM @schema@.settle_thread(mine.thread, words[mine.nth]);
        PERFORM @schema@.rouse_thread(mine.thread);
    END LOOP;
    IF cardinality(gone) > 0 THEN
        DELETE FROM @schema@.runs AS r WHERE r.thread = ANY (gone);
        PERFORM @schema@.remove_threads(gone);
        DELETE FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = ANY (gone);
    END IF;
    RETURN result;
END $$;
