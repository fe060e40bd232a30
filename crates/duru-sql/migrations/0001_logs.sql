-- Lines in the table that people ask; everything else of ours in its own schema.
CREATE TYPE @schema@.log_level AS ENUM ('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL');

CREATE SEQUENCE @schema@.logs_id_seq AS bigint CACHE 1;

CREATE TABLE @schema@.logs (
    id bigint PRIMARY KEY DEFAULT nextval('@schema@.logs_id_seq'),
    created_at timestamptz NOT NULL,
    level @schema@.log_level NOT NULL,
    log_type text NOT NULL CHECK (log_type IN ('BACKEND', 'FRONTEND', 'MOBILE', 'IOT', 'WORKER')),
    service text NOT NULL,
    environment text NOT NULL,
    service_version text NOT NULL,
    trace_id text,
    user_id text,
    session_id text,
    error_type text,
    message text NOT NULL,
    stack_trace text,
    path text,
    method text,
    action_type text,
    function_name text,
    file_path text,
    duration_ms numeric(10, 3),
    deleted boolean NOT NULL DEFAULT FALSE,
    metadata jsonb
);
ALTER SEQUENCE @schema@.logs_id_seq OWNED BY @schema@.logs.id;

CREATE INDEX logs_created_at ON @schema@.logs (created_at DESC, id DESC) WHERE deleted = FALSE;
CREATE INDEX logs_service_level_created_at ON @schema@.logs (service, level, created_at DESC)
    WHERE deleted = FALSE;
CREATE INDEX logs_trace ON @schema@.logs (trace_id) WHERE trace_id IS NOT NULL AND deleted = FALSE;
CREATE INDEX logs_user ON @schema@.logs (user_id, created_at DESC)
    WHERE user_id IS NOT NULL AND deleted = FALSE;

-- Batches that were kept, by the key that their sender gave them.
CREATE TABLE @own@.batches (
    key text PRIMARY KEY,
    kept bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);

-- How often the lines have changed. Several counters, of which a writer takes
-- one, so that writers seldom wait for each other; the sum is the answer.
CREATE TABLE @own@.changes (slot integer PRIMARY KEY, times bigint NOT NULL) WITH (fillfactor = 50);
INSERT INTO @own@.changes SELECT slot, 0 FROM generate_series(0, 15) AS slot;

-- Runs as its owner: whoever may write lines need not know of the counters.
CREATE FUNCTION @own@.changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE @own@.changes SET times = times + 1 WHERE slot = pg_backend_pid() % 16;
    RETURN NULL;
END $$;

CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON @schema@.logs
    FOR EACH STATEMENT EXECUTE FUNCTION @own@.changed();
