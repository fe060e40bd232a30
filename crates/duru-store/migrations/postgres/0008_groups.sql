-- Calls that wait travel together: one message, one transaction, one wait for
-- the disk. Each is judged alone, as if it had come alone; if the server can't
-- carry one of them out, the caller sends each by itself.
--
-- Plans are made once for a session, and not for tables as small as they
-- happen to be at that moment: an index is used in any case.

-- An object with the fields of another one in it; each value as it was written.
-- In this language its plan is kept.
CREATE OR REPLACE FUNCTION @schema@.merged(old json, more json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT coalesce(json_object_agg(f.key, f.value ORDER BY f.key COLLATE "C"), '{}')
        FROM (SELECT o.key, o.value FROM json_each(old) AS o
                  WHERE NOT EXISTS (SELECT FROM json_each(more) AS m WHERE m.key = o.key)
              UNION ALL SELECT m.key, m.value FROM json_each(more) AS m) AS f);
END $$;

-- Accepts a group of runs, each as `enqueue_run` does, none of which stops
-- others. No two are on the same thread, and the caller sorts them by it, so
-- that two groups lock the threads that they share in the same order.
--
-- `alone` are those whose thread is to be made if there is none, and that have
-- no key: if there is none, nobody can know of the run or be in its way.
CREATE FUNCTION @schema@.enqueue_runs(
    ids uuid[], threads text[], alone boolean[], makes boolean[], thread_notes text[], contents text[],
    notes text[], busies text[], requests text[], digests bigint[], delays bigint[], workers text[],
    leases bigint[]
) RETURNS TABLE (nth integer, verdict text, run @schema@.runs) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    at_ms CONSTANT bigint := @schema@.now_ms();
    fresh text[];
BEGIN
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

-- Says what came of a group of runs, no two of them the same. For each, 1 if
-- that counts, 0 if it is no longer the caller's to say, 2 if it has been said
-- already, in the same words, and 3 if there is no such run. Where `removes` says
-- so, the run goes with the entry of its thread and with all other runs of that.
CREATE FUNCTION @schema@.settle_runs(
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
        DELETE FROM @schema@.entries AS e WHERE e.kind = 'thread' AND e.id = ANY (gone);
    END IF;
    RETURN result;
END $$;

-- Removes threads and everything of them; gives the names of those that were
-- there. One statement after the other: a commit that holds a thread is waited
-- for, and its rows are seen.
CREATE FUNCTION @schema@.remove_threads(names text[]) RETURNS text[] LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    numbers bigint[];
    there   text[];
BEGIN
    SELECT coalesce(array_agg(t.id), '{}'), coalesce(array_agg(t.name), '{}') INTO numbers, there
        FROM (SELECT t.id, t.name FROM @schema@.threads AS t
                  WHERE t.name = ANY (names) ORDER BY t.name FOR UPDATE) AS t;
    IF cardinality(numbers) > 0 THEN
        DELETE FROM @schema@.threads WHERE id = ANY (numbers);
        DELETE FROM @schema@.log WHERE thread = ANY (numbers);
        DELETE FROM @schema@.snapshots WHERE thread = ANY (numbers);
        DELETE FROM @schema@.timers WHERE thread = ANY (numbers);
    END IF;
    RETURN there;
END $$;

DROP FUNCTION @schema@.settle_run;
DROP FUNCTION @schema@.remove;

-- What readers ask most. A statement that stands in a function is planned once
-- for a session; sent by itself it is planned each time, which costs more than
-- to carry it out. `STABLE` makes all statements of a function see one moment.

CREATE FUNCTION @schema@.head_of(thread_name text) RETURNS SETOF @schema@.threads LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY SELECT * FROM @schema@.threads AS t WHERE t.name = thread_name;
END $$;

CREATE FUNCTION @schema@.snapshot_of(thread_name text, space text, latest bigint)
RETURNS SETOF @schema@.snapshots LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY SELECT s.* FROM @schema@.snapshots AS s
        WHERE s.thread = (SELECT t.id FROM @schema@.threads AS t WHERE t.name = thread_name)
            AND s.ns = space AND s.seq <= latest
        ORDER BY s.seq DESC LIMIT 1;
END $$;

-- Rows have no gaps: the last row that begins at or before `start` is the only
-- one that may reach over it.
CREATE FUNCTION @schema@.rows_of(
    thread_name text, start bigint, until bigint, space text, unwanted smallint[], most bigint, of_run uuid,
    of_checkpoint uuid, newest_first boolean
) RETURNS SETOF @schema@.log LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    number  bigint;
    reaches bigint;
BEGIN
    SELECT t.id INTO number FROM @schema@.threads AS t WHERE t.name = thread_name;
    SELECT coalesce(max(l.seq), 0) INTO reaches FROM @schema@.log AS l
        WHERE l.thread = number AND l.seq <= start;
    IF newest_first THEN
        RETURN QUERY SELECT l.* FROM @schema@.log AS l
            WHERE l.thread = number AND l.seq >= reaches AND l.seq < until
                AND (l.seq + l.events > start OR l.events < 0)
                AND l.ns = coalesce(space, l.ns) AND l.kind <> ALL (unwanted)
                AND l.run = coalesce(of_run, l.run) AND (of_checkpoint IS NULL OR l.checkpoint = of_checkpoint)
            ORDER BY l.seq DESC LIMIT most;
    ELSE
        RETURN QUERY SELECT l.* FROM @schema@.log AS l
            WHERE l.thread = number AND l.seq >= reaches AND l.seq < until
                AND (l.seq + l.events > start OR l.events < 0)
                AND l.ns = coalesce(space, l.ns) AND l.kind <> ALL (unwanted)
                AND l.run = coalesce(of_run, l.run) AND (of_checkpoint IS NULL OR l.checkpoint = of_checkpoint)
            ORDER BY l.seq LIMIT most;
    END IF;
END $$;
