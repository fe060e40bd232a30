//! Text that every store can keep.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A request without NUL characters. PostgreSQL's JSON refuses them, so every
/// store does: what is accepted must not depend on where it is kept.
pub(crate) struct Clean<T>(pub(crate) T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Clean<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(d)?;
        if has_nul(&value) {
            return Err(D::Error::custom("NUL characters (\\u0000) can't be kept; remove them"));
        }
        T::deserialize(value).map(Self).map_err(D::Error::custom)
    }
}

/// The same for a field.
pub(crate) fn clean<'de, D: Deserializer<'de>, T: DeserializeOwned>(d: D) -> Result<T, D::Error> {
    Clean::deserialize(d).map(|Clean(value)| value)
}

/// JSON nests no deeper here than its reader allows, so this may recurse.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_found_wherever_it_hides() {
        for text in [r#"{"a":["\u0000"]}"#, r#"{"b":{"\u0000":1}}"#, r#""x\u0000y""#] {
            assert!(serde_json::from_str::<Clean<Value>>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Clean<Value>>(r#"{"a":["\\u0000", 0, null]}"#).is_ok());
    }
}
