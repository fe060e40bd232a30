//! What the reader makes of a question, in the words of the graph.

use std::sync::{Arc, Mutex, PoisonError};

use duru_language::Lang;
use duru_language::time::{Length, Period};
use duru_sql::Knowledge;
use duru_sql::domain::{Description, Domain};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::conflict::{CONFLICTING_TIME, PeriodChoice, PeriodConflict};
use super::decide::Sql;
use super::filters::{Absolute, Filters, Relative, TimeRange, Unit};
use super::frame::{Frame, Test};
use super::reader::{
    AskBack, Linked, QueryAnalysis, ReadTurn, RefusalKind, Reply, Subject, UNREAD, UNSURE_READING,
    Understanding, hints, understand,
};
use super::state::Analysis;

/// So often a person is asked back about one question.
pub(super) const ROUNDS: u32 = super::reader::ROUNDS as u32;

/// Tables in words, ready for questions.
pub(super) struct Prepared {
    knowledge: Arc<Knowledge>,
    description: Arc<Description>,
    pub(super) domain: Domain,
    pub(super) linked: Linked,
}

/// The last one that was made: it lasts as long as what the store knows, and what people call it.
#[derive(Default)]
pub(super) struct Preparing {
    last: Mutex<Option<Arc<Prepared>>>,
}

impl Preparing {
    pub(super) fn of(&self, knowledge: &Arc<Knowledge>, description: Arc<Description>) -> Arc<Prepared> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&Arc<Prepared>| {
            Arc::ptr_eq(&known.knowledge, knowledge) && Arc::ptr_eq(&known.description, &description)
        };
        if let Some(known) = last.as_ref().filter(same) {
            return Arc::clone(known);
        }
        let domain = Domain::of(knowledge, &description);
        let linked = Linked::new(&domain);
        let made = Arc::new(Prepared { knowledge: Arc::clone(knowledge), description, domain, linked });
        *last = Some(Arc::clone(&made));
        made
    }
}

/// A question as the rules read it.
pub(super) struct Reading {
    pub(super) services: Vec<String>,
    pub(super) resolved_question: String,
    pub(super) filters: Filters,
    pub(super) analysis: QueryAnalysis,
    /// What the person should be asked.
    pub(super) asks: Vec<AskBack>,
    /// The frame, with what is still open left out; while the person should be asked.
    pub(super) draft: Option<Frame>,
    /// The query, with what is still open set to its default.
    pub(super) sql: Sql,
    pub(super) frame: Option<Frame>,
    pub(super) understood: bool,
    /// Why it is not answered, if it is not.
    pub(super) refused: Option<RefusalKind>,
}

impl Reading {
    pub(super) fn of(s: &Analysis, prepared: &Prepared) -> Self {
        let previous = s.turns.iter().chain(&s.left_open);
        // What was said of a table that is not asked now is nothing to go on from.
        let is_asked = |turn: &ReadTurn| prepared.domain.table(&turn.frame.table).is_some();
        let previous: Vec<ReadTurn> = previous.filter_map(|turn| turn.read()).filter(is_asked).collect();
        let answers: Vec<Reply> = s
            .user_clarifications
            .iter()
            .map(|(field, value)| Reply { field: field.clone(), value: value.clone() })
            .collect();
        // What a model has written out stands for the question.
        let question = if s.resolved_by_model { &s.resolved_question } else { &s.question };
        let now: Zoned = s.moment().to_zoned(s.zone());
        let conflict = PeriodConflict::of(s, question, prepared, &previous);
        let choice = conflict.as_ref().and_then(|conflict| conflict.chosen(s));
        let picked = s.time_range_structured.as_ref().and_then(period);
        let picked = picked.filter(|_| matches!(choice, None | Some(PeriodChoice::Picked)));
        // The names of the two periods are no words that the reader reads.
        let is_name = matches!(choice, Some(PeriodChoice::Picked | PeriodChoice::Worded));
        let answers: Vec<Reply> =
            answers.into_iter().filter(|answer| !(is_name && answer.field == "time")).collect();
        let read = |asked: u32| {
            let subject = Subject {
                domain: &prepared.domain,
                linked: &prepared.linked,
                now: &now,
                lang: s.language(),
                previous: &previous,
                answers: &answers,
                asked: u8::try_from(asked).unwrap_or(u8::MAX),
                picked: picked.clone(),
            };
            understand(question, &subject)
        };
        let (mut asks, analysis, draft, settled) = match read(s.clarification_count) {
            Understanding::Clarify(asked) => (asked.asks, Some(asked.analysis), Some(asked.draft), None),
            // Where nothing is open, nothing would be read otherwise.
            settled => (Vec::new(), None, None, Some(settled)),
        };
        asks.extend(conflict.filter(|_| choice.is_none()).map(|conflict| conflict.ask(s)));
        let mut reading = Self {
            services: services(&prepared.domain),
            resolved_question: s.question.clone(),
            filters: Filters::default(),
            analysis: analysis.clone().unwrap_or_default(),
            asks,
            draft,
            sql: Sql { sql: None, explanation: String::new(), refusal: None },
            frame: None,
            understood: true,
            refused: None,
        };
        match settled.unwrap_or_else(|| read(ROUNDS)) {
            Understanding::Query(understood) => {
                reading.filters = filters(&understood.frame, &reading, &prepared.domain, s.moment());
                reading.analysis = analysis.unwrap_or(understood.analysis);
                if understood.resolved {
                    reading.resolved_question = understood.explanation.clone();
                }
                reading.sql.explanation = understood.explanation;
                reading.sql.sql = Some(understood.sql);
                if !reading.asks.is_empty() {
                    reading.draft.get_or_insert_with(|| understood.frame.clone());
                }
                reading.frame = Some(understood.frame);
            }
            Understanding::Refuse(refusal) => {
                reading.understood = refusal.kind != RefusalKind::NotUnderstood;
                reading.refused = Some(refusal.kind);
                reading.sql.refusal = Some(refusal.reason);
            }
            // It may not ask any more, so it does not.
            Understanding::Clarify(_) => reading.understood = false,
        }
        reading
    }

    /// What the words of the question stand for in the tables.
    pub(super) fn hints(s: &Analysis, prepared: &Prepared) -> Vec<String> {
        let now: Zoned = s.moment().to_zoned(s.zone());
        let subject = Subject {
            domain: &prepared.domain,
            linked: &prepared.linked,
            now: &now,
            lang: s.language(),
            previous: &[],
            answers: &[],
            asked: 0,
            picked: None,
        };
        hints(&s.resolved_question, &subject)
    }

    /// Whether every word of the question was read, and nothing is open: only then it is a first reading that a model
    /// may be shown.
    pub(super) fn covers_all(&self) -> bool {
        self.frame.is_some() && self.asks.is_empty()
    }

    /// Whether a query of a model's would help: the rules offer readings that they are not sure of, or have none. Where a
    /// time or a service is open, the person knows it and no model does.
    pub(super) fn may_be_consulted_about(&self) -> bool {
        let unread = |ask: &AskBack| ask.field == UNREAD;
        let not_understood = self.refused == Some(RefusalKind::NotUnderstood) && self.asks.is_empty();
        not_understood || self.covers_all() || !self.asks.is_empty() && self.asks.iter().all(unread)
    }

    /// Whether all words of the question were read, and only what they mean together is not sure: what two find with a
    /// word left out may be the same and wrong.
    pub(super) fn leaves_no_word_out(&self) -> bool {
        self.asks.iter().all(|ask| ask.kind == UNSURE_READING)
    }

    /// What the person may answer where a reading is offered, each with the query that it gives; the reading itself where it
    /// is certain.
    pub(super) fn offered(&self, s: &Analysis, prepared: &Prepared) -> Vec<(String, String)> {
        if let (true, Some(sql)) = (self.covers_all(), &self.sql.sql) {
            return vec![(self.sql.explanation.clone(), sql.clone())];
        }
        let Some(ask) = self.asks.iter().find(|ask| ask.field == UNREAD) else { return Vec::new() };
        // The last one is that none of them is meant.
        let options = ask.options.iter().take(ask.options.len().saturating_sub(1));
        let query = |option: &String| {
            let mut known = s.clone();
            known.user_clarifications.insert(UNREAD.to_owned(), option.clone());
            let reading = Self::of(&known, prepared);
            let sql = reading.sql.sql.clone().filter(|_| reading.covers_all())?;
            Some((option.clone(), sql))
        };
        options.filter_map(query).collect()
    }

    /// Whether it asks for what is never given, whoever reads it: changes, secrets and personal data, deleted rows.
    pub(super) fn is_off_limits(&self) -> bool {
        matches!(self.refused, Some(RefusalKind::Write | RefusalKind::Secret | RefusalKind::Deleted))
    }

    /// What to ask: only what both the rules' words exist for and `analysis` wants.
    pub(super) fn open(&self, analysis: &QueryAnalysis) -> Vec<AskBack> {
        let wanted = |ask: &&AskBack| match ask.field.as_str() {
            "service" => analysis.needs_service_clarification,
            "time" => analysis.needs_time_clarification || ask.kind == CONFLICTING_TIME,
            // A reference to something that only the rules look for.
            _ => true,
        };
        self.asks.iter().filter(wanted).cloned().collect()
    }
}

/// The values of the column that tells rows apart.
fn services(domain: &Domain) -> Vec<String> {
    let values = domain.tables.iter().filter_map(|table| table.column(table.identify.as_ref()?));
    values.flat_map(|column| column.values.iter().map(|known| known.value.clone())).collect()
}

/// The service and the time range of a frame, as structure.
fn filters(frame: &Frame, reading: &Reading, domain: &Domain, now: Timestamp) -> Filters {
    let identify = domain.table(&frame.table).and_then(|table| table.identify.clone()).unwrap_or_default();
    let service = frame.filters.iter().find_map(|filter| match &filter.test {
        Test::OneOf(values) if filter.column.name == identify => match values.as_slice() {
            [service] => Some(service.clone()),
            _ => None,
        },
        _ => None,
    });
    let ambiguous = reading.asks.iter().any(|ask| ask.field == "time");
    Filters {
        service,
        time_range: frame.time.as_ref().filter(|_| !ambiguous).and_then(|time| range(time, now)),
        ambiguous_time: ambiguous,
        confidence: if reading.asks.is_empty() { 1.0 } else { 0.5 },
    }
}

pub(super) fn range(period: &Period, now: Timestamp) -> Option<TimeRange> {
    let absolute = |start: Timestamp, end: Timestamp| TimeRange::Absolute {
        absolute: Absolute { start: start.to_string(), end: end.to_string() },
    };
    match period {
        Period::Last(length) => {
            let relative = |unit| TimeRange::Relative { relative: Relative { value: length.amount, unit } };
            match length.unit {
                duru_language::Unit::Hour => Some(relative(Unit::Hour)),
                duru_language::Unit::Day => Some(relative(Unit::Day)),
                duru_language::Unit::Week => Some(relative(Unit::Week)),
                duru_language::Unit::Month => Some(relative(Unit::Month)),
                _ => {
                    let from = now.as_second().checked_sub(length.seconds() as i64)?;
                    Some(absolute(Timestamp::from_second(from).ok()?, now))
                }
            }
        }
        Period::Range { from: Some(from), until, .. } => Some(absolute(*from, until.unwrap_or(now))),
        Period::Range { from: None, .. } => None,
    }
}

/// A range from a picker as the reader has it.
fn period(range: &TimeRange) -> Option<Period> {
    match range {
        TimeRange::Relative { relative: Relative { value, unit } } => {
            let unit = match unit {
                Unit::Hour => duru_language::Unit::Hour,
                Unit::Day => duru_language::Unit::Day,
                Unit::Week => duru_language::Unit::Week,
                Unit::Month => duru_language::Unit::Month,
            };
            Some(Period::Last(Length::new(*value, unit)))
        }
        TimeRange::Absolute { absolute } => {
            let (from, until) = (absolute.start.parse().ok()?, absolute.end.parse().ok()?);
            Some(Period::Range { from: Some(from), until: Some(until), unit: None })
        }
    }
}

impl Analysis {
    pub(super) fn zone(&self) -> TimeZone {
        TimeZone::get(&self.timezone).unwrap_or(TimeZone::UTC)
    }

    /// The language of the question, as the reader has it.
    pub(super) fn language(&self) -> Lang {
        match self.lang() {
            duru_sql::guard::Lang::Ko => Lang::Ko,
            duru_sql::guard::Lang::En => Lang::En,
        }
    }
}
