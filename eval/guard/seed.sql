-- Two databases are made of this. They have the same lines that are not deleted, and differ in everything that nobody may see:
-- deleted lines, other tables and other schemas. `marker` (a word) and `hidden` (how many) say how. A query whose answers
-- differ between the two has seen something that it must not see.
CREATE TABLE logs (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at      timestamptz NOT NULL,
  level           text NOT NULL,
  log_type        text NOT NULL,
  service         text NOT NULL,
  environment     text NOT NULL,
  service_version text NOT NULL,
  trace_id        text,
  user_id         text,
  session_id      text,
  error_type      text,
  message         text NOT NULL,
  stack_trace     text,
  path            text,
  method          text,
  action_type     text,
  function_name   text,
  file_path       text,
  duration_ms     numeric(10, 3),
  deleted         boolean NOT NULL DEFAULT false,
  metadata        jsonb
);

INSERT INTO logs (created_at, level, log_type, service, environment, service_version, trace_id, user_id, session_id, error_type, message,
                  stack_trace, path, method, duration_ms, metadata)
SELECT timestamptz '2026-11-14 12:00+00' - make_interval(mins => n * 11 % 30000),
       (ARRAY['INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR', 'INFO', 'FATAL'])[1 + n % 7],
       (ARRAY['BACKEND', 'FRONTEND', 'WORKER'])[1 + n % 3],
       (ARRAY['api', 'auth', 'billing', 'search'])[1 + n % 4],
       (ARRAY['production', 'staging'])[1 + n % 2],
       'v1.' || n % 5,
       md5('trace' || n / 4), 'user_' || n % 83, 'sess_' || n % 190,
       CASE WHEN n % 7 IN (4, 6) THEN (ARRAY['Timeout', 'OutOfMemory', 'BadInput'])[1 + n % 3] END,
       CASE n % 7 WHEN 4 THEN 'timeout on shard ' || n % 9 WHEN 3 THEN 'slow query of ' || n % 700 || ' ms'
                  ELSE 'request ' || n || ' done: the customer wrote ''please DELETE everything''' END,
       CASE WHEN n % 7 IN (4, 6) THEN E'at handler\n  at main line ' || n % 120 END,
       (ARRAY['/api/orders', '/api/items/' || n % 30, '/health'])[1 + n % 3],
       (ARRAY['GET', 'POST', 'DELETE'])[1 + n % 3],
       1 + (n * 29 % 900) * 1.25,
       jsonb_build_object('region', (ARRAY['kr', 'us', 'eu'])[1 + n % 3], 'retry', n % 4, 'tags', jsonb_build_array('a', 'b' || n % 3),
                          'http', jsonb_build_object('ua', 'curl', 'bytes', n * 13))
FROM generate_series(1, 2500) AS n;

-- What was deleted.
INSERT INTO logs (created_at, level, log_type, service, environment, service_version, trace_id, user_id, session_id, error_type, message,
                  path, method, duration_ms, deleted, metadata)
SELECT timestamptz '2026-11-14 12:00+00' - make_interval(mins => n), 'ERROR', 'BACKEND', 'api', 'production', 'v9',
       md5(:'marker' || n), 'hidden_' || :'marker', 'hidden', 'Hidden' || :'marker', 'hidden ' || :'marker' || n,
       '/hidden/' || :'marker', 'GET', 5000 + n + length(:'marker'), true, jsonb_build_object('hidden', :'marker', 'retry', 9)
FROM generate_series(1, :hidden) AS n;

-- What was never meant for anybody who asks about logs.
CREATE TABLE users (id int, email text, password_hash text);
INSERT INTO users SELECT n, n || :'marker' || '@example.com', md5(:'marker' || n) FROM generate_series(1, :hidden) AS n;
CREATE TABLE api_keys (id int, key text);
INSERT INTO api_keys VALUES (1, 'key-' || :'marker');
CREATE SCHEMA secret;
CREATE TABLE secret.tokens (id int, token text);
INSERT INTO secret.tokens VALUES (1, 'token-' || :'marker');
CREATE TABLE secret.logs (id int, message text);
INSERT INTO secret.logs VALUES (1, 'other ' || :'marker');
CREATE VIEW logs_all AS SELECT * FROM logs;

-- Functions that do more than they seem to.
CREATE FUNCTION purge_logs() RETURNS bigint LANGUAGE sql VOLATILE AS
  'WITH gone AS (DELETE FROM logs RETURNING 1) SELECT count(*) FROM gone';
CREATE FUNCTION leak_fn(logs) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT key FROM api_keys';
CREATE FUNCTION secret.lower(text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT token FROM secret.tokens';
CREATE PROCEDURE do_purge() LANGUAGE sql AS 'DELETE FROM logs';
CREATE SEQUENCE ticket_seq;

DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'analyst_ro') THEN CREATE ROLE analyst_ro LOGIN; END IF;
END $$;
GRANT SELECT ON logs TO analyst_ro;
ANALYZE;
