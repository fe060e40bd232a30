//! Names: as PostgreSQL reads them, and always written in quotes.

use sqlparser::ast::{Ident, ObjectName, ObjectNamePart};

use super::refusal::{Refusal, Rule};

const SYSTEM: &[&str] = &["tableoid", "oid", "xmin", "xmax", "cmin", "cmax", "ctid"];

/// What PostgreSQL makes of a name: without quotes, capitals are small.
pub(super) fn fold(ident: &Ident) -> String {
    if ident.quote_style.is_none() { ident.value.to_ascii_lowercase() } else { ident.value.clone() }
}

/// Writes a name so that it can only be read in one way.
pub(super) fn quote(ident: &mut Ident) -> Result<String, Refusal> {
    let word = fold(ident);
    let plain = matches!(ident.quote_style, None | Some('"'));
    if !plain || word.is_empty() || word.len() > 63 || word.contains(['"', '\\']) {
        return Err(Refusal::new(Rule::Name, word).at(ident.span));
    }
    ident.value.clone_from(&word);
    ident.quote_style = Some('"');
    Ok(word)
}

/// The parts of a dotted name, quoted.
pub(super) fn parts(name: &mut ObjectName) -> Result<Vec<String>, Refusal> {
    let shown = name.to_string();
    let mut words = Vec::with_capacity(name.0.len());
    for part in &mut name.0 {
        match part {
            ObjectNamePart::Identifier(ident) => words.push(quote(ident)?),
            ObjectNamePart::Function(_) => return Err(Refusal::new(Rule::Construct, shown)),
        }
    }
    Ok(words)
}

/// A column that is not there.
pub(super) fn unknown(ident: &Ident) -> Refusal {
    let word = fold(ident);
    let rule = if SYSTEM.contains(&word.as_str()) { Rule::SystemColumn } else { Rule::Column };
    Refusal::new(rule, word).at(ident.span)
}
