//! A result of one row: the figure that was asked for, as a sentence.

use duru_sql::Answer;
use duru_sql::guard::Lang;
use serde_json::Value;

use super::coverage::CountedRows;
use super::topic::{Figure, Topic, with_particle};
use super::{compared, pick, shown};
use crate::analyst::chart::{Role, role};
use crate::analyst::numbers;

pub(super) fn sentences(answer: &Answer, row: &[Value], topic: &Topic) -> Vec<String> {
    let pairs = numbers::periods(answer);
    let mut said: Vec<String> =
        pairs.iter().filter_map(|pair| compared::sentence(answer, row, *pair, topic)).collect();
    let of_periods = |at: usize| {
        pairs.iter().any(|(now, before)| at == *now || at == *before)
            || answer.columns[at].name.ends_with("_before_whole")
    };
    let about = names(answer, row, topic.lang);
    for (at, value) in row.iter().enumerate().filter(|(at, _)| !of_periods(*at)) {
        match role(&answer.columns[at]) {
            Role::Number => said.push(figure(at, value, about.as_deref(), topic)),
            Role::Time => said.push(moment(at, answer, value, topic.lang)),
            _ => {}
        }
    }
    said
}

/// Whose figures these are.
fn names(answer: &Answer, row: &[Value], lang: Lang) -> Option<String> {
    let named = row.iter().zip(&answer.columns).filter(|(_, column)| role(column) == Role::Name);
    let named: Vec<String> = named.map(|(value, _)| shown(value, lang)).collect();
    (!named.is_empty()).then(|| named.join(" · "))
}

fn figure(at: usize, value: &Value, about: Option<&str>, topic: &Topic) -> String {
    let lang = topic.lang;
    let (of_ko, of_en) = match about {
        Some(about) => (format!("{about}: "), format!("{about}: ")),
        None => (String::new(), String::new()),
    };
    if value.is_null() {
        let label = topic.label(at);
        return pick(
            lang,
            format!("{of_ko}{} 계산할 값이 없습니다.", with_particle(&label, ("을", "를"))),
            format!("{of_en}There are no values to calculate the {label} from."),
        );
    }
    let amount = topic.with_unit(at, &shown(value, lang));
    match topic.figure(at) {
        Figure::Count(_) => {
            let count = value.as_u64().unwrap_or(2);
            let what = topic.counted(at, count);
            let fitting = topic.rows_of(at) != CountedRows::All;
            if count == 0 {
                return pick(
                    lang,
                    format!(
                        "{of_ko}{}{} 없습니다.",
                        if fitting { "조건에 맞는 " } else { "" },
                        with_particle(&what, ("이", "가"))
                    ),
                    format!("{of_en}There are no {what}{}.", if fitting { " that fit" } else { "" }),
                );
            }
            let (is, fit) = if count == 1 { ("is", "fits") } else { ("are", "fit") };
            pick(
                lang,
                format!(
                    "{of_ko}{}{} {amount}입니다.",
                    if fitting { "조건에 맞는 " } else { "" },
                    with_particle(&what, ("은", "는"))
                ),
                match fitting {
                    true => format!("{of_en}There {is} {amount} {what} that {fit}."),
                    false => format!("{of_en}There {is} {amount} {what}."),
                },
            )
        }
        Figure::Percent { part, .. } => {
            format!("{}{}", pick(lang, of_ko, of_en), share(&amount, part.as_deref(), at, topic))
        }
        Figure::Amount { label, .. } => pick(
            lang,
            format!("{of_ko}{} {amount}입니다.", with_particle(label, ("은", "는"))),
            format!("{of_en}The {label} is {amount}."),
        ),
    }
}

/// Of which rows so many of a hundred are.
fn share(amount: &str, part: Option<&str>, at: usize, topic: &Topic) -> String {
    let (lang, rows) = (topic.lang, topic.counted(at, 2));
    let (ko, en) = match (topic.rows_of(at), part) {
        (CountedRows::Fitting, _) => (format!("조건에 맞는 {rows}"), format!("the {rows} that fit")),
        (CountedRows::Unknown, None) => {
            let label = topic.label(at);
            return pick(
                lang,
                format!("{} {amount}입니다.", with_particle(&label, ("은", "는"))),
                format!("The {label} is {amount}."),
            );
        }
        (_, Some(_)) => (rows.clone(), format!("the {rows}")),
        (CountedRows::All, None) => (format!("전체 {rows}"), format!("all {rows}")),
    };
    match part {
        Some(part) => pick(
            lang,
            format!("{ko} 가운데 {} {amount}입니다.", with_particle(part, ("은", "는"))),
            format!("{amount} of {en} are {part}."),
        ),
        None => pick(lang, format!("{ko} 가운데 {amount}입니다."), format!("That is {amount} of {en}.")),
    }
}

fn moment(at: usize, answer: &Answer, value: &Value, lang: Lang) -> String {
    let (ko, en) = match answer.columns[at].name.as_str() {
        "first_at" => ("처음은", "The first was at"),
        "last_at" => ("마지막은", "The last was at"),
        _ => ("시각은", "The time is"),
    };
    if value.is_null() {
        return pick(lang, "해당하는 시각이 없습니다.", "There is no such time.").to_owned();
    }
    let when = shown(value, lang);
    pick(lang, format!("{ko} {when}입니다."), format!("{en} {when}."))
}
