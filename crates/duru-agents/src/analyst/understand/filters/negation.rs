//! What is to be left out.

use regex::Captures;

use crate::analyst::understand::lexicon;
use crate::analyst::understand::scan::{Scan, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// "A랑 B 빼고", "except A and B": the word that leaves one out is said of every one of them.
pub(in crate::analyst::understand) fn spread(question: &str, vocabulary: &Vocabulary) -> String {
    let behind = re!(
        r"(?i)([a-z0-9][a-z0-9_.-]*|[가-힣]{2,}?)\s*(?:이랑|랑|와|과|하고|및|,|/)\s*([a-z0-9][a-z0-9_.-]*|[가-힣]{2,}?)((?:\s*(?:서비스|환경|레벨|로그))?(?:은|는|을|를)?\s*(?:둘\s*다\s*|모두\s*)?(?:제외(?:하고|한|하면|하니)?|빼고|뺀|빼면|제하고|말고))"
    );
    let before = re!(
        r"(?i)\b(except(?:\s+for)?|excluding|exclude|other\s+than|apart\s+from|aside\s+from|besides|leaving\s+out|ignoring|without)\s+([a-z0-9][a-z0-9_.-]*)\s*(?:,\s*(?:and|or)?|\s(?:and|or|nor)|&)\s*([a-z0-9][a-z0-9_.-]*)"
    );
    let known = |word: &str| is_named(word, vocabulary);
    let mut text = question.to_owned();
    // Each round takes one more name of a list.
    for _ in 0..4 {
        let each = behind.replace(&text, |found: &Captures<'_>| {
            if known(&found[1]) && known(&found[2]) {
                format!("{} 빼고 {}{}", &found[1], &found[2], &found[3])
            } else {
                found[0].to_owned()
            }
        });
        let each = before.replace(&each, |found: &Captures<'_>| {
            if known(&found[2]) && known(&found[3]) {
                format!("excluding {} {} {}", &found[2], &found[1], &found[3])
            } else {
                found[0].to_owned()
            }
        });
        if each == text {
            break;
        }
        text = each.into_owned();
    }
    text
}

/// Whether a word names a service, a level, an environment or another value of the data.
fn is_named(word: &str, vocabulary: &Vocabulary) -> bool {
    let word = word.to_lowercase();
    let mut alone = Scan::new(&word);
    let service = |service: &String| {
        let service = service.to_ascii_lowercase();
        service == word || service.split(['-', '_', '.']).any(|part| part == word)
    };
    let called = |(words, _): &(&str, &[&str])| words.split('|').any(|one| one == word);
    lexicon::level(&word).is_some()
        || !lexicon::environment(&mut alone).is_empty()
        || vocabulary.services().iter().any(service)
        || lexicon::SERVICE_STEMS.iter().any(called)
        || vocabulary.named_values().any(|(_, value)| value.to_lowercase() == word)
}

/// Whether the value that stands here is to be left out.
pub(super) fn negated(scan: &mut Scan, start: usize, end: usize) -> bool {
    let after = re!(
        r"^\s*(?:서비스|환경|레벨|로그|에러|사용자)?\s*(?:을|를|은|는|이|가)?\s*(?:제외(?:하고|한|하면|하니|된)?|빼고|뺀|빼면|제하고|말고|아닌|아니라|이외(?:의|에)?|외의|외에)"
    );
    let before = re!(
        r"(?:\bexcept(?:\s+for)?|\bexcluding|\bexclude|\bwithout|\bnot(?:\s+(?:from|in|counting|including))?|\bother\s+than|\bapart\s+from|\baside\s+from|\bbesides|\bleaving\s+out|\bminus|\bignoring|\bignore|\bskipping|\bnon-?)\s*(?:the\s+)?$"
    );
    if let Some(found) = scan.rest.get(end..).and_then(|rest| after.find(rest)) {
        let (from, until) = (end + found.start(), end + found.end());
        scan.blank(from, until);
        return true;
    }
    if let Some(found) = scan.rest.get(..start).and_then(|rest| before.find(rest)) {
        let (from, until) = (found.start(), found.end());
        scan.blank(from, until);
        return true;
    }
    false
}
