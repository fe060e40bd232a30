//! Three questions that may come next, in words that the parser understands.

use duru_sql::guard::Lang;
use duru_sql::{Catalog, Table};

use super::state::Analysis;
use super::{Chart, ChartKind, Focus};

/// The columns that the follow-ups are about.
const COLUMNS: [&str; 5] = ["level", "service", "error_type", "path", "duration_ms"];

/// Three follow-ups to what was just answered; none where there is nothing of what they are about.
pub(super) fn follow_ups(s: &Analysis, focus: &Focus, catalog: &Catalog) -> Vec<String> {
    let has_all = |table: &Table| COLUMNS.iter().all(|column| table.column(column).is_some());
    if !catalog.tables.iter().any(has_all) {
        return Vec::new();
    }
    let service = focus.service.as_deref();
    let chart = s.query_results.as_ref().and_then(Chart::of);
    let kind = chart.as_ref().map(|chart| chart.kind);
    let of = |ko: &str, en: &str| match (s.lang(), service) {
        (Lang::Ko, Some(service)) => format!("{service} {ko}"),
        (Lang::Ko, None) => ko.to_owned(),
        (Lang::En, Some(service)) => format!("{en} of {service}"),
        (Lang::En, None) => en.to_owned(),
    };
    let mut offers = Vec::new();
    if kind != Some(ChartKind::Line) {
        offers.push(of("최근 24시간 시간대별 에러 건수", "hourly error count in the last 24 hours"));
    }
    if focus.error_type.is_none() {
        offers.push(of("최근 24시간 에러 유형 상위 5개", "top 5 error types in the last 24 hours"));
    }
    if service.is_none() && kind != Some(ChartKind::Bar) {
        offers.push(of("최근 24시간 서비스별 에러율", "error rate by service in the last 24 hours"));
    }
    offers.push(of(
        "최근 24시간 p95 응답 시간이 가장 긴 경로 5개",
        "5 slowest paths by p95 in the last 24 hours",
    ));
    offers.push(of("오늘 에러 건수를 어제와 비교", "errors today compared with yesterday"));
    offers.truncate(3);
    offers
}
