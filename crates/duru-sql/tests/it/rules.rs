//! Each rule of the guard, by the queries that break it and those that do not.

use std::collections::HashSet;

use duru_sql::Catalog;
use duru_sql::guard::{Checked, Clock, Extra, Guard, Place, Rule};
use jiff::tz::TimeZone;

fn guard() -> Guard {
    Guard::new(Catalog::logs())
}

fn pass(sql: &str) -> Checked {
    guard().check(sql).unwrap_or_else(|refusal| panic!("{sql}: {refusal}"))
}

#[test]
fn every_rule_refuses_what_breaks_it() {
    let long = format!("SELECT '{}'", "x".repeat(70_000));
    let chain = format!("SELECT 1{}", " + 1".repeat(2_000));
    let deep = format!("SELECT {}1{}", "(".repeat(300), ")".repeat(300));
    let calls = format!("SELECT {}1{}", "abs(".repeat(30), ")".repeat(30));
    let unions = vec!["SELECT 1"; 40].join(" UNION ALL ");
    let many = format!(
        "SELECT 1 FROM {}",
        (0..40).map(|n| format!("(SELECT 1) t{n}")).collect::<Vec<_>>().join(", ")
    );
    let wide = format!("SELECT {} FROM logs", vec!["id"; 100].join(", "));
    let cases: &[(Rule, &[&str])] = &[
        (Rule::Empty, &["", " \n\t ", "-- nothing", ";", "/* nothing */"]),
        (Rule::TooLong, &[&long, &chain]),
        (
            Rule::BadCharacter,
            &["SELECT 1\0", "SELECT\u{a0}1", "\u{feff}SELECT 1", "SELECT id\u{200b} FROM logs"],
        ),
        (Rule::Syntax, &["SELEC 1", "SELECT 1 FROM"]),
        (Rule::OneStatement, &["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE logs", "SELECT ';'; SELECT 1"]),
        (
            Rule::NotAQuery,
            &[
                "DELETE FROM logs",
                "INSERT INTO logs(id) SELECT 1",
                "UPDATE logs SET deleted = FALSE",
                "CREATE TABLE t AS SELECT 1",
                "EXPLAIN ANALYZE SELECT 1",
                "SET search_path = secret",
                "SHOW ALL",
                "COPY logs TO STDOUT",
                "CALL do_purge()",
                "BEGIN",
                "EXEC xp_cmdshell 'id'",
                "WITH d AS (DELETE FROM logs RETURNING id) SELECT * FROM d",
                "SELECT * FROM (WITH d AS (UPDATE logs SET deleted = TRUE RETURNING id) SELECT * FROM d) s",
            ],
        ),
        (
            Rule::Construct,
            &[
                "SELECT * INTO t FROM logs",
                "SELECT id FROM logs FOR UPDATE",
                "SELECT id FROM logs FOR SHARE",
                "SELECT TOP 5 id FROM logs",
                "SELECT id FROM logs QUALIFY 1 = 1",
                "SELECT * FROM logs GROUP BY ALL",
                "SELECT TRY_CAST(id AS text) FROM logs",
                "SELECT id FROM logs TABLESAMPLE SYSTEM (length('x'))",
            ],
        ),
        (
            Rule::Table,
            &[
                "SELECT * FROM users",
                "SELECT * FROM secret.logs",
                "SELECT * FROM otherdb.public.logs",
                "SELECT * FROM pg_stat_activity",
                "SELECT * FROM information_schema.columns",
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM users)",
                "WITH users AS (SELECT 1 AS id) SELECT * FROM public.users",
                "SELECT (WITH users AS (SELECT 1) SELECT 1), (SELECT count(*) FROM users)",
                "SELECT x.id FROM logs",
                "SELECT u.* FROM logs",
                "SELECT * FROM ONLY users",
                "SELECT * FROM \"LOGS\"",
            ],
        ),
        (
            Rule::Column,
            &["SELECT nothing FROM logs", "SELECT l.leak_fn FROM logs l", "SELECT current_schema"],
        ),
        (
            Rule::SystemColumn,
            &["SELECT ctid FROM logs", "SELECT l.xmin FROM logs l", "SELECT tableoid FROM logs"],
        ),
        (
            Rule::Attribute,
            &[
                "SELECT (l).leak_fn FROM logs l",
                "SELECT ((l)).leak_fn FROM logs l",
                "SELECT (jsonb_each(metadata)).leak_fn FROM logs",
                "SELECT (ROW(1, 2)).f1",
            ],
        ),
        (
            Rule::Function,
            &[
                "SELECT pg_sleep(1)",
                "SELECT * FROM pg_read_file('/etc/passwd')",
                "SELECT secret.lower('x')",
                "SELECT \"PG_SLEEP\"(1)",
                "SELECT id FROM logs LIMIT length(pg_read_file('x'))",
                "SELECT make_interval(secs => pg_sleep(1))",
                "SELECT count(*) OVER (ORDER BY pg_sleep(1)) FROM logs",
                "SELECT count(*) OVER w FROM logs WINDOW w AS (PARTITION BY pg_sleep(1))",
                "SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM logs",
                "SELECT array_agg(id ORDER BY pg_sleep(1)) FROM logs",
                "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY pg_sleep(1)) FROM logs",
                "SELECT DISTINCT ON (pg_sleep(1)) id FROM logs",
                "SELECT current_user",
                "SELECT version()",
                "SELECT query_to_xml('SELECT 1', true, true, '')",
                "SELECT id FROM logs a JOIN LATERAL dblink('x', 'y') b ON TRUE",
            ],
        ),
        (
            Rule::Type,
            &[
                "SELECT 'logs'::regclass",
                "SELECT CAST(1 AS oid)",
                "SELECT '1'::secret.t",
                "SELECT xml '<a/>'",
            ],
        ),
        (Rule::Operator, &["SELECT 1 OPERATOR(pg_catalog.+) 2", "SELECT '(1,1)' <-> '(2,2)'"]),
        (Rule::Literal, &["SELECT U&'\\0061'", "SELECT N'x'", "SELECT X'1F'", "SELECT 1e999"]),
        (Rule::Placeholder, &["SELECT $1 FROM logs"]),
        (
            Rule::Name,
            &[&format!("SELECT 1 AS {}", "x".repeat(64)), "SELECT 1 AS \"a\"\"b\"", "SELECT 1 AS \"a\\b\""],
        ),
        (Rule::Ambiguous, &["SELECT 1 FROM logs, logs", "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1"]),
        (Rule::TooDeep, &[&deep, &calls]),
        (Rule::TooManyTables, &[&unions, &many]),
        (Rule::TooManyColumns, &[&wide]),
        (
            Rule::CrossJoin,
            &[
                "SELECT count(*) FROM logs a, logs b",
                "SELECT count(*) FROM logs a CROSS JOIN logs b",
                "SELECT count(*) FROM logs a JOIN logs b ON TRUE",
                "WITH a AS (SELECT * FROM logs) SELECT count(*) FROM a x, a y",
                "SELECT count(*) FROM generate_series(1, 50000) a, generate_series(1, 50000) b",
            ],
        ),
        (
            Rule::Endless,
            &[
                "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
                "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE 1 < 2) SELECT * FROM t",
                "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n > 0) SELECT * FROM t",
                "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t WHERE n < 9) SELECT * FROM t",
            ],
        ),
        (
            Rule::Recursion,
            &[
                "WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t WHERE length(s) < 9e8) SELECT 1",
                "WITH RECURSIVE t(n, i) AS (SELECT 1.0, 1 UNION ALL SELECT n * n, i + 1 FROM t WHERE i < 99) SELECT 1",
                "WITH RECURSIVE t AS (SELECT * FROM u), u AS (SELECT 1 AS n) SELECT * FROM t",
                "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT a.n FROM t a JOIN t b ON a.n < b.n) SELECT 1",
            ],
        ),
        (
            Rule::TooLarge,
            &[
                "SELECT repeat('x', 1000000000)",
                "SELECT repeat(repeat('x', 4000), 4000)",
                "SELECT lpad('x', 1000000)",
                "SELECT format('%500000000s', '')",
                "SELECT format('%*s', 500000000, '')",
                "SELECT string_agg(repeat(message, 1000), '') FROM logs",
                "SELECT s || s || s || s FROM (SELECT repeat('x', 4000) AS s) t",
                "SELECT * FROM generate_series(1, 10000000000)",
                "SELECT generate_series(1, 10000000)",
                "SELECT * FROM generate_series(timestamp '2020-01-01', 'infinity', '1 day')",
                "SELECT * FROM generate_series(timestamptz '2000-01-01', timestamptz '2030-01-01', '1 second')",
                "SELECT 10::numeric ^ 100000",
                "SELECT '1e100000'::numeric",
                "SELECT ('1e' || '99999')::numeric",
                "SELECT replace('xxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'x', repeat('y', 4000))",
                "SELECT 'x'::char(10000)",
                "WITH a AS (SELECT message || message || message || message AS s FROM logs), \
                 b AS (SELECT s || s || s || s || s || s || s || s AS s FROM a) \
                 SELECT s || s || s || s || s || s || s || s FROM b",
                "SELECT json_agg(l) FROM logs l, generate_series(1, 100) g",
            ],
        ),
        (
            Rule::Pattern,
            &[
                "SELECT 1 FROM logs WHERE message ~ '^(a+)+$'",
                "SELECT regexp_replace(message, '(.)\\1', '') FROM logs",
                "SELECT 1 FROM logs WHERE message ~ repeat('a?', 100)",
                "SELECT 1 FROM logs WHERE message ~ ANY (ARRAY['x', '(a*)*'])",
                "SELECT 1 FROM logs WHERE message ~ ('(' || 'a+' || ')+')",
                "SELECT substring(message FROM '(a+)+') FROM logs",
            ],
        ),
    ];
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for (rule, queries) in cases {
        for sql in *queries {
            let got =
                guard().check(sql).map(|checked| checked.sql().to_owned()).map_err(|refusal| refusal.rule);
            if got != Err(*rule) {
                wrong.push(format!("{rule:?}, not {got:?}: {}", sql.chars().take(120).collect::<String>()));
            }
        }
        seen.insert(*rule);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Those two need a catalog and rules of their own, below.
    seen.extend([Rule::Catalog, Rule::Extra]);
    let missing: Vec<_> = Rule::ALL.iter().filter(|rule| !seen.contains(rule)).collect();
    assert!(missing.is_empty(), "no query breaks {missing:?}");
}

#[test]
fn no_depth_overflows_the_stack_or_takes_forever() {
    for (open, close) in [
        ("(", ")"),
        ("abs(", ")"),
        ("CASE WHEN TRUE THEN ", " END"),
        ("(SELECT ", ")"),
        ("NOT (", ")"),
        ("CAST(", " AS int)"),
        ("1 + (", ")"),
        ("coalesce(NULL, ", ")"),
    ] {
        for depth in [5, 12, 30, 60, 90, 500] {
            let sql = format!("SELECT {}1{}", open.repeat(depth), close.repeat(depth));
            let checked = guard().check(&sql);
            assert!(depth > 5 || checked.is_ok(), "{open}: {checked:?}");
            assert!(depth < 500 || checked.is_err(), "{open}");
        }
    }
}

#[test]
fn a_refusal_names_the_place() {
    let refusal = guard().check("SELECT id,\n  pg_sleep(1)\nFROM logs").unwrap_err();
    assert_eq!(refusal.place, Some(Place { line: 2, column: 3 }));
    assert_eq!(refusal.detail, "pg_sleep");
}

#[test]
fn every_reference_to_the_table_is_the_rows_that_may_be_seen() {
    let inner = "FROM \"public\".\"logs\" WHERE \"deleted\" = false)";
    for (count, sql) in [
        (1, "SELECT count(*) FROM logs"),
        (1, "SELECT count(*) FROM logs WHERE deleted = TRUE"),
        (2, "SELECT 1 FROM logs a JOIN public.logs b ON a.id = b.id"),
        (2, "SELECT id FROM logs UNION SELECT id FROM logs WHERE deleted = TRUE"),
        (2, "SELECT (SELECT max(id) FROM logs) FROM logs"),
        (2, "SELECT 1 FROM logs a, LATERAL (SELECT 1 FROM logs b WHERE b.id = a.id) x"),
        (1, "WITH logs AS (SELECT * FROM logs) SELECT count(*) FROM logs"),
        (1, "WITH logs AS (SELECT id, FALSE AS deleted FROM public.logs) SELECT id FROM logs"),
        (1, "SELECT id FROM (VALUES (1)) v(id) WHERE id IN (SELECT id FROM logs)"),
        (2, "SELECT id FROM logs ORDER BY (SELECT count(*) FROM logs) LIMIT 1"),
        (2, "SELECT id FROM logs LIMIT (SELECT count(*) FROM logs)"),
        (1, "VALUES ((SELECT max(message) FROM logs))"),
        (1, "SELECT count(*) FROM logs TABLESAMPLE BERNOULLI (10) REPEATABLE (1)"),
    ] {
        let sql = pass(sql).sql().replace(" TABLESAMPLE BERNOULLI (10) REPEATABLE (1)", "");
        assert_eq!(sql.matches(inner).count(), count, "{sql}");
        assert_eq!(sql.matches("\"public\"").count(), count, "{sql}");
    }
}

#[test]
fn a_missing_predicate_is_reported_and_one_that_is_there_is_not() {
    for (added, sql) in [
        (true, "SELECT 1 FROM logs"),
        (true, "SELECT 1 FROM logs WHERE deleted = TRUE"),
        (true, "SELECT 1 FROM logs WHERE deleted = FALSE OR id = 1"),
        (true, "SELECT 1 FROM logs a JOIN logs b ON a.id = b.id WHERE a.deleted = FALSE"),
        (true, "SELECT 1 FROM logs WHERE EXISTS (SELECT 1 FROM logs WHERE deleted = FALSE)"),
        (false, "SELECT 1 FROM logs WHERE deleted = FALSE"),
        (false, "SELECT 1 FROM logs WHERE level = 'x' AND (NOT deleted)"),
        (false, "SELECT 1 FROM logs l WHERE l.deleted IS FALSE AND id = 1"),
        (false, "SELECT 1 FROM logs WHERE deleted <> TRUE"),
        (false, "SELECT 1 FROM logs WHERE deleted = 'f'"),
        (
            false,
            "SELECT 1 FROM logs a LEFT JOIN logs b ON a.id = b.id AND b.deleted = FALSE WHERE a.deleted = FALSE",
        ),
        (false, "SELECT 1"),
    ] {
        assert_eq!(pass(sql).soft_delete_added(), added, "{sql}");
    }
}

#[test]
fn strings_of_every_form_become_plain_and_can_not_end_early() {
    for (written, printed) in [
        ("'it''s'", "'it''s'"),
        (r"E'a\'b\n'", "'a''b\n'"),
        ("$$a'b$$", "'a''b'"),
        ("$q$a''b$q$", "'a''''b'"),
        (r"'back\''slash'", r"'back\''slash'"),
        (r"'\'", r"'\'"),
    ] {
        let checked = pass(&format!("SELECT {written}"));
        assert_eq!(checked.sql(), format!("SELECT {printed}"));
        assert_eq!(pass(checked.sql()).sql(), checked.sql());
    }
}

#[test]
fn a_users_own_rules_refuse_more() {
    let check = |extra: Extra, sql: &str| {
        guard().with_rules(extra).check(sql).map(drop).map_err(|refusal| refusal.rule)
    };
    let extra: Extra =
        serde_json::from_str(r#"{"no_union": true, "max_limit": 100, "no_functions": ["md5"]}"#).unwrap();
    for sql in [
        "SELECT 1 UNION SELECT 2",
        "SELECT id FROM logs LIMIT 101",
        "SELECT id FROM logs LIMIT (SELECT 5)",
        "SELECT md5(message) FROM logs",
    ] {
        assert_eq!(check(extra.clone(), sql), Err(Rule::Extra), "{sql}");
    }
    assert_eq!(check(extra.clone(), "SELECT id FROM logs LIMIT 100"), Ok(()));
    assert_eq!(check(extra, "SELECT 1 EXCEPT SELECT 2"), Ok(()));
    let extra = Extra { require_limit: true, no_tables: vec!["public.logs".into()], ..Extra::default() };
    assert_eq!(check(extra.clone(), "SELECT 1"), Err(Rule::Extra));
    assert_eq!(check(extra.clone(), "SELECT 1 LIMIT 1"), Ok(()));
    assert_eq!(check(extra, "SELECT id FROM logs LIMIT 1"), Err(Rule::Extra));
    assert!(serde_json::from_str::<Extra>(r#"{"no_unoin": true}"#).is_err());
}

#[test]
fn a_rule_of_the_catalog_that_can_not_be_read_closes_the_table() {
    for rule in
        ["deleted = ", "gone = FALSE", "deleted = FALSE) OR (TRUE", "EXISTS (SELECT 1)", "1 = 1; SELECT 1"]
    {
        let mut catalog = Catalog::logs();
        catalog.tables[0].soft_delete = Some(rule.into());
        let refusal = Guard::new(catalog).check("SELECT id FROM logs").unwrap_err();
        assert_eq!(refusal.rule, Rule::Catalog, "{rule}");
    }
}

#[test]
fn a_clock_that_stands_still_is_written_into_the_query() {
    let now = "2026-03-18T05:30:00Z".parse().unwrap();
    let guard = guard().with_clock(Clock::new(now, TimeZone::get("Asia/Seoul").unwrap()));
    for (written, printed) in [
        ("now()", "TIMESTAMPTZ '2026-03-18 14:30:00+09:00' AS \"now\""),
        ("CURRENT_TIMESTAMP", "TIMESTAMPTZ '2026-03-18 14:30:00+09:00' AS \"current_timestamp\""),
        ("current_date - 1 AS d", "DATE '2026-03-18' - 1 AS \"d\""),
        ("localtimestamp AS t", "TIMESTAMP '2026-03-18 14:30:00' AS \"t\""),
        ("DATE 'yesterday' AS t", "DATE '2026-03-17' AS \"t\""),
    ] {
        assert_eq!(guard.check(&format!("SELECT {written}")).unwrap().sql(), format!("SELECT {printed}"));
    }
    let sql = guard.check("SELECT t, l FROM now() AS t, LATERAL now() l").unwrap();
    assert_eq!(sql.sql().matches("TIMESTAMPTZ '2026-03-18 14:30:00+09:00'").count(), 2, "{}", sql.sql());
    let sql = guard.check("SELECT id FROM logs WHERE created_at > NOW() - INTERVAL '1 hour'").unwrap();
    assert!(!sql.sql().to_lowercase().contains("now"), "{}", sql.sql());
}

#[test]
fn the_tree_of_a_checked_query_can_be_read() {
    let checked = pass("SELECT id FROM logs WHERE service = 'pay''ment'");
    let select = checked.query().body.as_select().unwrap();
    let selection = format!("{:?}", select.selection);
    assert!(selection.contains("pay'ment"), "{selection}");
}
