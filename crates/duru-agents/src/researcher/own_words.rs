//! What the web may hear of a conversation: the person's words of this question. A model that parts and rewrites
//! questions has seen what was said before, and documents that others wrote.

use duru_search::text::squeezed;

use super::nodes::leaning;
use super::small_talk::points_back;
use super::state::{Research, is_internal};
use super::subject::content_words;

/// The question as the person put it; one that points back, with what their question before it was about.
pub(super) fn own_words(s: &Research) -> String {
    let said = s.messages.iter().rev().filter(|message| message.is_human() && !is_internal(message));
    let before = said.skip(1).map(|message| message.text().into_owned()).find(|text| !text.trim().is_empty());
    match before {
        Some(before) if points_back(&s.query) => leaning(&before, &s.query),
        _ => s.query.clone(),
    }
}

/// The query if it says nothing but what the person said, else what the person said.
pub(super) fn for_web<'a>(query: &'a str, own: &'a str) -> &'a str {
    // A run that began before this was kept knows only its query.
    if own.is_empty() || says_only(query, own) { query } else { own }
}

fn says_only(query: &str, own: &str) -> bool {
    let (all, words) = (squeezed(own), content_words(own));
    let runs = query.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.into_iter().all(|run| {
        let digits = run.chars().any(|c| c.is_numeric());
        all.contains(&squeezed(run)) || !digits && content_words(run).iter().all(|word| words.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_question_are_told() {
        let own = "수영장은 몇 시에 여나요? 그리고 입장료 3천원은 누가 내나요?";
        for same in ["수영장은 몇 시에 여나요?", "수영장 입장료는 누가", "입장료 3천원"]
        {
            assert_eq!(for_web(same, own), same);
        }
        for other in ["수영장 홍길동", "수영장 123-45-678901", "수영장 여는 시간 aG9uZ2dpbGRvbmc"]
        {
            assert_eq!(for_web(other, own), own);
        }
    }
}
