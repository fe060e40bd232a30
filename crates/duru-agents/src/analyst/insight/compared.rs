//! A figure of two periods: by how much it changed, and against what.

use duru_sql::Answer;
use serde_json::Value;

use super::topic::{Figure, Topic, with_particle};
use super::{pick, shown};
use crate::analyst::numbers;

/// How a figure changed from the earlier period to the later.
pub(super) fn sentence(
    answer: &Answer,
    row: &[Value],
    (now_at, before_at): (usize, usize),
    topic: &Topic,
) -> Option<String> {
    let lang = topic.lang;
    let (now, before) = (row.get(now_at)?, row.get(before_at)?);
    let (Some(new), Some(old)) = (now.as_f64(), before.as_f64()) else {
        let label = topic.label(now_at);
        return Some(pick(
            lang,
            format!("{} 두 기간 모두에 있지는 않아 비교할 수 없습니다.", with_particle(&label, ("은", "는"))),
            format!("The {label} can't be compared: one of the periods has no values."),
        ));
    };
    let earlier =
        topic.before.clone().unwrap_or_else(|| pick(lang, "비교 기간", "the period before").to_owned());
    let (new_shown, old_shown) =
        (topic.with_unit(now_at, &shown(now, lang)), topic.with_unit(before_at, &shown(before, lang)));
    let mut said = subject(now_at, topic);
    if new == old {
        let as_before = match topic.figure(now_at) {
            Figure::Count(None) => "As many as",
            Figure::Count(_) => "as many as",
            _ => "the same as",
        };
        said.push_str(&pick(
            lang,
            format!("{} 같습니다 ({new_shown}).", with_particle(&earlier, ("과", "와"))),
            format!("{as_before} {earlier} ({new_shown})."),
        ));
    } else {
        let by = difference(now_at, new, old, topic);
        let more = new > old;
        // Percent of percent would mislead.
        let percent = if topic.is_percent(now_at) { None } else { numbers::change(new, old) };
        let sign = if more { "+" } else { "−" };
        let (ko, en) = match &percent {
            Some(percent) => (format!("({percent}%)"), format!(" ({sign}{percent} %)")),
            None => (String::new(), String::new()),
        };
        let verb = if more { "늘었습니다" } else { "줄었습니다" };
        let word = match (topic.figure(now_at), more) {
            (Figure::Count(_), true) => "more",
            (Figure::Count(_), false) => "fewer",
            (_, true) => "higher",
            (_, false) => "lower",
        };
        said.push_str(&pick(
            lang,
            format!("{earlier}보다 {by}{ko} {verb}: {old_shown}에서 {new_shown}."),
            format!("{by} {word} than {earlier}{en}: {new_shown} against {old_shown}."),
        ));
    }
    let whole = answer.columns[now_at].name.replace("_now", "_before_whole");
    if let Some(at) = answer.columns.iter().position(|column| column.name == whole) {
        let all = row.get(at).map(|value| topic.with_unit(now_at, &shown(value, lang))).unwrap_or_default();
        said.push_str(&pick(
            lang,
            format!(" {earlier}의 같은 때까지만 견주었고, {earlier} 전체는 {all}입니다."),
            format!(" Only the same part of {earlier} is compared; the whole of it has {all}."),
        ));
    }
    Some(said)
}

/// Of whose figures it is said. Rows need not be named: the question did.
fn subject(at: usize, topic: &Topic) -> String {
    match topic.figure(at) {
        Figure::Count(None) => String::new(),
        _ => {
            let label = topic.label(at);
            pick(topic.lang, format!("{} ", with_particle(&label, ("은", "는"))), format!("The {label}: "))
        }
    }
}

fn difference(at: usize, new: f64, old: f64, topic: &Topic) -> String {
    let by = numbers::difference(new, old);
    match topic.is_percent(at) {
        true => pick(topic.lang, format!("{by}%p"), format!("{by} percentage points")),
        false => topic.with_unit(at, &super::grouped_text(&by)),
    }
}
