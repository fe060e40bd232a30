//! Columns that are not shown unless somebody allows it.

use crate::Kind;
use crate::domain::spelled;

/// Words of a name that holds what nobody should read, whatever its type is.
const ALWAYS: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "ssn",
    "social security",
    "credit card",
    "card number",
    "cvv",
    "cvc",
    "iban",
    "주민등록번호",
    "주민번호",
    "비밀번호",
    "카드번호",
    "계좌번호",
];

/// Words that are secrets only as texts: `token_count` is a number.
const AS_TEXT: &[&str] = &[
    "secret",
    "token",
    "api key",
    "apikey",
    "access key",
    "private key",
    "secret key",
    "auth key",
    "credential",
    "credentials",
    "otp",
];

/// Whether a column's name says that its values are secrets.
///
/// ```
/// use duru_sql::{Kind, tables::looks_secret};
///
/// assert!(looks_secret("password_hash", &Kind::Text));
/// assert!(looks_secret("apiKey", &Kind::Text));
/// assert!(!looks_secret("token_count", &Kind::Integer));
/// assert!(!looks_secret("password_changed_at", &Kind::Timestamp));
/// ```
pub fn looks_secret(name: &str, kind: &Kind) -> bool {
    let says_nothing = matches!(kind, Kind::Boolean | Kind::Timestamp | Kind::LocalTimestamp | Kind::Date);
    if says_nothing {
        return false;
    }
    let number = matches!(kind, Kind::Integer | Kind::Bigint | Kind::Numeric | Kind::Double);
    let words = format!(" {} ", spelled(name));
    let has = |secret: &&str| words.contains(&format!(" {secret} "));
    ALWAYS.iter().any(has) || !number && AS_TEXT.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_names_that_only_sound_like_them() {
        for name in ["password", "user_password", "userPassword", "ssn", "customer_ssn", "secret", "api_key"]
        {
            assert!(looks_secret(name, &Kind::Text), "{name}");
        }
        for name in ["card_number", "cvv"] {
            assert!(looks_secret(name, &Kind::Bigint), "{name}");
        }
        for name in ["secretary", "tokenizer", "name", "passenger", "compass", "keyboard", "session_id"] {
            assert!(!looks_secret(name, &Kind::Text), "{name}");
        }
    }
}
