//! A figure that nobody found or worked out is not told, nor an address or a source that nobody found.

use crate::links::leads_away;

/// Whether every number of two digits or more in `said` stands in `known`, or is a part of one that does, and every
/// address and whatever is listed as a source, too.
pub(in crate::advisor) fn sound(said: &str, known: &str) -> bool {
    let figures = numbers(known);
    numbers(said).iter().filter(|number| number.len() > 1).all(|number| figures.contains(number))
        && !leads_away(said, known)
        && names_only(said, known)
}

/// What a list of sources may be headed with.
const SOURCES: [&str; 7] = ["출처", "참고", "참고 자료", "근거", "source", "sources", "references"];

/// Whether what stands below such a heading, or behind it, is known.
fn names_only(said: &str, known: &str) -> bool {
    let bare = |text: &str| -> String {
        let text = text.trim_matches(|c: char| c.is_whitespace() || "#*_-•:[]()0123456789.".contains(c));
        text.to_owned()
    };
    let is_heading = |text: &str| SOURCES.contains(&bare(text).to_lowercase().as_str());
    let mut listing = false;
    for line in said.lines() {
        let (head, behind) = line.split_once(':').unwrap_or((line, ""));
        if is_heading(head) {
            listing = true;
            if !known.contains(&bare(behind)) {
                return false;
            }
        } else if line.starts_with('#') {
            listing = false;
        } else if listing && !known.contains(&bare(line)) {
            return false;
        }
    }
    true
}

/// The numbers of a text, without commas and without what follows a point that is nothing.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_digit = letters.peek().is_some_and(char::is_ascii_digit);
        match letter {
            '0'..='9' => current.push(letter),
            ',' if !current.is_empty() && next_is_digit => {}
            '.' if !current.is_empty() && next_is_digit => current.push('.'),
            _ if !current.is_empty() => found.push(plain(std::mem::take(&mut current))),
            _ => {}
        }
    }
    if !current.is_empty() {
        found.push(plain(current));
    }
    found
}

fn plain(number: String) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number }
}

#[cfg(test)]
mod tests {
    use super::sound;

    #[test]
    fn invented_figures_are_seen() {
        let known = "한도 3억 5,224만원, 금리 4.20%, 제7조, 24건";
        assert!(sound("한도는 3억 5224만원이고 금리는 4.2%입니다.", known));
        assert!(sound("조문은 7조입니다.", known));
        assert!(!sound("한도는 9억 9,999만원입니다.", known));
        assert!(!sound("금리는 4.25%입니다.", known));
    }

    #[test]
    fn invented_sources_are_seen() {
        let known = "한도 3억\n\n## 출처\n- 주택임대차보호법 제7조\n- https://ours.example/law";
        assert!(sound(
            "한도는 3억입니다.\n\n## 출처\n- 주택임대차보호법 제7조\n\n## 다음\n물어보세요.",
            known
        ));
        assert!(sound("근거는 주택임대차보호법입니다. https://ours.example/law", known));
        for said in [
            "한도는 3억입니다.\n\n## 출처\n- 가짜법",
            "한도는 3억입니다.\n**Sources:**\n1. the Invented Act",
            "한도는 3억입니다.\n출처: 가짜법",
            "한도는 3억입니다. [주택임대차보호법](https://evil.example)",
        ] {
            assert!(!sound(said, known), "{said}");
        }
    }
}
