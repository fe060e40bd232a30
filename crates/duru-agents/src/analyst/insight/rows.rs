//! Rows themselves: how many, and what most of them have in common.

use duru_sql::Answer;

use super::topic::{Topic, with_particle};
use super::{grouped, index, is_part, of_shown, pick};

/// Who wrote which rows mostly, worth a sentence.
const TELLING: [&str; 3] = ["service", "error_type", "level"];

pub(super) fn sentences(answer: &Answer, count: u64, topic: &Topic) -> Vec<String> {
    let (lang, all, what) = (topic.lang, grouped(count), topic.rows(count));
    let mut sentences =
        vec![pick(lang, format!("{what} {all}건을 찾았습니다."), format!("{all} {what} found."))];
    let part = is_part(answer, count);
    for column in TELLING {
        if let Some(word) = index(answer, column).and_then(|at| most(answer, at)) {
            sentences.push(pick(
                lang,
                format!(
                    "{}{column} 중에서는 {} 가장 많습니다.",
                    of_shown(part, lang),
                    with_particle(word, ("이", "가"))
                ),
                format!(
                    "{} have the {column} {word}.",
                    if part { "Most of the rows shown" } else { "Most of them" }
                ),
            ));
            break;
        }
    }
    if let Some(at) = index(answer, "created_at") {
        let times: Vec<&str> = answer.rows.iter().filter_map(|row| row.get(at)?.as_str()).collect();
        // Of a part in another order, the newest need not be there.
        if let Some(newest) = times.iter().max().filter(|newest| !part || times.first() == Some(newest)) {
            sentences.push(pick(
                lang,
                format!("가장 최근 기록은 {newest}입니다."),
                format!("The newest is of {newest}."),
            ));
        }
    }
    sentences
}

/// The word that most of the rows have, if there are several words and one wins.
fn most(answer: &Answer, at: usize) -> Option<&str> {
    let mut words: Vec<&str> = answer.rows.iter().filter_map(|row| row.get(at)?.as_str()).collect();
    words.sort_unstable();
    let mut runs: Vec<(usize, &str)> = words.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
    runs.sort_unstable_by(|a, b| b.cmp(a));
    match runs.as_slice() {
        [(most, word), (next, _), ..] if most > next => Some(word),
        _ => None,
    }
}
