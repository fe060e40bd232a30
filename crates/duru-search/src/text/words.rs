//! The words of a text, as they stand there.

use super::stem;

/// A run of letters and digits in normal text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Without its particle or ending.
    pub(super) stem: &'a str,
}

/// Expects normal text.
pub(super) fn words(normal: &str) -> impl Iterator<Item = Word<'_>> {
    normal
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|text| Word { text, stem: stem_of(text) })
}

/// A word of a question and how much it says: nothing if it only asks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ContentWord {
    pub(crate) text: String,
    pub(crate) stem: String,
    pub(crate) weight: f32,
}

/// The words of a question, weighed.
pub(crate) fn content_words(question: &str) -> Vec<ContentWord> {
    let normal = super::normalise(question);
    words(&normal)
        .map(|word| ContentWord {
            text: word.text.to_owned(),
            stem: word.stem.to_owned(),
            weight: super::stop::weight(word.text, word.stem),
        })
        .collect()
}

fn stem_of(word: &str) -> &str {
    if word.is_ascii() { english(word) } else { stem::stem(word) }
}

/// The commonest endings of English: enough to find a plural by its singular.
fn english(word: &str) -> &str {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word;
    }
    for ending in ["ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "e", "y"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 3
            && !(ending == "s" && rest.ends_with('s'))
        {
            // A doubled consonant before an ending is the ending's doing.
            let bytes = rest.as_bytes();
            let doubled = matches!(ending, "ing" | "ings" | "ed")
                && bytes.len() > 3
                && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                && !rest.ends_with('l')
                && !rest.ends_with('s');
            return if doubled { &rest[..rest.len() - 1] } else { rest };
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_forms_share_a_stem() {
        let same = |forms: &[&str]| {
            let stems: Vec<&str> = forms.iter().map(|form| english(form)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        };
        same(&["deposit", "deposits", "deposited"]);
        same(&["lease", "leases", "leased", "leasing"]);
        same(&["registration", "registrations"]);
        same(&["stop", "stopped", "stopping"]);
        same(&["party", "parties"]);
        assert_eq!(english("class"), "class");
    }

    #[test]
    fn a_text_falls_into_words() {
        let texts: Vec<&str> = words("집주인이 5억을, 안 돌려줘요!").map(|word| word.text).collect();
        assert_eq!(texts, ["집주인이", "5억을", "안", "돌려줘요"]);
    }
}
