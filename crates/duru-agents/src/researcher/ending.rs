//! The answer as the person gets it: numbered, marked, with its sources.

use duru::{Cx, Result};
use duru_messages::{Message, MessageChunk};

use super::claims::{Claim, ClaimSource, Fault, Unsupported};
use super::document::{Citation, Document, Ending};
use super::lang::Lang;
use super::remarks::{only_remarks, texts};
use super::sentences::{cited, replace_citations, sentences, without_citations};
use super::state::{Research, ResearchUpdate, WorkflowStatus};
use super::words;

/// So many relevant documents are enough.
pub(super) const ENOUGH: usize = 3;

/// So much of a passage is shown with a citation.
const EXCERPT: usize = 160;

/// Ends the question with this answer and how far the documents support it.
pub(super) fn finish(
    s: &Research,
    cx: &Cx,
    (answer, support): (&str, f32),
    unsupported: &[Unsupported],
    status: WorkflowStatus,
) -> Result<ResearchUpdate> {
    let lang = s.lang();
    let marked = marked(s, answer, unsupported);
    let order = cited(&marked);
    let number = |old: &usize| order.iter().position(|known| known == old).map(|at| at + 1);
    let text = replace_citations(&marked, |numbers| {
        numbers.iter().filter_map(number).map(|number| format!("[{number}]")).collect()
    });
    let claims = sentences(answer).into_iter();
    let claims: Vec<Claim> =
        claims.map(|sentence| claim(sentence, unsupported, (&order, &s.documents))).collect();
    let citations: Vec<Citation> = order
        .iter()
        .enumerate()
        .filter_map(|(at, old)| Some(citation(at + 1, s.documents.get(old.checked_sub(1)?)?, &claims)))
        .collect();
    let (found_ending, relevance) = s.relevance();
    let mut parts = Vec::new();
    if found_ending == Ending::Maybe {
        parts.push(words::maybe(lang));
    }
    // What could not be verified, or says less than was asked, is no answer to rely on.
    let mut ending = found_ending;
    if status == WorkflowStatus::Failed {
        ending = ending.min(Ending::Maybe);
        let supported = unsupported.is_empty();
        parts.push(if supported { words::incomplete(lang) } else { words::unverified(lang) });
    }
    parts.push(text);
    parts.extend(notes(s, &citations, answer).into_iter().map(|note| format!("※ {note}")));
    let text = parts.join("\n\n");
    let mut shown = text.clone();
    if !citations.is_empty() {
        shown.push_str(&format!("\n\n{}", words::sources(lang)));
        for citation in &citations {
            let page = citation.page.map(|page| format!(", p. {page}")).unwrap_or_default();
            shown
                .push_str(&format!("\n[{}] {} ({}{page})", citation.number, citation.label, citation.source));
        }
    }
    Ok(ends(s, cx, text, shown, status)?
        .citations(citations)
        .claims(claims)
        .ending(Some(ending))
        .confidence_score(relevance * support))
}

/// What a reader should know besides: sources that differ, where was looked, what was not found.
fn notes(s: &Research, citations: &[Citation], answer: &str) -> Vec<String> {
    let lang = s.lang();
    let mut notes = Vec::new();
    let place = |id: &str| citations.iter().position(|citation| citation.document == id).map(|at| at + 1);
    for conflict in &s.conflicts {
        if let (Some(first), Some(second)) = (place(&conflict.first), place(&conflict.second)) {
            let is_remark = |number: usize| citations[number - 1].remarked.is_some();
            notes.push(match (is_remark(first), is_remark(second)) {
                (false, true) => words::remark_differs(first, second, lang),
                (true, false) => words::remark_differs(second, first, lang),
                _ => words::conflict(first, second, lang),
            });
        }
    }
    notes.extend(s.scope_notes.iter().cloned());
    let unfound = s.subtasks.iter().filter(|subtask| subtask.documents.is_empty());
    notes.extend(unfound.map(|subtask| words::part_not_found(&subtask.query, lang)));
    let missing: Vec<&str> =
        s.subtasks.iter().flat_map(|subtask| &subtask.missing).map(String::as_str).collect();
    if !missing.is_empty() {
        notes.push(words::not_spoken_of(&missing, lang));
    }
    let found = texts(&s.documents);
    if (1..ENOUGH).contains(&found) {
        notes.push(words::thin(found, lang));
    }
    let foreign: Vec<(u32, &Document)> = citations
        .iter()
        .filter_map(|citation| {
            let cited = s.documents.iter().find(|document| document.id == citation.document)?;
            (Lang::of(&cited.text) != lang).then_some((citation.number, cited))
        })
        .collect();
    if !foreign.is_empty() {
        let told = Lang::of(&without_citations(answer)) == lang;
        notes.push(match told && foreign.len() == citations.len() {
            true => words::translated(lang),
            false => words::other_language(&foreign, lang),
        });
    }
    notes
}

/// Ends the question with words of our own.
pub(super) fn say(s: &Research, cx: &Cx, text: String, status: WorkflowStatus) -> Result<ResearchUpdate> {
    ends(s, cx, text.clone(), text, status)
}

fn ends(
    s: &Research,
    cx: &Cx,
    text: String,
    shown: String,
    status: WorkflowStatus,
) -> Result<ResearchUpdate> {
    Ok(ResearchUpdate::new()
        .final_answer(Some(text))
        .workflow_status(status)
        .turns([s.asked().to_owned()])
        .messages([message(s, cx, shown)?]))
}

/// The message, which goes on with what was shown of it already. Clients only ever join pieces, so that what does not
/// go on says that it takes the place of what was shown.
fn message(s: &Research, cx: &Cx, text: String) -> Result<Message> {
    let Some(begun) = &s.streamed else { return Ok(Message::ai(text)) };
    let piece = |text: &str| MessageChunk::text(begun.id.as_str(), text);
    if let Some(rest) = text.strip_prefix(begun.text.as_str()) {
        for line in rest.split_inclusive('\n') {
            cx.chunk(&piece(line))?;
        }
        cx.chunk(&piece("").last())?;
        return Ok(Message::ai(text).with_id(begun.id.as_str()));
    }
    cx.chunk(&piece(&format!("\n\n{}\n\n", words::replaced(s.lang()))).last())?;
    let id = format!("answer-{}", cx.task());
    cx.chunk(&MessageChunk::text(id.as_str(), text.as_str()).last())?;
    Ok(Message::ai(text).with_id(id))
}

/// Every sentence has a source that is there, or a mark.
fn marked(s: &Research, answer: &str, unsupported: &[Unsupported]) -> String {
    let lang = s.lang();
    let lines = answer.lines().map(|line| {
        let mut out: Vec<String> = Vec::new();
        for sentence in sentences(line) {
            let bare = without_citations(sentence);
            let known = cited(sentence).iter().any(|number| (1..=s.documents.len()).contains(number));
            let mark = if unsupported.iter().any(|refused| refused.claim == bare) {
                format!(" {}", words::unsupported_mark(lang))
            } else if !known {
                format!(" {}", words::unsourced_mark(lang))
            } else {
                whose(sentence, s)
            };
            // Numbers of documents that do not exist are no citations.
            let real = replace_citations(sentence, |numbers| {
                let real = numbers.iter().filter(|number| (1..=s.documents.len()).contains(*number));
                real.map(|number| format!("[{number}]")).collect()
            });
            out.push(format!("{real}{mark}"));
        }
        out.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whose remark a sentence stands on, where it does not say so itself.
fn whose(sentence: &str, s: &Research) -> String {
    let said = only_remarks(sentence, &s.documents);
    let unsaid = said.iter().filter(|remark| !sentence.contains(remark.author.as_str()));
    unsaid.map(|remark| format!(" {}", words::remark_mark(&remark.author, s.lang()))).collect()
}

fn claim(sentence: &str, unsupported: &[Unsupported], (order, documents): (&[usize], &[Document])) -> Claim {
    let text = without_citations(sentence);
    let number = |old: usize| {
        Some(u32::try_from(order.iter().position(|known| *known == old)? + 1).unwrap_or(u32::MAX))
    };
    let citations: Vec<u32> = cited(sentence).into_iter().filter_map(number).collect();
    let refused = unsupported.iter().find(|refused| refused.claim == text).map(|refused| refused.fault);
    let fault = refused.or_else(|| citations.is_empty().then_some(Fault::NoCitation));
    let source = |number: &u32| {
        let place = order.get(usize::try_from(*number).ok()?.checked_sub(1)?)?.checked_sub(1)?;
        Some(ClaimSource::of(&text, *number, documents.get(place)?))
    };
    let sources = citations.iter().filter_map(source).collect();
    Claim { text, citations, fault, sources }
}

/// Its page is that of what is cited of it.
fn citation(number: usize, document: &Document, claims: &[Claim]) -> Citation {
    let mut excerpt: String = document.text.chars().take(EXCERPT).collect();
    if document.text.chars().count() > EXCERPT {
        excerpt.push('…');
    }
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let mut cited = claims.iter().flat_map(|claim| &claim.sources).filter(|source| source.number == number);
    let page = cited.next().and_then(|source| source.page).or(document.page);
    Citation {
        number,
        document: document.id.clone(),
        label: document.label(),
        source: document.source.clone(),
        page,
        excerpt,
        remarked: document.remarked.clone(),
    }
}
