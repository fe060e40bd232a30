//! The values that a CHECK constraint lists.

/// The values of `CHECK (column IN ('a', 'b'))` as the server prints it: `= ANY (ARRAY['a'::text, …])`, or equalities
/// with OR between them. None if the constraint says anything else.
pub(super) fn listed(definition: &str, column: &str) -> Option<Vec<String>> {
    let mut values = Vec::new();
    let mut rest = String::new();
    let mut letters = definition.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\'' {
            rest.push(letter);
            continue;
        }
        let mut value = String::new();
        loop {
            match letters.next()? {
                '\'' if letters.next_if_eq(&'\'').is_some() => value.push('\''),
                '\'' => break,
                letter => value.push(letter),
            }
        }
        values.push(value);
    }
    let quoted = format!("\"{}\"", column.replace('"', "\"\""));
    let rest = rest.replace(&quoted, " ").replace("character varying", " ");
    let words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let known = ["CHECK", "ANY", "ARRAY", "OR", "text", "varchar", "bpchar", "character"];
    let only = words.into_iter().all(|word| known.contains(&word) || word == column);
    let plain = !rest.contains(['<', '>', '~', '!', '+', '|']);
    (only && plain && !values.is_empty()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_are_read_and_other_conditions_are_not() {
        let any = "CHECK ((state = ANY (ARRAY['new'::text, 'it''s paid'::text])))";
        assert_eq!(listed(any, "state").unwrap(), ["new", "it's paid"]);
        let or = "CHECK (((continent = 'Asia'::text) OR (continent = 'Europe'::text)))";
        assert_eq!(listed(or, "continent").unwrap(), ["Asia", "Europe"]);
        let wide =
            "CHECK (((s)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))";
        assert_eq!(listed(wide, "s").unwrap(), ["a", "b"]);
        assert_eq!(listed("CHECK ((name <> ''::text))", "name"), None);
        assert_eq!(listed("CHECK ((length(name) > 3))", "name"), None);
        assert_eq!(listed("CHECK ((name ~ '^[a-z]+$'::text))", "name"), None);
    }
}
