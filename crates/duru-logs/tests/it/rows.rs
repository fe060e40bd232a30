//! Log lines from a seed: several services, nulls, Korean, all kinds of JSON.

use duru_sql::{Level, LogType, Record};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

pub(crate) const NOW: &str = "2026-03-15T14:30:00.250Z";

pub(crate) fn now() -> Timestamp {
    NOW.parse().unwrap()
}

const SERVICES: [(&str, LogType); 8] = [
    ("order-api", LogType::Backend),
    ("payment-api", LogType::Backend),
    ("product-api", LogType::Backend),
    ("auth-api", LogType::Backend),
    ("inventory-api", LogType::Backend),
    ("web-app", LogType::Frontend),
    ("mobile-app", LogType::Mobile),
    ("sensor-hub", LogType::Iot),
];
const ERRORS: [&str; 5] = [
    "DatabaseConnectionError",
    "TimeoutError",
    "OrderValidationError",
    "AuthenticationFailed",
    "PermissionDenied",
];
const PATHS: [&str; 5] = ["/api/v1/orders", "/api/v1/search", "/checkout", "/login", "/api/v2/items?q=a%20b"];

pub(crate) fn lines(seed: u64, count: usize) -> Vec<Record> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|i| line(&mut random, i)).collect()
}

fn line(random: &mut fastrand::Rng, i: usize) -> Record {
    let (service, log_type) = SERVICES[random.usize(..SERVICES.len())];
    let level = Level::ALL[[1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 0][random.usize(..12)]];
    let is_error = level >= Level::Error;
    // Half of them from the last two days, so that short spans find some; no two at once.
    let back = match random.u8(..4) {
        0 => random.i64(0..7_200),
        1 => random.i64(0..172_800),
        _ => random.i64(0..45 * 86_400),
    };
    let created_at = now().as_microsecond() - back * 1_000_000 - i64::try_from(i).unwrap();
    let error_type = is_error.then(|| ERRORS[random.usize(..ERRORS.len())].to_owned());
    let message = match random.u8(..8) {
        0 => format!("timeout calling db shard {}", random.u8(..13)),
        1 => format!("주문 {}번 처리 실패: 재고 부족", random.u16(..500)),
        2 => "deadlock detected; connection pool exhausted".to_owned(),
        3 => format!("slow query took {} ms", random.u16(..900)),
        4 => "user said 'please DELETE my account' 100% _done_".to_owned(),
        5 => format!("GET {} -> {}\nsecond line", PATHS[random.usize(..5)], random.u16(200..600)),
        6 => "사용자 로그인 성공".to_owned(),
        _ => format!("request {i} handled"),
    };
    let has = |random: &mut fastrand::Rng, part: u8| random.u8(..10) < part;
    let duration_us = has(random, 7).then(|| match random.u8(..10) {
        0 => random.i64(1_000_000..9_000_000),
        1 => random.i64(0..100) * 1_000,
        _ => random.i64(0..900_000),
    });
    Record {
        id: Some(i64::try_from(i).unwrap() + 1),
        created_at: Timestamp::from_microsecond(created_at).unwrap(),
        level,
        log_type,
        service: service.to_owned(),
        environment: ["production", "staging", "development"][random.usize(..3)].to_owned(),
        service_version: format!("1.{}.{}", random.u8(..4), random.u8(..10)),
        trace_id: has(random, 6).then(|| format!("{:032x}", random.u16(..400))),
        user_id: has(random, 7).then(|| format!("user_{:03}", random.u8(..60))),
        session_id: has(random, 5).then(|| format!("sess_{:04}", random.u16(..300))),
        error_type,
        message,
        stack_trace: is_error.then(|| format!("Traceback: line {}\n in handler\n at main", random.u8(..20))),
        path: has(random, 6).then(|| PATHS[random.usize(..5)].to_owned()),
        method: has(random, 5).then(|| ["GET", "POST", "PUT", "DELETE"][random.usize(..4)].to_owned()),
        action_type: has(random, 3).then(|| ["click", "submit", "view"][random.usize(..3)].to_owned()),
        function_name: has(random, 4).then(|| format!("handle_{}", random.u8(..9))),
        file_path: has(random, 4).then(|| format!("src/handlers/{}.rs", random.u8(..9))),
        duration_us,
        deleted: random.u8(..20) == 0,
        metadata: has(random, 8).then(|| metadata(random)),
    }
}

fn metadata(random: &mut fastrand::Rng) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("status_code".into(), json!([200, 200, 302, 401, 404, 500, 503][random.usize(..7)]));
    map.insert("client_ip".into(), json!(format!("203.0.113.{}", random.u8(..20))));
    if random.bool() {
        map.insert("device".into(), json!(["mobile", "desktop", "태블릿"][random.usize(..3)]));
    }
    if random.bool() {
        map.insert("app_version".into(), json!(format!("3.{}", random.u8(..5))));
    }
    if random.bool() {
        map.insert(
            "http".into(),
            json!({ "ua": "curl/8 \"x\"", "bytes": random.u32(..100_000), "ok": random.bool() }),
        );
    }
    if random.bool() {
        map.insert("tags".into(), json!(["a", format!("b{}", random.u8(..3)), 7, null]));
    }
    if random.u8(..4) == 0 {
        map.insert("ratio".into(), json!(f64::from(random.u16(..1000)) / 8.0));
        map.insert("nothing".into(), Value::Null);
    }
    map
}
