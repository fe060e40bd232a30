//! What words mean, as far as more than one agent needs to know.

use serde::{Deserialize, Serialize};

/// One meaning of a word. A lexicon writes it as `op:count`, `unit:hour`, `time:day:-1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sense {
    /// Politeness, light verbs, hesitation: says nothing about what is wanted.
    Filler,
    /// Prepositions and conjunctions.
    Link(Link),
    /// Question words.
    Ask(Ask),
    /// What is to be done with what is named: count, average, compare, leave out.
    Op(Op),
    Number(f64),
    /// Fifth, thirds: a place, or a part.
    Ordinal(u8),
    Unit(Unit),
    Time(TimeWord),
    Particle(Particle),
    Ending(Ending),
    /// What no query over rows of the past can or may answer.
    Off(Off),
    /// Something of the domain that a question is about, by its place in that domain's list.
    Domain(u32),
}

/// Words with a name in the lexicon files.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $type { $($variant),+ }

        impl $type {
            fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

named!(Link {
    And = "and", Or = "or", But = "but", Of = "of", In = "in", For = "for", By = "by", With = "with", Than = "than",
    From = "from", To = "to", Since = "since", Until = "until", Between = "between", At = "at", On = "on", Before = "before",
    After = "after", During = "during", As = "as", Through = "through", Because = "because", If = "if", That = "that", Article = "article", Is = "is",
    Do = "do", Have = "have",
});

named!(Ask {
    Which = "which", What = "what", Who = "who", When = "when", Where = "where", HowMany = "how-many", HowMuch = "how-much",
    HowLong = "how-long", HowOften = "how-often", Why = "why", How = "how", Whether = "whether",
});

named!(Op {
    Count = "count", Distinct = "distinct", Average = "average", Minimum = "minimum", Maximum = "maximum", Sum = "sum",
    Median = "median", Deviation = "deviation", Share = "share", Per = "per", Each = "each", Every = "every",
    More = "more", Less = "less", AtLeast = "at-least", AtMost = "at-most", Equal = "equal", About = "about", Most = "most", Least = "least",
    Much = "much", Few = "few", High = "high", Low = "low", Long = "long", Short = "short", Slow = "slow", Fast = "fast", Good = "good", Bad = "bad",
    Often = "often", Rarely = "rarely",
    Top = "top", Bottom = "bottom", First = "first", Last = "last", Newest = "newest", Oldest = "oldest", Order = "order",
    Ascending = "ascending", Descending = "descending", Contains = "contains", Begins = "begins", Finishes = "finishes", Exclude = "exclude", Not = "not",
    Absent = "absent", Present = "present", Increase = "increase", Decrease = "decrease", Compare = "compare", Difference = "difference",
    Appear = "appear", Gone = "gone", Trend = "trend", Cumulative = "cumulative", Moving = "moving", Show = "show", Exists = "exists",
    Takes = "takes", Happens = "happens", Again = "again", Instead = "instead", Objection = "objection", Reference = "reference", Same = "same",
    Among = "among", Rate = "rate", All = "all", Both = "both", Only = "only", Total = "total", Usual = "usual", Other = "other", Rank = "rank",
    Event = "event", Kind = "kind", List = "list", Value = "value", Word = "word", Ratio = "ratio", Correct = "correct", Half = "half", Age = "age", Percentile = "percentile", Quartile = "quartile", Journey = "journey",
});

named!(
    /// Why a question may have no answer here.
    Off {
        Write = "write", Secret = "secret", Deleted = "deleted", Future = "future", Data = "data", World = "world", Advice = "advice",
    }
);

named!(
    /// What is counted or measured.
    Unit {
        Millisecond = "millisecond", Second = "second", Minute = "minute", Hour = "hour", Day = "day", Week = "week", Month = "month",
        Quarter = "quarter", Year = "year", Item = "item", Times = "times", People = "people", Place = "place", Kind = "kind", Rank = "rank",
        Percent = "percent", Fold = "fold", Won = "won", Dollar = "dollar", Euro = "euro", Yen = "yen", Tenth = "tenth", Hundredth = "hundredth", Byte = "byte", Kilobyte = "kilobyte", Megabyte = "megabyte",
        Gigabyte = "gigabyte", OClock = "oclock", DayOfMonth = "day-of-month", MonthOfYear = "month-of-year", Pyeong = "pyeong", SquareMeter = "square-meter", Age = "age", Floor = "floor",
    }
);

named!(
    /// What a Korean particle says of the word before it.
    Particle {
        Subject = "subject", Topic = "topic", Object = "object", At = "at", From = "from", Until = "until", With = "with", Of = "of",
        Than = "than", Only = "only", Also = "also", By = "by", Or = "or", Quote = "quote", Is = "is", Like = "like", To = "to", Polite = "polite", Plural = "plural", Even = "even",
    }
);

named!(
    /// What an ending says of its verb.
    Ending {
        Past = "past", Honorific = "honorific", Modifier = "modifier", Connective = "connective", Background = "background", Reason = "reason",
        Condition = "condition", Question = "question", Statement = "statement", Request = "request", Noun = "noun", Adverb = "adverb",
        Concession = "concession", Choice = "choice", Future = "future",
    }
);

/// A word about time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeWord {
    /// Days from today: yesterday is -1.
    Day(i32),
    Week(i32),
    /// 둘째 주: a week of the month that is said, or of this one; 0 is the last.
    WeekOfMonth(u8),
    /// First week, 마지막 주: of a month only where one is said.
    NthWeek(u8),
    /// 주차: counts the weeks of a month.
    WeekCount,
    Month(i32),
    Quarter(i32),
    Year(i32),
    /// 하루, 이틀, a fortnight.
    Length(u32, Unit),
    /// 최근 3시간, the last 3 hours; alone, the last hour.
    Recent,
    /// 방금, just now.
    JustNow,
    /// 조금 전, a while ago: nobody can say how long.
    Vague,
    /// 3시간 전, 3 hours ago.
    Ago,
    /// Before another period or moment: 직전, previous.
    Previous,
    /// The one before, of a unit of the calendar: 직전 분기.
    PreviousUnit(Unit),
    Before,
    After,
    Within,
    During,
    This,
    /// From hour to hour of a day.
    Part(u8, u8),
    Am,
    Pm,
    Noon,
    Midnight,
    Now,
    /// Monday is 1.
    Weekday(u8),
    Weekdays,
    Weekend,
    /// A certain weekend: the last one is -1.
    WeekendOf(i32),
    /// January is 1.
    MonthName(u8),
    /// Q1, the first quarter.
    QuarterOfYear(u8),
    /// H1, 상반기.
    HalfOfYear(u8),
    /// So far, 지금까지: up to now, of what was said before.
    UntilNow,
    /// hourly, 일별.
    Bucket(Unit),
    HourOfDay,
    DayOfWeek,
    AllTime,
    SameTime,
    /// The day of the week that is spoken of, in another week.
    SameDay,
    /// 반: half past.
    Half,
    /// First or second half of a year, early, middle and late of a month.
    Early,
    Middle,
    Late,
}

impl Sense {
    /// A meaning by its name in a lexicon file.
    pub fn named(name: &str) -> Option<Self> {
        let mut parts = name.split(':');
        let kind = parts.next()?;
        let rest: Vec<&str> = parts.collect();
        Some(match (kind, rest.as_slice()) {
            ("filler", []) => Self::Filler,
            ("link", [one]) => Self::Link(Link::named(one)?),
            ("ask", [one]) => Self::Ask(Ask::named(one)?),
            ("op", [one]) => Self::Op(Op::named(one)?),
            ("num", [one]) => Self::Number(one.parse().ok()?),
            ("ord", [one]) => Self::Ordinal(one.parse().ok()?),
            ("unit", [one]) => Self::Unit(Unit::named(one)?),
            ("off", [one]) => Self::Off(Off::named(one)?),
            ("particle", [one]) => Self::Particle(Particle::named(one)?),
            ("ending", [one]) => Self::Ending(Ending::named(one)?),
            ("time", rest) => Self::Time(TimeWord::named(rest)?),
            _ => return None,
        })
    }
}

impl TimeWord {
    fn named(parts: &[&str]) -> Option<Self> {
        let number = |text: &str| text.parse::<i32>().ok();
        let small = |text: &str| text.parse::<u8>().ok();
        Some(match parts {
            ["day", by] => Self::Day(number(by)?),
            ["week", by] => Self::Week(number(by)?),
            ["week-of-month", number] => Self::WeekOfMonth(small(number)?),
            ["nth-week", number] => Self::NthWeek(small(number)?),
            ["week-count"] => Self::WeekCount,
            ["month", by] => Self::Month(number(by)?),
            ["quarter", by] => Self::Quarter(number(by)?),
            ["year", by] => Self::Year(number(by)?),
            ["length", amount, unit] => Self::Length(amount.parse().ok()?, Unit::named(unit)?),
            ["part", from, until] => Self::Part(small(from)?, small(until)?),
            ["weekday", day] => Self::Weekday(small(day)?),
            ["month-name", month] => Self::MonthName(small(month)?),
            ["quarter-of-year", quarter] => Self::QuarterOfYear(small(quarter)?),
            ["half-of-year", half] => Self::HalfOfYear(small(half)?),
            ["until-now"] => Self::UntilNow,
            ["bucket", unit] => Self::Bucket(Unit::named(unit)?),
            ["recent"] => Self::Recent,
            ["just-now"] => Self::JustNow,
            ["vague"] => Self::Vague,
            ["ago"] => Self::Ago,
            ["previous"] => Self::Previous,
            ["previous", unit] => Self::PreviousUnit(Unit::named(unit)?),
            ["weekend", by] => Self::WeekendOf(number(by)?),
            ["before"] => Self::Before,
            ["after"] => Self::After,
            ["within"] => Self::Within,
            ["during"] => Self::During,
            ["this"] => Self::This,
            ["am"] => Self::Am,
            ["pm"] => Self::Pm,
            ["noon"] => Self::Noon,
            ["midnight"] => Self::Midnight,
            ["now"] => Self::Now,
            ["weekdays"] => Self::Weekdays,
            ["weekend"] => Self::Weekend,
            ["hour-of-day"] => Self::HourOfDay,
            ["day-of-week"] => Self::DayOfWeek,
            ["all-time"] => Self::AllTime,
            ["same-time"] => Self::SameTime,
            ["same-day"] => Self::SameDay,
            ["half"] => Self::Half,
            ["early"] => Self::Early,
            ["middle"] => Self::Middle,
            ["late"] => Self::Late,
            _ => return None,
        })
    }
}

impl Unit {
    /// How long it is, if it is a length of time; months and years on average.
    pub fn seconds(self) -> Option<f64> {
        Some(match self {
            Self::Millisecond => 0.001,
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3_600.0,
            Self::Day => 86_400.0,
            Self::Week => 604_800.0,
            Self::Month => 2_629_800.0,
            Self::Quarter => 7_889_400.0,
            Self::Year => 31_557_600.0,
            _ => return None,
        })
    }
}
