//! Text in sentences.

/// The sentences of a text: at the ends of lines, and behind a full stop that a space follows. A date such as
/// 2024. 7. 10. has a digit before each of its dots. A citation behind the stop belongs to the sentence.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let (mut before, mut last) = (' ', ' ');
        // A full stop in brackets ends nothing.
        let mut open = 0_u32;
        for (at, c) in line.char_indices() {
            let stops = matches!(last, '.' | '?' | '!' | '。') && !before.is_ascii_digit();
            match c {
                '(' => open += 1,
                ')' => open = open.saturating_sub(1),
                _ => {}
            }
            let stops = stops && open == 0;
            let cites = line[at..].trim_start().starts_with('[');
            let paragraph = ('①'..='⑳').contains(&c) && at > start;
            if ((c.is_whitespace() && stops)
                || (last == ']' && c.is_whitespace() && ends(&line[start..at]))
                || paragraph)
                && !cites
            {
                found.push(&line[start..at]);
                start = at;
            }
            if !c.is_whitespace() || last != ']' {
                (before, last) = (last, c);
            }
        }
        found.push(&line[start..]);
    }
    found.into_iter().map(str::trim).filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect()
}

/// Whether the text before its citations has ended.
fn ends(text: &str) -> bool {
    let bare = without_citations(text);
    bare.trim_end().ends_with(['.', '?', '!', '。'])
}

/// The numbers that a sentence cites: [1], [2, 3].
pub(super) fn cited(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for mark in marks(text) {
        for number in mark.numbers {
            if !found.contains(&number) {
                found.push(number);
            }
        }
    }
    found
}

/// The text without its citations.
pub(super) fn without_citations(text: &str) -> String {
    replace_citations(text, |_| String::new()).trim().to_owned()
}

/// Whether a citation comes before all that is said.
pub(super) fn begins_with_citation(text: &str) -> bool {
    let first = marks(text).into_iter().next();
    first.is_some_and(|mark| !text[..mark.start].chars().any(char::is_alphanumeric))
}

/// Every citation in other words.
pub(super) fn replace_citations(text: &str, other: impl Fn(&[usize]) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for mark in marks(text) {
        let before = &text[from..mark.start];
        let said = other(&mark.numbers);
        out.push_str(if said.is_empty() { before.trim_end() } else { before });
        out.push_str(&said);
        from = mark.end;
    }
    out.push_str(&text[from..]);
    out
}

struct Mark {
    start: usize,
    end: usize,
    numbers: Vec<usize>,
}

fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('[').map(|offset| at + offset) {
        let Some(close) = text[open..].find(']').map(|offset| open + offset) else { break };
        let inside: Option<Vec<usize>> =
            text[open + 1..close].split(',').map(|number| number.trim().parse().ok()).collect();
        match inside {
            Some(numbers) => {
                found.push(Mark { start: open, end: close + 1, numbers });
                at = close + 1;
            }
            None => at = open + 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            sentences("하나다. 둘이다! 2024. 7. 10. 시행한다.\n셋"),
            ["하나다.", "둘이다!", "2024. 7. 10. 시행한다.", "셋"]
        );
        assert_eq!(
            sentences("가(나를 말한다. 이하 같다)는 다다. 라다."),
            ["가(나를 말한다. 이하 같다)는 다다.", "라다."]
        );
        assert_eq!(sentences("① 가는 나다. ② 다는 라다."), ["① 가는 나다.", "② 다는 라다."]);
        assert_eq!(
            sentences("One is so. [1] Two is not [2]. Three"),
            ["One is so. [1]", "Two is not [2].", "Three"]
        );
    }

    #[test]
    fn citations_are_read_and_replaced() {
        assert_eq!(cited("가 [1][3], 나 [2, 1] [x]"), [1, 3, 2]);
        assert_eq!(without_citations("그렇다. [1][2]"), "그렇다.");
        assert!(begins_with_citation("- [2] 판례집") && !begins_with_citation("판례집 [2]"));
        assert_eq!(replace_citations("가 [4] 나 [2]", |n| format!("[{}]", n[0] * 2)), "가 [8] 나 [4]");
    }
}
