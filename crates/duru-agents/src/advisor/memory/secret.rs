//! What looks like a secret is not kept: numbers that name a person, an account or a card, addresses, passwords, keys.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "[***]";

/// Fewer digits in groups are a date or an address.
const NUMBER: usize = 9;

/// Numbers in groups (a resident's, an account's, a card's, a telephone's), long numbers, addresses of mail, keys, and what
/// is called a password. The ends of words are those of ASCII: a particle may follow a number.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static SECRETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<grouped>(?-u:\b)[0-9]{2,6}(?:[ ]?-[ ]?[0-9]{2,8}){1,3}(?-u:\b)|(?-u:\b)[0-9]{4}(?: [0-9]{4}){2,3}(?-u:\b))",
        r"|(?-u:\b)[0-9]{13,19}(?-u:\b)",
        r"|[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
        r"|(?-u:\b)(?:sk|pk|rk|ghp|gho|xox[a-z]|AKIA|AIza|eyJ)[A-Za-z0-9._-]{12,}",
        r"|(?i:비밀번호|비번|패스워드|암호|인증번호|password|passwd|passcode|api[ _-]?key|secret|token)[^!-~]{0,4}(?i:is |are )?[:=]?[ ]?(?P<word>[!-~]{4,})",
    ))
    .unwrap()
});

/// A text without what looks like a secret.
pub(super) fn hidden(text: &str) -> Cow<'_, str> {
    SECRETS.replace_all(text, |found: &Captures<'_>| {
        let whole = &found[0];
        if found.name("grouped").is_some() && digits(whole) < NUMBER {
            return whole.to_owned();
        }
        match found.name("word") {
            // The word for it may stay, so that a sentence can still be read.
            Some(word) => format!("{}{HIDDEN}", &whole[..whole.len() - word.len()]),
            None => HIDDEN.to_owned(),
        }
    })
}

/// The same in whatever was said, anywhere in a value: what was found is not the person's, and its names must stay.
pub(super) fn hide_said(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if matches!(name.as_str(), "query" | "text") => {
                        *text = hidden(text).into_owned();
                    }
                    other => hide_said(other),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(hide_said),
        _ => {}
    }
}

/// Does a text hold something that looks like a secret?
pub(super) fn holds(text: &str) -> bool {
    hidden(text) != text
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_hidden_and_figures_are_not() {
        for secret in [
            "주민번호 900101-1234567이에요",
            "계좌 110-234-567890으로 보냈어요",
            "카드 1234-5678-9012-3456",
            "카드 1234 5678 9012 3456로 냈어요",
            "연락처는 010-1234-5678입니다",
            "제 메일은 kim.lee@example.com이에요",
            "비밀번호는 hunter2!예요",
            "my password is hunter22",
            "api_key=sk-abcdef0123456789abcd",
            "use ghp_0123456789abcdefghij please",
        ] {
            assert!(holds(secret), "{secret}");
        }
        assert_eq!(hidden("연락처는 010-1234-5678입니다"), "연락처는 [***]입니다");
        assert_eq!(hidden("my password is hunter22"), "my password is [***]");
        for plain in [
            "연봉 7천만원, 예산 5억 3천",
            "2026-05-13에 계약했어요",
            "보증금 1500000000원",
            "상계동 123-45번지 101-1203호",
            "비밀번호를 바꿔야 하나요?",
            "84㎡ 7억, 금리 4.2%로 30년",
            "income 70,000,000 won",
        ] {
            assert!(!holds(plain), "{plain}: {}", hidden(plain));
        }
    }
}
