//! The spaces that people leave out of a question.

use super::hangul::{self, Syllable};

/// A question with the spaces that people leave out: 할때, 살수 있나요, 못받고, 이사갈.
pub(crate) fn spaced(question: &str) -> String {
    const NOUNS: &[&str] = &["필수", "실수", "홀수", "철수", "밀수", "술수", "골수"];
    let apart = |word: &str| -> String {
        let letters: Vec<char> = word.chars().collect();
        let coda =
            |at: usize| letters.get(at).copied().and_then(Syllable::of).map_or(hangul::NONE, |s| s.coda);
        // 못받고: the verb stands for itself.
        if letters.len() > 2 && letters[0] == '못' {
            return format!("못 {}", spaced(&word['못'.len_utf8()..]));
        }
        if let Some(verb) =
            word.strip_prefix("이사").filter(|verb| verb.starts_with(['가', '갈', '간', '나', '오', '올']))
        {
            return format!("이사 {}", spaced(verb));
        }
        let cut = (1..letters.len()).find(|at| {
            matches!(letters[*at], '때' | '수') && coda(*at - 1) == hangul::L && letters[*at - 1] != '일'
        });
        match cut.filter(|_| !NOUNS.iter().any(|noun| word.starts_with(noun))) {
            Some(at) => {
                let (verb, rest): (String, String) =
                    (letters[..at].iter().collect(), letters[at..].iter().collect());
                format!("{verb} {rest}")
            }
            None => word.to_owned(),
        }
    };
    question.split_whitespace().map(apart).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_that_were_left_out_are_put_in() {
        for (written, meant) in [
            ("보증금 못받고 이사가야 할때", "보증금 못 받고 이사 가야 할 때"),
            ("2년 살수 있나요", "2년 살 수 있나요"),
            ("실수로 필수 서류를 일수대로", "실수로 필수 서류를 일수대로"),
            ("이사비 보수 점수", "이사비 보수 점수"),
        ] {
            assert_eq!(spaced(written), meant);
        }
    }
}
