//! Remarks among the sources: what a person says about a passage is a source of its own, behind the text that it is
//! about, and supports no sentence but those that cite it alone.

use duru_search::remark::Remark;
use duru_search::retrieve::Hit;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::Document;
use super::lang::Lang;
use super::sentences::{cited, sentences};
use super::words;

/// Whose remark a source is, and on what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RemarkSource {
    pub author: String,
    /// The day it was said, by the clock of Greenwich; nothing where that is not known.
    #[serde(default)]
    pub date: Option<String>,
    /// The passage's id.
    pub passage: String,
    /// Whether somebody who may curate accepted it; else it is shown to its author alone.
    pub accepted: bool,
}

/// A passage that was found, and behind it the remarks that say something.
pub(super) fn sources(hit: Hit, lang: Lang) -> Vec<Document> {
    let remarks = hit.remarks.clone();
    let passage = Document::of(hit);
    let said = remarks.into_iter().filter(|remark| !remark.text.trim().is_empty());
    let said: Vec<Document> = said.map(|remark| source(remark, &passage, lang)).collect();
    [passage].into_iter().chain(said).collect()
}

fn source(remark: Remark, passage: &Document, lang: Lang) -> Document {
    let at = i64::try_from(remark.at_ms).ok().filter(|at| *at > 0);
    let at = at.and_then(|at| Timestamp::from_millisecond(at).ok());
    let date = at.map(|at| at.to_zoned(TimeZone::UTC).date().to_string());
    let accepted = remark.is_accepted();
    Document {
        id: format!("remark:{}", remark.id),
        source: passage.source.clone(),
        title: words::remark(&remark.author, date.as_deref(), &passage.label(), lang),
        text: remark.text,
        // It is there because its passage is.
        score: passage.score,
        fit: passage.fit,
        remarked: Some(RemarkSource { author: remark.author, date, passage: passage.id.clone(), accepted }),
        ..Document::default()
    }
}

/// How many of these are passages and pages: what people say about them is no evidence of its own.
pub(super) fn texts(documents: &[Document]) -> usize {
    documents.iter().filter(|document| document.remarked.is_none()).count()
}

/// Whose remarks a sentence stands on, if it stands on nothing else.
pub(super) fn only_remarks<'a>(sentence: &str, documents: &'a [Document]) -> Vec<&'a RemarkSource> {
    let sources = cited(sentence).into_iter().filter_map(|number| documents.get(number.checked_sub(1)?));
    sources.map(|document| document.remarked.as_ref()).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The answer with what stands on texts first, and behind it, line by line, what only people say.
pub(super) fn texts_first(answer: &str, documents: &[Document]) -> String {
    let (mut lines, mut said) = (Vec::new(), Vec::new());
    for line in answer.lines() {
        let of_remarks = |sentence: &&str| !only_remarks(sentence, documents).is_empty();
        let (remarks, rest): (Vec<&str>, Vec<&str>) = sentences(line).into_iter().partition(of_remarks);
        match (remarks.is_empty(), rest.is_empty()) {
            (true, _) => lines.push(line.to_owned()),
            (false, true) => said.push(line.to_owned()),
            (false, false) => {
                lines.push(rest.join(" "));
                said.push(remarks.join(" "));
            }
        }
    }
    lines.append(&mut said);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_comes_behind_what_the_texts_say() {
        let remarked = Some(RemarkSource { author: "kim".into(), ..RemarkSource::default() });
        let documents = [Document::default(), Document { remarked, ..Document::default() }];
        let answer = "한도는 20%입니다. [2] 한도는 5%입니다. [1]\n이것도 봅니다. [1]";
        assert_eq!(
            texts_first(answer, &documents),
            "한도는 5%입니다. [1]\n이것도 봅니다. [1]\n한도는 20%입니다. [2]"
        );
        assert_eq!(only_remarks("둘 다. [1][2]", &documents).len(), 0);
        assert_eq!(only_remarks("말. [2]", &documents)[0].author, "kim");
        assert_eq!(only_remarks("출처 없음.", &documents).len(), 0);
        assert_eq!(texts(&documents), 1);
    }
}
