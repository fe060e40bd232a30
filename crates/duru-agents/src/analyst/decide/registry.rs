//! The analyst's decisions as a list, each with an example.

use duru_llm::decision::{About, Registry, Untrusted, Words};

use super::{
    AnalyseQuery, AnalysisAsked, ContextAsked, ExtractFilters, FiltersAsked, GenerateInsight, GenerateSql,
    InsightAsked, NameColumns, ResolveContext, Sql, SqlAsked, TableToName,
};
use crate::analyst::filters::{Filters, Relative, TimeRange, Unit};
use crate::analyst::reader::{QueryAnalysis, ServiceType, TimeClarity};

/// The analyst's decisions.
pub(in crate::analyst) fn decisions() -> Registry {
    let draft = || Words { ko: "질문 해석기가 읽은 대로", en: "As the question parser reads it" };
    let three_hours = Filters {
        service: Some("payment-api".into()),
        time_range: Some(TimeRange::Relative { relative: Relative { value: 3, unit: Unit::Hour } }),
        ambiguous_time: false,
        confidence: 1.0,
    };
    let (question, now, zone) =
        ("결제 서비스 최근 3시간 에러 목록", "2026-03-18T14:30:00+09:00", "Asia/Seoul");
    let analysis = QueryAnalysis {
        has_service: true,
        service_type: ServiceType::Specific,
        is_filter_query: true,
        time_clarity: TimeClarity::Clear,
        ..QueryAnalysis::default()
    };
    let sql = "SELECT id, created_at, level, service, message FROM logs WHERE service = 'payment-api' \
               AND level = 'ERROR' AND created_at > NOW() - INTERVAL '3 hours' AND deleted = FALSE \
               ORDER BY created_at DESC LIMIT 100";
    let query = Sql {
        sql: Some(sql.into()),
        explanation: "payment-api에서 최근 3시간 동안 난 ERROR 로그, 최신순".into(),
        refusal: None,
    };
    Registry::new()
        .with::<ResolveContext>(About {
            asks: Words {
                ko: "앞선 대화를 알아야 뜻이 통하는 질문인가, 그렇다면 온전한 질문은?",
                en: "Does the question lean on the conversation, and what does it mean on its own?",
            },
            rule: draft(),
            example: ContextAsked {
                question: "그 서비스의 최근 1시간 로그는?".into(),
                before: vec!["payment-api 에러 몇 건이야?".into()],
                focus: Untrusted::new("service payment-api"),
                draft: Some("payment-api의 최근 1시간 로그".into()),
            },
        })
        .with::<ExtractFilters>(About {
            asks: Words { ko: "어느 서비스의 언제 로그를 말하는가?", en: "Which service and which time does it name?" },
            rule: draft(),
            example: FiltersAsked {
                question: question.into(),
                now: now.into(),
                timezone: zone.into(),
                services: vec![Untrusted::new("payment-api"), Untrusted::new("order-api")],
                draft: Some(three_hours.clone()),
                rule: three_hours.clone(),
            },
        })
        .with::<AnalyseQuery>(About {
            asks: Words { ko: "그대로 답할 수 있는가, 되물어야 하는가?", en: "Can it be answered as it is, or must the person be asked?" },
            rule: draft(),
            example: AnalysisAsked {
                question: question.into(),
                filters: three_hours.clone(),
                draft: Some(analysis.clone()),
                rule: analysis,
            },
        })
        .with::<GenerateSql>(About {
            asks: Words { ko: "어떤 SQL이 질문에 답하는가?", en: "Which query answers the question?" },
            rule: draft(),
            example: SqlAsked {
                question: question.into(),
                now: now.into(),
                timezone: zone.into(),
                schema: Untrusted::new(
                    "CREATE TABLE logs ( -- about 50000 rows; Log lines of services\n  id bigint PRIMARY KEY,\n  \
                     created_at timestamptz,\n  level text, -- 'ERROR', 'WARN', 'INFO' …\n  \
                     service text, -- 'payment-api', 'order-api' …\n  message text,\n);\n",
                ),
                hints: Untrusted::new(
                    "\"결제\": service = 'payment-api'\n\"최근 3시간\": the time > NOW() - INTERVAL '3 hours'\n\"에러\": level = 'ERROR'",
                ),
                draft: Some(query.clone()),
                rule: query,
                rejected: None,
                reason: None,
            },
        })
        .with::<GenerateInsight>(About {
            asks: Words { ko: "결과가 무엇을 뜻하는가?", en: "What does the result say?" },
            rule: Words { ko: "가장 큰 값, 가장 작은 값, 흐름을 문장으로", en: "The highest, the lowest and the trend, in sentences" },
            example: InsightAsked {
                question: "어제 서비스별 에러 건수".into(),
                columns: vec!["service".into(), "count".into()],
                count: 2,
                cut: String::new(),
                rows: Untrusted::new(r#"[{"service":"payment-api","count":152},{"service":"order-api","count":40}]"#),
                summary: Untrusted::new("count 값이 가장 큰 항목은 payment-api(152)입니다."),
                draft: "count 값이 가장 큰 항목은 payment-api(152)입니다.".into(),
            },
        })
        .with::<NameColumns>(About {
            asks: Words {
                ko: "사람들은 이 테이블과 열을 뭐라고 부르는가?",
                en: "What do people call this table and its columns?",
            },
            rule: Words { ko: "이름과 주석에 있는 말만", en: "Only the words of names and comments" },
            example: TableToName {
                table: Untrusted::new(
                    "CREATE TABLE ord ( -- What customers bought\n  cust_id bigint REFERENCES customers(id),\n  \
                     amt numeric, -- in won\n  pay_tp text, -- 'card', 'cash' …\n);\n",
                ),
            },
        })
}
