//! Amounts, rates, periods and dates, each in one form.

/// The numbers of a normal text, each as a term that every way to write it shares: 3억5천 and 350,000,000원.
pub(super) fn numbers(normal: &str) -> Vec<String> {
    let chars: Vec<char> = normal.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let before = at > 0 && (chars[at - 1].is_ascii_digit() || chars[at - 1] == '.');
        let read = if before { None } else { word_number(&chars, at).or_else(|| read(&chars, at)) };
        match read {
            Some((term, end)) => {
                if !found.contains(&term) {
                    found.push(term);
                }
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

/// Everyday words for periods.
fn word_number(chars: &[char], at: usize) -> Option<(String, usize)> {
    const WORDS: &[(&str, &str)] = &[
        ("일주일", "7일"),
        ("이주일", "14일"),
        ("보름", "15일"),
        ("한달", "1개월"),
        ("한 달", "1개월"),
        ("두달", "2개월"),
        ("두 달", "2개월"),
        ("석달", "3개월"),
        ("세 달", "3개월"),
        ("반년", "6개월"),
        ("육개월", "6개월"),
        ("일년", "1년"),
        ("이년", "2년"),
        ("사년", "4년"),
    ];
    if at > 0 && chars[at - 1].is_alphanumeric() {
        return None;
    }
    WORDS.iter().find_map(|(word, number)| {
        let word: Vec<char> = word.chars().collect();
        chars[at..].starts_with(&word).then(|| (format!("#{number}"), at + word.len()))
    })
}

fn read(chars: &[char], at: usize) -> Option<(String, usize)> {
    let (first, mut end) = decimal(chars, at)?;
    if let Some(date) = date(chars, at) {
        return Some(date);
    }
    let here = spaces(chars, end);
    // 100분의 5 is five of a hundred.
    if follows(chars, here, "분의") {
        let (part, end) = decimal(chars, spaces(chars, here + 2))?;
        return (first > 0.0).then(|| (rate(part * 100.0 / first), end));
    }
    for sign in ["%", "퍼센트", "프로", "percent"] {
        if follows(chars, here, sign) {
            return Some((rate(first), here + sign.chars().count()));
        }
    }
    for (unit, name) in
        [("개월", "개월"), ("달", "개월"), ("년", "년"), ("일", "일"), ("시간", "시간"), ("주", "주")]
    {
        if follows(chars, here, unit) {
            let number = if name == "주" { first * 7.0 } else { first };
            let name = if name == "주" { "일" } else { name };
            return Some((format!("#{number}{name}"), here + unit.chars().count()));
        }
    }
    if follows(chars, here, "제곱미터") || follows(chars, here, "㎡") {
        let length = if follows(chars, here, "㎡") { 1 } else { 4 };
        return Some((format!("#{first}㎡"), here + length));
    }
    // 3억5천, 3억 5천만원, 500만원, 2천원
    let (mut sum, mut open, mut amount) = (0.0, first, false);
    let mut here = here;
    while let Some(unit) = chars.get(here).and_then(|c| scale(*c)) {
        amount = true;
        if unit >= 1e4 {
            sum += (if open == 0.0 { 1.0 } else { open }) * unit;
            open = 0.0;
        } else {
            open *= unit;
        }
        end = here + 1;
        here = spaces(chars, end);
        if let Some((next, after)) = decimal(chars, here) {
            // 5천 after 억 may go on with 만; a bare number after a space begins something else.
            let after_spaces = spaces(chars, after);
            let scaled = chars.get(after_spaces).and_then(|c| scale(*c)).is_some();
            if !scaled && !follows(chars, after_spaces, "원") {
                break;
            }
            if unit < 1e4 {
                open += next
            } else {
                open = next
            }
            here = after_spaces;
            end = after;
        }
    }
    let won = follows(chars, here, "원");
    // In speech the 만 after 천 is left out behind 억: 3억5천 is 350 million.
    if sum >= 1e8 && (1000.0..10_000.0).contains(&open) && !won {
        open *= 1e4;
    }
    if !amount && !won {
        return None;
    }
    Some((format!("#{}원", sum + open), if won { here + 1 } else { end }))
}

fn rate(number: f64) -> String {
    format!("#{}%", (number * 1000.0).round() / 1000.0)
}

/// A date with its year: 2024. 7. 10., 2024-07-10, 2024년 7월 10일.
fn date(chars: &[char], at: usize) -> Option<(String, usize)> {
    let (year, mut here) = whole(chars, at, 4)?;
    let mut parts = [0; 2];
    for (index, part) in parts.iter_mut().enumerate() {
        here = spaces(chars, here);
        let sign = *chars.get(here)?;
        let fits = if index == 0 { ".-/년".contains(sign) } else { ".-/월".contains(sign) };
        if !fits {
            return None;
        }
        let (number, end) = whole(chars, spaces(chars, here + 1), 2)?;
        (*part, here) = (number, end);
    }
    let valid = (1900..2200).contains(&year) && (1..=12).contains(&parts[0]) && (1..=31).contains(&parts[1]);
    valid.then(|| (format!("#{year:04}-{:02}-{:02}", parts[0], parts[1]), here))
}

fn whole(chars: &[char], at: usize, longest: usize) -> Option<(u32, usize)> {
    let length = chars.get(at..)?.iter().take_while(|c| c.is_ascii_digit()).count();
    if length == 0 || length > longest {
        return None;
    }
    Some((chars[at..at + length].iter().collect::<String>().parse().ok()?, at + length))
}

fn decimal(chars: &[char], at: usize) -> Option<(f64, usize)> {
    let mut text = String::new();
    let mut end = at;
    while let Some(&c) = chars.get(end) {
        let inner = chars.get(end + 1).is_some_and(char::is_ascii_digit) && !text.is_empty();
        match c {
            '0'..='9' => text.push(c),
            '.' if inner && !text.contains('.') => text.push(c),
            ',' if inner => {}
            _ => break,
        }
        // Beyond this it is no amount, but a number of something.
        if text.len() > 15 {
            return None;
        }
        end += 1;
    }
    Some((text.parse().ok()?, end))
}

fn scale(c: char) -> Option<f64> {
    match c {
        '십' => Some(10.0),
        '백' => Some(100.0),
        '천' => Some(1000.0),
        '만' => Some(1e4),
        '억' => Some(1e8),
        '조' => None,
        _ => None,
    }
}

fn spaces(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| **c == ' ').count()
}

fn follows(chars: &[char], at: usize, text: &str) -> bool {
    let mut rest = chars.get(at..).unwrap_or_default().iter();
    text.chars().all(|c| rest.next() == Some(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalise;

    #[test]
    fn every_way_to_write_a_number_is_one() {
        let same: &[(&[&str], &str)] = &[
            (&["3억5천", "3억 5천만원", "350,000,000원", "3.5억", "3억5,000만 원"], "#350000000원"),
            (&["5억", "5억원", "500,000,000원"], "#500000000원"),
            (&["500만원", "5백만원", "5,000,000원"], "#5000000원"),
            (&["5 %", "5%", "５％", "5퍼센트", "100분의 5", "20분의 1", "5프로"], "#5%"),
            (&["2년", "2 년간"], "#2년"),
            (&["한 달", "1개월", "1달"], "#1개월"),
            (&["일주일", "7일", "1주"], "#7일"),
            (&["2024. 7. 10.", "2024-07-10", "2024년 7월 10일"], "#2024-07-10"),
            (&["85제곱미터", "85㎡"], "#85㎡"),
        ];
        for (texts, expected) in same {
            for text in *texts {
                assert_eq!(numbers(&normalise(text)), [*expected], "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_amount_is_left_alone() {
        assert!(numbers("제3호 나목 12").is_empty());
        assert!(numbers("99999999999999999999원").is_empty());
        assert!(numbers("1.2.3.4..5,,6").len() < 3);
    }
}
