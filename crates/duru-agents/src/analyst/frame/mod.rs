//! A question as a typed query: what is asked of which rows, before it is SQL.

mod sql;

use duru_language::time::{Length, Period};
use serde::{Deserialize, Serialize};

pub use sql::print;
pub(super) use sql::{columns, condition, hops, multiplies, span};

/// What is asked. Without measures and dimensions: the rows themselves; with dimensions only: which values there are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// The table whose rows are counted or listed.
    pub table: String,
    pub filters: Vec<Filter>,
    pub time: Option<Period>,
    /// A second period, whose figures stand beside those of the first.
    pub compare: Option<Comparison>,
    pub dimensions: Vec<Dimension>,
    pub measures: Vec<Measure>,
    pub having: Vec<Having>,
    pub order: Option<Order>,
    pub limit: Option<u32>,
    /// As many from the other end of the order, too.
    pub both_ends: bool,
    /// Only the first so many of the last dimension within each of the others.
    pub best_each: Option<u32>,
    pub window: Option<Window>,
    /// Not the groups, but how many there are.
    pub count_groups: bool,
    /// Columns that are shown of rows, beside the table's usual ones.
    pub show: Vec<Column>,
    /// Groups are asked for of which no row fulfils these conditions.
    pub none_of: Vec<Filter>,
    /// Groups are asked for that have rows which fulfil these conditions.
    pub some_of: Vec<Filter>,
    /// Groups are asked for that have no rows in this period.
    pub silent: Option<Period>,
    /// Groups that have rows for every value of this column among the filters.
    pub all_of: Option<Column>,
}

/// A column of a table; a key within a JSON column is `column.key`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Column {
    pub table: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    pub column: Column,
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
    /// Against a number.
    Number(Compare, f64),
    /// Against a word with an order, such as a level.
    Rank(Compare, String),
    /// Any of these texts, whatever the case.
    Contains(Vec<String>),
    ContainsAll(Vec<String>),
    Lacks(String),
    StartsWith(String),
    EndsWith(String),
    Present,
    Absent,
    /// The value that comes first in another query's answer.
    FirstOf(Box<Frame>),
    /// The time of the first row that fulfils these conditions, or later; `true`: before it.
    SinceFirst(Vec<Filter>, bool),
    /// The hour of the day, from the first up to but not including the second.
    Hours(u8, u8),
    /// Monday is 1.
    Weekdays(Vec<u8>),
    /// Either of these.
    Either(Vec<Filter>),
    /// A number above or below the average of the whole table.
    Average(Compare),
    /// A date that is not the table's own time lies in this period.
    During(Period),
    /// Rows of the column's table belong to it, or none do. The column has no name.
    HasRows(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    More,
    AtLeast,
    Less,
    AtMost,
    Equal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// As long as the first, where that one is not over yet.
    pub with: Period,
    /// The whole of the second period, if `with` is a part of it.
    #[serde(default)]
    pub whole: Option<Period>,
    pub keep: Keep,
}

/// Which groups of a comparison are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
    Both,
    /// So many times as in the second, compared so.
    Times(Compare, f64),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    Column(Column),
    Every(Length),
    HourOfDay,
    DayOfWeek,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    Count,
    Distinct(Column, Vec<Filter>),
    /// How many fulfil the conditions.
    CountOf(Vec<Filter>),
    /// Of a hundred rows, how many fulfil the conditions.
    Rate(Vec<Filter>),
    /// Of a hundred values, how many have a row that fulfils the conditions.
    RateOf(Column, Vec<Filter>),
    /// Of all rows asked for, in percent.
    Share,
    Stat(Stat, Column, Vec<Filter>),
    First,
    Last,
    /// From the first to the last, in seconds.
    Span,
    /// Since the last, in minutes.
    Age,
    /// Rows for each value or stretch of time, on average.
    PerValue(Dimension),
    /// The first divided by the second; `true`: in percent.
    Ratio(Box<Measure>, Box<Measure>, bool),
    /// The first less the second.
    Difference(Box<Measure>, Box<Measure>),
    /// A figure that the domain names, by its place there.
    Named(String, String),
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
    pub compare: Compare,
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
    /// For rows: when; for groups: their first dimension.
    Time,
    /// The measure at this place.
    Measure(usize),
    Column(Column),
    /// By how much the two periods of a comparison differ.
    Growth,
    /// The same, relative to the second.
    GrowthRate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// Each bucket's figure with those of all before it.
    Cumulative,
    /// The mean of so many buckets up to each.
    Moving(u32),
}

impl Column {
    pub fn new(table: &str, name: &str) -> Self {
        Self { table: table.to_owned(), name: name.to_owned() }
    }

    /// The name by which a person knows it: of a key, the key.
    pub fn short(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

impl Filter {
    pub fn new(column: Column, test: Test) -> Self {
        Self { column, test }
    }
}

impl Dimension {
    pub fn is_time(&self) -> bool {
        !matches!(self, Self::Column(_))
    }
}

impl Frame {
    /// Whether the rows themselves are wanted.
    pub fn is_rows(&self) -> bool {
        self.dimensions.is_empty() && self.measures.is_empty()
    }

    /// The conditions on this column.
    pub fn filter(&self, name: &str) -> Option<&Filter> {
        self.filters.iter().find(|filter| filter.column.name == name)
    }
}
