//! Names and texts as they stand in SQL.

/// A name, quoted.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A table's name with its schema, quoted.
pub(super) fn table(schema: &str, name: &str) -> String {
    format!("{}.{}", quoted(schema), quoted(name))
}

/// A text as a literal. Doubling quotes is enough: `standard_conforming_strings`
/// is on in every session of ours.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(table("a\"b", "c"), "\"a\"\"b\".\"c\"");
        assert_eq!(literal("o'clock"), "'o''clock'");
    }
}
