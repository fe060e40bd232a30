-- Who runs a thread. Nobody else may begin before `lease_until`, by this
-- server's clock; `lease_ms` is how long the lease was made for, which tells one
-- from before the clock was set back.
ALTER TABLE @schema@.threads
    ADD COLUMN lease_ms    bigint NOT NULL DEFAULT 0,
    ADD COLUMN lease_until bigint NOT NULL DEFAULT 0,
    ADD COLUMN owner       text   COLLATE "C" NOT NULL DEFAULT '';

DROP FUNCTION @schema@.commit;

-- Writes a group of commits, each on its own: one that does not extend its
-- thread is refused and takes no other along. The caller sorts them by name, so
-- that two groups lock the threads that they share in the same order.
--
-- A commit with `events` -1 is known to be refused: only the head is wanted.
--
-- Gives five numbers for each commit: 1 if it is written, 0 if it was refused
-- and 2 if another owner's lease keeps it from claiming the thread; then the head's version, epoch, next_seq and created_ms, as the
-- commit left them or as they stand in its way (0 if there is no thread).
CREATE FUNCTION @schema@.commit(
    names text[], tokens bigint[], versions bigint[], epochs bigint[], claims bigint[], statuses text[],
    ats bigint[], firsts bigint[], counts bigint[], owners text[], leases bigint[], instead text[],
    removed_of integer[], removed_from bigint[], removed_until bigint[],
    row_of integer[], row_seq bigint[], row_events integer[], row_ns text[], row_kind smallint[],
    row_run uuid[], row_checkpoint uuid[], row_at bigint[], row_format integer[], row_payload bytea[],
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
                    status = statuses[i], updated_ms = ats[i], updated_span = ats[i] >> 16, token = tokens[i],
                    owner = owners[i], lease_ms = leases[i], lease_until = now_ms + leases[i]
                WHERE t.name = names[i] AND t.version = versions[i] AND t.epoch = epochs[i]
                    AND t.next_seq = coalesce(firsts[i], t.next_seq)
                    -- A claim has to wait while somebody else's lease is valid.
                    AND (claims[i] = 0 OR t.owner = owners[i] OR t.owner = coalesce(instead[i], owners[i])
                         -- Asked anew: whoever had to wait for the row sees a lease that was
                         -- renewed after this statement began.
                         OR t.lease_until NOT BETWEEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1 AND (extract(epoch FROM clock_timestamp()) * 1000)::bigint + t.lease_ms)
                RETURNING t.id, t.version, t.epoch, t.next_seq, t.created_ms INTO head;
            IF NOT FOUND THEN wrote := 0; END IF;
        ELSE
            INSERT INTO @schema@.threads
                    (name, version, epoch, next_seq, status, created_ms, updated_ms, updated_span, token,
                     owner, lease_ms, lease_until)
                VALUES (names[i], 1, claims[i], counts[i], statuses[i], ats[i], ats[i], ats[i] >> 16, tokens[i],
                        owners[i], leases[i], now_ms + leases[i])
                ON CONFLICT DO NOTHING
                RETURNING id, version, epoch, next_seq, created_ms INTO head;
            IF NOT FOUND THEN wrote := 0; END IF;
        END IF;
        IF wrote = 1 THEN
            ids[i] := head.id;
        ELSE
            SELECT t.version, t.epoch, t.next_seq, t.created_ms, t.token, t.owner, t.lease_ms, t.lease_until
                INTO head FROM @schema@.threads AS t WHERE t.name = names[i];
            IF head.token = tokens[i] THEN
                -- Sent before, and the answer was lost.
                wrote := 1;
            ELSIF claims[i] = 1 AND head.owner <> owners[i] AND head.owner <> coalesce(instead[i], owners[i])
                    AND head.lease_until BETWEEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1 AND (extract(epoch FROM clock_timestamp()) * 1000)::bigint + head.lease_ms THEN
                wrote := 2;
            END IF;
        END IF;
        result := result || ARRAY[wrote, coalesce(head.version, 0), coalesce(head.epoch, 0),
                                  coalesce(head.next_seq, 0), coalesce(head.created_ms, 0)];
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
    INSERT INTO @schema@.log (thread, seq, events, ns, kind, run, checkpoint, at_ms, format, payload, checksum)
        SELECT ids[r.of], r.seq, r.events, r.ns, r.kind, r.run, r.checkpoint, r.at, r.format, r.payload, r.checksum
        FROM unnest(row_of, row_seq, row_events, row_ns, row_kind, row_run, row_checkpoint, row_at, row_format,
                    row_payload, row_checksum)
            AS r (of, seq, events, ns, kind, run, checkpoint, at, format, payload, checksum)
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
