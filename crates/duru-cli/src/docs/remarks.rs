//! `duru docs feedback` and `duru docs remarks`: what people say about passages.

use std::collections::HashMap;

use duru::{Clock, SystemClock};
use duru_search::index::Index;
use duru_search::remark::{
    self, Error, LONGEST, NewRemark, PER_AUTHOR, PER_PASSAGE, Remark, RemarksOf, Standing,
};
use duru_search::{Chunk, Verdict};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::DocsProblem;
use super::library::Opened;
use crate::args::{LOCAL_USER, RemarksAction};
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

/// `duru docs feedback`
pub(super) async fn say(
    opened: &Opened,
    chunk: &str,
    (verdict, text): (&str, &str),
    output: &Output,
) -> Result<(), Problem> {
    let verdict = Verdict::from_word(verdict).unwrap_or(Verdict::Note);
    let new = NewRemark { verdict, text, author: LOCAL_USER, at_ms: SystemClock.now_ms() };
    let kept = remark::say(&*opened.index, chunk, new).await.map_err(|error| problem(error, chunk))?;
    output.text(output.lang.pick(
        "적어 두었습니다. 받아들이기 전에는 여러분에게만 보입니다.\n",
        "Noted. It is for you alone until it is accepted.\n",
    ))?;
    output.json(as_json(&kept, Some(LOCAL_USER), None))
}

/// `duru docs remarks …`
pub(super) async fn run(opened: &Opened, action: &RemarksAction, output: &Output) -> Result<(), Problem> {
    let index: &dyn Index = &*opened.index;
    let now = SystemClock.now_ms();
    let by = LOCAL_USER.to_owned();
    match action {
        RemarksAction::List => list(index, output).await,
        RemarksAction::Accept { id } => judge(index, id, Standing::Accepted { by, at_ms: now }, output).await,
        RemarksAction::Decline { id } => {
            judge(index, id, Standing::Declined { by, at_ms: now }, output).await
        }
        RemarksAction::Remove { id } => {
            remark::withdraw(index, id).await.map_err(|error| problem(error, id))?;
            output.text(output.lang.pick("지웠습니다.\n", "It is gone.\n"))?;
            output.json(json!({ "withdrawn": id }))
        }
    }
}

async fn judge(index: &dyn Index, id: &str, standing: Standing, output: &Output) -> Result<(), Problem> {
    let known = remark::find(index, id).await.map_err(|error| problem(error, id))?;
    let judged =
        remark::accept_or_decline(index, &known, standing).await.map_err(|error| problem(error, id))?;
    output.text(if judged.is_accepted() {
        output.lang.pick("이제 모두에게 보입니다.\n", "It counts for everybody now.\n")
    } else {
        output.lang.pick("이제 쓴 사람에게만 보입니다.\n", "It counts for its author alone now.\n")
    })?;
    output.json(as_json(&judged, Some(LOCAL_USER), None))
}

async fn list(index: &dyn Index, output: &Output) -> Result<(), Problem> {
    let all = index.remarks(&RemarksOf::Everybody).await.map_err(DocsProblem::Index)?;
    let passages = passages(index, &all).await?;
    let rows = all.iter().map(|remark| {
        let lapsed = passages.get(&remark.chunk).is_none_or(|passage| remark.has_lapsed(passage));
        [
            remark.id.clone(),
            clean(&remark.author),
            date(remark.at_ms).unwrap_or_else(|| "-".to_owned()),
            standing(remark, lapsed, output.lang).to_owned(),
            clean(&remark.chunk),
            clean(&remark.text),
        ]
    });
    let head = output.lang.pick(
        ["이름", "쓴 사람", "날짜", "상태", "조각", "의견"],
        ["id", "author", "date", "standing", "passage", "remark"],
    );
    if all.is_empty() {
        output.progress(output.lang.pick("아직 의견이 없습니다.", "There are no remarks yet."));
    } else {
        output.table(head, rows)?;
    }
    let shown: Vec<Value> =
        all.iter().map(|remark| as_json(remark, Some(LOCAL_USER), passages.get(&remark.chunk))).collect();
    output.json(json!({ "remarks": shown }))
}

async fn passages(index: &dyn Index, all: &[Remark]) -> Result<HashMap<String, Chunk>, DocsProblem> {
    let ids: Vec<String> = all.iter().map(|remark| remark.chunk.clone()).collect();
    let found = index.chunks(&ids).await.map_err(DocsProblem::Index)?;
    Ok(found.into_iter().map(|chunk| (chunk.id.clone(), chunk)).collect())
}

/// These remarks as a program reads them.
pub(crate) async fn all_json(
    index: &dyn Index,
    of: &RemarksOf,
    viewer: Option<&str>,
) -> Result<Vec<Value>, DocsProblem> {
    let all = index.remarks(of).await.map_err(DocsProblem::Index)?;
    let passages = passages(index, &all).await?;
    let shown = all.iter().map(|remark| {
        let passage = passages.get(&remark.chunk);
        let mut shown = as_json(remark, viewer, passage);
        shown["passage"] = json!(passage);
        // A passage that is gone reads as nobody said it did.
        shown["lapsed"] = passage.is_none_or(|passage| remark.has_lapsed(passage)).into();
        shown
    });
    Ok(shown.collect())
}

/// One remark as a program reads it; whether it has lapsed, where the passage is known.
pub(crate) fn as_json(remark: &Remark, viewer: Option<&str>, passage: Option<&Chunk>) -> Value {
    json!({
        "id": remark.id, "chunk": remark.chunk, "verdict": remark.verdict.word(), "text": remark.text,
        "author": remark.author, "own": viewer == Some(remark.author.as_str()), "at_ms": remark.at_ms,
        "date": date(remark.at_ms), "standing": remark.standing.word(), "judged_by": remark.standing.by(),
        "lapsed": passage.map(|passage| remark.has_lapsed(passage)),
    })
}

/// One remark on a line: how, whose, when, what.
pub(super) fn line(remark: &Remark, lang: Lang) -> String {
    let author = if remark.author.is_empty() { "?" } else { remark.author.as_str() };
    let date = date(remark.at_ms).unwrap_or_else(|| "?".to_owned());
    let standing = standing(remark, false, lang);
    let (word, text) = (remark.verdict.word(), clean(&remark.text));
    format!("[{word}] {text} ({}, {date}, {standing})", clean(author))
}

fn standing(remark: &Remark, lapsed: bool, lang: Lang) -> &'static str {
    match remark.standing {
        _ if lapsed => lang.pick("효력 없음", "lapsed"),
        Standing::Accepted { .. } => lang.pick("받아들임", "accepted"),
        Standing::Declined { .. } => lang.pick("물림", "declined"),
        Standing::Pending => lang.pick("쓴 사람만", "its author's"),
    }
}

fn date(at_ms: u64) -> Option<String> {
    let at = i64::try_from(at_ms).ok().filter(|at| *at > 0)?;
    Some(Timestamp::from_millisecond(at).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

fn problem(error: Error, id: &str) -> Problem {
    match error {
        Error::Index(error) => DocsProblem::Index(error).into(),
        Error::UnknownPassage => DocsProblem::Unknown(id.to_owned()).into(),
        Error::UnknownRemark => DocsProblem::UnknownRemark(id.to_owned()).into(),
        error => DocsProblem::Remark(error).into(),
    }
}

/// Why a remark is not kept.
pub(crate) fn in_korean(error: &Error) -> String {
    match error {
        Error::Empty => "덧붙일 말을 적으세요".to_owned(),
        Error::TooLong => format!("의견은 {LONGEST}자까지 쓸 수 있습니다"),
        Error::TooManyOfAuthor => {
            format!("한 사람의 의견은 {PER_AUTHOR}개까지입니다; 먼저 몇 개를 지우세요")
        }
        Error::TooManyOnPassage => format!("이 조각에는 의견이 이미 {PER_PASSAGE}개 있습니다"),
        other => other.to_string(),
    }
}
