//! What `duru ask` says, in both languages.

use duru_agents::analyst::Formatted;
use duru_agents::analyst::reader::AskBack;
use duru_sql::zone_label;

use crate::lang::Lang;
use crate::text::clean;

pub(super) fn step(node: &str, lang: Lang) -> String {
    let (ko, en) = match node {
        "resolve_context" => ("앞선 대화를 살펴봅니다", "looking at what was said before"),
        "extract_filters" => ("서비스와 기간을 찾습니다", "finding service and time"),
        "clarifier" => ("되물을 것이 있는지 봅니다", "seeing whether to ask back"),
        "consult_model" => ("모델의 해석과 견줍니다", "comparing with how the model reads it"),
        "retrieve_schema" => ("데이터의 구조를 봅니다", "looking at what the data holds"),
        "generate_sql" => ("SQL을 씁니다", "writing SQL"),
        "validate_sql" => ("SQL이 안전한지 검사합니다", "checking that it is safe"),
        "execute_query" => ("조회합니다", "asking the data"),
        "generate_insight" => ("결과를 정리합니다", "making sense of it"),
        other => return clean(other),
    };
    lang.pick(ko, en).to_owned()
}

pub(super) fn asks(open: &AskBack, lang: Lang) -> String {
    let options: Vec<String> = open
        .options
        .iter()
        .enumerate()
        .map(|(at, option)| format!("  {}. {}", at + 1, clean(option)))
        .collect();
    let custom = if open.allow_custom {
        lang.pick("\n  (또는 직접 입력)", "\n  (or your own words)")
    } else {
        ""
    };
    format!("{}\n{}{custom}", clean(&open.question), options.join("\n"))
}

pub(super) fn not_an_answer(lang: Lang) -> &'static str {
    lang.pick("목록의 번호나 이름으로 답해 주세요.", "Answer with a number or a name of the list.")
}

pub(super) fn cut(shown: &Formatted, lang: Lang) -> String {
    let (displayed, count) = (shown.displayed, shown.count);
    if shown.count_is_lower_bound {
        lang.pick(
            format!("{count}건 이상 가운데 {displayed}건"),
            format!("{displayed} of at least {count} rows"),
        )
    } else {
        lang.pick(format!("{count}건 가운데 {displayed}건"), format!("{displayed} of {count} rows"))
    }
}

/// The time zone that days and hours are counted in.
pub(super) fn zone(name: &str, lang: Lang) -> String {
    let zone = zone_label(&clean(name), jiff::Timestamp::now());
    lang.pick(format!("시간대: {zone}"), format!("Time zone: {zone}"))
}

pub(super) fn unknown_zone(given: &str, lang: Lang) -> String {
    let given = clean(given);
    lang.pick(
        format!("! TZ={given}은(는) 모르는 시간대라서 UTC로 셉니다 (예: TZ=Asia/Seoul)"),
        format!("! TZ={given} is no time zone that is known, so UTC counts (such as TZ=Asia/Seoul)"),
    )
}

pub(super) fn kept(lang: Lang) -> &'static str {
    lang.pick("조금 전에 조회해 둔 결과입니다.", "These are the results of a moment ago, kept since.")
}

pub(super) fn next(lang: Lang) -> &'static str {
    lang.pick("이어서 물어볼 만한 것:", "You could ask next:")
}

pub(super) fn no_query(lang: Lang) -> &'static str {
    lang.pick("아직 답이 없어 보여 줄 SQL이 없습니다.", "There is no answer yet, and so no query to show.")
}

pub(super) fn greeting(lang: Lang) -> &'static str {
    lang.pick(
        "로그에 관해 물어보세요. /help로 명령을 보고, 빈 줄이나 Ctrl-D로 끝냅니다.",
        "Ask about your logs. /help lists commands; an empty line or Ctrl-D ends it.",
    )
}
