//! What was read out of one question, before it is put together.

use super::query::{Field, Filter, Group, Having, Measure, Op, Order, Query, Test};
use super::time;

#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub(super) query: Query,
    pub(super) time: time::Said,
    /// 로그, 에러, 요청: the question says what it is about.
    pub(super) subject: bool,
    /// The lines themselves are asked for.
    pub(super) rows: bool,
    /// Something is to be counted.
    pub(super) counted: bool,
    pub(super) ascending: bool,
    /// "가장 많은": the first of the groups.
    pub(super) superlative: bool,
    /// "가장 느린", "오래 걸린".
    pub(super) slowest: bool,
    pub(super) compared: bool,
    /// Several values of one field are to be told apart.
    pub(super) each: bool,
    pub(super) keep: super::query::Keep,
    /// "추이": over time, however finely.
    pub(super) trend: bool,
    /// Values of a dimension that are counted: "사용자 수".
    pub(super) distinct: Vec<Field>,
    pub(super) distinct_having: Vec<(Field, Op, f64)>,
    /// "그 서비스": a dimension whose value was said or found before.
    pub(super) references: Vec<Field>,
    /// Words that lean on the question before: 그럼, 다시, what about.
    pub(super) leans: bool,
    /// Services that a word may mean.
    pub(super) unclear_services: Vec<String>,
    pub(super) every_service: bool,
    /// A number that was named without saying what to do with it.
    pub(super) measure_of: Option<(super::query::Stat, Field)>,
    /// Lines for each value, on average.
    pub(super) averaged: bool,
    /// 에러 was said as part of another word.
    pub(super) error_said: bool,
    pub(super) newest: bool,
    pub(super) by_measure: bool,
    /// "마지막 에러": a single line, whatever of it is asked for.
    pub(super) one_line: bool,
    /// All that a person or request did, in its order.
    pub(super) journey: bool,
    /// "언제", without first or last.
    pub(super) when_only: bool,
    pub(super) spread: bool,
    /// Dimensions that divide the answer ("서비스별"), and those that are asked for.
    pub(super) divided: Vec<Field>,
    pub(super) asked: Vec<Field>,
    /// Dimensions that are named and nothing more.
    pub(super) named: Vec<Field>,
    /// "시간대별": of the day, if there are several days.
    pub(super) hour_slots: bool,
    pub(super) api_said: bool,
    /// "그중": of what was found before.
    pub(super) among: bool,
    pub(super) grown: bool,
    pub(super) shrunk: bool,
    /// Nothing was written.
    pub(super) quiet: bool,
    pub(super) both: bool,
    /// Lines in general: 로그, requests.
    pub(super) plain_subject: bool,
    pub(super) list: bool,
    /// No word asks for lines, such as 보여줘, 로그 or list.
    pub(super) bare: bool,
    /// "에러 있었어?": whether there are any.
    pub(super) exists: bool,
    /// "사용자 중 몇 %": whose share is asked for.
    pub(super) rate_of: Option<Field>,
    /// "지금까지", "통틀어": of all that there is.
    pub(super) all_time: bool,
    pub(super) slowest_said: bool,
    /// Two periods of which one holds the other.
    pub(super) overlap: bool,
    pub(super) percent: bool,
    /// "5% 넘는 것만": of a share that was asked for before.
    pub(super) percent_than: Option<(Op, f64)>,
    /// Conditions on what the question before measured.
    pub(super) later: Vec<Having>,
    /// "전체 에러 중": these are the whole of which the parts are asked.
    pub(super) whole: bool,
}

impl Reading {
    pub(super) fn add(&mut self, field: Field, value: &str, without: bool) {
        for filter in self.query.filters.iter_mut().filter(|filter| filter.field == field) {
            match &mut filter.test {
                Test::OneOf(values) if !without => {
                    if !values.iter().any(|known| known == value) {
                        values.push(value.to_owned());
                    }
                    return;
                }
                Test::NoneOf(values) if without => {
                    values.push(value.to_owned());
                    return;
                }
                _ => {}
            }
        }
        let values = vec![value.to_owned()];
        let test = if without { Test::NoneOf(values) } else { Test::OneOf(values) };
        self.query.filters.push(Filter { field, test });
    }

    /// Whether this is one of the texts that the lines must hold.
    pub(super) fn searches(&self, word: &str) -> bool {
        let word = word.trim_end_matches('s');
        self.query.filters.iter().any(|filter| match &filter.test {
            Test::Contains(texts) | Test::ContainsAll(texts) => texts.iter().any(|text| text.contains(word)),
            _ => false,
        })
    }

    /// Whether this is the name of a column or key that is asked about: "캐시 적중률(cache_hit)".
    pub(super) fn names(&self, word: &str) -> bool {
        let word = word.trim_end_matches(|letter: char| !letter.is_ascii());
        let measured = self.query.measures.iter().any(|measure| match measure {
            Measure::Distinct(field) | Measure::Stat(_, field) => field.name() == word,
            Measure::Rate(filters) | Measure::CountOf(filters) => {
                filters.iter().any(|filter| filter.field.name() == word)
            }
            _ => false,
        });
        let fields = [&self.distinct, &self.divided, &self.asked, &self.named, &self.references];
        word == "metadata"
            || measured
            || self.query.filters.iter().any(|filter| filter.field.name() == word)
            || self.measure_of.as_ref().is_some_and(|(_, field)| field.name() == word)
            || fields.into_iter().flatten().any(|field| field.name() == word)
    }

    pub(super) fn push(&mut self, field: Field, test: Test) {
        self.query.filters.push(Filter { field, test });
    }

    pub(super) fn group(&mut self, group: Group) {
        if !self.query.groups.contains(&group) {
            self.query.groups.push(group);
        }
    }

    pub(super) fn measure(&mut self, measure: Measure) {
        if !self.query.measures.contains(&measure) {
            self.query.measures.push(measure);
        }
    }

    pub(super) fn having(&mut self, having: Having) {
        self.query.having.push(having);
    }

    pub(super) fn order(&mut self, order: Order) {
        self.query.order.get_or_insert(order);
    }

    pub(super) fn values(&self, column: &str) -> Vec<String> {
        match self.query.filter(column).map(|filter| &filter.test) {
            Some(Test::OneOf(values)) => values.clone(),
            _ => Vec::new(),
        }
    }
}
