//! Variants of the attacks and of the benign queries: whatever of them the guard
//! passes, the two databases must answer alike.

use std::collections::HashSet;

use duru_sql::Catalog;
use duru_sql::guard::{Clock, Flaw, Guard};
use fastrand::Rng;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::judge::{Court, courts};
use crate::oracle::{Attacks, Oracle};

#[test]
fn variants_leak_nothing_and_planted_bugs_are_found() {
    for court in courts() {
        variants(court);
    }
}

fn variants(Court { guard, oracle, set }: Court) {
    let texts = texts(&set);
    let tally = hunt(&still(guard.clone()), &oracle, &texts, 4_000, Ends::Never);
    assert!(tally.findings.is_empty(), "{:#?}", tally.findings);
    // A loop whose variants are all refused would find nothing, ever.
    assert!(tally.ran >= 200, "only {} variants ran", tally.ran);

    for flaw in [Flaw::JoinedAsIs, Flaw::AnyFunctionInFrom, Flaw::AnyTable] {
        let flawed = still(guard.clone()).with_flaw(flaw);
        let tally = hunt(&flawed, &oracle, &texts, 20_000, Ends::AtFirst);
        assert!(!tally.findings.is_empty(), "{flaw:?} was not found in {} variants", tally.made);
        eprintln!("{flaw:?}: found after {} variants", tally.made);
    }
}

#[test]
#[ignore = "takes minutes; DURU_MUTANTS sets how many (100000)"]
fn a_hundred_thousand_variants_leak_nothing() {
    let many = std::env::var("DURU_MUTANTS").map_or(100_000, |many| many.parse().unwrap());
    for Court { guard, oracle, set } in courts() {
        let tally = hunt(&still(guard), &oracle, &texts(&set), many, Ends::Never);
        eprintln!("{} variants, {} passed, {} different ones ran", tally.made, tally.passed, tally.ran);
        assert!(tally.findings.is_empty(), "{:#?}", tally.findings);
    }
}

/// The same guard with a clock that stands still: two databases are never asked at once.
fn still(guard: Guard) -> Guard {
    let zone = jiff::tz::TimeZone::UTC;
    guard.with_clock(Clock::new("2026-11-14T12:00:00Z".parse().unwrap(), zone))
}

fn texts(set: &Attacks) -> Vec<Vec<String>> {
    let all = set.attacks.iter().chain(&set.benign).map(|item| item.sql.as_str());
    let all = all.filter(|sql| sql.len() < 2_000).chain(crate::legitimate::QUERIES.iter().copied());
    let all: HashSet<&str> = all.collect();
    // In an order that is always the same.
    let mut all: Vec<&str> = all.into_iter().collect();
    all.sort_unstable();
    all.into_iter().filter_map(tokens).filter(|tokens| !tokens.is_empty()).collect()
}

fn tokens(sql: &str) -> Option<Vec<String>> {
    let dialect = PostgreSqlDialect {};
    let tokens = Tokenizer::new(&dialect, sql).with_unescape(false).tokenize().ok()?;
    let shown = tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_)));
    Some(shown.map(ToString::to_string).collect())
}

#[derive(Clone, Copy, PartialEq)]
enum Ends {
    Never,
    AtFirst,
}

#[derive(Default)]
struct Tally {
    made: usize,
    passed: usize,
    ran: usize,
    findings: Vec<String>,
}

fn hunt(guard: &Guard, oracle: &Oracle, texts: &[Vec<String>], many: usize, ends: Ends) -> Tally {
    let mut rng = Rng::with_seed(7);
    let pool: Vec<&String> = texts.iter().flatten().collect();
    let parts: Vec<&[String]> = texts.iter().flat_map(|text| parenthesised(text)).collect();
    let fine: Vec<_> = texts.iter().filter(|text| guard.check(&text.join(" ")).is_ok()).cloned().collect();
    let mut seen = HashSet::new();
    let mut tally = Tally::default();
    while tally.made < many {
        tally.made += 1;
        // Most of what is refused stays so: start more often from what is not.
        let from = if rng.u8(0..10) < 6 { fine.as_slice() } else { texts };
        let mut tokens = rng.choice(from).unwrap().clone();
        for _ in 0..[1, 1, 1, 2, 2, 3][rng.usize(0..6)] {
            mutate(&mut tokens, texts, &pool, &parts, &mut rng);
        }
        let sql = tokens.join(" ");
        let Ok(checked) = guard.check(&sql) else { continue };
        tally.passed += 1;
        // Chance is no leak.
        let sampled = checked.sql().contains("TABLESAMPLE") && !checked.sql().contains("REPEATABLE");
        if sampled || checked.sql().contains("random(") || !seen.insert(checked.sql().to_owned()) {
            continue;
        }
        tally.ran += 1;
        if let Some(finding) = oracle.judge(checked.sql()) {
            tally.findings.push(format!("{finding:?}: {sql}\n  -> {}", checked.sql()));
            if ends == Ends::AtFirst || tally.findings.len() >= 20 {
                break;
            }
        }
    }
    tally
}

/// Everything between an opening parenthesis and its closing one.
fn parenthesised(text: &[String]) -> Vec<&[String]> {
    spans(text).into_iter().map(|(start, length)| &text[start..start + length]).collect()
}

fn spans(text: &[String]) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut spans = Vec::new();
    for (index, token) in text.iter().enumerate() {
        match token.as_str() {
            "(" => open.push(index),
            ")" => spans.extend(open.pop().map(|start| (start, index + 1 - start))),
            _ => {}
        }
    }
    spans
}

const WORDS: &[&str] = &[
    "deleted",
    "id",
    "message",
    "logs",
    "public.logs",
    "users",
    "api_keys",
    "secret.tokens",
    "logs_all",
    "l",
    "a",
    "ctid",
    "xmin",
    "l.leak_fn",
    "(l).leak_fn",
    "leak_fn(l)",
    "*",
    "NULL",
    "TRUE",
    "FALSE",
    "NOT",
    "1",
    "0",
    "-1",
    "100000000",
    "1e30",
    "'x'",
    "''''",
    "'\\'",
    "E'\\''",
    "$$x$$",
    "(SELECT max(message) FROM logs)",
    "LATERAL",
    "(SELECT key FROM api_keys)",
    "pg_sleep(1)",
    "purge_logs()",
    "now()",
    "::text",
    "::regclass",
    "::int",
    "|| message",
    "AND",
    "OR",
    "deleted = TRUE",
    "JOIN logs j ON j.id > 0",
    "LEFT JOIN logs j USING (id)",
    ", logs k",
    "UNION ALL",
    "FROM logs",
    "FROM pg_ls_dir('.')",
    ", pg_stat_file('x') f",
    "ORDER BY 1",
    "LIMIT 5",
    "FOR UPDATE",
    ";",
    "row_to_json(l)",
    "repeat(message, 99)",
    "string_agg(message, '')",
    "json_agg(logs)",
    "OVER ()",
    "TABLESAMPLE SYSTEM (50)",
    "WITH logs AS (SELECT 1 AS id)",
    "generate_series(1, 1000)",
    "GROUP BY 1",
    "HAVING count(*) > 0",
    "count(*)",
];

fn mutate(
    tokens: &mut Vec<String>,
    texts: &[Vec<String>],
    pool: &[&String],
    parts: &[&[String]],
    rng: &mut Rng,
) {
    let at = rng.usize(0..tokens.len().max(1)).min(tokens.len().saturating_sub(1));
    match rng.u8(0..14) {
        0 if tokens.len() > 2 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => {
            let other = rng.usize(0..tokens.len());
            tokens.swap(at, other);
        }
        3 | 4 => tokens[at] = (*rng.choice(pool).unwrap()).clone(),
        5 => tokens.insert(at, (*rng.choice(pool).unwrap()).clone()),
        6 => tokens[at] = (*rng.choice(WORDS).unwrap()).to_owned(),
        7 | 8 => tokens.insert(at + 1, (*rng.choice(WORDS).unwrap()).to_owned()),
        9 | 10 => {
            // One part in parentheses for another.
            let spans = spans(tokens);
            if let Some(&(start, length)) = rng.choice(&spans) {
                let part = rng.choice(parts).unwrap().to_vec();
                tokens.splice(start..start + length, part);
            }
        }
        11 => {
            let text = tokens.join(" ");
            let wrapped = match rng.u8(0..6) {
                0 => format!("SELECT * FROM ( {text} ) q"),
                1 => format!("WITH x AS ( {text} ) SELECT * FROM x"),
                2 => format!("SELECT ( {text} )"),
                3 => format!("SELECT 1 WHERE EXISTS ( {text} )"),
                4 => format!("SELECT count(*) FROM logs l JOIN LATERAL ( {text} ) q ON TRUE"),
                _ => format!("WITH logs AS ( {text} ) SELECT * FROM logs"),
            };
            if let Some(wrapped) = self::tokens(&wrapped) {
                *tokens = wrapped;
            }
        }
        12 => {
            let other = rng.choice(texts).unwrap().clone();
            let joint = rng.choice(["UNION ALL", "UNION", "EXCEPT", "INTERSECT"]).unwrap();
            tokens.push(joint.to_owned());
            tokens.extend(other);
        }
        _ => {
            // The head of one, the tail of another.
            let other = rng.choice(texts).unwrap();
            let cut = rng.usize(0..other.len());
            tokens.truncate(at + 1);
            tokens.extend_from_slice(&other[cut..]);
        }
    }
}

#[test]
fn a_guard_without_flaws_refuses_what_the_flaws_let_through() {
    let guard = Guard::new(Catalog::logs());
    for (flaw, sql) in
        [(Flaw::AnyFunctionInFrom, "SELECT 1 FROM pg_ls_dir('.') f"), (Flaw::AnyTable, "SELECT 1 FROM users")]
    {
        assert!(guard.check(sql).is_err());
        assert!(guard.clone().with_flaw(flaw).check(sql).is_ok(), "{flaw:?}");
    }
}
