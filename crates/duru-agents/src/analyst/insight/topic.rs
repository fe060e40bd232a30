//! What a result is about: the words for its rows, its figures and its periods.

use duru_language::Unit;
use duru_language::english;
use duru_language::hangul::is_closed;
use duru_language::time::Period;
use duru_sql::domain::{Domain, DomainTable};
use duru_sql::guard::Lang;
use duru_sql::{Answer, Column};
use jiff::Zoned;

use super::coverage::{CountedRows, leaves_out};
use super::pick;
use crate::analyst::frame::{self, Dimension, Filter, Frame, Measure, Stat, Test};

/// The words of a result.
#[derive(Debug, Clone)]
pub(in crate::analyst) struct Topic {
    pub(super) lang: Lang,
    /// What a row is called.
    noun: String,
    /// What groups are called.
    pub(super) group: Option<String>,
    /// By the result's columns.
    figures: Vec<Option<Figure>>,
    /// What the earlier of two periods is called.
    pub(super) before: Option<String>,
    /// Which rows the figures are made of.
    pub(super) counted_rows: CountedRows,
    /// Columns that count by conditions which the name of what they count does not say.
    unsaid: Vec<usize>,
    /// Whether the groups in the result are all there are: else their sum is not the whole.
    pub(super) has_all_groups: bool,
}

/// What a column of numbers tells.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Figure {
    /// How many rows; or how many of what.
    Count(Option<String>),
    /// Of a hundred: which part, as far as it has a name; of rows, or of what.
    Percent { part: Option<String>, of: Option<String> },
    /// A figure with a name, in a unit.
    Amount { label: String, unit: Option<String> },
}

impl Topic {
    /// By the names of the columns alone.
    pub(in crate::analyst) fn of_columns(answer: &Answer, lang: Lang) -> Self {
        let figures = answer.columns.iter().map(|column| Some(by_name(column, lang)));
        Self {
            lang,
            noun: pick(lang, "행", "row").to_owned(),
            group: None,
            figures: figures.collect(),
            before: None,
            counted_rows: CountedRows::Unknown,
            unsaid: Vec::new(),
            has_all_groups: false,
        }
    }

    /// Of a question whose frame the result was asked by.
    pub(in crate::analyst) fn of_frame(
        answer: &Answer,
        frame: &Frame,
        domain: &Domain,
        now: &Zoned,
        lang: Lang,
    ) -> Self {
        let mut topic = Self::of_columns(answer, lang);
        let Some(table) = domain.table(&frame.table) else { return topic };
        topic.noun = noun(&table.nouns, lang).unwrap_or_else(|| table.name.clone());
        topic.counted_rows = CountedRows::of(frame, domain);
        topic.has_all_groups = !leaves_out(frame, answer.rows.len());
        let words = Nouns { domain, table, lang };
        topic.group = frame.dimensions.iter().find_map(|dimension| match dimension {
            Dimension::Column(column) => Some(words.column(column)),
            _ => None,
        });
        topic.before = frame.compare.as_ref().and_then(|compare| {
            let whole = compare.whole.as_ref().unwrap_or(&compare.with);
            called(whole, now, lang)
        });
        // Each measure has a column; in comparisons one for each period.
        let each = match &frame.compare {
            Some(compare) if compare.whole.is_some() => 3,
            Some(_) => 2,
            None => 1,
        };
        let groups = frame.dimensions.len();
        if answer.columns.len() == groups + each * frame.measures.len() && !frame.count_groups {
            for (at, measure) in frame.measures.iter().enumerate() {
                for column in groups + at * each..groups + (at + 1) * each {
                    topic.figures[column] = Some(words.figure(measure, &answer.columns[column]));
                    if matches!(measure, Measure::CountOf(filters) if values(filters).is_none()) {
                        topic.unsaid.push(column);
                    }
                }
            }
        }
        topic
    }

    pub(super) fn figure(&self, column: usize) -> &Figure {
        const ROWS: &Figure = &Figure::Count(None);
        self.figures.get(column).and_then(Option::as_ref).unwrap_or(ROWS)
    }

    /// Which rows the figures of a column are made of, as far as their name does not say it.
    pub(super) fn rows_of(&self, column: usize) -> CountedRows {
        match self.counted_rows {
            CountedRows::All if self.unsaid.contains(&column) => CountedRows::Fitting,
            rows => rows,
        }
    }

    /// Whether the figures are of a hundred.
    pub(super) fn is_percent(&self, column: usize) -> bool {
        match self.figure(column) {
            Figure::Percent { .. } => true,
            Figure::Amount { unit: Some(unit), .. } => matches!(unit.as_str(), "percent" | "pct"),
            _ => false,
        }
    }

    /// What so many rows are called.
    pub(super) fn rows(&self, count: u64) -> String {
        self.plural(&self.noun, count)
    }

    fn plural(&self, noun: &str, count: u64) -> String {
        match self.lang {
            Lang::Ko => noun.to_owned(),
            Lang::En => counted(noun, count),
        }
    }

    /// What is counted in this column, or what its share is of.
    pub(super) fn counted(&self, column: usize, count: u64) -> String {
        match self.figure(column) {
            Figure::Count(Some(what)) | Figure::Percent { of: Some(what), .. } => self.plural(what, count),
            _ => self.rows(count),
        }
    }

    /// What the figures of a column are called in a sentence.
    pub(super) fn label(&self, column: usize) -> String {
        match self.figure(column) {
            Figure::Count(_) => {
                let what = self.counted(column, 2);
                pick(self.lang, format!("{what} 건수"), format!("number of {what}"))
            }
            Figure::Percent { part: Some(part), .. } => {
                pick(self.lang, format!("{part} 비율"), format!("share of {part}"))
            }
            Figure::Percent { part: None, .. } => pick(self.lang, "비율", "share").to_owned(),
            Figure::Amount { label, .. } => label.clone(),
        }
    }

    /// A figure with its unit.
    pub(super) fn with_unit(&self, column: usize, figure: &str) -> String {
        match (self.figure(column), self.lang) {
            (Figure::Count(_), Lang::Ko) => format!("{figure}건"),
            (Figure::Count(_), Lang::En) => figure.to_owned(),
            (Figure::Percent { .. }, Lang::Ko) => format!("{figure}%"),
            (Figure::Percent { .. }, Lang::En) => format!("{figure} %"),
            (Figure::Amount { unit: None, .. }, _) => figure.to_owned(),
            (Figure::Amount { unit: Some(unit), .. }, lang) => with_unit(figure, unit, lang),
        }
    }
}

fn with_unit(figure: &str, unit: &str, lang: Lang) -> String {
    let (ko, en) = match unit {
        "sec" | "seconds" | "s" => ("초", "s"),
        "minutes" => ("분", "minutes"),
        "hours" => ("시간", "hours"),
        "days" => ("일", "days"),
        "percent" | "pct" => ("%", "%"),
        "won" => ("원", "won"),
        "usd" => ("달러", "USD"),
        other => (other, other),
    };
    pick(lang, format!("{figure}{ko}"), format!("{figure} {en}"))
}

/// A noun as it is counted. Names that are plural already stay so.
fn counted(noun: &str, count: u64) -> String {
    let (first, last) = noun.rsplit_once(' ').map_or(("", noun), |(first, last)| (first, last));
    let singular = english::lemmas(last).into_iter().find(|stem| format!("{stem}s") == last);
    let is_mass = ["traffic", "volume"].contains(&last);
    let last = match (&singular, count) {
        (Some(one), 1) => one.clone(),
        (None, count) if count != 1 && !is_mass => {
            let forms = english::forms(last);
            forms.get(1).filter(|form| form.ends_with('s')).cloned().unwrap_or_else(|| last.to_owned())
        }
        _ => last.to_owned(),
    };
    if first.is_empty() { last } else { format!("{first} {last}") }
}

/// A noun of the language; in English the first that is made of its letters.
fn noun(nouns: &[String], lang: Lang) -> Option<String> {
    nouns.iter().find(|noun| Lang::of(noun) == lang).cloned()
}

struct Nouns<'a> {
    domain: &'a Domain,
    table: &'a DomainTable,
    lang: Lang,
}

impl Nouns<'_> {
    fn column(&self, column: &frame::Column) -> String {
        let known = self.domain.table(&column.table).and_then(|table| table.column(&column.name));
        known.and_then(|known| noun(&known.nouns, self.lang)).unwrap_or_else(|| spelled(column.short()))
    }

    fn unit(&self, column: &frame::Column) -> Option<String> {
        self.domain.table(&column.table)?.column(&column.name)?.unit.clone()
    }

    fn figure(&self, measure: &Measure, column: &Column) -> Figure {
        let lang = self.lang;
        let amount = |label: String, unit: Option<String>| Figure::Amount { label, unit };
        match measure {
            Measure::Count => Figure::Count(None),
            Measure::CountOf(filters) => Figure::Count(values(filters)),
            Measure::Distinct(column, _) => Figure::Count(Some(self.column(column))),
            Measure::Rate(filters) => Figure::Percent { part: values(filters), of: None },
            Measure::RateOf(column, filters) => {
                Figure::Percent { part: values(filters), of: Some(self.column(column)) }
            }
            Measure::Share => Figure::Percent { part: None, of: None },
            Measure::Stat(stat, column, _) => {
                amount(statistic(*stat, &self.column(column), lang), self.unit(column))
            }
            Measure::PerValue(_) => amount(
                pick(lang, "평균 건수".to_owned(), format!("average number of {}", self.of_rows())),
                None,
            ),
            Measure::Span => amount(
                pick(lang, "처음부터 끝까지 걸린 시간", "time from the first to the last").to_owned(),
                Some("seconds".into()),
            ),
            Measure::Age => amount(
                pick(lang, "마지막 이후 지난 시간", "time since the last").to_owned(),
                Some("minutes".into()),
            ),
            Measure::Named(name, _) => {
                let known = self.table.measures.iter().find(|measure| measure.name == *name);
                let words = known.and_then(|measure| noun(&measure.words, lang));
                let label = words.unwrap_or_else(|| spelled(name));
                match known.is_some_and(|measure| measure.share.is_some()) {
                    true => {
                        let rows = self.of_rows();
                        let label = pick(lang, format!("{rows}의 {label}"), format!("{label} of the {rows}"));
                        amount(label, Some("percent".into()))
                    }
                    false => amount(label, None),
                }
            }
            Measure::Ratio(..) | Measure::Difference(..) => amount(spelled(&column.name), None),
            Measure::First | Measure::Last => by_name(column, lang),
        }
    }

    fn of_rows(&self) -> String {
        let noun = noun(&self.table.nouns, self.lang).unwrap_or_else(|| self.table.name.clone());
        if self.lang == Lang::En { counted(&noun, 2) } else { noun }
    }
}

/// The values that conditions name.
fn values(filters: &[Filter]) -> Option<String> {
    let [Filter { test: Test::OneOf(values), .. }] = filters else { return None };
    Some(values.join(", "))
}

fn statistic(stat: Stat, of: &str, lang: Lang) -> String {
    let (ko, en) = match stat {
        Stat::Average => ("평균 ".to_owned(), "average ".to_owned()),
        Stat::Minimum => ("최소 ".into(), "lowest ".into()),
        Stat::Maximum => ("최대 ".into(), "highest ".into()),
        Stat::Sum => ("총 ".into(), "total ".into()),
        Stat::Deviation => ("표준편차 ".into(), "standard deviation of ".into()),
        Stat::Percentile(part) => {
            let name = format!("p{} ", (part * 1000.0).round() / 10.0);
            (name.clone(), name)
        }
    };
    pick(lang, format!("{ko}{of}"), format!("{en}{of}"))
}

/// What a column's name says of its figures.
fn by_name(column: &Column, lang: Lang) -> Figure {
    let name = ["_now", "_before_whole", "_before"]
        .iter()
        .find_map(|ending| column.name.strip_suffix(ending))
        .unwrap_or(&column.name);
    if let Some(what) = name.strip_suffix("count") {
        let what = what.trim_end_matches('_');
        return Figure::Count(Some(spelled(what)).filter(|what| !what.is_empty()));
    }
    if name == "percent" {
        return Figure::Percent { part: None, of: None };
    }
    if name == "error_rate" {
        let errors = pick(lang, "에러", "errors").to_owned();
        return Figure::Percent { part: Some(errors), of: None };
    }
    if name == "average" {
        let label = pick(lang, "평균", "average").to_owned();
        return Figure::Amount { label, unit: None };
    }
    let stats = [
        ("avg_", Stat::Average),
        ("min_", Stat::Minimum),
        ("max_", Stat::Maximum),
        ("sum_", Stat::Sum),
        ("stddev_", Stat::Deviation),
    ];
    let (bare, unit) = match name.strip_suffix("_ms") {
        Some(bare) => (bare, Some("ms".to_owned())),
        None => (name, None),
    };
    let stat = stats.iter().find_map(|(start, stat)| Some((bare.strip_prefix(start)?, *stat)));
    let label = match stat {
        Some((of, stat)) => statistic(stat, &spelled(of), lang),
        None => spelled(bare),
    };
    Figure::Amount { label, unit }
}

fn spelled(name: &str) -> String {
    name.replace(['_', '.'], " ").trim().to_owned()
}

/// What people call a period: yesterday, last week.
fn called(period: &Period, now: &Zoned, lang: Lang) -> Option<String> {
    let Period::Range { from: Some(from), unit: Some(unit), .. } = period else { return None };
    let from = from.to_zoned(now.time_zone().clone()).date();
    let today = now.date();
    let back = |days: i64| today.checked_sub(jiff::Span::new().days(days)).ok();
    let (ko, en) = match unit {
        Unit::Day if Some(from) == back(1) => ("어제", "yesterday"),
        Unit::Day if Some(from) == back(7) => ("지난주 같은 요일", "the same day last week"),
        Unit::Day => {
            let day = from.to_string();
            return Some(pick(lang, day.clone(), day));
        }
        Unit::Week if Some(from) > back(15) && Some(from) <= back(7) => ("지난주", "last week"),
        Unit::Month
            if from.first_of_month().checked_add(jiff::Span::new().months(1)).ok()
                == Some(today.first_of_month()) =>
        {
            ("지난달", "last month")
        }
        Unit::Year if from.year() + 1 == today.year() => ("작년", "last year"),
        _ => return None,
    };
    Some(pick(lang, ko, en).to_owned())
}

/// A Korean word with the particle that fits its last sound: (after a consonant, after a vowel).
pub(super) fn with_particle(word: &str, (closed, open): (&str, &str)) -> String {
    let ends_closed = word.chars().rev().find(|letter| letter.is_alphanumeric()).is_some_and(is_closed);
    format!("{word}{}", if ends_closed { closed } else { open })
}
