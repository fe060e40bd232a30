//! The same question in other words: whatever is said otherwise, the same is
//! understood, in 97 of a hundred wordings at least; of a few the person is asked whether it is. The wordings are ours, and put together by a small grammar:
//! each block of lines is one question, and `{a|b}` stands for either word.

use jiff::Zoned;
use serde_json::{Value, json};

use crate::questions::{self, Tables};

const WORDINGS: &str = include_str!("../../../../eval/logs/paraphrases.txt");

/// What the shop of the question sets writes into its logs.
fn tables() -> Tables {
    Tables::with(&[
        (
            "service",
            &[
                "payment-api",
                "order-api",
                "user-api",
                "auth-api",
                "inventory-api",
                "notification-api",
                "product-api",
                "web-app",
                "mobile-app",
                "batch-worker",
                "sensor-hub",
            ],
        ),
        (
            "error_type",
            &[
                "TokenExpired",
                "DatabaseConnectionError",
                "PaymentGatewayTimeout",
                "TypeError",
                "NetworkError",
            ],
        ),
        (
            "path",
            &[
                "/api/v1/payment",
                "/api/v1/orders",
                "/api/v1/login",
                "/api/v1/search",
                "/checkout",
                "checkout",
            ],
        ),
        ("metadata.browser", &["Chrome", "Safari", "Edge"]),
        ("metadata.os", &["Windows", "macOS", "iOS", "Android"]),
        ("metadata.status_code", &[]),
        ("metadata.client_ip", &[]),
        ("metadata.cache_hit", &[]),
        ("metadata.db_query_ms", &[]),
        ("metadata.external_ms", &[]),
        ("metadata.load_ms", &[]),
    ])
}

/// A line's wordings: one of its words is another at a time.
fn wordings(line: &str) -> Vec<String> {
    let mut slots: Vec<Vec<&str>> = Vec::new();
    let mut rest = line;
    while let Some((plain, after)) = rest.split_once('{') {
        slots.push(vec![plain]);
        let (words, after) = after.split_once('}').unwrap();
        slots.push(words.split('|').collect());
        rest = after;
    }
    slots.push(vec![rest]);
    let first: Vec<&str> = slots.iter().map(|words| words[0]).collect();
    let mut all = vec![first.concat()];
    for (place, words) in slots.iter().enumerate() {
        for word in &words[1..] {
            let mut other = first.clone();
            other[place] = word;
            all.push(other.concat());
        }
    }
    all
}

/// A reading is offered, and the person decides.
const OFFERED: &str = "\"clarify\" \"unread\"";

/// What is understood, whatever the order of the conditions.
fn understood(question: &str, tables: &Tables) -> String {
    let turns: Vec<&str> = question.split(" // ").collect();
    let now: Zoned = "2026-03-18T14:30:00+09:00[Asia/Seoul]".parse().unwrap();
    let said = questions::predict(&json!({ "id": "", "turns": turns }), tables, &now);
    match said["sql"].as_str() {
        Some(sql) => {
            let sql = sql.replace("1 week'", "7 days'").replace(" WHERE ", " AND ");
            let sql = sql.replace(" ORDER BY", " AND ORDER BY");
            let mut parts: Vec<&str> = sql.split(" AND ").collect();
            parts.sort_unstable();
            parts.join(" AND ")
        }
        None => format!("{} {}", said["action"], said.get("field").unwrap_or(&Value::Null)),
    }
}

#[test]
fn other_words_mean_the_same() {
    let tables = tables();
    let (mut wrong, mut asked) = (Vec::new(), Vec::new());
    let mut all = 0;
    for block in WORDINGS.split("\n\n") {
        let lines = block.lines().filter(|line| !line.starts_with('#'));
        let mut questions = lines.flat_map(wordings);
        let Some(first) = questions.next() else { continue };
        let meant = understood(&first, &tables);
        for question in questions {
            all += 1;
            let read = understood(&question, &tables);
            if read != meant {
                let list = if read == OFFERED || meant == OFFERED { &mut asked } else { &mut wrong };
                list.push(format!("{question}\n    {read}\n    {meant}"));
            }
        }
    }
    assert!(all > 1_000, "{all}");
    // A wording that nobody reads is refused with its words; few may be.
    assert!(wrong.len() * 100 <= all * 3, "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked.len() * 100 <= all * 8, "{} of {all}:\n{}", asked.len(), asked.join("\n"));
}
