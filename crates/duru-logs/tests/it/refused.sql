-- PostgreSQL answers these, the embedded store says why it does not.
SELECT substring(message FROM 'time|timeout') FROM logs;
SELECT avg(duration_ms)::text FROM logs;
SELECT id FROM logs ORDER BY metadata LIMIT 1;
SELECT interval '1 month' AS i FROM logs ORDER BY 1 LIMIT 1;
SELECT random();
SELECT version();
SELECT to_char(123.45, '999D9');
SELECT count(*) FROM logs WHERE metadata @? '$.http.bytes ? (@ > 1000)';
SELECT percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY duration_ms) FROM logs;
SELECT width_bucket(duration_ms, 0, 100, 5) FROM logs;
SELECT id FROM logs ORDER BY id FETCH FIRST 3 ROWS WITH TIES;
SELECT 2 ^ 10;
SELECT message ~ '(a)\1' FROM logs;
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 24) SELECT r.n, count(l.id) FROM r LEFT JOIN logs l ON extract(hour FROM l.created_at) = r.n GROUP BY r.n ORDER BY r.n;
