//! Where a question says to look: in the handbook, 취업규칙에서, 2023년 개정분만, on page 12.
//!
//! Spans of the question are read by words that are data (`data/scope.tsv`, `data/kinds.tsv`), and matched against what the
//! collection's own documents are called. What nothing is called is no condition, and is said.

mod attached;
mod names;
mod read;
mod search;
mod words;

use std::ops::RangeInclusive;

use crate::document::Document;
use crate::index::{Filter, Within};
use names::Names;
pub use read::Spoken;
pub use search::Dropped;

/// Does a line tell of when a document is?
pub(crate) fn tells_when(line: &str) -> bool {
    let line = line.to_lowercase();
    words::forms("revised").any(|form| line.contains(form))
}

/// More documents than this are no place to look in.
const MOST: usize = 200;

/// A question, and where it says to look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The question without the words that said so.
    pub question: String,
    /// Any of these.
    pub within: Vec<Within>,
    pub category: Option<String>,
    pub pages: Option<RangeInclusive<u32>>,
    /// Only passages that speak of this.
    pub entity: Option<String>,
    /// What the documents are called that are looked in.
    pub only: Vec<String>,
    /// What was named and is not there.
    pub unknown: Vec<String>,
}

impl Scope {
    /// What the words of a question say of these documents.
    pub fn of(spoken: &Spoken, documents: &[Document]) -> Self {
        let names = Names::of(documents);
        let mut scope =
            Self { pages: spoken.pages.clone(), entity: spoken.entity.clone(), ..Self::default() };
        let mut said = spoken.said.clone();
        for category in &spoken.categories {
            match names.category(&category.name) {
                Some(known) => {
                    scope.category = Some(known.to_owned());
                    said.push(category.span.clone());
                }
                None => scope.unknown.push(category.name.clone()),
            }
        }
        for mention in &spoken.mentions {
            // The longest name that something is called.
            let found = mention.ways.iter().find_map(|way| {
                let found = names.called(way, mention.year);
                (!found.is_empty() && found.len() <= MOST).then_some((way, found))
            });
            match found {
                Some((way, found)) => {
                    for (name, place) in found {
                        if !scope.within.contains(&place) {
                            scope.within.push(place);
                            scope.only.push(name);
                        }
                    }
                    said.push(way.begins..mention.ends);
                }
                None if mention.told => scope.unknown.push(mention.name.clone()),
                None => {}
            }
        }
        scope.only.dedup();
        scope.question = read::without(&spoken.question, said);
        scope
    }

    /// These conditions beside those that were set otherwise, which go first.
    pub fn narrow(&self, filter: &Filter) -> Filter {
        let mut narrowed = filter.clone();
        if filter.source.is_none() && filter.title.is_none() && filter.within.is_empty() {
            narrowed.within.clone_from(&self.within);
        }
        narrowed.category = narrowed.category.or_else(|| self.category.clone());
        narrowed.pages = narrowed.pages.or_else(|| self.pages.clone());
        narrowed.entity = narrowed.entity.or_else(|| self.entity.clone());
        narrowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(source: &str, title: &str) -> Document {
        let names = crate::document::Names {
            titles: vec![title.into()],
            categories: vec!["인사".into()],
            ..Default::default()
        };
        Document {
            id: source.into(),
            collection: "c".into(),
            source: format!("/papers/{source}"),
            title: title.into(),
            fingerprint: String::new(),
            chunks: 1,
            owner: None,
            access: crate::Access::Shared,
            names: names.with_years(title, source, &[]),
        }
    }

    fn documents() -> Vec<Document> {
        vec![
            document("hr-handbook-ko.md", "한빛테크 취업규칙"),
            document("harrow_student_handbook_en.md", "Harrow College Student Handbook"),
            document("nas-manual-en.md", "NAS manual"),
            document("travel_2023.md", "출장 규정 (2023년 개정판)"),
            document("travel_2021.md", "출장 규정 (2021년 개정판)"),
            document("laundry.md", "세탁실"),
        ]
    }

    fn scope(question: &str) -> Scope {
        Scope::of(&Spoken::of(question), &documents())
    }

    fn looked_in(question: &str) -> Vec<String> {
        let scope = scope(question);
        scope
            .within
            .iter()
            .map(|place| match place {
                Within::Document { id, .. } => id.clone(),
                Within::Title(title) => title.clone(),
            })
            .collect()
    }

    #[test]
    fn a_document_that_is_named_is_looked_in_and_its_name_is_no_word_of_the_question() {
        for (question, documents, rest) in [
            ("취업규칙에서 연차는 며칠인가요?", &["hr-handbook-ko.md"][..], "연차는 며칠인가요?"),
            ("취업규칙에 따르면 수습 기간은?", &["hr-handbook-ko.md"], "수습 기간은?"),
            (
                "How many late days are allowed in the student handbook?",
                &["harrow_student_handbook_en.md"],
                "How many late days are allowed?",
            ),
            (
                "In the handbook, how long is the notice period?",
                &["hr-handbook-ko.md", "harrow_student_handbook_en.md"],
                "how long is the notice period?",
            ),
            ("According to the manual, how do I reset it?", &["nas-manual-en.md"], "how do I reset it?"),
            ("설명서에서 초기화 방법을 알려줘", &["nas-manual-en.md"], "초기화 방법을 알려줘"),
            ("출장 규정 2023년 개정분만 보고 일비를 알려줘", &["travel_2023.md"], "일비를 알려줘"),
            ("2021년 개정판에서 일비는 얼마였나요?", &["travel_2021.md"], "일비는 얼마였나요?"),
            ("세탁실 문서에서 요금은?", &["laundry.md"], "요금은?"),
            ("laundry.md에서 요금은?", &["laundry.md"], "요금은?"),
            ("「세탁실」에서 요금은?", &["laundry.md"], "요금은?"),
        ] {
            assert_eq!(looked_in(question), documents, "{question}");
            assert_eq!(scope(question).question, rest, "{question}");
        }
    }

    #[test]
    fn pages_categories_and_entities_are_read() {
        let found = scope("From the manual's page 12, what is the default password?");
        assert_eq!((found.pages, found.only.len()), (Some(12..=12), 1));
        assert_eq!(found.question, "what is the default password?");
        let found = scope("취업규칙의 3-5쪽에 뭐라고 되어 있나요?");
        assert_eq!((found.pages, found.only), (Some(3..=5), vec!["한빛테크 취업규칙".to_owned()]));
        assert_eq!(scope("인사 분류에서 휴가는?").category.as_deref(), Some("인사"));
        assert_eq!(scope("회계 분류에서 휴가는?").unknown, ["회계"]);
        assert_eq!(scope("“한빛”에 대해서만 알려줘").entity.as_deref(), Some("한빛"));
    }

    #[test]
    fn what_nothing_is_called_is_told_and_no_condition() {
        for (question, unknown) in [
            ("복지 편람에서 경조금은 얼마?", "복지 편람"),
            ("in the safety manual, who calls the fire brigade?", "safety manual"),
            ("윤리규정에서 선물 한도는?", "윤리규정"),
            ("2019년 개정분만 알려줘", "2019"),
        ] {
            let found = scope(question);
            assert_eq!((found.unknown, found.within.len()), (vec![unknown.to_owned()], 0), "{question}");
            assert_eq!(found.question, question);
        }
    }

    /// Places, ways and topics are not documents.
    #[test]
    fn other_words_are_left_alone() {
        for question in [
            "세탁실에서 음식을 먹어도 되나요?",
            "이 방법에서는 무엇이 중요한가요?",
            "규정에서 정한 연차는?",
            "How do I work in the lab?",
            "In terms of pay, what changes?",
            "2023년에 개정된 조항은 무엇인가요?",
            "한쪽에서 물이 새요",
            "보증금은 얼마까지 올릴 수 있나요?",
        ] {
            assert_eq!(
                scope(question),
                Scope { question: question.into(), ..Scope::default() },
                "{question}"
            );
        }
    }
}
