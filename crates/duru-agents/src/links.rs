//! Addresses in what a model says. One that nobody gave it is no source, and whoever follows it may carry away what
//! stands in it.

/// Whether a text leads to an address that `known` does not have.
pub(crate) fn leads_away(said: &str, known: &str) -> bool {
    let (_, targets) = without_targets(said);
    let addresses = addresses(said).into_iter().map(|(from, to)| &said[from..to]);
    addresses.chain(targets).any(|address| !known.contains(address))
}

/// The text without its links: their words stay, and of addresses those that `known` has.
pub(crate) fn without_links(said: &str, known: &str) -> String {
    let (bare, _) = without_targets(said);
    let mut out = String::with_capacity(bare.len());
    let mut at = 0;
    for (from, to) in addresses(&bare) {
        out.push_str(&bare[at..from]);
        if known.contains(&bare[from..to]) {
            out.push_str(&bare[from..to]);
        }
        at = to;
    }
    out.push_str(&bare[at..]);
    out
}

/// `[words](target)` and `![words](target)` as their words, a citation as itself, and the targets; lines that only say
/// where a name leads are left out.
fn without_targets(text: &str) -> (String, Vec<&str>) {
    let mut targets = Vec::new();
    let lines = text.split('\n').filter(|line| !is_definition(line));
    let lines: Vec<String> = lines.map(|line| line_without_targets(line, &mut targets)).collect();
    (lines.join("\n"), targets)
}

/// `[name]: https://…`
fn is_definition(line: &str) -> bool {
    let named = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]:"));
    named.is_some_and(|(name, target)| !name.contains(']') && !addresses(target).is_empty())
}

fn line_without_targets<'a>(line: &'a str, targets: &mut Vec<&'a str>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(middle) = rest.find("](") {
        let (before, behind) = (&rest[..middle], &rest[middle + 2..]);
        let Some(close) = closing(behind) else { break };
        let target = &behind[..close];
        rest = &behind[close + 1..];
        // What only stands in brackets behind a citation is part of the sentence.
        let is_aside = !target.is_ascii() && addresses(target).is_empty();
        let Some(open) = before.rfind('[') else {
            out.push_str(&format!("{before}] ({target})"));
            continue;
        };
        let words = &before[open + 1..];
        out.push_str(before[..open].strip_suffix('!').unwrap_or(&before[..open]));
        match words.split(',').all(|number| number.trim().parse::<usize>().is_ok()) {
            true => out.push_str(&format!("[{words}]")),
            false => out.push_str(words),
        }
        match is_aside {
            true => out.push_str(&format!(" ({target})")),
            false => targets.push(target),
        }
    }
    out.push_str(rest);
    out
}

/// Where the bracket ends that was opened before.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

/// `scheme://…` and `www.…`: from where to where.
fn addresses(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let signs = text.match_indices("://").map(|(at, _)| (at, true));
    let lower = text.to_ascii_lowercase();
    let mut signs: Vec<(usize, bool)> =
        signs.chain(lower.match_indices("www.").map(|(at, _)| (at, false))).collect();
    signs.sort_unstable();
    for (at, schemed) in signs {
        let scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
        let before =
            if schemed { bytes[..at].iter().rev().take_while(|byte| scheme(byte)).count() } else { 0 };
        let from = at - before;
        let inside = |byte: &u8| byte.is_ascii_graphic() && !b"<>\"'()[]{}|\\^`".contains(byte);
        let length = bytes[at..].iter().take_while(|byte| inside(byte)).count();
        let address = text[from..at + length].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        let to = from + address.len();
        if to > from && found.last().is_none_or(|(_, last)| from >= *last) {
            found.push((from, to));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_gave_leads_nowhere() {
        let known = "문의는 https://ours.example/help 또는 www.ours.example";
        let plain = |said: &str| without_links(said, known);
        assert_eq!(plain("그렇다. [1](https://evil.example/a(b)?q=1) 다음."), "그렇다. [1] 다음.");
        assert_eq!(plain("![그림](https://evil.example/x.png)과 [글](//evil.example)"), "그림과 글");
        assert_eq!(plain("[1, 2](/threads) [글][1]\n[1]: https://evil.example\n끝"), "[1, 2] [글][1]\n끝");
        assert_eq!(plain("<HTTPS://evil.example/?q=1>, www.evil.example."), "<>, .");
        assert_eq!(
            plain("자세히는 https://ours.example/help, www.ours.example에서."),
            "자세히는 https://ours.example/help, www.ours.example에서."
        );
        assert_eq!(plain("5%입니다 [1](제7조 참고). [2]: 3건"), "5%입니다 [1] (제7조 참고). [2]: 3건");
        assert_eq!(plain("가](나) ](https://evil.example) 끝"), "가] (나) ] () 끝");
    }

    #[test]
    fn it_is_told_whether_a_text_leads_away() {
        let known = "https://ours.example/help?x=1";
        for said in
            ["https://ours.example/help 참고, 3건. [1]", "[1](제7조)", "[글](https://ours.example/help)"]
        {
            assert!(!leads_away(said, known), "{said}");
        }
        for said in ["https://evil.example", "[1](//evil.example)", "[a]: www.evil.example", "ftp://x"] {
            assert!(leads_away(said, known), "{said}");
        }
    }
}
