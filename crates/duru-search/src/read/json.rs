//! JSON and JSON lines: passages with what is known about them.

use serde_json::{Map, Value};

use super::{Content, Error, Parsed, Record};

/// What the fields are called, the first that is there counts.
const ID: &[&str] = &["id", "chunk_id", "_id"];
const TEXT: &[&str] = &["text", "content", "page_content", "body"];
const TITLE: &[&str] = &["law_title", "document_title", "doc_title", "title", "law", "document"];
const NAME: &[&str] = &["article_title", "heading", "section_title", "name", "subject"];
const ARTICLE: &[&str] = &["article_number", "article"];
const PAGE: &[&str] = &["page", "page_number"];
const CATEGORY: &[&str] = &["source_category", "category"];
const SOURCE: &[&str] = &["source", "url", "path"];
const HEADINGS: &[&str] = &["part", "chapter", "section", "headings"];

/// One object, an array of objects, or an object on every line.
pub(super) fn read(text: &str) -> Result<Parsed, Error> {
    let text = text.trim_start_matches('\u{feff}');
    let mut records = Vec::new();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(items)) => {
            for (index, item) in items.into_iter().enumerate() {
                records.push(record(item, index + 1)?);
            }
        }
        Ok(item) => records.push(record(item, 1)?),
        // More than one value: lines.
        Err(_) => {
            for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let item = serde_json::from_str(line)
                    .map_err(|error| Error::Json { line: index + 1, reason: error.to_string() })?;
                records.push(record(item, index + 1)?);
            }
        }
    }
    if records.is_empty() {
        return Err(Error::Empty);
    }
    Ok(Parsed { title: None, content: Content::Records(records), blank_pages: Vec::new() })
}

fn record(item: Value, line: usize) -> Result<Record, Error> {
    let Value::Object(mut fields) = item else {
        return Err(Error::Json { line, reason: "not an object".to_owned() });
    };
    // Some programs put everything but the text into an object of its own.
    if let Some(Value::Object(inner)) = fields.remove("metadata") {
        for (name, value) in inner {
            fields.entry(name).or_insert(value);
        }
    }
    let text =
        take(&mut fields, TEXT).filter(|text| !text.trim().is_empty()).ok_or(Error::NoText { line })?;
    let mut headings = Vec::new();
    for name in HEADINGS {
        match fields.remove(*name) {
            Some(Value::String(heading)) if !heading.trim().is_empty() => headings.push(heading),
            Some(Value::Array(items)) => {
                headings.extend(items.into_iter().filter_map(|item| item.as_str().map(str::to_owned)));
            }
            _ => {}
        }
    }
    Ok(Record {
        id: take(&mut fields, ID),
        title: take(&mut fields, TITLE),
        name: take(&mut fields, NAME),
        article: take(&mut fields, ARTICLE),
        page: take(&mut fields, PAGE).and_then(|page| page.parse().ok()),
        category: take(&mut fields, CATEGORY),
        source: take(&mut fields, SOURCE),
        headings,
        text,
        metadata: fields.into_iter().filter_map(|(name, value)| Some((name, scalar(value)?))).collect(),
    })
}

fn take(fields: &mut Map<String, Value>, names: &[&str]) -> Option<String> {
    let name = names.iter().find(|name| fields.get(**name).is_some_and(|value| !value.is_null()))?;
    fields.remove(*name).and_then(scalar)
}

fn scalar(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Record> {
        match read(text).unwrap().content {
            Content::Records(records) => records,
            Content::Blocks(_) => panic!("blocks"),
        }
    }

    #[test]
    fn lines_arrays_and_objects_are_records() {
        let line = r#"{"id":"a","law_title":"갑법","article_number":"제1조","chapter":"제1장","text":"글","year":2024}"#;
        let one = records(line);
        assert_eq!(one[0].title.as_deref(), Some("갑법"));
        assert_eq!(one[0].headings, ["제1장"]);
        assert_eq!(one[0].metadata["year"], "2024");
        assert_eq!(records(&format!("{line}\n\n{line}\n")).len(), 2);
        assert_eq!(records(&format!("[{line},{line}]")).len(), 2);
        let nested = records(r#"{"page_content":"글","metadata":{"source":"s.pdf","page":3}}"#);
        assert_eq!((nested[0].source.as_deref(), nested[0].page), (Some("s.pdf"), Some(3)));
    }

    #[test]
    fn the_line_that_is_wrong_is_named() {
        assert!(matches!(read("{\"text\":\"a\"}\n{"), Err(Error::Json { line: 2, .. })));
        assert!(matches!(read("{\"text\":\"a\"}\n{\"title\":\"b\"}"), Err(Error::NoText { line: 2 })));
        assert!(matches!(read("[1]"), Err(Error::Json { line: 1, .. })));
        assert!(matches!(read("[]"), Err(Error::Empty)));
    }
}
