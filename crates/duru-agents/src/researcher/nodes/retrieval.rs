//! Searches for one sub-task, in several ways at once.

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use duru_search::retrieve::{Dropped, Request, Reranked, Spoken};
use serde_json::json;

use super::shared::{self, Found, Work};
use crate::decided;
use crate::researcher::decide::{Variations, VaryAsked, VaryQuery};
use crate::researcher::document::{Ending, SearchFilter};
use crate::researcher::lang::Lang;
use crate::researcher::remarks;
use crate::researcher::scope;
use crate::researcher::state::ResearchUpdate;
use crate::researcher::toolbox::Toolbox;
use crate::researcher::words;

/// So many passages are graded.
const TOP: usize = 8;

pub(in crate::researcher) async fn retrieval(mut work: Work, cx: Cx) -> Result<(ResearchUpdate, Found)> {
    let tools = cx.get::<Toolbox>()?;
    if work.subtask.variations.is_empty() {
        let asked = VaryAsked {
            query: Untrusted::new(work.subtask.query.as_str()),
            found: shared::untrusted(&work.found),
            draft: as_asked(&work.subtask.query),
        };
        let Variations { mut variations, first_page, last_page } =
            decided::decider(&cx)?.decide::<VaryQuery>(&asked).await?.value;
        variations.retain(|way| !way.trim().is_empty() && *way != work.subtask.query);
        variations.truncate(5);
        work.subtask.variations = variations;
        work.filter = SearchFilter {
            first_page: work.filter.first_page.or(first_page),
            last_page: work.filter.last_page.or(last_page),
            // Pages that were read out of the question here are its own words, too.
            said: work.filter.said
                || work.filter.first_page.is_none()
                    && work.filter.last_page.is_none()
                    && (first_page.is_some() || last_page.is_some()),
            ..work.filter
        };
    }
    let with_told =
        (!work.subtask.told.is_empty()).then(|| format!("{} {}", work.subtask.told, work.subtask.query));
    let others = work.subtask.variations.iter().chain(&work.subtask.rewritten).chain(&with_told);
    let others = others.cloned().collect();
    let request = Request {
        variations: others,
        filter: work.filter.filter(),
        top: TOP,
        viewer: tools.viewer(&cx),
        ..Request::new(work.subtask.query.as_str())
    };
    let ways = work.subtask.variations.clone();
    let searcher = tools.searcher(&cx);
    let searched = match work.filter.said {
        true => searcher.search_softly(&request).await,
        false => searcher.search(&request).await.map(|found| (found, Vec::new())),
    };
    let (told, found) = match searched {
        Ok((found, dropped)) => {
            let hits = found.hits.len();
            let statistics = json!({
                "searches": 1, "ways": found.trace.variations.len(), "candidates": found.trace.candidates, "hits": hits,
            });
            let told = shared::report(cx.node(), format!("{}: {hits}", work.subtask.query), statistics);
            let lang = work.lang();
            let notes = told_of(&work.filter, &dropped, lang);
            let told = told.scope_notes(notes);
            let told = match &found.trace.reranked {
                Reranked::Failed(why) => told.warnings([words::not_reranked(why, lang)]),
                Reranked::NotAsked | Reranked::Done => told,
            };
            let documents = found.hits.into_iter().flat_map(|hit| remarks::sources(hit, lang)).collect();
            let answerability = found.answerability;
            let ending = Ending::from(answerability.ending);
            let confidence = answerability.confidence;
            (told, Found { work, documents, ending, confidence, missing: answerability.missing })
        }
        // The web may still know.
        Err(error) => {
            let told = shared::report(cx.node(), error.to_string(), json!({ "searches": 1, "failed": 1 }))
                .error(Some(error.to_string()));
            (told, nothing(work))
        }
    };
    Ok((told.query_variations(ways), found))
}

/// What became of the pages and the entity that the question names.
fn told_of(filter: &SearchFilter, dropped: &[Dropped], lang: Lang) -> Vec<String> {
    if !filter.said {
        return Vec::new();
    }
    let has = |pages: bool| !dropped.iter().any(|one| matches!(one, Dropped::Pages(..)) == pages);
    let pages = if has(true) { (filter.first_page, filter.last_page) } else { (None, None) };
    let entity = filter.entity.as_deref().filter(|_| has(false));
    let mut notes = scope::kept(pages, entity, lang);
    notes.extend(dropped.iter().map(|condition| scope::dropped(condition, lang)));
    notes
}

fn nothing(work: Work) -> Found {
    Found { work, documents: Vec::new(), ending: Ending::None, confidence: 0.0, missing: Vec::new() }
}

/// The query as it was asked, with the pages that it names. The search knows everyday words and endings by itself: looked up
/// beside the question, the terms of the thesaurus only made other passages come first.
pub(in crate::researcher) fn as_asked(query: &str) -> Variations {
    let pages = Spoken::of(query).pages();
    let (first_page, last_page) =
        (pages.as_ref().map(|pages| *pages.start()), pages.map(|pages| *pages.end()));
    Variations { variations: Vec::new(), first_page, last_page }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_read_where_they_are_said() {
        let pages = |query| {
            let said = as_asked(query);
            (said.first_page, said.last_page)
        };
        assert_eq!(pages("12쪽의 환불 규정"), (Some(12), Some(12)));
        assert_eq!(pages("5억 대출은 3-5쪽 어디에?"), (Some(3), Some(5)));
        assert_eq!(pages("what does page 4 say?"), (Some(4), Some(4)));
        assert_eq!(pages("보증금 5억의 한쪽"), (None, None));
        assert_eq!(pages("보증금 증액 한도"), (None, None));
    }
}
