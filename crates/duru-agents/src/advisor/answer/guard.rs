//! A figure that nobody found or worked out is not told.

/// Whether every number of two digits or more in `said` stands in `known`, or is a part of one that does.
pub(in super::super) fn sound(said: &str, known: &str) -> bool {
    let known = numbers(known);
    numbers(said).iter().filter(|number| number.len() > 1).all(|number| known.contains(number))
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
}
