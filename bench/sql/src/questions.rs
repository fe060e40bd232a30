//! Two questions of each category that people ask of logs: one about a short while or a few rows, one about all of them.
//! Their order is whole, so that both stores must give the same rows.

pub(crate) const QUESTIONS: &[(&str, &str)] = &[
    (
        "filter_list",
        "SELECT created_at, level, service, message FROM logs WHERE service = 'billing' AND level = 'ERROR' \
         AND created_at > now() - INTERVAL '24 hours' ORDER BY created_at DESC, message LIMIT 100",
    ),
    (
        "filter_list",
        "SELECT created_at, level, service, message FROM logs WHERE service = 'purchase' AND level >= 'WARN' \
         ORDER BY created_at DESC, message LIMIT 100",
    ),
    (
        "count",
        "SELECT count(*) AS n FROM logs WHERE service = 'finder' AND level = 'ERROR' \
         AND created_at > now() - INTERVAL '3 days'",
    ),
    ("count", "SELECT count(*) AS n FROM logs WHERE level = 'DEBUG'"),
    (
        "group_by",
        "SELECT service, count(*) AS n FROM logs WHERE level = 'ERROR' AND created_at > now() - INTERVAL '24 hours' \
         GROUP BY service ORDER BY n DESC, service",
    ),
    (
        "group_by",
        "SELECT service, level, count(*) AS n FROM logs GROUP BY service, level ORDER BY service, level",
    ),
    (
        "top_n",
        "SELECT path, count(*) AS n FROM logs WHERE level = 'ERROR' AND path IS NOT NULL \
         AND created_at > now() - INTERVAL '48 hours' GROUP BY path ORDER BY n DESC, path LIMIT 5",
    ),
    (
        "top_n",
        "SELECT user_id, count(*) AS n FROM logs WHERE user_id IS NOT NULL GROUP BY user_id \
         ORDER BY n DESC, user_id LIMIT 10",
    ),
    (
        "time_bucket",
        "SELECT date_trunc('hour', created_at) AS bucket, count(*) AS n FROM logs WHERE level = 'ERROR' \
         AND created_at > now() - INTERVAL '24 hours' GROUP BY 1 ORDER BY 1",
    ),
    (
        "time_bucket",
        "SELECT date_trunc('day', created_at) AS bucket, level, count(*) AS n FROM logs GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    (
        "error_rate",
        "SELECT date_trunc('day', created_at) AS bucket, round(100.0 * count(*) FILTER (WHERE level = 'ERROR') \
         / nullif(count(*), 0), 2) AS rate FROM logs WHERE service = 'billing' \
         AND created_at > now() - INTERVAL '7 days' GROUP BY 1 ORDER BY 1",
    ),
    (
        "error_rate",
        "SELECT service, round(100.0 * count(*) FILTER (WHERE level = 'ERROR') / nullif(count(*), 0), 2) AS rate \
         FROM logs GROUP BY service HAVING count(*) > 100 ORDER BY rate DESC, service",
    ),
    (
        "latency",
        "SELECT path, round(avg(duration_ms), 3) AS mean, count(*) AS n FROM logs WHERE duration_ms >= 1000 \
         AND path IS NOT NULL AND created_at > now() - INTERVAL '24 hours' GROUP BY path ORDER BY mean DESC, path LIMIT 10",
    ),
    (
        "latency",
        "SELECT service, percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95, max(duration_ms) AS worst \
         FROM logs WHERE duration_ms IS NOT NULL GROUP BY service ORDER BY service",
    ),
    (
        "error_pattern",
        "SELECT DISTINCT service, error_type FROM logs a WHERE level = 'ERROR' AND error_type IS NOT NULL \
         AND created_at > now() - INTERVAL '24 hours' AND NOT EXISTS (SELECT 1 FROM logs b WHERE b.service = a.service \
         AND b.error_type = a.error_type AND b.created_at <= now() - INTERVAL '24 hours' \
         AND b.created_at > now() - INTERVAL '7 days') ORDER BY 1, 2",
    ),
    (
        "error_pattern",
        "SELECT error_type, count(*) AS n, min(created_at) AS first_at, max(created_at) AS last_at FROM logs \
         WHERE error_type IS NOT NULL GROUP BY error_type ORDER BY n DESC, error_type",
    ),
    (
        "journey",
        "SELECT created_at, log_type, service, path, level, message FROM logs WHERE trace_id = '{trace}' \
         ORDER BY created_at, message",
    ),
    (
        "journey",
        "SELECT extract(epoch FROM max(created_at) - min(created_at)) AS seconds, count(*) AS n FROM logs \
         WHERE session_id = '{session}'",
    ),
    (
        "compare_periods",
        "SELECT count(*) FILTER (WHERE created_at > now() - INTERVAL '1 hour') AS this_hour, \
         count(*) FILTER (WHERE created_at <= now() - INTERVAL '1 hour') AS before FROM logs WHERE level = 'ERROR' \
         AND created_at > now() - INTERVAL '2 hours'",
    ),
    (
        "compare_periods",
        "SELECT service, count(*) FILTER (WHERE created_at > now() - INTERVAL '15 days') AS late, \
         count(*) FILTER (WHERE created_at <= now() - INTERVAL '15 days') AS early FROM logs GROUP BY service ORDER BY service",
    ),
    (
        "distinct_having",
        "SELECT user_id, count(*) AS n FROM logs WHERE level = 'ERROR' AND user_id IS NOT NULL \
         AND created_at > now() - INTERVAL '7 days' GROUP BY user_id HAVING count(*) > 3 ORDER BY n DESC, user_id LIMIT 50",
    ),
    (
        "distinct_having",
        "SELECT service, count(DISTINCT user_id) AS people FROM logs GROUP BY service ORDER BY service",
    ),
    (
        "text_search",
        "SELECT service, count(*) AS n FROM logs WHERE message ILIKE '%timeout%' \
         AND created_at > now() - INTERVAL '24 hours' GROUP BY service ORDER BY n DESC, service",
    ),
    ("text_search", "SELECT count(*) AS n FROM logs WHERE message ILIKE '%deadlock%'"),
    (
        "metadata_json",
        "SELECT metadata->>'client_ip' AS ip, count(*) AS n FROM logs WHERE service = 'member-service' \
         AND metadata->>'status_code' = '401' AND created_at > now() - INTERVAL '24 hours' GROUP BY 1 \
         ORDER BY n DESC, ip LIMIT 10",
    ),
    (
        "metadata_json",
        "SELECT metadata->>'status_code' AS status, count(*) AS n FROM logs WHERE log_type = 'BACKEND' GROUP BY 1 \
         ORDER BY n DESC, status",
    ),
    (
        "natural_time",
        "SELECT count(*) AS n FROM logs WHERE service = 'delivery' \
         AND created_at >= date_trunc('day', now()) - INTERVAL '1 day' AND created_at < date_trunc('day', now())",
    ),
    (
        "natural_time",
        "SELECT extract(hour FROM created_at) AS hour, count(*) AS n FROM logs WHERE level = 'ERROR' GROUP BY 1 ORDER BY 1",
    ),
    (
        "multi_turn",
        "SELECT error_type, count(*) AS n FROM logs WHERE service = 'purchase' AND level = 'ERROR' \
         AND created_at > now() - INTERVAL '24 hours' GROUP BY error_type ORDER BY n DESC, error_type",
    ),
    (
        "multi_turn",
        "SELECT service, error_type, count(*) AS n FROM logs WHERE level = 'ERROR' \
         AND created_at >= date_trunc('month', now()) GROUP BY service, error_type ORDER BY n DESC, service, error_type LIMIT 20",
    ),
    (
        "analyst",
        "SELECT date_bin(INTERVAL '10 minutes', created_at, TIMESTAMPTZ '2001-01-01 00:00:00+09') AS bucket, \
         metadata->>'client_ip' AS ip, count(*) AS n FROM logs WHERE error_type = 'InvalidCredentials' \
         AND created_at >= date_trunc('day', now()) GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY n DESC, bucket, ip LIMIT 20",
    ),
    (
        "analyst",
        "WITH hours AS (SELECT service, date_trunc('hour', created_at) AS hour, count(*) FILTER (WHERE level = 'ERROR') AS errors \
         FROM logs GROUP BY 1, 2) SELECT service, hour, errors, errors - lag(errors) OVER (PARTITION BY service ORDER BY hour) AS more \
         FROM hours ORDER BY errors DESC, service, hour LIMIT 20",
    ),
];
