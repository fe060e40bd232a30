-- One lease for everything that a worker holds, renewed by one statement however
-- much that is. What a run's own lease says is only until when its worker is to
-- have heard of it: `lease_until` is set when it is claimed, and never again.

CREATE TABLE @schema@.worker_leases (
    -- How long the lease was made for tells one from before the clock was set back.
    lease_ms    bigint NOT NULL,
    lease_until bigint NOT NULL,
    owner       text   COLLATE "C" PRIMARY KEY
) WITH (fillfactor = 50);

-- What is under way goes on; nobody has to be told.
INSERT INTO @schema@.worker_leases (owner, lease_ms, lease_until)
    SELECT r.owner, max(r.lease_ms), max(r.lease_until) FROM @schema@.runs AS r
        WHERE r.status = 'running' AND r.owner <> '' GROUP BY r.owner;

-- The runs of an owner: those of one whose lease has ended are found without
-- looking at the others, and so are those that are to be stopped.
CREATE INDEX runs_by_owner ON @schema@.runs (owner, number) WHERE status = 'running';
CREATE INDEX runs_to_stop ON @schema@.runs (owner) WHERE status = 'running' AND cancel IS NOT NULL;

-- Whether a lease counts, by this server's clock, read anew each time.
CREATE FUNCTION @schema@.is_valid(until_ms bigint, made_for_ms bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    now_ms CONSTANT bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
    RETURN until_ms BETWEEN now_ms + 1 AND now_ms + made_for_ms;
END $$;

-- Until when a run of this owner keeps others off its thread; NULL if none is
-- under way there. As long as its worker lives, it need not write to keep it.
CREATE FUNCTION @schema@.kept_until(of_thread text, of_owner text) RETURNS bigint LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (SELECT w.lease_until FROM @schema@.runs AS r JOIN @schema@.worker_leases AS w ON w.owner = r.owner
        WHERE r.thread = of_thread AND r.status = 'running' AND r.owner = of_owner
            AND @schema@.is_valid(w.lease_until, w.lease_ms));
END $$;

CREATE FUNCTION @schema@.is_kept(of_thread text, of_owner text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN @schema@.kept_until(of_thread, of_owner) IS NOT NULL;
END $$;

CREATE FUNCTION @schema@.set_worker(worker text, lease bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO @schema@.worker_leases AS w (owner, lease_ms, lease_until)
        VALUES (worker, lease, @schema@.now_ms() + lease)
        ON CONFLICT (owner) DO UPDATE SET lease_ms = excluded.lease_ms, lease_until = excluded.lease_until;
END $$;

-- A sign of life beside the renewals. Between two of them it changes nothing, and
-- locks nothing: claims do not wait for each other.
CREATE FUNCTION @schema@.keep_worker(worker text, lease bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM @schema@.worker_leases AS w WHERE w.owner = worker
            AND w.lease_until >= @schema@.now_ms() + lease / 2 AND @schema@.is_valid(w.lease_until, w.lease_ms)) THEN
        PERFORM @schema@.set_worker(worker, lease);
    END IF;
END $$;

-- Renews a worker's lease. Gives up those of its runs that it does not know though
-- they were claimed longer ago than a lease lasts. Gives those that it has then.
CREATE FUNCTION @schema@.renew_worker(worker text, lease bigint, ids uuid[], attempts bigint[])
RETURNS TABLE (run_id uuid, nth bigint, how text, overdue boolean) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    unknown record;
BEGIN
    PERFORM @schema@.set_worker(worker, lease);
    IF cardinality(ids) > 0 THEN
        FOR unknown IN
            SELECT r.number, a.attempt FROM unnest(ids, attempts) AS a (id, attempt)
                JOIN @schema@.runs AS r ON r.id = a.id ORDER BY r.number
        LOOP
            UPDATE @schema@.runs AS r SET owner = ''
                WHERE r.number = unknown.number AND r.status = 'running' AND r.attempt = unknown.attempt
                    AND r.owner = worker AND NOT @schema@.is_valid(r.lease_until, r.lease_ms);
        END LOOP;
    END IF;
    -- Those of workers that have long been gone. One of whom something is left is
    -- needed until that is taken over.
    DELETE FROM @schema@.worker_leases AS d WHERE d.owner IN (
        SELECT w.owner FROM @schema@.worker_leases AS w
            WHERE w.lease_until < @schema@.now_ms() - 3600000 AND NOT EXISTS (
                SELECT FROM @schema@.runs AS r WHERE r.owner = w.owner AND r.status = 'running')
            FOR UPDATE SKIP LOCKED);
    RETURN QUERY SELECT r.id, r.attempt, r.cancel, NOT @schema@.is_valid(r.lease_until, r.lease_ms)
        FROM @schema@.runs AS r WHERE r.owner = worker AND r.status = 'running';
END $$;

-- What programs of the version before call: they run beside newer ones while
-- those are brought up.
CREATE OR REPLACE FUNCTION @schema@.renew_runs(worker text, lease bigint, ids uuid[], attempts bigint[])
RETURNS SETOF @schema@.runs LANGUAGE plpgsql AS $$
BEGIN
    PERFORM @schema@.set_worker(worker, lease);
    RETURN QUERY SELECT r.* FROM unnest(ids, attempts) AS a (id, attempt) JOIN @schema@.runs AS r ON r.id = a.id
        WHERE r.status = 'running' AND r.attempt = a.attempt AND r.owner = worker;
END $$;

-- What has become of several threads since somebody looked: the head of each that
-- has changed, and then the rows that follow what is known of it, at most so many
-- of a thread and no more of any once there are so many bytes.
CREATE FUNCTION @schema@.updates_since(
    names text[], incarnations bigint[], versions bigint[], starts bigint[], most bigint, most_bytes bigint
) RETURNS TABLE (nth bigint, head @schema@.threads, entry @schema@.log) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    place record;
    size  bigint := 0;
BEGIN
    FOR place IN
        SELECT k.nth, k.incarnation, k.start, t AS found
            FROM unnest(names, incarnations, versions, starts) WITH ORDINALITY
                AS k (name, incarnation, version, start, nth)
            LEFT JOIN @schema@.threads AS t ON t.name = k.name
            WHERE t.incarnation IS DISTINCT FROM k.incarnation OR t.version IS DISTINCT FROM k.version
    LOOP
        nth := place.nth;
        head := place.found;
        entry := NULL;
        RETURN NEXT;
        CONTINUE WHEN head.id IS NULL OR size >= most_bytes OR head.incarnation IS DISTINCT FROM place.incarnation;
        FOR entry IN
            SELECT l.* FROM @schema@.log AS l
                WHERE l.thread = (place.found).id AND l.seq >= place.start AND l.seq < (place.found).next_seq
                ORDER BY l.seq LIMIT most
        LOOP
            head := NULL;
            size := size + length(entry.payload);
            RETURN NEXT;
            EXIT WHEN size >= most_bytes;
        END LOOP;
    END LOOP;
END $$;

-- Takes runs for a worker. Gives 'claimed' with each of them, 'dead' with each
-- that too many workers have died of, and at last 'waiting' with the number of
-- threads whose turn has not come, up to a thousand. Waits for nobody: what
-- somebody else is changing at this moment is left for the next time.
CREATE OR REPLACE FUNCTION @schema@.claim_runs(worker text, lease bigint, most bigint, gone text[], most_deaths bigint)
RETURNS TABLE (verdict text, waiting bigint, run @schema@.runs) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    at_ms CONSTANT bigint := @schema@.now_ms();
    place  record;
    silent text[];
    taken  bigint := 0;
BEGIN
    waiting := 0;
    -- Who gave no sign of life for too long, and what nobody has any more.
    silent := gone || ARRAY[''] || ARRAY (
        SELECT w.owner FROM @schema@.worker_leases AS w WHERE NOT @schema@.is_valid(w.lease_until, w.lease_ms));
    -- After that: who comes back from a long silence has lost its runs, too. And
    -- before anything is locked: whoever holds a thread never waits for this.
    IF EXISTS (SELECT FROM @schema@.runs AS r WHERE r.ready AND r.due_ms <= at_ms)
            OR EXISTS (SELECT FROM @schema@.runs AS r WHERE r.status = 'running' AND r.owner = ANY (silent)) THEN
        PERFORM @schema@.keep_worker(worker, lease);
    END IF;
    -- In the order of their numbers, as everybody locks them.
    FOR place IN
        SELECT r.number, r.thread FROM @schema@.runs AS r
            WHERE r.status = 'running' AND r.owner = ANY (silent)
            ORDER BY r.number
    LOOP
        PERFORM FROM @schema@.entries AS e
            WHERE e.kind = 'thread' AND e.id = place.thread FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- It may have ended since, or its worker may have come back.
        UPDATE @schema@.runs AS r
            SET deaths = r.deaths + 1, updated_ms = at_ms,
                status = CASE WHEN r.deaths + 1 >= most_deaths THEN 'dead' ELSE 'pending' END
            WHERE r.number = place.number AND r.status = 'running' AND r.owner = ANY (silent)
                AND (r.owner = ANY (gone) OR r.owner = worker OR NOT EXISTS (
                    SELECT FROM @schema@.worker_leases AS w
                        WHERE w.owner = r.owner AND @schema@.is_valid(w.lease_until, w.lease_ms)))
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

-- Accepts a group of runs, each as `enqueue_run` does, none of which stops
-- others. No two are on the same thread, and the caller sorts them by it, so
-- that two groups lock the threads that they share in the same order.
--
-- `alone` are those whose thread is to be made if there is none, and that have
-- no key: if there is none, nobody can know of the run or be in its way.
CREATE OR REPLACE FUNCTION @schema@.enqueue_runs(
    ids uuid[], threads text[], alone boolean[], makes boolean[], thread_notes text[], contents text[],
    notes text[], busies text[], requests text[], digests bigint[], delays bigint[], workers text[],
    leases bigint[]
) RETURNS TABLE (nth integer, verdict text, run @schema@.runs) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    at_ms CONSTANT bigint := @schema@.now_ms();
    fresh text[];
BEGIN
    -- Before anything is locked: whoever holds a thread never waits for this.
    PERFORM @schema@.keep_worker(w.worker, w.lease)
        FROM (SELECT u.worker, max(u.lease) AS lease FROM unnest(workers, leases) AS u (worker, lease)
                  WHERE u.worker IS NOT NULL GROUP BY u.worker) AS w;
    WITH made AS (
        INSERT INTO @schema@.entries AS e
                (kind, id, status, label, metadata, body, version, created_ms, updated_ms, token)
            SELECT 'thread', a.thread, 'busy', '', a.notes::json, '{}'::json, 1, at_ms, at_ms, 0
            FROM unnest(threads, alone, thread_notes) WITH ORDINALITY AS a (thread, alone, notes, nth)
            WHERE a.alone ORDER BY a.nth
            ON CONFLICT DO NOTHING RETURNING e.id)
        SELECT coalesce(array_agg(m.id), '{}') INTO fresh FROM made AS m;
    RETURN QUERY WITH accepted AS (
        INSERT INTO @schema@.runs AS r
                (id, thread, payload, metadata, due_ms, created_ms, updated_ms, status, ready, attempt, owner,
                 lease_ms, lease_until)
            SELECT a.id, a.thread, a.content, a.notes, CASE WHEN a.delay > 0 THEN at_ms + a.delay ELSE 0 END,
                at_ms, at_ms, CASE WHEN a.begins THEN 'running' ELSE 'pending' END, NOT a.begins,
                a.begins::integer, CASE WHEN a.begins THEN a.worker ELSE '' END,
                CASE WHEN a.begins THEN a.lease ELSE 0 END, CASE WHEN a.begins THEN at_ms + a.lease ELSE 0 END
            FROM (SELECT u.*, u.worker IS NOT NULL AND u.delay <= 0 AS begins
                    FROM unnest(ids, threads, contents, notes, delays, workers, leases) WITH ORDINALITY
                        AS u (id, thread, content, notes, delay, worker, lease, nth)) AS a
            WHERE a.thread = ANY (fresh) ORDER BY a.nth
            RETURNING r)
        SELECT array_position(ids, (a.r).id), 'accepted'::text, a.r FROM accepted AS a;
    FOR i IN 1 .. cardinality(ids) LOOP
        IF threads[i] <> ALL (fresh) THEN
            RETURN QUERY SELECT i, e.verdict, e.run FROM @schema@.enqueue_run(
                ids[i], threads[i], makes[i], thread_notes[i]::json, contents[i], notes[i], busies[i],
                requests[i], digests[i], delays[i], workers[i], leases[i]) AS e;
        END IF;
    END LOOP;
END $$;

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
CREATE OR REPLACE FUNCTION @schema@.commit(
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
                         OR NOT (@schema@.is_valid(t.lease_until, t.lease_ms) OR @schema@.is_kept(t.name, t.owner)))
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
                    AND (@schema@.is_valid(head.lease_until, head.lease_ms) OR @schema@.is_kept(names[i], head.owner)) THEN
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
