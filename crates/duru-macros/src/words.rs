//! Errors about a word that is none of the known ones.

use std::fmt::Display;

/// "unknown …", with the word that was probably meant, and all that there are.
pub(crate) fn unknown(what: &str, word: impl Display, known: &[&str]) -> String {
    let word = word.to_string();
    let all = known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
    match nearest(&word, known) {
        Some(near) if known.len() == 1 => format!("unknown {what} `{word}`: did you mean `{near}`?"),
        Some(near) => format!("unknown {what} `{word}`: did you mean `{near}`? Known are {all}"),
        None => format!("unknown {what} `{word}`: known are {all}"),
    }
}

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    // A third of the letters may differ: "apend" is append, "add" is nothing.
    known
        .iter()
        .map(|k| (distance(&word, k), *k))
        .filter(|(distance, k)| *distance <= k.len().max(word.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}

/// How many letters to insert, remove or replace to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        let known = ["append", "min", "max", "ephemeral"];
        assert_eq!(nearest("apend", &known), Some("append"));
        assert_eq!(nearest("Append", &known), Some("append"));
        assert_eq!(nearest("ephemral", &known), Some("ephemeral"));
        assert_eq!(nearest("mix", &known), Some("min"));
        assert_eq!(nearest("concat", &known), None);
    }
}
