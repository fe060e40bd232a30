//! `duru docs search`

use duru_agents::researcher::where_looked;
use duru_search::Reach;
use duru_search::index::Filter;
use duru_search::retrieve::{Dropped, Ending, Found, Hit, Request, Reranked, Scope};
use serde_json::{Value, json};

use super::library::Opened;
use super::{DocsProblem, remarks};
use crate::args::LOCAL_USER;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::reasons::with_detail;
use crate::text::clean;

/// How much of a passage is shown, in characters.
const SHOWN: usize = 160;

pub(super) struct Wanted<'a> {
    pub(super) question: &'a str,
    pub(super) top: usize,
    pub(super) law: Option<&'a str>,
    pub(super) category: Option<&'a str>,
}

pub(super) async fn run(opened: &Opened, wanted: &Wanted<'_>, output: &Output) -> Result<(), Problem> {
    let filter = Filter {
        collection: opened.collection.clone(),
        title: wanted.law.map(str::to_owned),
        category: wanted.category.map(str::to_owned),
        ..Filter::default()
    };
    let looked = found(opened, wanted.question, filter, (wanted.top, LOCAL_USER, Reach::Shared)).await?;
    let found = &looked.found;
    for expansion in &found.trace.analysis.expansions {
        let (phrase, terms) = (clean(&expansion.phrase), clean(&expansion.terms.join(", ")));
        let table = match expansion.translated {
            true => output.lang.pick("영한 용어표", "bilingual terms"),
            false => output.lang.pick("낱말 사전", "thesaurus"),
        };
        output.progress(&format!("{table}: {phrase} → {terms}"));
    }
    let notes = looked.notes(output.lang);
    let notes: String = notes.iter().map(|note| format!("※ {}\n", clean(note))).collect();
    output.text(&format!("{}{notes}", text(found, output.lang)))?;
    output.json(as_json(&looked, LOCAL_USER))
}

/// What was found, and where the question said to look.
pub(crate) struct Looked {
    found: Found,
    scope: Scope,
    dropped: Vec<Dropped>,
}

impl Looked {
    fn notes(&self, lang: Lang) -> Vec<String> {
        let mut notes = where_looked(&self.scope, &self.dropped, lang == Lang::Ko);
        if let Reranked::Failed(why) = &self.found.trace.reranked {
            notes.push(lang.pick(
                with_detail("재정렬 서비스가 답하지 않아 두루의 순서대로 보여 드립니다", why),
                format!("The reranker did not answer, so the order is our own: {why}"),
            ));
        }
        notes
    }
}

/// What speaks to a question of this person.
pub(crate) async fn found(
    opened: &Opened,
    question: &str,
    filter: Filter,
    (top, viewer, reach): (usize, &str, Reach),
) -> Result<Looked, DocsProblem> {
    let request = Request { filter, top, viewer: Some(viewer.to_owned()), ..Request::new(question) };
    let (found, scope, dropped) =
        opened.searcher().reaching(reach).search_as_said(&request).await.map_err(DocsProblem::Search)?;
    Ok(Looked { found, scope, dropped })
}

fn text(found: &Found, lang: Lang) -> String {
    let mut text = String::new();
    for (place, hit) in found.hits.iter().enumerate() {
        let chunk = &hit.chunk;
        let name = if chunk.name.is_empty() { String::new() } else { format!(" ({})", chunk.name) };
        text.push_str(&format!("{}. {:.3}  {}{}\n", place + 1, hit.score, clean(&chunk.id), clean(&name)));
        text.push_str(&format!("   {}\n", reasons(hit, lang)));
        for remark in &hit.remarks {
            text.push_str(&format!("   {}\n", remarks::line(remark, lang)));
        }
        let start: String = clean(&chunk.text).chars().take(SHOWN).collect();
        text.push_str(&format!("   {start}…\n"));
    }
    text.push_str(&ending(found, lang));
    text
}

/// Whether they answer, and what they do not speak of.
fn ending(found: &Found, lang: Lang) -> String {
    let judged = &found.answerability;
    let missing = clean(&judged.missing.join(", "));
    let lacks = match missing.is_empty() {
        true => String::new(),
        false => lang.pick(format!(" 찾지 못한 말: {missing}"), format!(" Not found: {missing}")),
    };
    let sure = judged.confidence * 100.0;
    let said = match judged.ending {
        Ending::Answer => lang.pick(
            format!("답이 있습니다 (확신 {sure:.0}%)."),
            format!("The answer is among the first ({sure:.0}% sure)."),
        ),
        Ending::Maybe => lang.pick(
            format!("찾으시는 내용일 수 있습니다 (확신 {sure:.0}%)."),
            format!("This may be what you mean ({sure:.0}% sure)."),
        ),
        Ending::None => lang
            .pick("이 문서들에는 답이 없는 것 같습니다.", "The documents do not seem to have an answer.")
            .to_owned(),
    };
    format!("{said}{lacks}\n")
}

/// What speaks for a hit, the strongest first.
fn reasons(hit: &Hit, lang: Lang) -> String {
    let why = &hit.why;
    let mut reasons = vec![
        (why.article, lang.pick("조문 번호", "the article that is named")),
        (why.named, lang.pick("법령 이름", "the document that is named")),
        (why.defines, lang.pick("뜻풀이", "defines it")),
        (why.words, lang.pick("낱말", "words")),
        (why.name, lang.pick("제목", "heading")),
        (why.body, lang.pick("본문", "text")),
        (why.similarity, lang.pick("뜻", "meaning")),
        (why.near, lang.pick("한 문단", "one paragraph")),
        (why.wanted, lang.pick("묻는 것", "what is asked for")),
        (why.title, lang.pick("문서 제목", "title")),
        (why.family, lang.pick("같은 법령", "its statute")),
    ];
    reasons.retain(|(share, _)| *share > 0.05);
    let mut parts: Vec<String> =
        reasons.into_iter().map(|(share, name)| format!("{name} {share:.2}")).collect();
    if let Some(linked) = &hit.linked {
        parts
            .push(lang.pick(format!("{}와(과) 연결", clean(linked)), format!("linked to {}", clean(linked))));
    }
    if !hit.duplicates.is_empty() {
        let count = hit.duplicates.len();
        parts.push(lang.pick(format!("같은 글 {count}개"), format!("{count} with the same text")));
    }
    parts.join(" · ")
}

pub(crate) fn as_json(looked: &Looked, viewer: &str) -> Value {
    let (found, scope) = (&looked.found, &looked.scope);
    let hits: Vec<Value> = found
        .hits
        .iter()
        .map(|hit| {
            let said: Vec<Value> = hit
                .remarks
                .iter()
                .map(|remark| remarks::as_json(remark, Some(viewer), Some(&hit.chunk)))
                .collect();
            json!({
                "passage": hit.chunk, "score": hit.score, "why": hit.why, "linked": hit.linked,
                "duplicates": hit.duplicates, "remarks": said,
            })
        })
        .collect();
    let expansions: Vec<Value> = found
        .trace
        .analysis
        .expansions
        .iter()
        .map(|expansion| {
            json!({ "phrase": expansion.phrase, "words": expansion.words, "terms": expansion.terms, "domain": expansion.domain, "translated": expansion.translated })
        })
        .collect();
    let variations: Vec<Value> =
        found.trace.variations.iter().map(|way| json!({ "name": way.name, "text": way.text })).collect();
    json!({
        "hits": hits, "answerability": found.answerability,
        "scope": {
            "question": scope.question, "only": scope.only, "unknown": scope.unknown, "category": scope.category,
            "pages": scope.pages.as_ref().map(|pages| [pages.start(), pages.end()]), "entity": scope.entity,
            "notes": { "ko": looked.notes(Lang::Ko), "en": looked.notes(Lang::En) },
        },
        "trace": { "expansions": expansions, "variations": variations, "candidates": found.trace.candidates },
    })
}
