//! What the parser makes of a question, in the words of the graph.

use duru_sql::Knowledge;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::conflict::{CONFLICTING_TIME, PeriodChoice, PeriodConflict};
use super::decide::Sql;
use super::filters::{Absolute, Filters, Relative, TimeRange, Unit};
use super::state::Analysis;
use super::understand::{
    self, Ask, Context, Field, Length, Period, Query, QueryAnalysis, RefusalKind, Reply, Test, Turn,
    Understanding, Vocabulary, understand,
};

/// So often a person is asked back about one question.
pub(super) const ROUNDS: u32 = 2;

/// A question as the rules read it.
pub(super) struct Reading {
    pub(super) services: Vec<String>,
    pub(super) resolved_question: String,
    pub(super) filters: Filters,
    pub(super) analysis: QueryAnalysis,
    /// What the person should be asked.
    pub(super) asks: Vec<Ask>,
    /// The query, with what is still open left out; while the person should be asked.
    pub(super) draft: Option<Query>,
    /// The query, with what is still open set to its default.
    pub(super) sql: Sql,
    pub(super) query: Option<Query>,
    pub(super) understood: bool,
}

impl Reading {
    pub(super) fn of(s: &Analysis, knowledge: &Knowledge) -> Self {
        let vocabulary = Vocabulary::of(knowledge);
        let previous = s.turns.iter().chain(&s.left_open);
        let previous: Vec<Turn> = previous.filter_map(|turn| turn.read()).collect();
        let answers: Vec<Reply> = s
            .user_clarifications
            .iter()
            .map(|(field, value)| Reply { field: field.clone(), value: value.clone() })
            .collect();
        // What a model has written out stands for the question.
        let question = if s.resolved_by_model { &s.resolved_question } else { &s.question };
        let conflict = PeriodConflict::of(s, question, &vocabulary, &previous);
        let choice = conflict.as_ref().and_then(|conflict| conflict.chosen(s));
        let picked = s.time_range_structured.as_ref().and_then(period);
        let picked = picked.filter(|_| matches!(choice, None | Some(PeriodChoice::Picked)));
        // The names of the two periods are no words that the parser reads.
        let is_name = matches!(choice, Some(PeriodChoice::Picked | PeriodChoice::Worded));
        let answers: Vec<Reply> =
            answers.into_iter().filter(|answer| !(is_name && answer.field == "time")).collect();
        let read = |asked: u32| {
            let context = Context {
                now: s.moment(),
                timezone: s.zone(),
                lang: Some(s.lang()),
                vocabulary: &vocabulary,
                previous: &previous,
                answers: &answers,
                asked: u8::try_from(asked).unwrap_or(u8::MAX),
                picked: picked.clone(),
            };
            understand(question, &context)
        };
        let (mut asks, analysis, draft, settled) = match read(s.clarification_count) {
            Understanding::Clarify(asked) => (asked.asks, Some(asked.analysis), Some(asked.draft), None),
            // Where nothing is open, nothing would be read otherwise.
            settled => (Vec::new(), None, None, Some(settled)),
        };
        asks.extend(conflict.filter(|_| choice.is_none()).map(|conflict| conflict.ask(s)));
        let mut reading = Self {
            services: vocabulary.services().to_vec(),
            resolved_question: s.question.clone(),
            filters: Filters::default(),
            analysis: analysis.clone().unwrap_or_default(),
            asks,
            draft,
            sql: Sql { sql: None, explanation: String::new(), refusal: None },
            query: None,
            understood: true,
        };
        match settled.unwrap_or_else(|| read(ROUNDS)) {
            Understanding::Query(understood) => {
                reading.filters = filters(&understood.query, &reading, s.moment());
                reading.analysis = analysis.unwrap_or(understood.analysis);
                if understood.resolved {
                    reading.resolved_question = understood.explanation.clone();
                }
                reading.sql.explanation = understood.explanation;
                reading.sql.sql = Some(understood.sql);
                if !reading.asks.is_empty() {
                    reading.draft.get_or_insert_with(|| understood.query.clone());
                }
                reading.query = Some(understood.query);
            }
            Understanding::Refuse(refusal) => {
                reading.understood = refusal.kind != RefusalKind::NotUnderstood;
                reading.sql.refusal = Some(refusal.reason);
            }
            // It may not ask any more, so it does not.
            Understanding::Clarify(_) => reading.understood = false,
        }
        reading
    }

    /// What to ask: only what both the rules' words exist for and `analysis` wants.
    pub(super) fn open(&self, analysis: &QueryAnalysis) -> Vec<Ask> {
        let wanted = |ask: &&Ask| match ask.field.as_str() {
            "service" => analysis.needs_service_clarification,
            "time" => analysis.needs_time_clarification || ask.kind == CONFLICTING_TIME,
            // A reference to something that only the rules look for.
            _ => true,
        };
        self.asks.iter().filter(wanted).cloned().collect()
    }
}

/// The service and the time range of a query, as structure.
fn filters(query: &Query, reading: &Reading, now: Timestamp) -> Filters {
    let service = query.filters.iter().find_map(|filter| match (&filter.field, &filter.test) {
        (Field::Column(name), Test::OneOf(values)) if name == "service" => match values.as_slice() {
            [service] => Some(service.clone()),
            _ => None,
        },
        _ => None,
    });
    let ambiguous = reading.asks.iter().any(|ask| ask.field == "time");
    Filters {
        service,
        time_range: query.time.as_ref().filter(|_| !ambiguous).and_then(|time| range(time, now)),
        ambiguous_time: ambiguous,
        confidence: if reading.asks.is_empty() { 1.0 } else { 0.5 },
    }
}

pub(super) fn range(period: &Period, now: Timestamp) -> Option<TimeRange> {
    let absolute = |start: Timestamp, end: Timestamp| TimeRange::Absolute {
        absolute: Absolute { start: start.to_string(), end: end.to_string() },
    };
    match period {
        Period::Last(Length { amount, unit }) => {
            let relative = |unit| TimeRange::Relative { relative: Relative { value: *amount, unit } };
            match unit {
                understand::Unit::Hour => Some(relative(Unit::Hour)),
                understand::Unit::Day => Some(relative(Unit::Day)),
                understand::Unit::Week => Some(relative(Unit::Week)),
                understand::Unit::Month => Some(relative(Unit::Month)),
                understand::Unit::Second => Some(absolute(before(now, i64::from(*amount))?, now)),
                understand::Unit::Minute => Some(absolute(before(now, i64::from(*amount) * 60)?, now)),
                understand::Unit::Year => {
                    Some(absolute(before(now, i64::from(*amount) * 365 * 86_400)?, now))
                }
            }
        }
        Period::Between { from: Some(from), until } => Some(absolute(*from, until.unwrap_or(now))),
        _ => None,
    }
}

fn before(now: Timestamp, seconds: i64) -> Option<Timestamp> {
    Timestamp::from_second(now.as_second().checked_sub(seconds)?).ok()
}

/// A range from a picker as the parser has it.
fn period(range: &TimeRange) -> Option<Period> {
    match range {
        TimeRange::Relative { relative: Relative { value, unit } } => {
            let unit = match unit {
                Unit::Hour => understand::Unit::Hour,
                Unit::Day => understand::Unit::Day,
                Unit::Week => understand::Unit::Week,
                Unit::Month => understand::Unit::Month,
            };
            Some(Period::Last(Length { amount: *value, unit }))
        }
        TimeRange::Absolute { absolute } => {
            let (from, until) = (absolute.start.parse().ok()?, absolute.end.parse().ok()?);
            Some(Period::Between { from: Some(from), until: Some(until) })
        }
    }
}

impl Analysis {
    pub(super) fn zone(&self) -> TimeZone {
        TimeZone::get(&self.timezone).unwrap_or(TimeZone::UTC)
    }
}
