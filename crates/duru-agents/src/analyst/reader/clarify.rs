//! When a question must be asked back, and how.

use duru_language::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reading::Reading;
use crate::analyst::frame::{By, Column, Frame, Order, Test};

/// What the clarifier found out about a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueryAnalysis {
    pub has_service: bool,
    pub service_type: ServiceType,
    pub is_aggregation: bool,
    pub is_filter_query: bool,
    pub time_clarity: TimeClarity,
    pub needs_service_clarification: bool,
    pub needs_time_clarification: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceType {
    Specific,
    Aggregation,
    #[default]
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeClarity {
    Clear,
    Ambiguous,
    #[default]
    None,
}

/// A question back, with the frame as far as it is understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clarification {
    pub asks: Vec<AskBack>,
    pub draft: Frame,
    pub analysis: QueryAnalysis,
}

impl Clarification {
    /// The names of what is asked for, with commas.
    pub fn fields(&self) -> String {
        self.asks.iter().map(|ask| ask.field.as_str()).collect::<Vec<_>>().join(",")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskBack {
    /// `time`, `reading`, or a column without its `_id`.
    pub field: String,
    /// `missing_info`, `ambiguous_time` or `ambiguous_reading`.
    pub kind: String,
    pub question: String,
    pub options: Vec<String>,
    pub required: bool,
    pub allow_custom: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Need {
    Time,
    /// Bad by which figure?
    Reading,
    /// A value of this column; these may be meant.
    Value(Column, Vec<String>),
}

/// What a person calls a column.
fn called(column: &Column) -> &str {
    let short = column.short();
    short.strip_suffix("_id").unwrap_or(short)
}

impl Reading<'_> {
    /// What must be asked before the frame is answered.
    pub(super) fn needs(&self, frame: &Frame, lost: &[Column], follows: bool) -> Vec<Need> {
        let mut needs = Vec::new();
        let table = self.table_of();
        let identify = table.and_then(|table| Some(Column::new(&table.name, table.identify.as_ref()?)));
        for (column, values) in &self.draft.unclear {
            if frame.filter(&column.name).is_none() {
                needs.push(Need::Value(column.clone(), values.clone()));
            }
        }
        for column in lost {
            if frame.filter(&column.name).is_none() {
                needs.push(Need::Value(column.clone(), Vec::new()));
            }
        }
        if let Some(column) = identify
            && needs.is_empty()
            && self.lists_anything(frame)
        {
            needs.push(Need::Value(column, Vec::new()));
        }
        let quality = self.draft.rank.as_ref().is_some_and(|rank| rank.by == super::draft::RankBy::Quality);
        // The top customers: by what?
        let nothing = self.draft.rank.as_ref().is_some_and(|rank| rank.by == super::draft::RankBy::Count)
            && frame.filters.is_empty()
            && !self.draft.counted
            && !self.draft.row_noun
            && frame.measures.as_slice() == [crate::analyst::frame::Measure::Count]
            && !follows
            && frame.having.is_empty()
            && !self
                .items
                .iter()
                .any(|item| item.op(duru_language::Op::Often) || item.text.starts_with("bus"));
        if nothing {
            needs.push(Need::Reading);
        }
        if quality && self.draft.measures.is_empty() && !self.draft.counted && self.draft.rate.is_none() {
            needs.push(Need::Reading);
        }
        let timed = !self.draft.periods.is_empty() || follows && frame.time.is_some() && !self.draft.vague;
        if (self.draft.vague || self.draft.event) && !timed {
            needs.push(Need::Time);
        }
        needs
    }

    /// Whether rows are asked for that nothing tells apart from others.
    pub(super) fn lists_anything(&self, frame: &Frame) -> bool {
        let found = frame.filters.iter().any(|filter| self.identifies(&filter.column, &filter.test));
        let by_number = matches!(frame.order, Some(Order { by: By::Column(_), .. }));
        // 최근 alone says no more than that rows are wanted.
        let bare = self.draft.periods.iter().any(|placed| {
            self.items[placed.at].text.chars().count() <= 8
                && !self.items[placed.at].text.chars().any(|letter| letter.is_ascii_digit())
                && placed.it
                    == duru_language::time::Period::Last(duru_language::time::Length::new(
                        1,
                        duru_language::Unit::Hour,
                    ))
        });
        frame.is_rows() && !found && !by_number && !self.draft.every && (frame.time.is_none() || bare)
    }

    /// Whether a condition finds certain rows: a column of few values, such as a level, does not.
    fn identifies(&self, column: &Column, test: &Test) -> bool {
        if matches!(test, Test::Hours(..) | Test::Weekdays(_)) {
            return false;
        }
        let identity = self.table_of().and_then(|table| table.identify.as_ref()) == Some(&column.name);
        let few = self
            .described(column)
            .is_some_and(|known| !known.values.is_empty() && known.values.len() <= 8 && known.key.is_none());
        identity || !few || matches!(test, Test::Contains(_) | Test::Absent)
    }

    pub(super) fn analyse(&self, frame: &Frame, needs: &[Need]) -> QueryAnalysis {
        let identify = self.table_of().and_then(|table| table.identify.clone()).unwrap_or_default();
        let has_service = frame
            .filters
            .iter()
            .any(|filter| filter.column.name == identify && !matches!(filter.test, Test::Present));
        let aggregation = !frame.is_rows();
        QueryAnalysis {
            has_service,
            service_type: match (has_service, aggregation) {
                (true, _) => ServiceType::Specific,
                (false, true) => ServiceType::Aggregation,
                (false, false) => ServiceType::None,
            },
            is_aggregation: aggregation,
            is_filter_query: !aggregation,
            time_clarity: if needs.contains(&Need::Time) {
                TimeClarity::Ambiguous
            } else if frame.time.is_some() {
                TimeClarity::Clear
            } else {
                TimeClarity::None
            },
            needs_service_clarification: needs
                .iter()
                .any(|need| matches!(need, Need::Value(column, _) if column.name == identify)),
            needs_time_clarification: needs.contains(&Need::Time),
        }
    }

    pub(super) fn ask(&self, needs: &[Need], draft: Frame, lang: Lang) -> Clarification {
        let analysis = self.analyse(&draft, needs);
        let asks = needs.iter().map(|need| match need {
            Need::Time => AskBack {
                field: "time".into(),
                kind: "ambiguous_time".into(),
                question: lang.pick("언제를 말씀하시나요?", "Which time do you mean?").into(),
                options: lang
                    .pick(
                        ["최근 1시간", "최근 6시간", "최근 24시간", "최근 7일", "사용자 지정…"],
                        ["last 1 hour", "last 6 hours", "last 24 hours", "last 7 days", "custom…"],
                    )
                    .map(Into::into)
                    .into(),
                required: true,
                allow_custom: true,
            },
            Need::Reading => AskBack {
                field: "reading".into(),
                kind: "ambiguous_reading".into(),
                question: lang.pick("무엇을 기준으로 볼까요?", "By which figure?").into(),
                options: self.figures_to_choose(lang),
                required: true,
                allow_custom: true,
            },
            Need::Value(column, values) => self.ask_value(column, values, lang),
        });
        Clarification { asks: asks.collect(), draft, analysis }
    }

    /// What bad or good may be measured by: how many, the named shares, how long.
    fn figures_to_choose(&self, lang: Lang) -> Vec<String> {
        let Some(table) = self.table_of() else { return Vec::new() };
        let named =
            |words: &[String]| words.iter().find(|word| Lang::of(word) == lang).or(words.first()).cloned();
        let mut all = vec![lang.pick("에러 건수", "number of errors").to_owned()];
        all.extend(table.measures.iter().take(1).filter_map(|measure| named(&measure.words)));
        if let Some(column) = table.duration.as_ref().and_then(|name| table.column(name)) {
            all.extend(
                named(&column.nouns).map(|noun| lang.pick(format!("평균 {noun}"), format!("average {noun}"))),
            );
        }
        all
    }

    fn ask_value(&self, column: &Column, values: &[String], lang: Lang) -> AskBack {
        let known = self
            .described(column)
            .map(|known| known.values.iter().map(|value| value.value.clone()).collect::<Vec<_>>());
        let identity = self.table_of().and_then(|table| table.identify.as_ref()) == Some(&column.name);
        let mut options = if values.is_empty() { known.unwrap_or_default() } else { values.to_vec() };
        options.truncate(50);
        if identity {
            options.push(lang.pick("전체", "all").into());
        }
        let noun = self.noun(column, lang);
        AskBack {
            field: called(column).to_owned(),
            kind: "missing_info".into(),
            question: lang
                .pick(format!("어느 {noun}을(를) 말씀하시나요?"), format!("Which {noun} do you mean?")),
            required: !identity,
            allow_custom: !identity,
            options,
        }
    }

    /// What a column is called in a language.
    pub(super) fn noun(&self, column: &Column, lang: Lang) -> String {
        let nouns = self.described(column).map(|known| known.nouns.as_slice()).unwrap_or_default();
        let fits = |noun: &&String| Lang::of(noun) == lang;
        nouns.iter().find(fits).cloned().unwrap_or_else(|| called(column).to_owned())
    }
}
