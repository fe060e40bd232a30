-- PostgreSQL answers these, the embedded store says why it does not.
SELECT substring(message FROM 'time|timeout') FROM logs;
SELECT avg(duration_ms)::text FROM logs;
SELECT id FROM logs ORDER BY metadata LIMIT 1;
SELECT interval '1 month' AS i FROM logs ORDER BY 1 LIMIT 1;
SELECT random();
SELECT version();
SELECT to_char(123.45, '999D9');
SELECT percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY duration_ms) FROM logs;
SELECT width_bucket(duration_ms, 0, 100, 5) FROM logs;
SELECT id FROM logs ORDER BY id FETCH FIRST 3 ROWS WITH TIES;
SELECT 2 ^ 10;
SELECT message ~ '(a)\1' FROM logs;
SELECT count(*) FROM logs WHERE metadata @? 'strict $.http.bytes';
SELECT count(*) FROM logs WHERE metadata @? '$.**.bytes';
SELECT count(*) FROM logs WHERE metadata @@ '$.http.bytes.double() > 3';
SELECT s.service, t.n FROM (SELECT DISTINCT service FROM logs) s CROSS JOIN LATERAL (SELECT count(*) AS n FROM logs l WHERE l.service = s.service LIMIT 1) t;
SELECT * FROM (SELECT DISTINCT service FROM logs) s CROSS JOIN LATERAL (SELECT l.id FROM logs l WHERE l.service = s.service ORDER BY l.id LIMIT 1) t;
SELECT s.service, t.id FROM (SELECT service, max(id) AS m FROM logs GROUP BY 1) s CROSS JOIN LATERAL (SELECT l.id FROM logs l WHERE l.service = s.service AND l.id < s.m ORDER BY l.id DESC LIMIT 1) t;
