//! A question as a tree: what is asked of which lines, before it is SQL.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What is asked. Without measures and groups: the lines themselves; with
/// groups only: which values there are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Query {
    pub filters: Vec<Filter>,
    pub time: Option<Period>,
    /// A second period, whose figures stand beside those of the first.
    pub compare: Option<Comparison>,
    pub groups: Vec<Group>,
    pub measures: Vec<Measure>,
    pub having: Vec<Having>,
    pub order: Option<Order>,
    pub limit: Option<u32>,
    /// Only the best so many of the last group within each of the others.
    pub best_each: Option<u32>,
    /// Each bucket's figure with those of all before it.
    pub cumulative: bool,
    /// Not the groups, but how many there are.
    pub count_groups: bool,
}

/// A column of the table, or a key of its JSON column.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    Column(String),
    Meta(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    pub field: Field,
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
    /// Against a number.
    Number(Op, f64),
    /// Against a word with an order, such as a level.
    Rank(Op, String),
    /// Any of these texts, whatever the case.
    Contains(Vec<String>),
    ContainsAll(Vec<String>),
    Lacks(String),
    StartsWith(String),
    Present,
    Absent,
    /// The value that comes first in another query's answer.
    FirstOf(Box<Query>),
    /// The hour of the day, from the first up to but not including the second.
    Hours(u8, u8),
    /// Monday is 1.
    Weekdays(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    More,
    AtLeast,
    Less,
    AtMost,
    Equal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    pub amount: u32,
    pub unit: Unit,
}

/// When the lines were written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// From so long ago until now.
    Last(Length),
    /// The same length, right before [`Period::Last`].
    BeforeLast(Length),
    /// Half open; without an end: until now.
    Between { from: Option<Timestamp>, until: Option<Timestamp> },
    /// Everything before so long ago.
    Until(Length),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    pub with: Period,
    pub keep: Keep,
}

/// Which groups of a comparison are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    #[default]
    All,
    More,
    Fewer,
    /// Those that are only in the first period.
    New,
    /// Those that are only in the second.
    Gone,
    /// Those that are in both.
    Both,
    /// So many times as in the second, compared so.
    Times(Op, u32),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    Field(Field),
    Every(Length),
    HourOfDay,
    Weekday,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    Count,
    Distinct(Field),
    /// How many fulfil the conditions.
    CountOf(Vec<Filter>),
    /// How many of a hundred fulfil the conditions.
    Rate(Vec<Filter>),
    /// Of a hundred values, how many have a line that fulfils the conditions.
    RateOf(Field, Vec<Filter>),
    /// Of all lines asked for, in percent.
    Share,
    Stat(Stat, Field),
    First,
    Last,
    /// From the first to the last, in seconds.
    Span,
    /// Since the last, in minutes.
    Age,
    /// Lines for each value or stretch of time, on average.
    PerValue(Group),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stat {
    Average,
    Minimum,
    Maximum,
    Sum,
    Deviation,
    /// 0.95 is the 95th.
    Percentile(f64),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Having {
    pub measure: Measure,
    pub op: Op,
    pub than: Than,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Than {
    Number(f64),
    Ago(Length),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    pub by: By,
    pub descending: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// For lines: when; for groups: their first bucket or value.
    Time,
    /// The measure at this place.
    Measure(usize),
    Field(Field),
    /// By how much the two periods of a comparison differ.
    Growth,
}

impl Field {
    pub fn column(name: &str) -> Self {
        Self::Column(name.to_owned())
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Column(name) | Self::Meta(name) => name,
        }
    }
}

impl Filter {
    pub(super) fn is(column: &str, value: &str) -> Self {
        Self { field: Field::column(column), test: Test::OneOf(vec![value.to_owned()]) }
    }
}

impl Group {
    pub(super) fn is_time(&self) -> bool {
        !matches!(self, Self::Field(_))
    }
}

impl Query {
    /// The conditions on this column.
    pub(super) fn filter(&self, name: &str) -> Option<&Filter> {
        self.filters.iter().find(|filter| filter.field.name() == name)
    }

    /// Whether the lines themselves are wanted.
    pub fn is_rows(&self) -> bool {
        self.groups.is_empty() && self.measures.is_empty()
    }
}
