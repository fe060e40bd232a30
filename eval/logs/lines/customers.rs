//! The two customers whose way through the services is known line by line: one who bought something, one whose payment
//! failed in the outage.

use super::line::{Line, Metadata, Moment};
use super::services::service;
use super::story::bare;

pub(super) const LINES: usize = BOUGHT.len() + FAILED.len();

/// A step of a customer: after so many milliseconds, level, service, path, method, action, error, message, duration.
type Step = (
    i64,
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
    &'static str,
    Option<f64>,
);

const POST: Option<&str> = Some("POST");
const SUBMIT: Option<&str> = Some("submit");
const NAVIGATE: Option<&str> = Some("navigate");

#[rustfmt::skip]
const BOUGHT: [Step; 9] = [
    (0, "INFO", "web-app", "/cart", None, NAVIGATE, None, "Page loaded", None),
    (4_200, "INFO", "order-api", "/api/v1/cart", Some("GET"), None, None, "Cart loaded", Some(61.5)),
    (9_100, "INFO", "web-app", "/checkout", None, NAVIGATE, None, "Page loaded", None),
    (21_300, "INFO", "web-app", "/checkout", None, SUBMIT, None, "Form submitted", None),
    (21_450, "INFO", "order-api", "/api/v1/orders", POST, None, None, "Order created", Some(182.25)),
    (21_700, "INFO", "inventory-api", "/api/v1/stock/reserve", POST, None, None, "Stock reserved", Some(140.125)),
    (21_900, "WARN", "payment-api", "/api/v1/payment", POST, None, None, "Retrying request (attempt 1/3)", Some(3_050.75)),
    (25_100, "INFO", "payment-api", "/api/v1/payment", POST, None, None, "Payment approved", Some(640.5)),
    (25_900, "INFO", "notification-api", "/api/v1/notify", POST, None, None, "Mail queued", Some(95.0)),
];

#[rustfmt::skip]
const FAILED: [Step; 7] = [
    (0, "INFO", "web-app", "/checkout", None, SUBMIT, None, "Form submitted", None),
    (180, "INFO", "order-api", "/api/v1/orders", POST, None, None, "Order created", Some(201.0)),
    (420, "INFO", "inventory-api", "/api/v1/stock/reserve", POST, None, None, "Stock reserved", Some(133.0)),
    (900, "ERROR", "payment-api", "/api/v1/payment", POST, None, Some("DatabaseConnectionError"), "Connection pool exhausted: could not acquire connection within 5s", Some(5_002.0)),
    (6_100, "ERROR", "payment-api", "/api/v1/payment", POST, None, Some("PaymentGatewayTimeout"), "PG gateway timeout after 30000ms", Some(30_000.0)),
    (36_300, "ERROR", "order-api", "/api/v1/orders", POST, None, Some("UpstreamTimeout"), "Upstream payment-api timeout after 10000ms", Some(35_900.0)),
    (36_500, "ERROR", "web-app", "/checkout", None, SUBMIT, Some("NetworkError"), "Failed to fetch", None),
];

pub(super) fn lines() -> Vec<Line> {
    let mut lines = Vec::with_capacity(LINES);
    let customers: [(&str, &str, &str, Moment, &[Step]); 2] = [
        (
            "a1b2c3d4e5f60718293a4b5c6d7e8f90",
            "user_042",
            "sess_pinned00042",
            Moment::NOW.minutes_later(-50),
            &BOUGHT,
        ),
        (
            "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "user_077",
            "sess_pinned00077",
            Moment::days_ago(1, 10).minutes_later(40),
            &FAILED,
        ),
    ];
    for (trace, user, session, begin, steps) in customers {
        for (after, level, name, path, method, action, error_type, message, milliseconds) in steps {
            let service = service(name);
            let mut metadata = Metadata::default();
            metadata.plain("pinned", true);
            if service.log_type == "BACKEND" {
                metadata.plain("status_code", if *level == "INFO" { 200 } else { 504 });
            } else {
                for (key, value) in [("browser", "Chrome"), ("device", "desktop"), ("os", "Windows")] {
                    metadata.text(key, value);
                }
            }
            lines.push(Line {
                trace: Some(trace.to_owned()),
                user: Some(user.to_owned()),
                session: Some(session.to_owned()),
                path: Some(path),
                method: *method,
                action: *action,
                error_type: *error_type,
                milliseconds: *milliseconds,
                metadata,
                ..bare(begin.later(after * 1_000), level, service, (*message).to_owned())
            });
        }
    }
    lines
}
