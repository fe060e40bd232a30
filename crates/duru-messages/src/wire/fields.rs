//! Takes the fields of an object one by one and knows where it is.

use serde_json::{Map, Value};

use super::ParseError;

/// Fields that are null count as absent. What nobody took is left in
/// [`FieldReader::rest`].
pub(crate) struct FieldReader {
    fields: Map<String, Value>,
    path: String,
}

impl FieldReader {
    pub(crate) fn new(value: Value, path: impl Into<String>, expected: &str) -> Result<Self, ParseError> {
        let path = path.into();
        match value {
            Value::Object(fields) => Ok(FieldReader { fields, path }),
            other => Err(ParseError::new(path, expected, Some(&other))),
        }
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.fields.remove(key).filter(|value| !value.is_null())
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.contains_key(key)
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    pub(crate) fn string(&mut self, key: &str) -> Result<Option<String>, ParseError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(ParseError::new(self.at(key), "a string or null", Some(&other))),
        }
    }

    /// Like [`Self::string`]; some clients count their messages instead.
    pub(crate) fn id(&mut self, key: &str) -> Result<Option<String>, ParseError> {
        match self.take(key) {
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => {
                self.fields.insert(key.to_owned(), other);
                self.string(key)
            }
            None => Ok(None),
        }
    }

    pub(crate) fn object(&mut self, key: &str) -> Result<Map<String, Value>, ParseError> {
        match self.take(key) {
            None => Ok(Map::new()),
            Some(Value::Object(fields)) => Ok(fields),
            Some(other) => Err(ParseError::new(self.at(key), "an object", Some(&other))),
        }
    }

    pub(crate) fn list(&mut self, key: &str) -> Result<Vec<Value>, ParseError> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(ParseError::new(self.at(key), "a list", Some(&other))),
        }
    }

    /// A field that a serde type reads; `expected` says it in words.
    pub(crate) fn typed<T: serde::de::DeserializeOwned>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, ParseError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match T::deserialize(&value) {
            Ok(read) => Ok(Some(read)),
            Err(_) => Err(ParseError::new(self.at(key), expected, Some(&value))),
        }
    }

    pub(crate) fn rest(self) -> Map<String, Value> {
        self.fields
    }
}
