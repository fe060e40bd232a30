//! The parameters behind the question mark, as types.

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::value::{MapDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::error::ApiError;

/// The parameters behind the question mark. One without a value counts as one that is not there, also in a list: clients
/// send such for none. A list has every value that a parameter is given with, anything else the last one; a `bool` is
/// `true` for `1`, `true`, `True`, `yes` and `on`.
#[derive(Debug)]
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let Query(pairs) = pairs.map_err(|error| ApiError::invalid(error.body_text()))?;
        read(pairs).map(Self).map_err(|Refusal(detail)| ApiError::invalid(detail))
    }
}

fn read<T: DeserializeOwned>(pairs: Vec<(String, String)>) -> Result<T, Refusal> {
    let mut given: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        if !value.is_empty() {
            given.entry(name).or_default().push(value);
        }
    }
    let given = given.into_iter().map(|(name, values)| (name.clone(), Values { name, values }));
    T::deserialize(MapDeserializer::new(given))
}

/// What is wrong with a query, for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refusal(String);

impl de::Error for Refusal {
    fn custom<T: Display>(what: T) -> Self {
        Self(what.to_string())
    }

    fn missing_field(name: &'static str) -> Self {
        Self(format!("\"{name}\" is a required parameter"))
    }

    fn unknown_variant(given: &str, known: &'static [&'static str]) -> Self {
        Self(format!("must be one of {}, not {given:?}", known.join(", ")))
    }
}

/// What a parameter is given with: at least one value, and none of them empty.
struct Values {
    name: String,
    values: Vec<String>,
}

impl Values {
    fn last(&mut self) -> String {
        self.values.pop().unwrap_or_default()
    }

    fn number<T: std::str::FromStr>(mut self) -> Result<T, Refusal> {
        let value = self.last();
        value.parse().map_err(|_| Refusal(format!("{} must be a number, not {value:?}", self.name)))
    }
}

impl IntoDeserializer<'_, Refusal> for Values {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! numbers {
    ($($read:ident $visit:ident)*) => {$(
        fn $read<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
            visitor.$visit(self.number()?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Values {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_string(self.last())
    }

    /// Clients differ in what they write for yes.
    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_bool(matches!(self.last().as_str(), "1" | "true" | "True" | "yes" | "on"))
    }

    numbers! {
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let Self { name, values } = self;
        let each = values.into_iter().map(|value| Self { name: name.clone(), values: vec![value] });
        visitor.visit_seq(SeqDeserializer::new(each))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let read = StringDeserializer::<Refusal>::new(self.last()).deserialize_enum(name, known, visitor);
        read.map_err(|Refusal(detail)| Refusal(format!("{} {detail}", self.name)))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        DarkBlue,
    }

    #[derive(Deserialize, PartialEq, Debug, Default)]
    struct Asked {
        limit: Option<usize>,
        #[serde(default)]
        wait: bool,
        refresh: Option<bool>,
        #[serde(default)]
        select: Vec<String>,
        colour: Option<Colour>,
        #[serde(default)]
        colours: Vec<Colour>,
    }

    fn asked(query: &str) -> Result<Asked, String> {
        let uri = format!("/?{query}").parse().unwrap();
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(&uri).unwrap();
        read(pairs).map_err(|Refusal(detail)| detail)
    }

    #[test]
    fn parameters_are_read_as_clients_write_them() {
        let none = Asked::default();
        assert_eq!(asked("").unwrap(), none);
        assert_eq!(asked("limit=&wait=&refresh=&select=&select=&colour=&other=1&other=2").unwrap(), none);
        let all = Asked {
            limit: Some(3),
            wait: true,
            refresh: Some(false),
            select: vec!["a".to_owned(), "b c".to_owned()],
            colour: Some(Colour::DarkBlue),
            colours: vec![Colour::Red, Colour::DarkBlue],
        };
        let query =
            "limit=3&wait=True&refresh=no&select=a&select=b+c&colour=dark_blue&colours=red&colours=dark_blue";
        assert_eq!(asked(query).unwrap(), all);
        assert_eq!(asked("select=&select=a&select=").unwrap().select, ["a"]);
    }

    #[test]
    fn the_last_of_several_counts_where_there_is_one() {
        assert_eq!(asked("limit=1&limit=2").unwrap().limit, Some(2));
        assert_eq!(asked("limit=x&limit=2&limit=").unwrap().limit, Some(2));
        assert!(!asked("wait=1&wait=0").unwrap().wait);
        assert_eq!(asked("colour=red&colour=dark_blue").unwrap().colour, Some(Colour::DarkBlue));
    }

    #[test]
    fn what_is_wrong_is_said_plainly() {
        assert_eq!(asked("limit=x").unwrap_err(), "limit must be a number, not \"x\"");
        assert_eq!(asked("limit=-1").unwrap_err(), "limit must be a number, not \"-1\"");
        assert_eq!(asked("colour=green").unwrap_err(), "colour must be one of red, dark_blue, not \"green\"");
        assert_eq!(
            asked("colours=red&colours=x").unwrap_err(),
            "colours must be one of red, dark_blue, not \"x\""
        );
        #[derive(Deserialize, Debug)]
        struct Named {
            #[expect(dead_code, reason = "it is never there")]
            name: String,
        }
        let Refusal(said) = read::<Named>(vec![("name".to_owned(), String::new())]).unwrap_err();
        assert_eq!(said, "\"name\" is a required parameter");
    }
}
