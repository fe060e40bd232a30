//! What happened in the shop. Relative to now, a Wednesday:
//!
//! - yesterday 10:00–11:30, the payment service runs out of database connections, and orders time out behind it;
//! - three days ago at 15:00, a rollout of the order service after which orders fail more often;
//! - today 02:00–03:00, somebody tries passwords from 203.0.113.77;
//! - for the last day searches are slow; for the last twenty minutes notifications are silent;
//! - always, the checkout page fails mostly on Safari;
//! - two customers whose way through the services is known line by line.

use super::customers;
use super::line::{Line, Metadata, Moment};
use super::random::Random;
use super::services::{BROWSERS, Fault, SERVICES, Service, service, status_of, versions};

/// The order service's rollout.
const ORDER_ROLLOUT: Moment = Moment::days_ago(3, 15);
/// From how far back lines are.
const DAYS: f64 = 40.0;

/// So many lines, in no order yet.
pub(super) fn lines(rows: usize, random: &mut Random) -> Vec<Line> {
    let planted = (rows / 60).max(60);
    let mut lines = Vec::with_capacity(rows + 1);
    let weights: Vec<(&Service, f64)> = SERVICES.iter().map(|service| (service, service.weight)).collect();
    for _ in 0..rows.saturating_sub(planted + customers::LINES) {
        let at = when(random);
        let service = loop {
            let service = random.pick(&weights);
            if service.name != "notification-api" || at <= Moment::NOW.minutes_later(-20) {
                break service;
            }
        };
        lines.push(usual(at, service, None, random));
    }
    let in_outage = outage(planted * 45 / 100, &mut lines, random);
    break_in(planted.saturating_sub(in_outage), &mut lines, random);
    lines.extend(customers::lines());
    lines
}

/// A third in the last two days, the rest in all of them; fewer at night.
fn when(random: &mut Random) -> Moment {
    loop {
        let back =
            if random.chance(0.35) { random.unit() * 48.0 * 3600.0 } else { random.unit() * DAYS * 86_400.0 };
        let at = Moment::NOW.seconds_before(back);
        let kept = match at.hour() {
            0..6 => 0.25,
            6..9 => 0.6,
            9..22 => 1.0,
            _ => 0.7,
        };
        if random.chance(kept) {
            return at;
        }
    }
}

fn outage(wanted: usize, lines: &mut Vec<Line>, random: &mut Random) -> usize {
    const EXHAUSTED: Forced = Forced {
        level: "ERROR",
        error_type: "DatabaseConnectionError",
        message: "Connection pool exhausted: could not acquire connection within 5s",
    };
    const UPSTREAM: Forced = Forced {
        level: "ERROR",
        error_type: "UpstreamTimeout",
        message: "Upstream payment-api timeout after 10000ms",
    };
    let mut made = 0;
    while made < wanted {
        let at = Moment::days_ago(1, 10).seconds_later(random.unit() * 5_400.0);
        let mut line = in_production(usual(at, service("payment-api"), Some(EXHAUSTED), random));
        line.metadata.plain("status_code", 503);
        let trace = line.trace.clone();
        lines.push(line);
        made += 1;
        if random.chance(0.35) {
            let at = at.seconds_later(random.between(1.0, 12.0));
            let mut line = in_production(usual(at, service("order-api"), Some(UPSTREAM), random));
            line.trace = trace;
            lines.push(line);
            made += 1;
        }
    }
    made
}

fn break_in(wanted: usize, lines: &mut Vec<Line>, random: &mut Random) {
    const REFUSED: Forced = Forced {
        level: "WARN",
        error_type: "AuthenticationFailed",
        message: "Authentication failed: invalid password",
    };
    for _ in 0..wanted {
        let at = Moment::days_ago(0, 2).seconds_later(random.unit() * 3_600.0);
        let mut line = in_production(usual(at, service("auth-api"), Some(REFUSED), random));
        (line.path, line.method) = (Some("/api/v1/login"), Some("POST"));
        line.user = Some(format!("user_{:03}", random.whole(300, 320)));
        line.metadata.plain("status_code", 401);
        line.metadata.text("client_ip", "203.0.113.77");
        lines.push(line);
    }
}

fn in_production(mut line: Line) -> Line {
    (line.environment, line.deleted) = ("production", false);
    line
}

/// What a planted line says whatever the numbers say.
#[derive(Clone, Copy)]
struct Forced {
    level: &'static str,
    error_type: &'static str,
    message: &'static str,
}

/// A line of a service at some moment. The numbers are drawn in one order only: another one makes other lines.
fn usual(at: Moment, service: &'static Service, forced: Option<Forced>, random: &mut Random) -> Line {
    let weights: Vec<(usize, f64)> =
        service.paths.iter().enumerate().map(|(at, path)| (at, path.weight)).collect();
    let path = &service.paths[random.pick(&weights)];
    let rolled_out = service.name == "order-api" && at >= ORDER_ROLLOUT;
    let drawn = level(service.errors * if rolled_out { 2.2 } else { 1.0 }, random);
    let level = forced.map_or(drawn, |forced| forced.level);
    let failed = matches!(level, "ERROR" | "FATAL");
    let is_backend = service.log_type == "BACKEND";
    let has_people = matches!(service.log_type, "BACKEND" | "FRONTEND" | "MOBILE");
    let user = (has_people && random.chance(0.82)).then(|| format!("user_{:03}", random.whole(1, 401)));
    let trace = random.chance(if is_backend { 0.9 } else { 0.75 }).then(|| random.id());
    let slow = path.path == Some("/api/v1/search") && at > Moment::NOW.minutes_later(-24 * 60);
    let mut milliseconds = duration(service, path.milliseconds * if slow { 3.4 } else { 1.0 }, random);
    let mut error_type = forced.map(|forced| forced.error_type);
    let mut message = forced.map(|forced| forced.message.to_owned());
    if failed && forced.is_none() {
        let fault = fault(service, rolled_out, random);
        (error_type, message) = (Some(fault.error_type), Some(fault.message.to_owned()));
        if fault.error_type.contains("imeout") && milliseconds.is_some_and(|number| number != 0.0) {
            milliseconds = Some(rounded(random.between(3_000.0, 30_000.0), 3));
        }
    }
    let mut message = message.unwrap_or_else(|| said(level, service, random));
    let source = failed.then(|| source(service, &mut message, error_type, user.as_deref(), random));
    let (function, file, stack) = match source {
        Some(source) => (Some(source.function), Some(source.file), source.stack),
        None => (None, None, None),
    };
    let environment = random.pick(&[("production", 86.0), ("staging", 9.0), ("development", 5.0)]);
    let mut metadata = metadata(service, failed, error_type, random);
    if service.name == "web-app" && error_type == Some("TypeError") && random.chance(0.6) {
        for (key, value) in [("browser", "Safari"), ("device", "mobile"), ("os", "iOS")] {
            metadata.text(key, value);
        }
    }
    let session = user.is_some().then(|| format!("sess_{}", &random.id()[..12]));
    let is_page = matches!(service.log_type, "FRONTEND" | "MOBILE");
    let action = is_page.then(|| random.pick(&[("click", 5.0), ("navigate", 4.0), ("submit", 1.0)]));
    Line {
        environment,
        trace,
        user,
        session,
        error_type,
        stack,
        path: path.path,
        method: path.method,
        action,
        function,
        file,
        milliseconds,
        deleted: random.chance(0.02),
        metadata,
        ..bare(at, level, service, message)
    }
}

/// A line with nothing but what every line has.
pub(super) fn bare(at: Moment, level: &'static str, service: &'static Service, message: String) -> Line {
    let rollout = match service.name {
        "order-api" => ORDER_ROLLOUT,
        "payment-api" => Moment::days_ago(9, 11),
        _ => Moment::days_ago(14, 0),
    };
    Line {
        at,
        level,
        log_type: service.log_type,
        service: service.name,
        environment: "production",
        version: versions(service.name)[usize::from(at >= rollout)],
        trace: None,
        user: None,
        session: None,
        error_type: None,
        message,
        stack: None,
        path: None,
        method: None,
        action: None,
        function: None,
        file: None,
        milliseconds: None,
        deleted: false,
        metadata: Metadata::default(),
    }
}

fn level(errors: f64, random: &mut Random) -> &'static str {
    let fine = (1.0 - errors - 0.2145).max(0.05);
    random.pick(&[
        ("ERROR", errors),
        ("FATAL", 0.0025),
        ("WARN", 0.11),
        ("DEBUG", 0.09),
        ("TRACE", 0.012),
        ("INFO", fine),
    ])
}

fn duration(service: &Service, middle: f64, random: &mut Random) -> Option<f64> {
    let measured = matches!(service.log_type, "BACKEND" | "WORKER" | "IOT") && random.chance(0.92);
    measured.then(|| {
        let usual = rounded(middle * random.log_normal(0.0, 0.55), 3);
        if random.chance(0.012) { rounded(usual * random.between(6.0, 20.0), 3) } else { usual }
    })
}

fn fault(service: &Service, rolled_out: bool, random: &mut Random) -> Fault {
    let weight = |fault: &Fault| {
        let more = rolled_out && fault.error_type == "OrderValidationError";
        fault.weight * if more { 5.0 } else { 1.0 }
    };
    let weights: Vec<(Fault, f64)> = service.faults.iter().map(|fault| (*fault, weight(fault))).collect();
    random.pick(&weights)
}

/// What a line says that is neither an error nor planted.
fn said(level: &str, service: &Service, random: &mut Random) -> String {
    match level {
        "WARN" => {
            let memory = format!("High memory usage: {}%", random.whole(80, 97));
            let retry = format!("Retrying request (attempt {}/3)", random.whole(1, 4));
            let all = [
                ("Slow query detected", 3.0),
                (memory.as_str(), 2.0),
                (retry.as_str(), 3.0),
                ("Rate limit approaching", 1.0),
                ("Deprecated API called", 1.0),
            ];
            random.pick(&all).to_owned()
        }
        "INFO" => random.any(service.messages).to_owned(),
        "DEBUG" => format!("cache lookup key={}", &random.id()[..8]),
        _ => format!("enter {}", service.functions[0]),
    }
}

/// Where in the source an error happened.
struct Source {
    function: &'static str,
    file: String,
    stack: Option<String>,
}

fn source(
    service: &Service,
    message: &mut String,
    error_type: Option<&str>,
    user: Option<&str>,
    random: &mut Random,
) -> Source {
    if let Some(user) = user
        && random.chance(0.15)
    {
        message.push_str(&format!(" (user={user})"));
    }
    let (function, extension) = (random.any(service.functions), service.extension);
    let file = format!("src/{}/{}.{extension}", service.name.replace('-', "_"), function.to_lowercase());
    let stack = random.chance(0.85).then(|| {
        let (line, core) = (random.whole(20, 400), random.whole(10, 99));
        let error_type = error_type.unwrap_or_default();
        format!(
            "{error_type}: {message}\n  at {function} ({file}:{line})\n  at dispatch (src/runtime/core.{extension}:{core})"
        )
    });
    Source { function, file, stack }
}

fn metadata(service: &Service, failed: bool, error_type: Option<&str>, random: &mut Random) -> Metadata {
    let mut of = Metadata::default();
    match service.log_type {
        "BACKEND" => backend(&mut of, service, failed, error_type, random),
        "FRONTEND" => {
            let (browser, _, device) = random.pick(&BROWSERS.map(|browser| (browser, browser.1)));
            let desktop = random.pick(&[("Windows", 7.0), ("macOS", 3.0)]);
            let mobile = if browser == "Safari" { "iOS" } else { "Android" };
            of.text("browser", browser);
            of.text("device", device);
            of.text("os", if device == "desktop" { desktop } else { mobile });
            of.plain("load_ms", random.log_normal(7.0, 0.5).round_ties_even());
        }
        "MOBILE" => {
            of.text("device", "mobile");
            of.text("os", random.pick(&[("Android", 6.0), ("iOS", 4.0)]));
            of.text("app_version", random.pick(&[("5.2.0", 6.0), ("5.1.3", 3.0), ("4.9.8", 1.0)]));
        }
        "WORKER" => {
            of.text("job", random.pick(&[("settlement", 5.0), ("report", 3.0), ("cleanup", 2.0)]));
            of.plain("batch_size", random.whole(100, 5_000));
        }
        _ => {
            of.text("device_id", &format!("sensor-{:03}", random.whole(1, 40)));
            of.number("temp_c", rounded(random.normal(24.0, 4.0), 1));
        }
    }
    of
}

fn backend(
    of: &mut Metadata,
    service: &Service,
    failed: bool,
    error_type: Option<&str>,
    random: &mut Random,
) {
    let status = if failed {
        let unknown = random.pick(&[(500, 6.0), (503, 3.0), (504, 2.0)]);
        error_type.and_then(status_of).unwrap_or(unknown)
    } else {
        200
    };
    of.plain("status_code", status);
    of.text("client_ip", &format!("198.51.100.{}", random.whole(1, 255)));
    of.text("region", random.pick(&[("ap-northeast-2a", 6.0), ("ap-northeast-2b", 4.0)]));
    if random.chance(0.6) {
        of.number("db_query_ms", rounded(random.log_normal(2.2, 0.9).max(0.2), 1));
    }
    let hits = match service.name {
        "product-api" => Some(0.72),
        "inventory-api" => Some(0.55),
        "user-api" => Some(0.83),
        _ => None,
    };
    if let Some(hits) = hits {
        of.plain("cache_hit", random.chance(hits));
    }
    let asked = match service.name {
        "payment-api" => Some(random.pick(&[("toss-pg", 6.0), ("kakao-pay", 3.0), ("naver-pay", 2.0)])),
        "notification-api" => Some(random.pick(&[("ses", 5.0), ("fcm", 5.0)])),
        _ => None,
    };
    if let Some(asked) = asked {
        of.text("external_api", asked);
        let mean = if asked == "toss-pg" { 5.6 } else { 5.0 };
        of.number("external_ms", rounded(random.log_normal(mean, 0.5), 1));
    }
    if matches!(service.name, "payment-api" | "order-api") && random.chance(0.5) {
        of.plain("amount", random.whole(5, 400) * 1_000);
    }
}

/// To so many digits after the point, by the exact value of the number.
fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$}").parse().unwrap_or(number)
}
